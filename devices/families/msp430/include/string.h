/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MSP430_STRING_H
#define MSP430_STRING_H

/* What support.c has of the C library, for the sources of others. */

#include <stddef.h>

int memcmp(const void *left, const void *right, size_t size);
void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *memory, int value, size_t size);

#endif
