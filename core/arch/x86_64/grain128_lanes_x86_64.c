/* SPDX-License-Identifier: Apache-2.0 */
#include "stream/grain128_lanes.h"

#include "common/secret.h"
#include "mode/names.h"

#if SAMARA_ARCH_X86_64

/* Grain for many messages in the wide registers of AVX2 (2013 on) and AVX-512
 * with VPCLMULQDQ (2019 on): the template of core/stream. Who calls asks the
 * processor first (grain128_lanes.c). Functions end with vzeroupper;
 * registers 16 to 31 of AVX-512 are left to samara_grain128_clear_512_x86_64.
 */

#include <immintrin.h>

#define INLINE_WITH(features)                                                  \
  static inline __attribute__((always_inline, unused, target(features)))

typedef uint64_t lane256 __attribute__((vector_size(32)));
typedef uint64_t lane512 __attribute__((vector_size(64)));

#define WITH_AVX2 "avx2,pclmul"
#define WITH_AVX512 "avx512f,vpclmulqdq"

#define SAMARA_CIPHER grain256
#define SAMARA_LANE lane256
#define SAMARA_LANES 256
#define SAMARA_LANE_FUNCTION INLINE_WITH(WITH_AVX2)
#define SAMARA_LANE_XOR3(a, b, c) ((a) ^ (b) ^ (c))
#define SAMARA_LANE_XOR_AND(a, b, c) ((a) ^ ((b) & (c)))
#define SAMARA_LANE_AND3(a, b, c) ((a) & (b) & (c))
#include "stream/grain128_lanes_template.h"

#undef SAMARA_CIPHER
#undef SAMARA_LANE
#undef SAMARA_LANES
#undef SAMARA_LANE_FUNCTION
#undef SAMARA_LANE_XOR3
#undef SAMARA_LANE_XOR_AND
#undef SAMARA_LANE_AND3

/* Any function of three bits is one instruction; its table is the constant. */
#define TERNARY(a, b, c, table)                                                \
  ((lane512)_mm512_ternarylogic_epi64((__m512i)(a), (__m512i)(b),              \
                                      (__m512i)(c), table))

#define SAMARA_CIPHER grain512
#define SAMARA_LANE lane512
#define SAMARA_LANES 512
#define SAMARA_LANE_FUNCTION INLINE_WITH(WITH_AVX512)
#define SAMARA_LANE_XOR3(a, b, c) TERNARY(a, b, c, 0x96)
#define SAMARA_LANE_XOR_AND(a, b, c) TERNARY(a, b, c, 0x78)
#define SAMARA_LANE_AND3(a, b, c) TERNARY(a, b, c, 0x80)
#include "stream/grain128_lanes_template.h"

#undef SAMARA_CIPHER
#undef SAMARA_LANE
#undef SAMARA_LANES
#undef SAMARA_LANE_FUNCTION
#undef SAMARA_LANE_XOR3
#undef SAMARA_LANE_XOR_AND
#undef SAMARA_LANE_AND3
#undef TERNARY

/* Two lanes at a time, the even one in the lower words: products of both, of
 * which the halves wanted are put together. */
__attribute__((target(WITH_AVX2))) static void
grain256_sums(grain128_row *sums,
              const grain128_row bits[grain128_round_blocks],
              const grain128_row odd[grain128_round_blocks + 1]) {
  for (unsigned i = 0; i < 256; i += 2) {
    __m128i *to = (__m128i *)(sums->words + i);
    __m128i sum = _mm_loadu_si128(to);
    __m128i r = _mm_loadu_si128((const __m128i *)(odd[0].words + i));
    for (unsigned j = 0; j < grain128_round_blocks; j++) {
      const __m128i m = _mm_loadu_si128((const __m128i *)(bits[j].words + i));
      const __m128i lower = _mm_unpacklo_epi64(
          _mm_clmulepi64_si128(m, r, 0x00), _mm_clmulepi64_si128(m, r, 0x11));
      r = _mm_loadu_si128((const __m128i *)(odd[j + 1].words + i));
      const __m128i upper = _mm_unpackhi_epi64(
          _mm_clmulepi64_si128(m, r, 0x00), _mm_clmulepi64_si128(m, r, 0x11));
      sum = _mm_xor_si128(sum, _mm_xor_si128(upper, lower));
    }
    _mm_storeu_si128(to, sum);
  }
}

