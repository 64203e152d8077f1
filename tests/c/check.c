/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static unsigned long passed;
static unsigned long failed;

bool check_that(bool holds, const char *file, int line, const char *format,
                ...) {
  if (holds) {
    passed++;
    return true;
  }
  failed++;
  va_list arguments;
  va_start(arguments, format);
  printf("FAILED %s:%d: ", file, line);
  vprintf(format, arguments);
  printf("\n");
  va_end(arguments);
  return false;
}

static void print_hex(const char *label, const uint8_t *bytes, size_t size) {
  printf("  %s ", label);
  for (size_t i = 0; i < size; i++) {
    printf("%02x", bytes[i]);
  }
  printf("\n");
}

bool check_bytes(const uint8_t *got, const uint8_t *want, size_t size,
                 const char *file, int line, const char *what) {
  const bool alike = size == 0 || memcmp(got, want, size) == 0;
  if (!check_that(alike, file, line, "%s", what)) {
    print_hex("got ", got, size);
    print_hex("want", want, size);
  }
  return alike;
}

bool check_result(samara_result got, samara_result want, const char *file,
                  int line, const char *what) {
  return check_that(got == want, file, line, "%s: got \"%s\", want \"%s\"",
                    what, samara_result_text(got), samara_result_text(want));
}

int check_report(void) {
  if (passed + failed == 0) {
    printf("nothing was checked\n0 passed, 1 failed\n");
    return 1;
  }
  printf("%lu passed, %lu failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}

/* Xorshift64* (Vigna 2016). */
#define RANDOM_SEED 0x9e3779b97f4a7c15
static uint64_t random_state = RANDOM_SEED;

static uint64_t next_random(void) {
  random_state ^= random_state >> 12;
  random_state ^= random_state << 25;
  random_state ^= random_state >> 27;
  return random_state * 0x2545f4914f6cdd1d;
}

void restart_random(void) { random_state = RANDOM_SEED; }

void fill_random(uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) {
    bytes[i] = (uint8_t)(next_random() >> 56);
  }
}

size_t random_below(size_t limit) {
  return (size_t)((next_random() >> 16) % limit);
}

bool all_zero(const uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) {
    if (bytes[i] != 0) {
      return false;
    }
  }
  return true;
}
