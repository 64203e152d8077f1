/* SPDX-License-Identifier: Apache-2.0 */
#include "block/aes_rounds.h"

#include "common/bytes.h"
#include "common/wiped.h"
#include <stdbool.h>

#if !SAMARA_AES_TABLES && SAMARA_WORD_BITS == 32 && !SAMARA_ARCH_RV32

/* AES as logic on words of 32 bits, without tables: no address and no branch
 * depends on a secret. Eight words hold bit 0 to bit 7 of all bytes of two
 * blocks. In a word, the bit of the byte in row r and column c (FIPS 197, 3.4)
 * of block b is at
 *
 *   8 r + 2 c + b
 *
 * aes_bitsliced64.c is for words of 64 bits.
 *
 * ShiftRows is left out in odd rounds, as by A. Adomnicai and T. Peyrin,
 * "Fixslicing AES-like Ciphers" (CHES 2021): bytes stay where they are, and
 * MixColumns and the round key look for them there. The next round makes up for
 * it: two ShiftRows exchange halves of rows 1 and 3. To leave it out in all
 * rounds, as with 64 bits, would take four MixColumns instead of two.
 *
 * The constant of SubBytes is in the round keys, except the first: MixColumns
 * does not change it. */

typedef uint32_t sliced_word;
#define SLICED_LANES 2

#define SLICED_WORD_BITS (16 * SLICED_LANES)
#define SLICED_ROW_BITS (4 * SLICED_LANES)
/* `pattern`, 8 bits, repeated over the word. */
#define SLICED_REPEAT(pattern)                                                 \
  ((sliced_word)(~(sliced_word)0 / 0xff * (pattern)))
/* The bits of lane 0. */
#define SLICED_LANE_0 (~(sliced_word)0 / ((1 << SLICED_LANES) - 1))

typedef sliced_word sliced_state[8];

/* Exchanges the bits `low` of `b` with those of `a` that are `shift` above. */
SAMARA_INLINE void sliced_exchange(sliced_word *a, sliced_word *b,
                                   sliced_word low, unsigned shift) {
  const sliced_word difference = ((*a >> shift) ^ *b) & low;
  *a ^= difference << shift;
  *b ^= difference;
}

/* On ARMv7-M the rounds and SubWord are assembly. */
#if SAMARA_ARCH_ARMV7M
#define sliced_sub_word samara_aes_armv7m_sub_word
#else
/* Transposes each 8 x 8 square of bits: bit k of byte j in word i changes
 * places with bit i of byte j in word k. */
static void sliced_transpose(sliced_state s) {
  for (unsigned i = 0; i < 8; i += 2) {
    sliced_exchange(&s[i], &s[i + 1], SLICED_REPEAT(0x55), 1);
  }
  for (unsigned i = 0; i < 4; i++) {
    const unsigned j = i + (i & 2);
    sliced_exchange(&s[j], &s[j + 2], SLICED_REPEAT(0x33), 2);
  }
  for (unsigned i = 0; i < 4; i++) {
    sliced_exchange(&s[i], &s[i + 4], SLICED_REPEAT(0x0f), 4);
  }
}

/* Word 2 c + b takes column c of block b. */
SAMARA_INLINE void sliced_place_block(sliced_state s, unsigned b,
                                      const uint32_t columns[4]) {
  for (unsigned c = 0; c < 4; c++) {
    s[2 * c + b] = columns[c];
  }
}

SAMARA_INLINE void sliced_fetch_block(uint32_t columns[4], const sliced_state s,
                                      unsigned b) {
  for (unsigned c = 0; c < 4; c++) {
    columns[c] = s[2 * c + b];
  }
}

/* Loads `count` blocks (1 to LANES); the other lanes are zero. */
static void sliced_load_blocks(sliced_state s, const uint8_t *input,
                               size_t count) {
  uint32_t columns[4];
  for (unsigned b = 0; b < SLICED_LANES; b++) {
    for (unsigned c = 0; c < 4; c++) {
      columns[c] = b < count ? samara_load32_le(input + 16 * b + 4 * c) : 0;
    }
    sliced_place_block(s, b, columns);
  }
  sliced_transpose(s);
}

