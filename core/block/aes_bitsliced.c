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
 * so that ShiftRows and MixColumns are rotations. aes_bitsliced64.c is for
 * words of 64 bits. */

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
  for (unsigned i = 0; i < 8; i += (i & 1) ? 3 : 1) {
    sliced_exchange(&s[i], &s[i + 2], SLICED_REPEAT(0x33), 2);
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
#define SLICED_NOT(word) ~(word)
#include "block/aes_s_box_template.h"

/* x -> A^-1(x + 0x63), A being the affine map of SubBytes (FIPS 197, 5.1.1):
 * bit i of the answer is the sum of bits i + 2, i + 5 and i + 7, modulo 8. */
static void sliced_undo_affine(sliced_state s) {
  sliced_state from;
  for (unsigned i = 0; i < 8; i++) {
    from[i] = (0x63 >> i & 1) != 0 ? ~s[i] : s[i];
  }
  for (unsigned i = 0; i < 8; i++) {
    s[i] = from[(i + 2) % 8] ^ from[(i + 5) % 8] ^ from[(i + 7) % 8];
  }
}

/* SubBytes is S = A o inversion, so its inverse is A^-1 o S o A^-1. */
static void sliced_inverse_sub_bytes(sliced_state s) {
  sliced_undo_affine(s);
  sliced_sub_bytes(s);
  sliced_undo_affine(s);
}

/* Rotates row r of a word by r `columns` columns. */
SAMARA_INLINE sliced_word sliced_shift_rows_of(sliced_word w,
                                               unsigned columns) {
  const sliced_word row = ((sliced_word)1 << SLICED_ROW_BITS) - 1;
  sliced_word shifted = w & row;
  for (unsigned r = 1; r < 4; r++) {
    const unsigned count = r * columns % 4 * SLICED_LANES;
    const sliced_word bits = w >> (r * SLICED_ROW_BITS) & row;
    const sliced_word moved =
        (bits >> count | bits << (SLICED_ROW_BITS - count)) & row;
    shifted |= moved << (r * SLICED_ROW_BITS);
  }
  return shifted;
}

/* `columns` = 1, or 3 to go back. */
static void sliced_shift_rows(sliced_state s, unsigned columns) {
  for (unsigned i = 0; i < 8; i++) {
    s[i] = sliced_shift_rows_of(s[i], columns);
  }
}

/* Each row's place is taken by the row `rows` below. */
SAMARA_INLINE sliced_word sliced_rotate_rows(sliced_word w, unsigned rows) {
  const unsigned count = rows * SLICED_ROW_BITS;
  return w >> count | w << (SLICED_WORD_BITS - count);
}

/* Multiplies every byte by x in GF(2^8): x^8 = x^4 + x^3 + x + 1. */
SAMARA_INLINE void sliced_times_x(sliced_state product, const sliced_state s) {
  const sliced_word top = s[7];
  for (unsigned i = 7; i > 0; i--) {
    product[i] = s[i - 1];
  }
  product[0] = top;
  product[1] ^= top;
  product[3] ^= top;
  product[4] ^= top;
}

/* MixColumns: with a' the next row down, 2 a + 3 a' + a'' + a''' =
 * 2 (a + a') + a' + (a + a')''. */
static void sliced_mix_columns(sliced_state s) {
  sliced_state sum;
  sliced_state twice;
  for (unsigned i = 0; i < 8; i++) {
    sum[i] = s[i] ^ sliced_rotate_rows(s[i], 1);
  }
  sliced_times_x(twice, sum);
  for (unsigned i = 0; i < 8; i++) {
    s[i] =
        twice[i] ^ sliced_rotate_rows(s[i], 1) ^ sliced_rotate_rows(sum[i], 2);
  }
}

/* The matrix of InvMixColumns is that of MixColumns times (5, 0, 4, 0): add
 * 4 (a + a'') first. */
static void sliced_inverse_mix_columns(sliced_state s) {
  sliced_state sum;
  sliced_state twice;
  for (unsigned i = 0; i < 8; i++) {
    sum[i] = s[i] ^ sliced_rotate_rows(s[i], 2);
  }
  sliced_times_x(twice, sum);
  sliced_times_x(sum, twice);
  for (unsigned i = 0; i < 8; i++) {
    s[i] ^= sum[i];
  }
  sliced_mix_columns(s);
}

/* SubWord (FIPS 197, 5.2): the S-box on the four bytes of a word. */
static uint32_t sliced_sub_word(uint32_t bytes) {
  sliced_state s;
  for (unsigned i = 0; i < 8; i++) {
    s[i] = bytes >> i; /* bit i of each byte to its lowest */
  }
  sliced_sub_bytes(s);
  uint32_t substituted = 0;
  for (unsigned i = 0; i < 8; i++) {
    substituted |= ((uint32_t)s[i] & 0x01010101) << i;
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

#if SAMARA_ARCH_ARMV7M
/* Rows 0 to 3 of columns 0 to 3. */
SAMARA_INLINE uint32_t sliced_rows(uint32_t column_0, uint32_t column_1,
                                   uint32_t column_2, uint32_t column_3) {
  return (column_0 & 0x000000ff) | (column_1 & 0x0000ff00) |
         (column_2 & 0x00ff0000) | (column_3 & 0xff000000);
}

/* What the assembly needs of the columns of a round key: rows as they are when
 * that many ShiftRows are left out. */
static void sliced_order_round_key(uint32_t columns[4], unsigned round) {
  if (round % 2 != 0) {
    const uint32_t c0 = columns[0], c1 = columns[1];
    const uint32_t c2 = columns[2], c3 = columns[3];
    columns[0] = sliced_rows(c0, c3, c2, c1);
    columns[1] = sliced_rows(c1, c0, c3, c2);
    columns[2] = sliced_rows(c2, c1, c0, c3);
    columns[3] = sliced_rows(c3, c2, c1, c0);
  }
  if (round % 4 >= 2) {
    sliced_exchange(&columns[0], &columns[2], 0xff00ff00, 0);
    sliced_exchange(&columns[1], &columns[3], 0xff00ff00, 0);
  }
}
#endif

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
#endif
  for (unsigned i = 0; i < words; i += 4) {
#if SAMARA_ARCH_ARMV7M
    sliced_order_round_key(round_keys + i, i / 4);
#endif
    sliced_pack_round_key(round_keys + i);
  }
}

#if !SAMARA_ARCH_ARMV7M
static void sliced_add_round_key(sliced_state s, const uint32_t *round_keys,
                                 unsigned round) {
  const uint32_t *packed = round_keys + 4 * (size_t)round;
  for (unsigned i = 0; i < 8; i++) {
    const sliced_word planes = packed[i / 2];
    const sliced_word lane = planes >> (i % SLICED_LANES) & SLICED_LANE_0;
    s[i] ^= (lane << SLICED_LANES) - lane; /* to every lane */
  }
}

void samara_aes_bitsliced_encrypt(const uint32_t *round_keys, unsigned rounds,
                                  uint8_t *output, const uint8_t *input,
                                  size_t count) {
  sliced_state s;
  SAMARA_WIPED(s);
  while (count != 0) {
    const size_t part = count < SLICED_LANES ? count : SLICED_LANES;
    sliced_load_blocks(s, input, part);
    sliced_add_round_key(s, round_keys, 0);
    for (unsigned i = 1; i < rounds; i++) {
      sliced_sub_bytes(s);
      sliced_shift_rows(s, 1);
      sliced_mix_columns(s);
      sliced_add_round_key(s, round_keys, i);
    }
    sliced_sub_bytes(s);
    sliced_shift_rows(s, 1);
    sliced_add_round_key(s, round_keys, rounds);
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
    sliced_add_round_key(s, round_keys, rounds);
    for (unsigned i = rounds - 1; i > 0; i--) {
      sliced_shift_rows(s, 3);
      sliced_inverse_sub_bytes(s);
      sliced_add_round_key(s, round_keys, i);
      sliced_inverse_mix_columns(s);
    }
    sliced_shift_rows(s, 3);
    sliced_inverse_sub_bytes(s);
    sliced_add_round_key(s, round_keys, 0);
    sliced_store_blocks(output, s, part);
    input += 16 * part;
    output += 16 * part;
    count -= part;
  }
}
#endif

#endif
