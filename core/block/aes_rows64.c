/* SPDX-License-Identifier: Apache-2.0 */
#include "block/aes_rounds.h"

#include "common/bytes.h"
#include "common/wiped.h"

#include "block/aes_bitsliced64.h"

#if !SAMARA_AES_TABLES && SAMARA_WORD_BITS == 64

/* AES in counter mode for long messages, as logic on words of 64 bits: sixteen
 * blocks at a time. A word has bit i of row r (FIPS 197, 3.4): that of column c
 * is in bits 16 c to 16 c + 15, one of each block. So ShiftRows is a rotation,
 * MixColumns takes other words and moves nothing, and rows are the lanes of a
 * vector where a compiler has vectors of such words.
 *
 * The constant of SubBytes is in the round keys, except the first: MixColumns
 * does not change it. */

enum { rows_blocks = 16, rows_stack = 1280 };

typedef sliced_word rows_state[8][4];
typedef rows_state rows_keys[15];

/* Applies `change` to the eight words of each row. */
SAMARA_INLINE void rows_each(rows_state s, void (*change)(sliced_state)) {
  for (unsigned r = 0; r < 4; r++) {
    sliced_state row;
    SLICED_UNROLL
    for (unsigned i = 0; i < 8; i++) {
      row[i] = s[i][r];
    }
    change(row);
    SLICED_UNROLL
    for (unsigned i = 0; i < 8; i++) {
      s[i][r] = row[i];
    }
  }
}

/* Each block is two words, one with columns 0 and 2 and one with columns 1 and
 * 3. Columns and rows of these words change places, and so do rows and blocks.
 * Its own inverse. */
static void rows_exchange(rows_state s) {
  for (unsigned i = 0; i < 8; i++) {
    sliced_exchange(&s[i][0], &s[i][2], 0x0000ffff0000ffff, 16);
    sliced_exchange(&s[i][1], &s[i][3], 0x0000ffff0000ffff, 16);
    sliced_exchange(&s[i][0], &s[i][1], SLICED_REPEAT(0x00ff), 8);
    sliced_exchange(&s[i][2], &s[i][3], SLICED_REPEAT(0x00ff), 8);
  }
}

static void rows_load_blocks(rows_state s, const uint8_t *input) {
  for (unsigned b = 0; b < rows_blocks; b++) {
    for (unsigned c = 0; c < 2; c++, input += 4) {
      s[b / 2][2 * c + b % 2] = samara_load32_le(input) |
                                (sliced_word)samara_load32_le(input + 8) << 32;
    }
    input += 8;
  }
  rows_exchange(s);
  rows_each(s, sliced_transpose);
}

static void rows_store_blocks(uint8_t *output, rows_state s) {
  rows_each(s, sliced_transpose);
  rows_exchange(s);
  for (unsigned b = 0; b < rows_blocks; b++) {
    for (unsigned c = 0; c < 2; c++, output += 4) {
      const sliced_word columns = s[b / 2][2 * c + b % 2];
      samara_store32_le(output, (uint32_t)columns);
      samara_store32_le(output + 8, (uint32_t)(columns >> 32));
    }
    output += 8;
  }
}

/* The lowest bits of four nibbles, each to sixteen bits of a word. */
static sliced_word rows_spread(sliced_word w) {
  w = (w | w << 24) & 0x0000001100000011;
  w = (w | w << 12) & 0x0001000100010001;
  return (w << 16) - w;
}

/* The round keys are stored for rounds without ShiftRows, which a rotation
 * makes up for. */
static void rows_spread_keys(rows_keys keys, const uint32_t *round_keys,
                             unsigned rounds) {
  sliced_word nibbles[2];
  SAMARA_WIPED(nibbles);
  for (unsigned round = 0; round <= rounds; round++) {
    sliced_load_key(nibbles, round_keys + 4 * (size_t)round);
    for (unsigned i = 0; i < 8; i++) {
      const sliced_word plane = sliced_key_plane(nibbles, i);
      for (unsigned r = 0; r < 4; r++) {
        keys[round][i][r] = sliced_rotate(rows_spread(plane >> 16 * r & 0xffff),
                                          16 * (r * round % 4));
      }
    }
  }
}