static void sliced_store_blocks(uint8_t *output, sliced_state s, size_t count) {
  uint32_t columns[4];
  sliced_transpose(s);
  for (unsigned b = 0; b < count; b++) {
    sliced_fetch_block(columns, s, b);
    for (unsigned c = 0; c < 4; c++) {
      samara_store32_le(output + 16 * b + 4 * c, columns[c]);
    }
  }
}

#define SLICED_FUNCTION static
#define SLICED_NOT(word) (word)
#include "block/aes_s_box_template.h"

/* A^-1, A being the matrix of SubBytes (FIPS 197, 5.1.1): bit i of the answer
 * is the sum of bits i + 2, i + 5 and i + 7, modulo 8. */
static void sliced_undo_matrix(sliced_state s) {
  sliced_state from;
  for (unsigned i = 0; i < 8; i++) {
    from[i] = s[i];
  }
  for (unsigned i = 0; i < 8; i++) {
    s[i] = from[(i + 2) % 8] ^ from[(i + 5) % 8] ^ from[(i + 7) % 8];
  }
}

/* SubBytes without its constant is A o inversion, so its inverse is
 * A^-1 o (A o inversion) o A^-1. */
static void sliced_inverse_sub_bytes(sliced_state s) {
  sliced_undo_matrix(s);
  sliced_sub_bytes(s);
  sliced_undo_matrix(s);
}

/* ShiftRows, twice: its own inverse. */
SAMARA_INLINE sliced_word sliced_shift_twice(sliced_word w) {
  const sliced_word difference = (w >> 4 ^ w) & 0x0f000f00;
  return w ^ difference ^ difference << 4;
}

static void sliced_shift_rows_twice(sliced_state s) {
  for (unsigned i = 0; i < 8; i++) {
    s[i] = sliced_shift_twice(s[i]);
  }
}

SAMARA_INLINE sliced_word sliced_rotate(sliced_word w, unsigned count) {
  return w >> count | w << (SLICED_WORD_BITS - count);
}

/* Each byte's place is taken by the one `columns` to the right. */
SAMARA_INLINE sliced_word sliced_turn_rows(sliced_word w, unsigned columns) {
  const unsigned count = columns * SLICED_LANES;
  const sliced_word low = SLICED_REPEAT(0xffu >> count);
  return (w >> count & low) | (w << (SLICED_ROW_BITS - count) & ~low);
}

/* The next row down, as MixColumns of an even or odd round finds it: in an odd
 * one a column to the right, too. */
SAMARA_INLINE sliced_word sliced_next_row(sliced_word w, bool odd) {
  return sliced_rotate(odd ? sliced_turn_rows(w, 1) : w, SLICED_ROW_BITS);
}

/* The row after that: in an odd round two columns to the right. */
SAMARA_INLINE sliced_word sliced_opposite_row(sliced_word w, bool odd) {
  return sliced_rotate(odd ? sliced_turn_rows(w, 2) : w, 2 * SLICED_ROW_BITS);
}

/* SubWord (FIPS 197, 5.2): the S-box on the four bytes of a word. */
static uint32_t sliced_sub_word(uint32_t bytes) {
  sliced_state s;
  for (unsigned i = 0; i < 8; i++) {
    s[i] = bytes >> i; /* bit i of each byte to its lowest */
  }
  sliced_sub_bytes(s);
  uint32_t substituted = 0x63636363;
  for (unsigned i = 0; i < 8; i++) {
    substituted ^= (s[i] & 0x01010101) << i;
  }
  return substituted;
}

#endif

/* A round key is stored as the bits of one lane, LANES planes to a word: four
 * 32-bit words for the 128 bits. */
