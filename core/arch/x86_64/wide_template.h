/* SPDX-License-Identifier: Apache-2.0 */
/* Template: a vector of WIDE_BLOCKS (1, 2 or 4) blocks of 16 bytes, and what
 * the kernels of AES and GHASH do with it, each block by itself. The kernels
 * are then written once for AES-NI, for VAES in 256 bits and for VAES in 512;
 * so what valgrind, which knows AES-NI alone, says about branches and addresses
 * holds for the others: they are the same source. wide_end_template.h undefines
 * the names.
 *
 * WIDE is the name of the set of instructions (aesni, vaes256, vaes512). With
 * WIDE_WITHOUT_AES, for WIDE_BLOCKS 2 and 4, only AVX2 or AVX-512 is needed,
 * and what is of AES and GHASH is left out. */

#include "mode/names.h"

#define WIDE_NAME(word) SAMARA_JOIN(samara_aes_, WIDE, _##word)
#define WIDE_LOCAL(word) SAMARA_JOIN(WIDE, _, word)
#define WIDE_INLINE                                                            \
  SAMARA_ALWAYS_INLINE static inline                                           \
      __attribute__((unused, target(WIDE_TARGET)))
#define WIDE_KERNEL __attribute__((noinline, target(WIDE_TARGET)))
/* What several functions call, and seldom: a copy for each of them would take
 * most of the time to compile. */
#define WIDE_SHARED                                                            \
  static __attribute__((noinline, unused, target(WIDE_TARGET)))

#if WIDE_BLOCKS == 1

#define WIDE_TARGET "aes,pclmul,ssse3,sse4.1"
#define wide __m128i
#define wide_load(from) _mm_loadu_si128((const __m128i *)(from))
#define wide_store(to, a) _mm_storeu_si128((__m128i *)(to), a)
#define wide_xor _mm_xor_si128
#define wide_encrypt _mm_aesenc_si128
#define wide_encrypt_last _mm_aesenclast_si128
#define wide_bytes _mm_shuffle_epi8
#define wide_words(a, order) _mm_shuffle_epi32(a, order)
#define wide_add32 _mm_add_epi32
#define wide_add64 _mm_add_epi64
#define wide_multiply _mm_clmulepi64_si128
#define wide_broadcast(block) (block)
/* The block, and zeros. */
#define wide_first(block) (block)
#define wide_numbers() _mm_setzero_si128()
#define wide_forget() ((void)0)

#elif WIDE_BLOCKS == 2

#ifdef WIDE_WITHOUT_AES
#define WIDE_TARGET "avx2"
#else
#define WIDE_TARGET "aes,pclmul,avx2,vaes,vpclmulqdq"
#endif
#define wide __m256i
#define wide_load(from) _mm256_loadu_si256((const __m256i *)(from))
#define wide_store(to, a) _mm256_storeu_si256((__m256i *)(to), a)
#define wide_xor _mm256_xor_si256
#define wide_encrypt _mm256_aesenc_epi128
#define wide_encrypt_last _mm256_aesenclast_epi128
#define wide_bytes _mm256_shuffle_epi8
#define wide_words(a, order) _mm256_shuffle_epi32(a, order)
#define wide_add32 _mm256_add_epi32
#define wide_add64 _mm256_add_epi64
#define wide_multiply _mm256_clmulepi64_epi128
#define wide_broadcast _mm256_broadcastsi128_si256
#define wide_first(block) _mm256_zextsi128_si256(block)
#define wide_numbers() _mm256_set_epi64x(0, 1, 0, 0)
#define wide_forget() SAMARA_X86_64_CLEAR_256()

#else

#ifdef WIDE_WITHOUT_AES
#define WIDE_TARGET "avx2,avx512f,avx512bw,avx512dq,avx512vl"
#else
#define WIDE_TARGET                                                            \
  "aes,pclmul,avx2,avx512f,avx512bw,avx512dq,avx512vl,vaes,vpclmulqdq"
#endif
#define wide __m512i
#define wide_load(from) _mm512_loadu_si512(from)
#define wide_store(to, a) _mm512_storeu_si512(to, a)
#define wide_xor _mm512_xor_si512
#define wide_encrypt _mm512_aesenc_epi128
#define wide_encrypt_last _mm512_aesenclast_epi128
#define wide_bytes _mm512_shuffle_epi8
#define wide_words(a, order) _mm512_shuffle_epi32(a, (_MM_PERM_ENUM)(order))
#define wide_add32 _mm512_add_epi32
#define wide_add64 _mm512_add_epi64
#define wide_multiply _mm512_clmulepi64_epi128
#define wide_broadcast _mm512_broadcast_i32x4
#define wide_first(block) _mm512_zextsi128_si512(block)
#define wide_numbers() _mm512_set_epi64(0, 3, 0, 2, 0, 1, 0, 0)
#define wide_forget() SAMARA_X86_64_CLEAR_512()

