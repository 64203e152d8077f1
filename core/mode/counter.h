/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_MODE_COUNTER_H
#define SAMARA_MODE_COUNTER_H

#include "common/bytes.h"
#include "common/secret.h"

/* Adds one to bytes `first` (0 or 12) to 15 of a counter block, a big-endian
 * number that wraps around. Always walks the whole way: GCM derives its first
 * counter from the key, and an equal time for every nonce is what a device
 * promises. What is read is hidden, or gcc -O3 lets the counter decide when a
 * loop ends. */
SAMARA_INLINE void samara_count_up(uint8_t counter[16], unsigned first) {
#if SAMARA_WORD_BITS == 64
  const uint64_t low = samara_hide64(samara_load64_be(counter + 8));
  if (first == 12) {
    samara_store64_be(counter + 8, (low & ~(uint64_t)UINT32_MAX) |
                                       (uint32_t)((uint32_t)low + 1));
  } else {
    /* 1 when every bit of `low` is set. */
    const uint64_t carry = ((low + 1) | (0 - (low + 1))) >> 63 ^ 1;
    const uint64_t high = samara_load64_be(counter);
    samara_store64_be(counter + 8, low + 1);
    samara_store64_be(counter, high + carry);
  }
#else
  unsigned carry = 1;
  for (unsigned i = 16; i-- > first;) {
    carry += samara_hide8(counter[i]);
    counter[i] = (uint8_t)carry;
    carry >>= 8;
  }
#endif
}

#endif