/* The transposition but for its exchanges of lanes, which are planes here. */
static void sliced_pack_round_key(uint32_t packed[4]) {
  sliced_exchange(&packed[0], &packed[1], SLICED_REPEAT(0x33), 2);
  sliced_exchange(&packed[2], &packed[3], SLICED_REPEAT(0x33), 2);
  sliced_exchange(&packed[0], &packed[2], SLICED_REPEAT(0x0f), 4);
  sliced_exchange(&packed[1], &packed[3], SLICED_REPEAT(0x0f), 4);
}

/* The columns of a round key where the bytes that they are added to are. */
static void sliced_order_round_key(uint32_t columns[4], unsigned round) {
  if (round % 2 != 0) {
    sliced_exchange(&columns[0], &columns[1], 0xff00ff00, 0);
    sliced_exchange(&columns[2], &columns[3], 0xff00ff00, 0);
    sliced_exchange(&columns[0], &columns[2], 0x00ffff00, 0);
    sliced_exchange(&columns[1], &columns[3], 0xffff0000, 0);
  }
#if SAMARA_ARCH_ARMV7M
  /* The assembly leaves ShiftRows out in all rounds. */
  if (round % 4 >= 2) {
    sliced_exchange(&columns[0], &columns[2], 0xff00ff00, 0);
    sliced_exchange(&columns[1], &columns[3], 0xff00ff00, 0);
  }
#endif
}

void samara_aes_bitsliced_expand_key(uint32_t *round_keys, const uint8_t *key,
                                     unsigned key_words) {
  const unsigned words = 4 * (key_words + 7);
  for (unsigned i = 0; i < key_words; i++) {
    round_keys[i] = samara_load32_le(key + 4 * i);
  }
  uint8_t constant = 1; /* x^(i / key_words - 1) */
  unsigned turn = 0;    /* i % key_words */
  for (unsigned i = key_words; i < words; i++) {
    uint32_t t = round_keys[i - 1];
    if (turn == 0) {
      t = sliced_sub_word(t >> 8 | t << 24) ^ constant;
      constant = (uint8_t)(constant << 1 ^ (constant >> 7) * 0x1b);
    } else if (key_words > 6 && turn == 4) {
      t = sliced_sub_word(t);
    }
    round_keys[i] = round_keys[i - key_words] ^ t;
    turn = turn + 1 == key_words ? 0 : turn + 1;
  }
#if SAMARA_ARCH_ARMV7M
  /* Its S-box does so for the other round keys. */
  for (unsigned i = 0; i < 4; i++) {
    round_keys[i] ^= 0x63636363;
  }
#else
  /* The constant of SubBytes. */
  for (unsigned i = 4; i < words; i++) {
    round_keys[i] ^= 0x63636363;
  }
#endif
  for (unsigned i = 0; i < words; i += 4) {
    sliced_order_round_key(round_keys + i, i / 4);
    sliced_pack_round_key(round_keys + i);
  }
}

#if !SAMARA_ARCH_ARMV7M
/* Bit `i` of the bytes of a round key, in every lane. */
SAMARA_INLINE sliced_word sliced_round_key(const uint32_t packed[4],
                                           unsigned i) {
  const sliced_word lane =
      packed[i / SLICED_LANES] >> (i % SLICED_LANES) & SLICED_LANE_0;
  return (lane << SLICED_LANES) - lane;
}

static void sliced_add_round_key(sliced_state s, const uint32_t packed[4]) {
  for (unsigned i = 0; i < 8; i++) {
    s[i] ^= sliced_round_key(packed, i);
  }
}

/* MixColumns and the key of a round, in an even one behind two ShiftRows. With
 * a' the next row down, 2 a + 3 a' + a'' + a''' = 2 (a + a') + a' + (a + a')''.
 * Twice is in GF(2^8): x^8 = x^4 + x^3 + x + 1. */
