/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_BLOCK_AES_BITSLICED64_H
#define SAMARA_BLOCK_AES_BITSLICED64_H

/* What AES as logic on words of 64 bits is made of, whose eight words hold bit
 * 0 to bit 7 of all bytes: aes_bitsliced64.c takes four blocks at a time, and
 * aes_rows64.c sixteen. */

#include "common/machine.h"
#include "mode/counter.h"

#if !SAMARA_AES_TABLES && SAMARA_WORD_BITS == 64

typedef uint64_t sliced_word;
typedef sliced_word sliced_state[8];

/* `pattern`, 16 bits, repeated over the word. */
#define SLICED_REPEAT(pattern) ((sliced_word)0x0001000100010001 * (pattern))

#define SLICED_FUNCTION SAMARA_INLINE
#define SLICED_NOT(word) (word)
#include "block/aes_s_box_template.h"

/* What works on eight words has its loops unrolled, so that words can be in
 * registers. */
#define SLICED_UNROLL _Pragma("GCC unroll 8")

SAMARA_INLINE sliced_word sliced_rotate(sliced_word w, unsigned count) {
  return count == 0 ? w : w >> count | w << (64 - count);
}

/* Exchanges the bits `low` of `b` with those of `a` that are `shift` above. */
SAMARA_INLINE void sliced_exchange(sliced_word *a, sliced_word *b,
                                   sliced_word low, unsigned shift) {
  const sliced_word difference = ((*a >> shift) ^ *b) & low;
  *a ^= difference << shift;
  *b ^= difference;
}

/* Transposes each 8 x 8 square of bits: bit k of byte j in word i changes
 * places with bit i of byte j in word k. */
SAMARA_INLINE void sliced_transpose(sliced_state s) {
  SLICED_UNROLL
  for (unsigned i = 0; i < 4; i++) {
    sliced_exchange(&s[2 * i], &s[2 * i + 1], SLICED_REPEAT(0x5555), 1);
  }
  SLICED_UNROLL
  for (unsigned i = 0; i < 4; i++) {
    const unsigned j = i + (i & 2);
    sliced_exchange(&s[j], &s[j + 2], SLICED_REPEAT(0x3333), 2);
  }
  SLICED_UNROLL
  for (unsigned i = 0; i < 4; i++) {
    sliced_exchange(&s[i], &s[i + 4], SLICED_REPEAT(0x0f0f), 4);
  }
}

/* A round key as it is stored: its low nibbles and its high nibbles, that of
 * row r and column c at 16 r + 4 c. */
SAMARA_INLINE void sliced_load_key(sliced_word nibbles[2],
                                   const uint32_t packed[4]) {
  nibbles[0] = packed[0] | (sliced_word)packed[1] << 32;
  nibbles[1] = packed[2] | (sliced_word)packed[3] << 32;
}

/* Bit `i` of its bytes, at the lowest bit of their nibbles. */
SAMARA_INLINE sliced_word sliced_key_plane(const sliced_word nibbles[2],
                                           unsigned i) {
  return nibbles[i / 4] >> (i % 4) & SLICED_REPEAT(0x1111);
}

/* The next `count` blocks of counter mode, before they are encrypted. */
SAMARA_INLINE void sliced_store_counters(uint8_t *blocks,
                                         samara_counter *counter,
                                         unsigned first, size_t count) {
  for (size_t i = 0; i < count; i++) {
    samara_counter_store(blocks + 16 * i, counter);
    samara_count_up(counter, first);
  }
}

/* Counter mode on `count` times sixteen blocks, with the round keys of
 * aes_bitsliced64.c. Making its own of them takes the time of twelve blocks. */
enum { samara_aes_rows_bytes = 16 * 16 };
void samara_aes_rows_ctr(const uint32_t *round_keys, unsigned rounds,
                         uint8_t *output, samara_counter *counter,
                         unsigned first, const uint8_t *input, size_t count);

#endif

#endif