/* The same for eight lanes. */
__attribute__((target(WITH_AVX512))) static void
grain512_sums(grain128_row *sums,
              const grain128_row bits[grain128_round_blocks],
              const grain128_row odd[grain128_round_blocks + 1]) {
  for (unsigned i = 0; i < 512; i += 8) {
    __m512i sum = _mm512_loadu_si512(sums->words + i);
    __m512i r = _mm512_loadu_si512(odd[0].words + i);
    for (unsigned j = 0; j < grain128_round_blocks; j++) {
      const __m512i m = _mm512_loadu_si512(bits[j].words + i);
      const __m512i lower =
          _mm512_unpacklo_epi64(_mm512_clmulepi64_epi128(m, r, 0x00),
                                _mm512_clmulepi64_epi128(m, r, 0x11));
      r = _mm512_loadu_si512(odd[j + 1].words + i);
      const __m512i upper =
          _mm512_unpackhi_epi64(_mm512_clmulepi64_epi128(m, r, 0x00),
                                _mm512_clmulepi64_epi128(m, r, 0x11));
      sum = _mm512_ternarylogic_epi64(sum, upper, lower, 0x96);
    }
    _mm512_storeu_si512(sums->words + i, sum);
  }
}

/* vzeroupper, which ends every function here, and samara_leave clear the
 * others. */
__attribute__((target(WITH_AVX512))) void
samara_grain128_clear_512_x86_64(void) {
  __asm__ __volatile__("vpxorq %%zmm16, %%zmm16, %%zmm16\n"
                       "vpxorq %%zmm17, %%zmm17, %%zmm17\n"
                       "vpxorq %%zmm18, %%zmm18, %%zmm18\n"
                       "vpxorq %%zmm19, %%zmm19, %%zmm19\n"
                       "vpxorq %%zmm20, %%zmm20, %%zmm20\n"
                       "vpxorq %%zmm21, %%zmm21, %%zmm21\n"
                       "vpxorq %%zmm22, %%zmm22, %%zmm22\n"
                       "vpxorq %%zmm23, %%zmm23, %%zmm23\n"
                       "vpxorq %%zmm24, %%zmm24, %%zmm24\n"
                       "vpxorq %%zmm25, %%zmm25, %%zmm25\n"
                       "vpxorq %%zmm26, %%zmm26, %%zmm26\n"
                       "vpxorq %%zmm27, %%zmm27, %%zmm27\n"
                       "vpxorq %%zmm28, %%zmm28, %%zmm28\n"
                       "vpxorq %%zmm29, %%zmm29, %%zmm29\n"
                       "vpxorq %%zmm30, %%zmm30, %%zmm30\n"
                       "vpxorq %%zmm31, %%zmm31, %%zmm31\n" ::
                           : "xmm16", "xmm17", "xmm18", "xmm19", "xmm20",
                             "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",
                             "xmm26", "xmm27", "xmm28", "xmm29", "xmm30",
                             "xmm31");
}

/* The functions of a grain128_width, of what the template writes. */
#define DEFINE_WIDTH(name, lanes, few, features)                               \
  __attribute__((target(features))) static void name##_load_planes(            \
      grain128_planes *planes, const grain128_row fresh[4]) {                  \
    name##_load(planes, fresh);                                                \
  }                                                                            \
  __attribute__((target(features))) static void name##_clock_planes(           \
      grain128_planes *planes, unsigned step) {                                \
    name##_clock(planes, step);                                                \
  }                                                                            \
  __attribute__((target(features))) static void name##_words(                  \
      grain128_row *row, const grain128_planes *planes, int first, int step) { \
    name##_output(row, planes, first, step);                                   \
  }                                                                            \
  const grain128_width samara_grain128_width_##lanes##_x86_64 = {              \
      lanes,        few,        name##_load_planes, name##_clock_planes,       \
      name##_words, name##_sums};

DEFINE_WIDTH(grain256, 256, 32, WITH_AVX2)
DEFINE_WIDTH(grain512, 512, 64, WITH_AVX512)

#undef DEFINE_WIDTH
#undef WITH_AVX2
#undef WITH_AVX512
#undef INLINE_WITH

#endif