SAMARA_INLINE void sliced_mix_bits(sliced_state s, bool odd,
                                   const uint32_t round_key[4]) {
  const sliced_word bit_7 = odd ? s[7] : sliced_shift_twice(s[7]);
  const sliced_word top = bit_7 ^ sliced_next_row(bit_7, odd);
  sliced_word below = top;
  for (unsigned i = 0; i < 8; i++) {
    const sliced_word bit = odd ? s[i] : sliced_shift_twice(s[i]);
    const sliced_word next = sliced_next_row(bit, odd);
    const sliced_word sum = bit ^ next;
    sliced_word mixed = below ^ next ^ sliced_opposite_row(sum, odd);
    if ((0x1a >> i & 1) != 0) {
      mixed ^= top;
    }
    s[i] = mixed ^ sliced_round_key(round_key, i);
    below = sum;
  }
}

/* Two loops with constant masks and rotations. */
static void sliced_mix_columns(sliced_state s, bool odd,
                               const uint32_t round_key[4]) {
  if (odd) {
    sliced_mix_bits(s, true, round_key);
  } else {
    sliced_mix_bits(s, false, round_key);
  }
}

/* The matrix of InvMixColumns is that of MixColumns times (5, 0, 4, 0): adds
 * 4 (a + a'') first. */
static void sliced_inverse_mix_columns(sliced_state s, bool odd) {
  static const uint32_t no_key[4] = {0};
  const sliced_word bit_7 = s[7] ^ sliced_opposite_row(s[7], odd);
  const sliced_word bit_6 = s[6] ^ sliced_opposite_row(s[6], odd);
  sliced_word below = bit_7;
  sliced_word two_below = bit_6;
  for (unsigned i = 0; i < 8; i++) {
    const sliced_word sum = s[i] ^ sliced_opposite_row(s[i], odd);
    s[i] ^= two_below;
    if ((0x34 >> i & 1) != 0) {
      s[i] ^= bit_7;
    }
    if ((0x1a >> i & 1) != 0) {
      s[i] ^= bit_6;
    }
    two_below = below;
    below = sum;
  }
  if (!odd) {
    sliced_shift_rows_twice(s); /* MixColumns does it again */
  }
  sliced_mix_columns(s, odd, no_key);
}

void samara_aes_bitsliced_encrypt(const uint32_t *round_keys, unsigned rounds,
                                  uint8_t *output, const uint8_t *input,
                                  size_t count) {
  sliced_state s;
  SAMARA_WIPED(s);
  while (count != 0) {
    const size_t part = count < SLICED_LANES ? count : SLICED_LANES;
    sliced_load_blocks(s, input, part);
    sliced_add_round_key(s, round_keys);
    for (unsigned i = 1; i < rounds; i++) {
      sliced_sub_bytes(s);
      sliced_mix_columns(s, i % 2 != 0, round_keys + 4 * (size_t)i);
    }
    sliced_sub_bytes(s);
    sliced_shift_rows_twice(s);
    sliced_add_round_key(s, round_keys + 4 * (size_t)rounds);
    sliced_store_blocks(output, s, part);
    input += 16 * part;
    output += 16 * part;
    count -= part;
  }
}

void samara_aes_bitsliced_decrypt(const uint32_t *round_keys, unsigned rounds,
                                  uint8_t *output, const uint8_t *input,
                                  size_t count) {
  sliced_state s;
  SAMARA_WIPED(s);
  while (count != 0) {
    const size_t part = count < SLICED_LANES ? count : SLICED_LANES;
    sliced_load_blocks(s, input, part);
    for (unsigned i = rounds; i > 0; i--) {
      sliced_add_round_key(s, round_keys + 4 * (size_t)i);
      if (i != rounds) {
        sliced_inverse_mix_columns(s, i % 2 != 0);
      }
      if (i % 2 == 0) {
        sliced_shift_rows_twice(s);
      }
      sliced_inverse_sub_bytes(s);
    }
    sliced_add_round_key(s, round_keys);
    sliced_store_blocks(output, s, part);
    input += 16 * part;
    output += 16 * part;
    count -= part;
  }
}
#endif

#endif
