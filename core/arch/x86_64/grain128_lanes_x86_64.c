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
  SAMARA_ALWAYS_INLINE static inline __attribute__((unused, target(features)))

typedef uint64_t lane256 __attribute__((vector_size(32)));
typedef uint64_t lane512 __attribute__((vector_size(64)));

#define WITH_AVX2 "avx2,pclmul"
#define WITH_AVX512 "avx512f,vpclmulqdq"

#define SAMARA_CIPHER grain256
#define SAMARA_LANE lane256
#define SAMARA_LANES 256
#define SAMARA_LANE_ASSEMBLY samara_grain128_clocks_256_x86_64
#define SAMARA_LANE_FUNCTION INLINE_WITH(WITH_AVX2)
#define SAMARA_LANE_TARGET __attribute__((target(WITH_AVX2)))
#include "stream/grain128_lanes_template.h"

#undef SAMARA_CIPHER
#undef SAMARA_LANE
#undef SAMARA_LANES
#undef SAMARA_LANE_FUNCTION
#undef SAMARA_LANE_ASSEMBLY

#if SAMARA_X86_64_SETS & SAMARA_X86_64_VAES512

#define SAMARA_CIPHER grain512
#define SAMARA_LANE lane512
#define SAMARA_LANES 512
#define SAMARA_LANE_ASSEMBLY samara_grain128_clocks_512_x86_64
#define SAMARA_LANE_FUNCTION INLINE_WITH(WITH_AVX512)
#define SAMARA_LANE_TARGET __attribute__((target(WITH_AVX512)))
#define SAMARA_LANE_SELECT(mask, one, two)                                     \
  (lane512) _mm512_ternarylogic_epi64((__m512i)(mask), (__m512i)(one),         \
                                      (__m512i)(two), 0xca)
#include "stream/grain128_lanes_template.h"

#undef SAMARA_CIPHER
#undef SAMARA_LANE
#undef SAMARA_LANES
#undef SAMARA_LANE_FUNCTION
#undef SAMARA_LANE_SELECT
#undef SAMARA_LANE_ASSEMBLY

#endif

/* Two lanes at a time, the even one in the lower words: products of both, of
 * which the halves wanted are put together. */
__attribute__((target(WITH_AVX2))) static void
grain256_crypt(grain128_rows *rows, unsigned first,
               const grain128_piece pieces[grain128_pieces], bool whole,
               bool opening) {
  const grain128_row *odd = rows->authenticating;
  grain128_bits bits;
  samara_grain128_lanes_crypt(&bits, rows, first, pieces, whole, opening);
  for (unsigned i = 0; i < grain128_pieces; i += 2) {
    const unsigned lane = first + i;
    __m128i *to = (__m128i *)(rows->sums.words + lane);
    __m128i sum = _mm_loadu_si128(to);
    __m128i r = _mm_loadu_si128((const __m128i *)(odd[0].words + lane));
    for (unsigned j = 0; j < grain128_round_blocks; j++) {
      const __m128i m = _mm_loadu_si128((const __m128i *)(bits.words[j] + i));
      const __m128i lower = _mm_unpacklo_epi64(
          _mm_clmulepi64_si128(m, r, 0x00), _mm_clmulepi64_si128(m, r, 0x11));
      r = _mm_loadu_si128((const __m128i *)(odd[j + 1].words + lane));
      const __m128i upper = _mm_unpackhi_epi64(
          _mm_clmulepi64_si128(m, r, 0x00), _mm_clmulepi64_si128(m, r, 0x11));
      sum = _mm_xor_si128(sum, _mm_xor_si128(upper, lower));
    }
    _mm_storeu_si128(to, sum);
  }
}

#if SAMARA_X86_64_SETS & SAMARA_X86_64_VAES512

/* The same for eight lanes and 64 bits of each; `before` and `odd` are rows of
 * the authenticator. */
