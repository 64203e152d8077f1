/* SPDX-License-Identifier: Apache-2.0 */
/* Texts: what sensor.c takes of a C library, which clang has none of for the
 * MSP430. Code compiled by a tool chain that has one does without this file. */

#include <stdlib.h>
#include <string.h>

size_t strlen(const char *text) {
  size_t size = 0;
  while (text[size] != 0) {
    size++;
  }
  return size;
}

char *strcat(char *text, const char *more) {
  memcpy(text + strlen(text), more, strlen(more) + 1);
  return text;
}

char *itoa(int number, char *text, int base) {
  char digits[8 * sizeof number];
  size_t count = 0;
  size_t place = 0;
  unsigned rest = number < 0 ? 0u - (unsigned)number : (unsigned)number;
  do {
    digits[count++] = (char)('0' + rest % (unsigned)base);
    rest /= (unsigned)base;
  } while (rest != 0);
  if (number < 0) {
    text[place++] = '-';
  }
  while (count > 0) {
    text[place++] = digits[--count];
  }
  text[place] = 0;
  return text;
}
