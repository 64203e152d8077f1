/* SPDX-License-Identifier: Apache-2.0 */
#include "aead/grain128aead_bulk.h"

#include "arch/x86_64/cpu.h"
#include "common/bytes.h"
#include "mode/names.h"
#include "stream/grain128_lanes.h"

#if SAMARA_ARCH_X86_64

/* Long messages with AVX2, BMI2 and PCLMULQDQ (2013 on), and with the VBMI2
 * of AVX-512 (2019 on), which shifts pairs of words in one instruction. */

#include <immintrin.h>

#define INLINE_WITH(features)                                                  \
  SAMARA_ALWAYS_INLINE static inline __attribute__((unused, target(features)))

typedef uint64_t bulk_lane __attribute__((vector_size(32)));

#define WITH_AVX2 "avx2,bmi2,pclmul"
#define WITH_VBMI2 "gfni,avx512f,avx512vl,avx512vbmi2,avx2,bmi2,pclmul"

/* samara_grain128aead_bulk_ahead in vectors, which have shifts to spare: b11,
 * b17, b22, b26 times b13, b18, b24, 1, times 1, 1, b25, 1, and their sum. */
INLINE_WITH(WITH_AVX2) uint64_t bulk_sum_of_four(__m256i four) {
  const __m128i two = _mm_xor_si128(_mm256_castsi256_si128(four),
                                    _mm256_extracti128_si256(four, 1));
  const __m128i one = _mm_xor_si128(two, _mm_unpackhi_epi64(two, two));
  return (uint64_t)_mm_cvtsi128_si64(one);
}

INLINE_WITH(WITH_AVX2) uint64_t grain_bulk_avx2_ahead(uint64_t b0) {
  const __m256i word = _mm256_set1_epi64x((long long)b0);
  const __m256i first =
      _mm256_srlv_epi64(word, _mm256_set_epi64x(26, 22, 17, 11));
  const __m256i second = _mm256_or_si256(
      _mm256_srlv_epi64(word, _mm256_set_epi64x(64, 24, 18, 13)),
      _mm256_set_epi64x(-1, 0, 0, 0));
  const __m256i third = _mm256_or_si256(
      _mm256_srlv_epi64(word, _mm256_set_epi64x(64, 25, 64, 64)),
      _mm256_set_epi64x(-1, 0, -1, -1));
  return bulk_sum_of_four(
      _mm256_and_si256(_mm256_and_si256(first, second), third));
}

/* A lane that is not shifted is left as ones. */
INLINE_WITH(WITH_VBMI2) uint64_t grain_bulk_vbmi2_ahead(uint64_t b0) {
  const __m256i word = _mm256_set1_epi64x((long long)b0);
  const __m256i ones = _mm256_set1_epi64x(-1);
  const __m256i first =
      _mm256_srlv_epi64(word, _mm256_set_epi64x(26, 22, 17, 11));
  const __m256i second =
      _mm256_mask_srlv_epi64(ones, 0x7, word, _mm256_set_epi64x(0, 24, 18, 13));
  const __m256i third =
      _mm256_mask_srlv_epi64(ones, 0x4, word, _mm256_set_epi64x(0, 25, 0, 0));
  return bulk_sum_of_four(
      _mm256_ternarylogic_epi64(first, second, third, 0x80));
}

/* Nibbles 0 of a lane's bytes have even bits, nibbles 1 odd ones, each in
 * order: bytes of them, the even ones below in each half of the lane, the odd
 * ones above, in the other order. */
INLINE_WITH(WITH_AVX2) __m256i bulk_gather(__m256i nibbles) {
  const __m256i order = _mm256_broadcastsi128_si256(
      _mm_set_epi8(1, 3, 5, 7, 9, 11, 13, 15, 14, 12, 10, 8, 6, 4, 2, 0));
  const __m256i changes =
      _mm256_and_si256(_mm256_xor_si256(nibbles, _mm256_srli_epi16(nibbles, 4)),
                       _mm256_set1_epi16(0x00f0));
  const __m256i bytes = _mm256_xor_si256(
      nibbles, _mm256_xor_si256(changes, _mm256_slli_epi16(changes, 4)));
  return _mm256_shuffle_epi8(bytes, order);
}

/* Words 0 and 2 of `gathered` are the even bits; words 1 and 3 of `turned`,
 * which has the bits of each byte turned around, the odd ones. */
INLINE_WITH(WITH_AVX2)
void bulk_keep(grain128aead_bulk *bulk, unsigned from, __m256i gathered,
               __m256i turned) {
  const __m256i even = _mm256_permute4x64_epi64(gathered, 0x08);
  const __m256i odd = _mm256_permute4x64_epi64(turned, 0x0d);
  _mm_storeu_si128((__m128i *)(bulk->even + from / 16),
                   _mm256_castsi256_si128(even));
  _mm_storeu_si128((__m128i *)(bulk->odd + 1 + from / 16),
                   _mm256_castsi256_si128(odd));
}

/* In each byte even bits into the lower nibble: two exchanges. The bits are
 * turned around by two tables of 16 nibbles. */
INLINE_WITH(WITH_AVX2)
void grain_bulk_avx2_split(grain128aead_bulk *bulk, unsigned from,
                           bulk_lane lane) {
  const __m256i table = _mm256_broadcastsi128_si256(
      _mm_set_epi8(15, 7, 11, 3, 13, 5, 9, 1, 14, 6, 10, 2, 12, 4, 8, 0));
  const __m256i nibble = _mm256_set1_epi8(15);
  bulk_lane changes = (lane ^ lane >> 1) & 0x2222222222222222;
  lane ^= changes ^ changes << 1;
  changes = (lane ^ lane >> 2) & 0x0c0c0c0c0c0c0c0c;
  lane ^= changes ^ changes << 2;
  const __m256i gathered = bulk_gather((__m256i)lane);
  const __m256i low =
      _mm256_shuffle_epi8(table, _mm256_and_si256(gathered, nibble));
  const __m256i high = _mm256_shuffle_epi8(
      table, _mm256_and_si256(_mm256_srli_epi16(gathered, 4), nibble));
  bulk_keep(bulk, from, gathered,
            _mm256_or_si256(_mm256_slli_epi16(low, 4), high));
}