INLINE_WITH(WITH_AVX512)
__m512i grain512_add(__m512i sum, __m512i m, __m512i before, __m512i odd) {
  const __m512i lower =
      _mm512_unpacklo_epi64(_mm512_clmulepi64_epi128(m, before, 0x00),
                            _mm512_clmulepi64_epi128(m, before, 0x11));
  const __m512i upper =
      _mm512_unpackhi_epi64(_mm512_clmulepi64_epi128(m, odd, 0x00),
                            _mm512_clmulepi64_epi128(m, odd, 0x11));
  return _mm512_ternarylogic_epi64(sum, upper, lower, 0x96);
}

/* The bytes of a round that are a piece's message. */
#define WITH_AVX512_BYTES "avx512f,avx512bw,avx512vl,vpclmulqdq"

INLINE_WITH(WITH_AVX512_BYTES)
__mmask32 grain512_inside(const grain128_piece *piece) {
  return (__mmask32)((((uint64_t)1 << piece->size) - 1) << piece->before);
}

/* The round of a piece, zeros where its message is not. The round may begin
 * before the message: bytes that the mask leaves out are not read. */
INLINE_WITH(WITH_AVX512_BYTES)
__m256i grain512_read(const grain128_piece *piece, bool whole) {
  const uintptr_t begin = (uintptr_t)piece->input - piece->before;
  return whole              ? _mm256_loadu_si256((const __m256i *)piece->input)
         : piece->size == 0 ? _mm256_setzero_si256()
                            : _mm256_maskz_loadu_epi8(grain512_inside(piece),
                                                      (const void *)begin);
}

INLINE_WITH(WITH_AVX512_BYTES)
void grain512_write(const grain128_piece *piece, __m256i round, bool whole) {
  const uintptr_t begin = (uintptr_t)piece->output - piece->before;
  if (whole) {
    _mm256_storeu_si256((__m256i *)piece->output, round);
  } else if (piece->size != 0) {
    _mm256_mask_storeu_epi8((void *)begin, grain512_inside(piece), round);
  }
}

/* Two lanes, one in each half: writes them and returns what is authenticated.
 */
INLINE_WITH(WITH_AVX512_BYTES)
__m512i grain512_crypt_two(const grain128_piece *low,
                           const grain128_piece *high, __m512i encrypting,
                           __m512i opening, bool whole) {
  const __m512i in =
      _mm512_inserti64x4(_mm512_castsi256_si512(grain512_read(low, whole)),
                         grain512_read(high, whole), 1);
  const __m512i out = _mm512_xor_si512(in, encrypting);
  grain512_write(low, _mm512_castsi512_si256(out), whole);
  grain512_write(high, _mm512_extracti64x4_epi64(out, 1), whole);
  /* in ^ (encrypting & opening) */
  const __m512i plain =
      _mm512_ternarylogic_epi64(in, encrypting, opening, 0x78);
  if (whole) {
    return plain;
  }
  const __mmask64 inside =
      grain512_inside(low) | (__mmask64)grain512_inside(high) << 32;
  const __m512i other = _mm512_inserti64x4(
      _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)low->other)),
      _mm256_loadu_si256((const __m256i *)high->other), 1);
  return _mm512_mask_mov_epi8(other, inside, plain);
}

/* Eight lanes: their words, a row for each block, are turned into rounds, two
 * of them in a register, and back. */
