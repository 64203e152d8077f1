/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STDLIB_H
#define STDLIB_H

/* Writes a number to the base 10 or below, and returns the text. */
char *itoa(int number, char *text, int base);

#endif
