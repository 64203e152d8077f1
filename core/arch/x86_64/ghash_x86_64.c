/* SPDX-License-Identifier: Apache-2.0 */
#include "mode/ghash.h"

#if SAMARA_ARCH_X86_64

/* GHASH by the carry-less multiplication of x86-64 (PCLMULQDQ): what is done
 * one block at a time, and the powers of the key that the kernels of
 * aes_modes_template.h, where the arithmetic is explained, work with. */

#include <tmmintrin.h>
#include <wmmintrin.h>

#define WITH_PCLMUL __attribute__((target("pclmul,ssse3")))
#define INLINE_WITH_PCLMUL                                                     \
  WITH_PCLMUL static inline __attribute__((always_inline))

/* Blocks for which powers, which are as many products, do not pay. */
enum { clmul_few = 12 };

INLINE_WITH_PCLMUL __m128i clmul_load_block(const uint8_t *bytes) {
  const __m128i reverse =
      _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  return _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)bytes), reverse);
}

/* The key times x, so that products need no shift: one place up, and what falls
 * out at the top is x^128 = x^7 + x^2 + x + 1, reflected. */
INLINE_WITH_PCLMUL __m128i clmul_key(const samara_ghash *ghash) {
  const uint64_t carry = 0 - (ghash->key[1] >> 63);
  const uint64_t high = ghash->key[1] << 1 | ghash->key[0] >> 63;
  const uint64_t low = ghash->key[0] << 1;
  return _mm_set_epi64x((int64_t)(high ^ (carry & 0xc200000000000000)),
                        (int64_t)(low ^ (carry & 1)));
}

INLINE_WITH_PCLMUL __m128i clmul_multiply(__m128i a, __m128i b) {
  const __m128i reducer = _mm_set_epi64x((int64_t)0xc200000000000000, 1);
  const __m128i low = _mm_clmulepi64_si128(a, b, 0x00);
  __m128i high = _mm_clmulepi64_si128(a, b, 0x11);
  __m128i middle = _mm_xor_si128(_mm_clmulepi64_si128(a, b, 0x01),
                                 _mm_clmulepi64_si128(a, b, 0x10));
  middle = _mm_xor_si128(middle, _mm_clmulepi64_si128(low, reducer, 0x10));
  middle = _mm_xor_si128(middle, _mm_shuffle_epi32(low, 0x4e));
  high = _mm_xor_si128(high, _mm_clmulepi64_si128(middle, reducer, 0x10));
  return _mm_xor_si128(high, _mm_shuffle_epi32(middle, 0x4e));
}

/* Each power of two shorter ones: four products deep. */
WITH_PCLMUL void samara_ghash_x86_64_prepare(samara_ghash *ghash) {
  if (ghash->has_powers) {
    return;
  }
  /* powers[-i] is the key to the power i. */
  __m128i *powers = (__m128i *)ghash->powers + samara_ghash_powers;
  _mm_storeu_si128(powers - 1, clmul_key(ghash));
  for (int i = 2; i <= samara_ghash_powers; i++) {
    const __m128i a = _mm_loadu_si128(powers - i / 2);
    const __m128i b = _mm_loadu_si128(powers - (i - i / 2));
    _mm_storeu_si128(powers - i, clmul_multiply(a, b));
  }
  ghash->has_powers = true;
}

WITH_PCLMUL static void clmul_few_blocks(samara_ghash *ghash,
                                         const uint8_t *blocks, size_t count) {
  const __m128i key = clmul_key(ghash);
  __m128i value = _mm_loadu_si128((const __m128i *)ghash->value);
  for (; count != 0; count--) {
    value = clmul_multiply(_mm_xor_si128(value, clmul_load_block(blocks)), key);
    blocks += 16;
  }
  _mm_storeu_si128((__m128i *)ghash->value, value);
}

void samara_ghash_x86_64_blocks(samara_ghash *ghash, const uint8_t *blocks,
                                size_t count) {
  if (count == 1 || (!ghash->has_powers && count < clmul_few)) {
    clmul_few_blocks(ghash, blocks, count);
    return;
  }
  samara_ghash_x86_64_prepare(ghash);
  samara_ghash_x86_64_hash((uint8_t *)ghash->value, ghash->powers, blocks,
                           count);
}

#endif
