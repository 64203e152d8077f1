/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STRING_H
#define STRING_H

/* What text.c and support.c have of the C library. */

#include <stddef.h>

int memcmp(const void *left, const void *right, size_t size);
void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *memory, int value, size_t size);
char *strcat(char *text, const char *more);
size_t strlen(const char *text);

#endif
