/* SPDX-License-Identifier: Apache-2.0 */
#include "mode/ghash.h"

#if SAMARA_ARCH_X86_64

/* GHASH by the carry-less multiplication of x86-64 (PCLMULQDQ), four blocks to
 * one reduction. A block is a register with its bytes reversed: the pair of
 * words of ghash.h. */

#include <tmmintrin.h>
#include <wmmintrin.h>

#define WITH_PCLMUL __attribute__((target("pclmul,ssse3")))
#define INLINE_WITH_PCLMUL                                                     \
  WITH_PCLMUL static inline __attribute__((always_inline))

enum { clmul_lanes = 4 };

/* A product before its reduction: high * x^128 + middle * x^64 + low. */
typedef struct clmul_product {
  __m128i low;
  __m128i middle;
  __m128i high;
} clmul_product;

INLINE_WITH_PCLMUL __m128i clmul_load_block(const uint8_t *bytes) {
  const __m128i reverse =
      _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  return _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)bytes), reverse);
}

INLINE_WITH_PCLMUL void clmul_add_product(clmul_product *sum, __m128i a,
                                          __m128i b) {
  sum->low = _mm_xor_si128(sum->low, _mm_clmulepi64_si128(a, b, 0x00));
  sum->high = _mm_xor_si128(sum->high, _mm_clmulepi64_si128(a, b, 0x11));
  sum->middle = _mm_xor_si128(sum->middle, _mm_clmulepi64_si128(a, b, 0x01));
  sum->middle = _mm_xor_si128(sum->middle, _mm_clmulepi64_si128(a, b, 0x10));
}

/* Shifts 256 bits, `high` above `low`, up by one bit. */
INLINE_WITH_PCLMUL void clmul_double_product(__m128i *low, __m128i *high) {
  const __m128i low_carry = _mm_srli_epi64(*low, 63);
  const __m128i high_carry = _mm_srli_epi64(*high, 63);
  *low = _mm_or_si128(_mm_slli_epi64(*low, 1), _mm_slli_si128(low_carry, 8));
  *high = _mm_or_si128(_mm_slli_epi64(*high, 1), _mm_slli_si128(high_carry, 8));
  *high = _mm_or_si128(*high, _mm_srli_si128(low_carry, 8));
}

/* One half of the low 128 bits is folded into what is above it: the same
 * shifts as in ghash.c, each word at a time. */
INLINE_WITH_PCLMUL __m128i clmul_fold_down(__m128i words) {
  const __m128i a = _mm_xor_si128(words, _mm_srli_epi64(words, 1));
  const __m128i b =
      _mm_xor_si128(_mm_srli_epi64(words, 2), _mm_srli_epi64(words, 7));
  return _mm_xor_si128(a, b);
}

INLINE_WITH_PCLMUL __m128i clmul_fold_up(__m128i words) {
  const __m128i a =
      _mm_xor_si128(_mm_slli_epi64(words, 63), _mm_slli_epi64(words, 62));
  return _mm_xor_si128(a, _mm_slli_epi64(words, 57));
}

INLINE_WITH_PCLMUL __m128i clmul_reduce(const clmul_product *sum) {
  __m128i low = _mm_xor_si128(sum->low, _mm_slli_si128(sum->middle, 8));
  __m128i high = _mm_xor_si128(sum->high, _mm_srli_si128(sum->middle, 8));
  clmul_double_product(&low, &high);
  /* Word 0 into word 1; then both words into the upper two. */
  low = _mm_xor_si128(low, _mm_slli_si128(clmul_fold_up(low), 8));
  high = _mm_xor_si128(high, clmul_fold_down(low));
  return _mm_xor_si128(high, _mm_srli_si128(clmul_fold_up(low), 8));
}

INLINE_WITH_PCLMUL __m128i clmul_multiply(__m128i a, __m128i b) {
  clmul_product sum = {_mm_setzero_si128(), _mm_setzero_si128(),
                       _mm_setzero_si128()};
  clmul_add_product(&sum, a, b);
  return clmul_reduce(&sum);
}

/* value = ((value + b0) key + b1) key ..., with the powers of the key outside
 * of the parentheses. */
INLINE_WITH_PCLMUL __m128i clmul_add_lanes(__m128i value, const uint8_t *blocks,
                                           const __m128i powers[clmul_lanes]) {
  clmul_product sum = {_mm_setzero_si128(), _mm_setzero_si128(),
                       _mm_setzero_si128()};
  clmul_add_product(&sum, _mm_xor_si128(value, clmul_load_block(blocks)),
                    powers[clmul_lanes - 1]);
  for (unsigned i = 1; i < clmul_lanes; i++) {
    clmul_add_product(&sum, clmul_load_block(blocks + 16 * i),
                      powers[clmul_lanes - 1 - i]);
  }
  return clmul_reduce(&sum);
}

WITH_PCLMUL void samara_ghash_x86_64_blocks(samara_ghash *ghash,
                                            const uint8_t *blocks,
                                            size_t count) {
  const __m128i key = _mm_loadu_si128((const __m128i *)ghash->key);
  __m128i value = _mm_loadu_si128((const __m128i *)ghash->value);
  if (count >= clmul_lanes) {
    __m128i powers[clmul_lanes] = {key};
    for (unsigned i = 1; i < clmul_lanes; i++) {
      powers[i] = clmul_multiply(powers[i - 1], key);
    }
    for (; count >= clmul_lanes; count -= clmul_lanes) {
      value = clmul_add_lanes(value, blocks, powers);
      blocks += 16 * clmul_lanes;
    }
  }
  for (; count != 0; count--) {
    value = clmul_multiply(_mm_xor_si128(value, clmul_load_block(blocks)), key);
    blocks += 16;
  }
  _mm_storeu_si128((__m128i *)ghash->value, value);
}

#endif