#endif

#define wide_load_block(from) _mm_loadu_si128((const __m128i *)(from))
#define wide_store_block(to, a) _mm_storeu_si128((__m128i *)(to), a)

/* Loops over the vectors of a kernel, which are registers. */
#if defined(SAMARA_COMPACT)
#define WIDE_UNROLL
#elif defined(__clang__)
#define WIDE_UNROLL _Pragma("clang loop unroll(full)")
#else
#define WIDE_UNROLL _Pragma("GCC unroll 16")
#endif

#define wide_sum WIDE_LOCAL(sum)
#define wide_round_key WIDE_LOCAL(round_key)
#define wide_reverse WIDE_LOCAL(reverse)
#define wide_rounds WIDE_LOCAL(rounds)
#define wide_gather WIDE_LOCAL(gather)
#define wide_scatter WIDE_LOCAL(scatter)

/* The sum of all blocks. */
WIDE_INLINE __m128i wide_sum(wide a) {
#if WIDE_BLOCKS == 4
  const __m256i half = _mm256_xor_si256(_mm512_castsi512_si256(a),
                                        _mm512_extracti64x4_epi64(a, 1));
  return _mm_xor_si128(_mm256_castsi256_si128(half),
                       _mm256_extracti128_si256(half, 1));
#elif WIDE_BLOCKS == 2
  return _mm_xor_si128(_mm256_castsi256_si128(a),
                       _mm256_extracti128_si256(a, 1));
#else
  return a;
#endif
}

/* The order of bytes that makes a big-endian block a number. */
WIDE_INLINE __m128i wide_reverse(void) {
  return _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

/* A block from each of the addresses, and to each. */
WIDE_INLINE wide wide_gather(const uint8_t *const *from, size_t offset) {
#if WIDE_BLOCKS == 4
  __m512i a = _mm512_castsi128_si512(wide_load_block(from[0] + offset));
  a = _mm512_inserti32x4(a, wide_load_block(from[1] + offset), 1);
  a = _mm512_inserti32x4(a, wide_load_block(from[2] + offset), 2);
  return _mm512_inserti32x4(a, wide_load_block(from[3] + offset), 3);
#elif WIDE_BLOCKS == 2
  return _mm256_inserti128_si256(
      _mm256_castsi128_si256(wide_load_block(from[0] + offset)),
      wide_load_block(from[1] + offset), 1);
#else
  return wide_load_block(from[0] + offset);
#endif
}

WIDE_INLINE void wide_scatter(uint8_t *const *to, size_t offset, wide a) {
#if WIDE_BLOCKS == 4
  wide_store_block(to[0] + offset, _mm512_castsi512_si128(a));
  wide_store_block(to[1] + offset, _mm512_extracti32x4_epi32(a, 1));
  wide_store_block(to[2] + offset, _mm512_extracti32x4_epi32(a, 2));
  wide_store_block(to[3] + offset, _mm512_extracti32x4_epi32(a, 3));
#elif WIDE_BLOCKS == 2
  wide_store_block(to[0] + offset, _mm256_castsi256_si128(a));
  wide_store_block(to[1] + offset, _mm256_extracti128_si256(a, 1));
#else
  wide_store_block(to[0] + offset, a);
#endif
}

#ifndef WIDE_WITHOUT_AES

WIDE_INLINE wide wide_round_key(const uint32_t *round_keys, size_t i) {
  return wide_broadcast(wide_load_block(round_keys + 4 * i));
}

/* The rounds of AES behind the first addition of a round key, on `count`
 * vectors, a constant. */
WIDE_INLINE void wide_rounds(wide *s, size_t count, const uint32_t *round_keys,
                             unsigned rounds) {
  for (unsigned i = 1; i < rounds; i++) {
    const wide key = wide_round_key(round_keys, i);
    WIDE_UNROLL
    for (size_t v = 0; v < count; v++) {
      s[v] = wide_encrypt(s[v], key);
    }
  }
  const wide key = wide_round_key(round_keys, rounds);
  WIDE_UNROLL
  for (size_t v = 0; v < count; v++) {
    s[v] = wide_encrypt_last(s[v], key);
  }
}

#endif
