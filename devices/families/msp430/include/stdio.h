/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MSP430_STDIO_H
#define MSP430_STDIO_H

/* For sources of others that can print but do not when they are measured. There
 * is no such function: a program that calls one is not linked. */

#include <stddef.h>

int printf(const char *format, ...);

#endif
