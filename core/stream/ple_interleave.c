/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/ple_interleave.h>

enum { ple_golden = 40503 }; /* round(2^16 * (sqrt(5) - 1) / 2) */

static uint32_t ple_common_divisor(uint32_t a, uint32_t b) {
  while (b != 0) {
    const uint32_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

uint32_t samara_ple_stride(uint32_t count) {
  if (count < 2) {
    return 1;
  }
  /* In two halves, so that no product exceeds 32 bits. */
  uint32_t stride =
      (count >> 16) * ple_golden + ((count & 0xffff) * ple_golden >> 16);
  while (ple_common_divisor(count, stride) != 1) {
    stride++;
  }
  return stride;
}
