/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MSP430_STDLIB_H
#define MSP430_STDLIB_H

/* For sources of others that include this header for its types or for what they
 * do not call. There is no such function: a program that calls one is not
 * linked. */

#include <stddef.h>

void abort(void);
void exit(int status);
void free(void *memory);
void *malloc(size_t size);

#endif
