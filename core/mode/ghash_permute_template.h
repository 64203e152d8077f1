/* SPDX-License-Identifier: Apache-2.0 */
/* Template: GHASH by look-ups of sixteen bytes at once (permute.h of the
 * machine): no address depends on a secret. The file that includes it defines
 * PERMUTE_NAME(f), PERMUTE_INLINE and PERMUTE_KERNEL.
 *
 * A block is the sum of its bytes, byte m times x^(8 m), and a byte that of two
 * nibbles, n and x^4 l. The key times each of the sixteen n is a table of
 * sixteen blocks, kept by bytes: vector b holds byte b of all of them. Looked
 * up at the nibbles of all bytes of a block, it gives sixteen bytes to be added
 * from place b on. The 31 bytes of the sum are reduced by x^128 = x^7 + x^2 + x
 * + 1. */

#include "common/bytes.h"
#include "common/wiped.h"
#include "mode/ghash.h"

/* The nibbles of a byte times x^7 + x^2 + x + 1, as two bytes.
 * tests/python/test_aes_permute.py computes them. */
static const uint8_t permute_over_first_high[16] = {
    0x00, 0x1c, 0x38, 0x24, 0x70, 0x6c, 0x48, 0x54,
    0xe1, 0xfd, 0xd9, 0xc5, 0x91, 0x8d, 0xa9, 0xb5};
static const uint8_t permute_over_first_low[16] = {
    0x00, 0x01, 0x03, 0x02, 0x07, 0x06, 0x04, 0x05,
    0x0e, 0x0f, 0x0d, 0x0c, 0x09, 0x08, 0x0a, 0x0b};
static const uint8_t permute_over_second_high[16] = {
    0x00, 0x20, 0x40, 0x60, 0x80, 0xa0, 0xc0, 0xe0,
    0x00, 0x20, 0x40, 0x60, 0x80, 0xa0, 0xc0, 0xe0};
static const uint8_t permute_over_second_low[16] = {
    0x00, 0xc2, 0x84, 0x46, 0x08, 0xca, 0x8c, 0x4e,
    0x10, 0xd2, 0x94, 0x56, 0x18, 0xda, 0x9c, 0x5e};

enum { permute_ghash_size = 16 };

typedef struct permute_ghash_low {
  PERMUTE_VECTOR at[permute_ghash_size];
} permute_ghash_low;

/* The block behind another one times x. */
static void permute_ghash_times_x(uint8_t to[16], const uint8_t from[16]) {
  const uint64_t first = samara_load64_be(from);
  const uint64_t second = samara_load64_be(from + 8);
  const uint64_t over = 0 - (second & 1);
  samara_store64_be(to, first >> 1 ^ (over & 0xe100000000000000));
  samara_store64_be(to + 8, first << 63 | second >> 1);
}

/* Row n, byte b of the table to row b, byte n: four perfect shuffles. */
PERMUTE_INLINE void permute_ghash_transpose(uint8_t table[256]) {
  PERMUTE_VECTOR rows[permute_ghash_size];
  PERMUTE_VECTOR next[permute_ghash_size];
  for (size_t i = 0; i < permute_ghash_size; i++) {
    rows[i] = permute_load(table + 16 * i);
  }
  for (unsigned step = 0; step < 4; step++) {
    for (size_t i = 0; i < 8; i++) {
      next[2 * i] = permute_zip_low(rows[i], rows[i + 8]);
      next[2 * i + 1] = permute_zip_high(rows[i], rows[i + 8]);
    }
    for (size_t i = 0; i < permute_ghash_size; i++) {
      rows[i] = next[i];
    }
  }
  for (size_t i = 0; i < permute_ghash_size; i++) {
    permute_store(table + 16 * i, rows[i]);
  }
}

/* The coefficient of x^0 is the highest bit of a nibble. */
PERMUTE_KERNEL void PERMUTE_NAME(ghash_prepare)(uint8_t table[256],
                                                const uint8_t key[16]) {
  const PERMUTE_VECTOR zero = permute_byte(0);
  permute_store(table, zero);
  permute_store(table + 16 * 8, permute_load(key));
  for (size_t i = 8; i > 1; i /= 2) {
    permute_ghash_times_x(table + 16 * (i / 2), table + 16 * i);
  }
  for (size_t high = 2; high <= 8; high *= 2) {
    const PERMUTE_VECTOR added = permute_load(table + 16 * high);
    for (size_t i = 1; i < high; i++) {
      permute_store(table + 16 * (high + i),
                    permute_xor(added, permute_load(table + 16 * i)));
    }
  }
  permute_ghash_transpose(table);
}

/* The same table times x^4: each byte takes the lower nibble of the byte before
 * it. */
PERMUTE_INLINE void permute_ghash_make_low(permute_ghash_low *low,
                                           const uint8_t table[256]) {
  PERMUTE_VECTOR before = permute_byte(0);
  for (size_t b = 0; b < permute_ghash_size; b++) {
    const PERMUTE_VECTOR here = permute_load(table + 16 * b);
    low->at[b] = permute_xor(permute_high(here), permute_raise(before));
    before = here;
  }
  const PERMUTE_VECTOR over = permute_low(before);
  low->at[0] = permute_xor(
      low->at[0], permute_look(permute_load(permute_over_first_high), over));
  low->at[1] = permute_xor(
      low->at[1], permute_look(permute_load(permute_over_second_high), over));
}

PERMUTE_INLINE PERMUTE_VECTOR permute_ghash_over(PERMUTE_VECTOR bytes,
                                                 const uint8_t high[16],
                                                 const uint8_t low[16]) {
  return permute_xor(permute_look(permute_load(high), permute_high(bytes)),
                     permute_look(permute_load(low), permute_low(bytes)));
}

PERMUTE_INLINE PERMUTE_VECTOR permute_ghash_multiply(
    PERMUTE_VECTOR x, const uint8_t table[256], const permute_ghash_low *low) {
  const PERMUTE_VECTOR n = permute_high(x);
  const PERMUTE_VECTOR l = permute_low(x);
  PERMUTE_VECTOR sum = permute_byte(0);
  PERMUTE_VECTOR over = permute_byte(0); /* bytes 16 to 30 */
  PERMUTE_UNROLL
  for (size_t b = permute_ghash_size; b-- > 0;) {
    over = permute_carry(over, sum);
    sum = permute_xor(permute_along(sum),
                      permute_xor(permute_look(permute_load(table + 16 * b), n),
                                  permute_look(low->at[b], l)));
  }
  sum = permute_xor(sum, permute_ghash_over(over, permute_over_first_high,
                                            permute_over_first_low));
  return permute_xor(
      sum, permute_along(permute_ghash_over(over, permute_over_second_high,
                                            permute_over_second_low)));
}

PERMUTE_KERNEL void PERMUTE_NAME(ghash)(uint8_t value[16],
                                        const uint8_t table[256],
                                        const uint8_t *blocks, size_t count) {
  permute_ghash_low low;
  SAMARA_WIPED(low);
  permute_ghash_make_low(&low, table);
  PERMUTE_VECTOR sum = permute_load(value);
  for (; count != 0; count--, blocks += 16) {
    sum = permute_ghash_multiply(permute_xor(sum, permute_load(blocks)), table,
                                 &low);
  }
  permute_store(value, sum);
}
