/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_MODE_COUNTER_H
#define SAMARA_MODE_COUNTER_H

#include "common/secret.h"

/* Adds one to bytes `first` to 15 of a counter block, a big-endian number that
 * wraps around. Always walks the whole way: GCM derives its first counter from
 * the key, and an equal time for every nonce is what a device promises. Each
 * byte is hidden, or gcc -O3 lets the last one decide when a loop ends. */
SAMARA_INLINE void samara_count_up(uint8_t counter[16], unsigned first) {
  unsigned carry = 1;
  for (unsigned i = 16; i-- > first;) {
    carry += samara_hide8(counter[i]);
    counter[i] = (uint8_t)carry;
    carry >>= 8;
  }
}

#endif