/* The same by GFNI, which applies any matrix to the bits of each byte. */
INLINE_WITH(WITH_VBMI2)
void grain_bulk_vbmi2_split(grain128aead_bulk *bulk, unsigned from,
                            bulk_lane lane) {
  const __m256i part = _mm256_set1_epi64x(0x0104104002082080);
  const __m256i turn = _mm256_set1_epi64x((long long)0x8040201008040201);
  const __m256i gathered =
      bulk_gather(_mm256_gf2p8affine_epi64_epi8((__m256i)lane, part, 0));
  bulk_keep(bulk, from, gathered,
            _mm256_gf2p8affine_epi64_epi8(gathered, turn, 0));
}

#define SAMARA_CIPHER grain_bulk_avx2
#define SAMARA_LANE bulk_lane
#define SAMARA_LANE_BYTES 32
#define SAMARA_LANE_FUNCTION INLINE_WITH(WITH_AVX2)
#define SAMARA_LANE_SHIFT(low, high, count)                                    \
  ((low) >> (count) | (high) << (64 - (count)))
#define SAMARA_LANE_ORDER(lane) (lane)
#include "aead/grain128aead_bulk_template.h"

#undef SAMARA_CIPHER
#undef SAMARA_LANE
#undef SAMARA_LANE_BYTES
#undef SAMARA_LANE_FUNCTION
#undef SAMARA_LANE_SHIFT
#undef SAMARA_LANE_ORDER

#define SAMARA_CIPHER grain_bulk_vbmi2
#define SAMARA_LANE bulk_lane
#define SAMARA_LANE_BYTES 32
#define SAMARA_LANE_FUNCTION INLINE_WITH(WITH_VBMI2)
#define SAMARA_LANE_SHIFT(low, high, count)                                    \
  ((bulk_lane)_mm256_shrdi_epi64((__m256i)(low), (__m256i)(high), (count)))
#define SAMARA_LANE_ORDER(lane) (lane)
#include "aead/grain128aead_bulk_template.h"

#undef SAMARA_CIPHER
#undef SAMARA_LANE
#undef SAMARA_LANE_BYTES
#undef SAMARA_LANE_FUNCTION
#undef SAMARA_LANE_SHIFT
#undef SAMARA_LANE_ORDER

/* 16 bytes at a time. */
INLINE_WITH(WITH_AVX2)
void bulk_crypt(grain128aead_bulk *bulk, uint8_t *output, const uint8_t *input,
                enum grain128aead_way way) {
  __m128i upper = _mm_setzero_si128();
  __m128i lower = _mm_setzero_si128();
  for (unsigned i = 0; i < grain128aead_bulk_words; i += 2) {
    const __m128i in = _mm_loadu_si128((const __m128i *)(input + 8 * i));
    const __m128i even = _mm_loadu_si128((const __m128i *)(bulk->even + i));
    const __m128i before = _mm_loadu_si128((const __m128i *)(bulk->odd + i));
    const __m128i after = _mm_loadu_si128((const __m128i *)(bulk->odd + i + 1));
    const __m128i out = _mm_xor_si128(in, even);
    const __m128i bits = way == grain128aead_opening ? out : in;
    lower = _mm_xor_si128(lower, _mm_clmulepi64_si128(bits, before, 0x00));
    lower = _mm_xor_si128(lower, _mm_clmulepi64_si128(bits, before, 0x11));
    upper = _mm_xor_si128(upper, _mm_clmulepi64_si128(bits, after, 0x00));
    upper = _mm_xor_si128(upper, _mm_clmulepi64_si128(bits, after, 0x11));
    if (way != grain128aead_absorbing) {
      _mm_storeu_si128((__m128i *)(output + 8 * i), out);
    }
  }
  const __m128i sum = _mm_xor_si128(lower, _mm_srli_si128(upper, 8));
  bulk->sum ^= (uint64_t)_mm_cvtsi128_si64(sum);
}

#define DEFINE_BULK(name, features)                                            \
  __attribute__((target(features))) size_t                                     \
  samara_grain128aead_bulk_##name##_x86_64(                                    \
      samara_grain128aead *state, uint8_t *output, const uint8_t *input,       \
      size_t size, enum grain128aead_way way) {                                \
    grain128aead_bulk bulk;                                                    \
    size_t done = 0;                                                           \
    samara_grain128aead_bulk_begin(&bulk, state);                              \
    for (; size - done >= grain128aead_bulk_bytes;                             \
         done += grain128aead_bulk_bytes) {                                    \
      grain_bulk_##name##_clocks(&bulk);                                       \
      bulk_crypt(&bulk,                                                        \
                 way == grain128aead_absorbing ? output : output + done,       \
                 input + done, way);                                           \
    }                                                                          \
    samara_grain128aead_bulk_end(&bulk, state);                                \
    samara_grain128_lanes_clear();                                             \
    return done;                                                               \
  }

DEFINE_BULK(avx2, WITH_AVX2)
#if SAMARA_X86_64_SETS & SAMARA_X86_64_VBMI2
DEFINE_BULK(vbmi2, WITH_VBMI2)
#endif

#undef DEFINE_BULK
#undef WITH_AVX2
#undef WITH_VBMI2
#undef INLINE_WITH

#endif
