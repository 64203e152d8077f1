/* SPDX-License-Identifier: Apache-2.0 */
#include "stream/grain128_lanes.h"

#include "arch/x86_64/cpu.h"
#include "common/secret.h"
#include "mode/names.h"
#include "stream/grain128_clocks.h"

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
#define SAMARA_LANE_ASSEMBLY samara_grain128_clocks_256_x86_64
#define SAMARA_LANE_FUNCTION INLINE_WITH(WITH_AVX2)
#include "stream/grain128_lanes_template.h"

#undef SAMARA_CIPHER
#undef SAMARA_LANE
#undef SAMARA_LANES
#undef SAMARA_LANE_FUNCTION
#undef SAMARA_LANE_ASSEMBLY

#define SAMARA_CIPHER grain512
#define SAMARA_LANE lane512
#define SAMARA_LANES 512
#define SAMARA_LANE_ASSEMBLY samara_grain128_clocks_512_x86_64
#define SAMARA_LANE_FUNCTION INLINE_WITH(WITH_AVX512)
#include "stream/grain128_lanes_template.h"

#undef SAMARA_CIPHER
#undef SAMARA_LANE
#undef SAMARA_LANES
#undef SAMARA_LANE_FUNCTION
#undef SAMARA_LANE_ASSEMBLY

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

void samara_grain128_clear_512_x86_64(void) { SAMARA_X86_64_CLEAR_512(); }

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
      lanes,                                                                   \
      few,                                                                     \
      offsetof(name##_state, registers.lfsr) / ((lanes) / 8),                  \
      name##_load_planes,                                                      \
      name##_clock_planes,                                                     \
      name##_words,                                                            \
      name##_sums};

DEFINE_WIDTH(grain256, 256, 32, WITH_AVX2)
DEFINE_WIDTH(grain512, 512, 64, WITH_AVX512)

#undef DEFINE_WIDTH
#undef WITH_AVX2
#undef WITH_AVX512
#undef INLINE_WITH

#endif
