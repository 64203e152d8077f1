/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_MODE_COUNTER_H
#define SAMARA_MODE_COUNTER_H

#include "common/bytes.h"
#include "common/secret.h"
#include "common/stack.h"

/* What CTR adds to the cipher's stack. */
enum { samara_ctr_stack = SAMARA_STACK_BYTES(48, 48, 128, 384) };

/* A counter block: a big-endian number in bytes `first` (0 in CTR, 12 in GCM)
 * to 15, which wraps around. Counting takes the same time for every value: GCM
 * derives its first counter from the key, and an equal time for every nonce is
 * what a device promises. */

#if SAMARA_WORD_BITS == 64

typedef struct samara_counter {
  uint64_t high;
  uint64_t low;
} samara_counter;

SAMARA_INLINE samara_counter samara_counter_load(uint8_t block[16]) {
  const samara_counter counter = {samara_load64_be(block),
                                  samara_load64_be(block + 8)};
  return counter;
}

SAMARA_INLINE void samara_counter_store(uint8_t block[16],
                                        const samara_counter *counter) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  /* In one piece: written in two, it cannot be read back as one by the AES
   * instructions before both have reached the cache. */
  typedef uint64_t words __attribute__((vector_size(16)));
  const words both = {__builtin_bswap64(counter->high),
                      __builtin_bswap64(counter->low)};
  __builtin_memcpy(block, &both, sizeof both);
#else
  samara_store64_be(block, counter->high);
  samara_store64_be(block + 8, counter->low);
#endif
}

SAMARA_INLINE void samara_count_up(samara_counter *counter, unsigned first) {
  /* Hidden, or gcc -O3 lets the counter decide when a loop ends. */
  const uint64_t next = samara_hide64(counter->low) + 1;
  if (first == 12) {
    counter->low = (counter->low & ~(uint64_t)UINT32_MAX) | (uint32_t)next;
  } else {
    counter->low = next;
    counter->high += ((next | (0 - next)) >> 63) ^ 1; /* 1 when next is 0 */
  }
}

/* The same for many blocks at once. */
SAMARA_INLINE void samara_count_by(samara_counter *counter, unsigned first,
                                   uint64_t blocks) {
  const uint64_t before = samara_hide64(counter->low);
  const uint64_t next = before + blocks;
  if (first == 12) {
    counter->low = (before & ~(uint64_t)UINT32_MAX) | (uint32_t)next;
  } else {
    counter->low = next;
    /* The carry of the addition. */
    counter->high += ((before & blocks) | ((before | blocks) & ~next)) >> 63;
  }
}

#else

/* In place: memory is scarce where words are short. */
typedef struct samara_counter {
  uint8_t *block;
} samara_counter;

SAMARA_INLINE samara_counter samara_counter_load(uint8_t block[16]) {
  const samara_counter counter = {block};
  return counter;
}

SAMARA_INLINE void samara_counter_store(uint8_t block[16],
                                        const samara_counter *counter) {
  if (block != counter->block) {
    samara_copy_bytes(block, counter->block, 16);
  }
}

SAMARA_INLINE void samara_count_up(samara_counter *counter, unsigned first) {
  unsigned carry = 1;
  for (unsigned i = 16; i-- > first;) {
    carry += samara_hide8(counter->block[i]);
    counter->block[i] = (uint8_t)carry;
    carry >>= 8;
  }
}

#endif

#endif