INLINE_WITH(WITH_AVX512_BYTES)
void grain512_crypt_eight(grain128_rows *rows, unsigned first,
                          const grain128_piece pieces[grain128_pieces],
                          bool whole, bool opening) {
  const grain128_row *encrypting = rows->encrypting;
  const grain128_row *odd = rows->authenticating;
  const __m512i out = _mm512_set1_epi64(opening ? -1 : 0);
  const __m512i w0 = _mm512_loadu_si512(encrypting[0].words + first);
  const __m512i w1 = _mm512_loadu_si512(encrypting[1].words + first);
  const __m512i w2 = _mm512_loadu_si512(encrypting[2].words + first);
  const __m512i w3 = _mm512_loadu_si512(encrypting[3].words + first);
  /* Halves of rounds, of the lanes with even numbers and the others. */
  const __m512i even0 = _mm512_unpacklo_epi64(w0, w1);
  const __m512i even1 = _mm512_unpacklo_epi64(w2, w3);
  const __m512i odd0 = _mm512_unpackhi_epi64(w0, w1);
  const __m512i odd1 = _mm512_unpackhi_epi64(w2, w3);
  const __m512i lower = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0);
  const __m512i upper = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
  const __m512i b02 = grain512_crypt_two(
      pieces + 0, pieces + 2, _mm512_permutex2var_epi64(even0, lower, even1),
      out, whole);
  const __m512i b13 = grain512_crypt_two(
      pieces + 1, pieces + 3, _mm512_permutex2var_epi64(odd0, lower, odd1), out,
      whole);
  const __m512i b46 = grain512_crypt_two(
      pieces + 4, pieces + 6, _mm512_permutex2var_epi64(even0, upper, even1),
      out, whole);
  const __m512i b57 = grain512_crypt_two(
      pieces + 5, pieces + 7, _mm512_permutex2var_epi64(odd0, upper, odd1), out,
      whole);
  const __m512i back_even0 = _mm512_shuffle_i64x2(b02, b46, 0x88);
  const __m512i back_even1 = _mm512_shuffle_i64x2(b02, b46, 0xdd);
  const __m512i back_odd0 = _mm512_shuffle_i64x2(b13, b57, 0x88);
  const __m512i back_odd1 = _mm512_shuffle_i64x2(b13, b57, 0xdd);
  const __m512i r0 = _mm512_loadu_si512(odd[0].words + first);
  const __m512i r1 = _mm512_loadu_si512(odd[1].words + first);
  const __m512i r2 = _mm512_loadu_si512(odd[2].words + first);
  const __m512i r3 = _mm512_loadu_si512(odd[3].words + first);
  const __m512i r4 = _mm512_loadu_si512(odd[4].words + first);
  __m512i sum = _mm512_loadu_si512(rows->sums.words + first);
  sum = grain512_add(sum, _mm512_unpacklo_epi64(back_even0, back_odd0), r0, r1);
  sum = grain512_add(sum, _mm512_unpackhi_epi64(back_even0, back_odd0), r1, r2);
  sum = grain512_add(sum, _mm512_unpacklo_epi64(back_even1, back_odd1), r2, r3);
  sum = grain512_add(sum, _mm512_unpackhi_epi64(back_even1, back_odd1), r3, r4);
  _mm512_storeu_si512(rows->sums.words + first, sum);
}

__attribute__((target(WITH_AVX512_BYTES))) static void
grain512_crypt(grain128_rows *rows, unsigned first,
               const grain128_piece pieces[grain128_pieces], bool whole,
               bool opening) {
  if (whole) {
    grain512_crypt_eight(rows, first, pieces, true, opening);
  } else {
    grain512_crypt_eight(rows, first, pieces, false, opening);
  }
}

#endif

void samara_grain128_clear_512_x86_64(void) { SAMARA_X86_64_CLEAR_512(); }

#define DEFINE_WIDTH(name, lanes, few)                                         \
  const grain128_width samara_grain128_width_##lanes##_x86_64 = {              \
      lanes,                                                                   \
      few,                                                                     \
      offsetof(name##_state, registers.lfsr) / ((lanes) / 8),                  \
      name##_load_planes,                                                      \
      name##_clock_planes,                                                     \
      name##_words,                                                            \
      name##_crypt};

DEFINE_WIDTH(grain256, 256, 32)
#if SAMARA_X86_64_SETS & SAMARA_X86_64_VAES512
DEFINE_WIDTH(grain512, 512, 64)
#endif

#undef DEFINE_WIDTH
#undef WITH_AVX2
#undef WITH_AVX512
#undef WITH_AVX512_BYTES
#undef INLINE_WITH

#endif