static void rows_add_round_key(rows_state s, const rows_state key) {
  for (unsigned i = 0; i < 8; i++) {
    for (unsigned r = 0; r < 4; r++) {
      s[i][r] ^= key[i][r];
    }
  }
}

/* Bit `i` of a column behind ShiftRows. */
SAMARA_INLINE void rows_shift(sliced_word column[4], const sliced_word s[4]) {
  SLICED_UNROLL
  for (unsigned r = 0; r < 4; r++) {
    column[r] = sliced_rotate(s[r], 16 * r);
  }
}

/* The sum of each row and the next. */
SAMARA_INLINE void rows_add_next(sliced_word sum[4],
                                 const sliced_word column[4]) {
  SLICED_UNROLL
  for (unsigned r = 0; r < 4; r++) {
    sum[r] = column[r] ^ column[(r + 1) % 4];
  }
}

/* ShiftRows, MixColumns, and the key of a round. With a' the next row down,
 * 2 a + 3 a' + a'' + a''' = 2 (a + a') + a' + (a + a')''. Twice is in GF(2^8):
 * x^8 = x^4 + x^3 + x + 1. */
SAMARA_INLINE void rows_mix_columns(rows_state s, const rows_state key) {
  sliced_word column[4];
  sliced_word sum[4];
  sliced_word top[4];
  sliced_word below[4];
  rows_shift(column, s[7]);
  rows_add_next(top, column);
  rows_add_next(below, column);
  SLICED_UNROLL
  for (unsigned i = 0; i < 8; i++) {
    rows_shift(column, s[i]);
    rows_add_next(sum, column);
    SLICED_UNROLL
    for (unsigned r = 0; r < 4; r++) {
      s[i][r] = below[r] ^ column[(r + 1) % 4] ^ sum[(r + 2) % 4] ^ key[i][r];
      if (i == 1 || i == 3 || i == 4) {
        s[i][r] ^= top[r];
      }
      below[r] = sum[r];
    }
  }
}

static void rows_encrypt(rows_state s, const rows_state *keys,
                         unsigned rounds) {
  rows_add_round_key(s, keys[0]);
  for (unsigned round = 1; round < rounds; round++) {
    rows_each(s, sliced_sub_bytes);
    rows_mix_columns(s, keys[round]);
  }
  rows_each(s, sliced_sub_bytes);
  for (unsigned i = 0; i < 8; i++) {
    rows_shift(s[i], s[i]);
  }
  rows_add_round_key(s, keys[rounds]);
}

SAMARA_NOT_INLINED static void
rows_bare_ctr(const uint32_t *round_keys, unsigned rounds, uint8_t *output,
              samara_counter *counter, unsigned first, const uint8_t *input,
              size_t count) {
  rows_keys keys;
  SAMARA_WIPED(keys);
  rows_state s;
  SAMARA_WIPED(s);
  uint8_t keystream[samara_aes_rows_bytes];
  SAMARA_WIPED(keystream);
  rows_spread_keys(keys, round_keys, rounds);
  for (; count != 0; count--) {
    sliced_store_counters(keystream, counter, first, rows_blocks);
    rows_load_blocks(s, keystream);
    rows_encrypt(s, (const rows_state *)keys, rounds);
    rows_store_blocks(keystream, s);
    samara_xor_bytes(output, input, keystream, sizeof keystream);
    output += sizeof keystream;
    input += sizeof keystream;
  }
}

/* Deeper in the stack than what callers wipe. */
void samara_aes_rows_ctr(const uint32_t *round_keys, unsigned rounds,
                         uint8_t *output, samara_counter *counter,
                         unsigned first, const uint8_t *input, size_t count) {
  rows_bare_ctr(round_keys, rounds, output, counter, first, input, count);
  samara_wipe_stack(sizeof(rows_keys) + rows_stack);
}

#endif
