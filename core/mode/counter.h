/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_MODE_COUNTER_H
#define SAMARA_MODE_COUNTER_H

#include "common/secret.h"

/* Adds one to bytes `first` to 15 of a counter block, a big-endian number that
 * wraps around. Always walks the whole way: GCM derives its first counter from
 * the key, and an equal time for every nonce is what a device promises. The
 * carry is hidden because gcc -O3 makes branches of it otherwise. */
SAMARA_INLINE void samara_count_up(uint8_t counter[16], unsigned first) {
  uint32_t carry = 1;
  for (unsigned i = 16; i-- > first;) {
    carry += counter[i];
    counter[i] = (uint8_t)carry;
    carry = samara_hide32(carry >> 8);
  }
}

#endif
