/* SPDX-License-Identifier: Apache-2.0 */
#include "arch/x86_64/speck.h"
#include "common/bytes.h"
#include "common/stack.h"
#include "common/wiped.h"
#include "mode/counter.h"

#if SAMARA_ARCH_X86_64

#include <immintrin.h>

#define SPECK_INLINE                                                           \
  static inline __attribute__((always_inline, target(SPECK_TARGET)))
#define SPECK_KERNEL __attribute__((noinline, target(SPECK_TARGET)))

#if defined(__clang__)
#define SPECK_UNROLL _Pragma("clang loop unroll(full)")
#else
#define SPECK_UNROLL _Pragma("GCC unroll 16")
#endif

/* Shuffles of bytes within words of 64 bits: reversed, and rotated by 8. */
#define SPECK_REVERSED 0x0001020304050607, 0x08090a0b0c0d0e0f
#define SPECK_ROTATED 0x0007060504030201, 0x080f0e0d0c0b0a09

#define SPECK_LOCAL(name) speck_avx2_##name
#define SPECK_PAIRS 4 /* of 16 registers */
#define SPECK_TARGET "avx2"
#define speck_words __m256i
#define speck_all(word) _mm256_set1_epi64x((int64_t)(word))
#define speck_all_of(word)                                                     \
  _mm256_broadcastq_epi64(_mm_loadl_epi64((const __m128i *)(word)))
#define speck_load(from) _mm256_loadu_si256((const __m256i *)(from))
#define speck_store(to, a) _mm256_storeu_si256((__m256i *)(to), a)
#define speck_add _mm256_add_epi64
#define speck_xor _mm256_xor_si256
#define SPECK_SHUFFLE256(a, low, high)                                         \
  _mm256_shuffle_epi8(a, _mm256_set_epi64x(high, low, high, low))
#define SPECK_SHUFFLE256_OF(a, order) SPECK_SHUFFLE256(a, order)
#define speck_swap(a) SPECK_SHUFFLE256_OF(a, SPECK_REVERSED)
#define speck_right8(a) SPECK_SHUFFLE256_OF(a, SPECK_ROTATED)
#define speck_left3(a)                                                         \
  _mm256_or_si256(_mm256_slli_epi64(a, 3), _mm256_srli_epi64(a, 61))
#define speck_lower _mm256_unpacklo_epi64
#define speck_upper _mm256_unpackhi_epi64
#define speck_numbers() _mm256_set_epi64x(3, 1, 2, 0)
#define speck_forget() SAMARA_X86_64_CLEAR_256()
#include "arch/x86_64/speck_ctr_template.h"

#if SAMARA_X86_64_SETS & SAMARA_X86_64_AVX512
#define SPECK_LOCAL(name) speck_avx512_##name
#define SPECK_PAIRS 8 /* of 32 registers */
#define SPECK_TARGET "avx2,avx512f,avx512bw,avx512dq,avx512vl"
#define speck_words __m512i
#define speck_all(word) _mm512_set1_epi64((int64_t)(word))
#define speck_all_of(word)                                                     \
  _mm512_broadcastq_epi64(_mm_loadl_epi64((const __m128i *)(word)))
#define speck_load(from) _mm512_loadu_si512(from)
#define speck_store(to, a) _mm512_storeu_si512(to, a)
#define speck_add _mm512_add_epi64
#define speck_xor _mm512_xor_si512
#define SPECK_SHUFFLE512(a, low, high)                                         \
  _mm512_shuffle_epi8(                                                         \
      a, _mm512_set_epi64(high, low, high, low, high, low, high, low))
#define SPECK_SHUFFLE512_OF(a, order) SPECK_SHUFFLE512(a, order)
#define speck_swap(a) SPECK_SHUFFLE512_OF(a, SPECK_REVERSED)
/* A rotation by VPRORQ is slower where there are fewer units for it. */
#define speck_right8(a) SPECK_SHUFFLE512_OF(a, SPECK_ROTATED)
#define speck_left3(a) _mm512_rol_epi64(a, 3)
#define speck_lower _mm512_unpacklo_epi64
#define speck_upper _mm512_unpackhi_epi64
#define speck_numbers() _mm512_set_epi64(7, 3, 6, 2, 5, 1, 4, 0)
#define speck_forget() SAMARA_X86_64_CLEAR_512()
#include "arch/x86_64/speck_ctr_template.h"
#else /* never called */
#define speck_avx512_ctr speck_avx2_ctr
#endif

#undef SPECK_INLINE
#undef SPECK_KERNEL
#undef SPECK_UNROLL
#undef SPECK_REVERSED
#undef SPECK_ROTATED
#undef SPECK_SHUFFLE256
#undef SPECK_SHUFFLE256_OF
#undef SPECK_SHUFFLE512
#undef SPECK_SHUFFLE512_OF

/* Bytes below which a kernel does not pay. */
enum { speck_few = 33 };

/* Bytes of stack that a kernel may use: gcc -O1 takes most. */
enum { speck_spilled = 2048 };

bool samara_speck_x86_64_ctr(const uint64_t *round_keys, size_t rounds,
                             uint8_t *output, uint8_t counter[16],
                             const uint8_t *input, size_t size) {
  if (size < speck_few || !samara_x86_64_has(SAMARA_X86_64_AVX2)) {
    return false;
  }
  if (samara_x86_64_has(SAMARA_X86_64_AVX512)) {
    speck_avx512_ctr(round_keys, rounds, output, counter, input, size);
  } else {
    speck_avx2_ctr(round_keys, rounds, output, counter, input, size);
  }
  samara_wipe_stack(speck_spilled);
  return true;
}

#endif
