/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_TESTS_CHECK_H
#define SAMARA_TESTS_CHECK_H

/* Counting checks. A program ends with `return check_report();`, which prints
 * "N passed, N failed" and fails when nothing was checked at all. */

#include <samara/result.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Counts a check; on failure prints what it was about (printf style). */
bool check_that(bool holds, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Both buffers alike; on failure prints `what`, and both in hex. */
bool check_bytes(const uint8_t *got, const uint8_t *want, size_t size,
                 const char *file, int line, const char *what);

/* The result expected; on failure prints `what`, and both in words. */
bool check_result(samara_result got, samara_result want, const char *file,
                  int line, const char *what);

int check_report(void);

#define CHECK(holds, ...) check_that((holds), __FILE__, __LINE__, __VA_ARGS__)
#define CHECK_BYTES(got, want, size, what)                                     \
  check_bytes((got), (want), (size), __FILE__, __LINE__, (what))
#define CHECK_RESULT(got, want, what)                                          \
  check_result((got), (want), __FILE__, __LINE__, (what))

/* Repeatable noise: the same bytes in every run, and after each restart. */
void fill_random(uint8_t *bytes, size_t size);
void restart_random(void);
size_t random_below(size_t limit);

bool all_zero(const uint8_t *bytes, size_t size);

#ifdef __cplusplus
}
#endif

#endif
