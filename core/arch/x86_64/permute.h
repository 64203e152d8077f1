/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_ARCH_X86_64_PERMUTE_H
#define SAMARA_ARCH_X86_64_PERMUTE_H

/* Vectors of 16 bytes and look-ups in them by PSHUFB, for the templates of
 * processors without AES-NI (before 2010, and small ones after) and virtual
 * machines that hide it. */

#include "common/machine.h"

#if SAMARA_ARCH_X86_64

#include <tmmintrin.h>

#define PERMUTE_VECTOR __m128i
#define PERMUTE_KERNEL __attribute__((target("ssse3")))
#define PERMUTE_INLINE                                                         \
  PERMUTE_KERNEL static inline __attribute__((always_inline, unused))
#define PERMUTE_NAME(word) samara_aes_ssse3_##word
#ifdef __clang__
#define PERMUTE_UNROLL _Pragma("clang loop unroll(full)")
#else
#define PERMUTE_UNROLL _Pragma("GCC unroll 16")
#endif

/* Blocks of AES at once. */
enum { PERMUTE_LANES = 4 };

PERMUTE_INLINE __m128i permute_load(const uint8_t bytes[16]) {
  return _mm_loadu_si128((const __m128i *)bytes);
}

PERMUTE_INLINE void permute_store(uint8_t bytes[16], __m128i x) {
  _mm_storeu_si128((__m128i *)bytes, x);
}

PERMUTE_INLINE __m128i permute_xor(__m128i a, __m128i b) {
  return _mm_xor_si128(a, b);
}

PERMUTE_INLINE __m128i permute_byte(uint8_t byte) {
  return _mm_set1_epi8((char)byte);
}

/* The nibbles of all bytes; and the lower ones as upper ones. */
PERMUTE_INLINE __m128i permute_low(__m128i x) {
  return _mm_and_si128(x, _mm_set1_epi8(0x0f));
}

PERMUTE_INLINE __m128i permute_high(__m128i x) {
  return permute_low(_mm_srli_epi16(x, 4));
}

PERMUTE_INLINE __m128i permute_raise(__m128i x) {
  return _mm_slli_epi16(permute_low(x), 4);
}

/* 0 where an index has its highest bit set; the others are below 16. */
PERMUTE_INLINE __m128i permute_look(__m128i table, __m128i index) {
  return _mm_shuffle_epi8(table, index);
}

/* All bytes one place up; and the one that falls out there below another
 * vector's, which moves up as well. */
PERMUTE_INLINE __m128i permute_along(__m128i x) { return _mm_slli_si128(x, 1); }

PERMUTE_INLINE __m128i permute_carry(__m128i above, __m128i x) {
  return _mm_alignr_epi8(above, x, 15);
}

/* The bytes of two lower or upper halves in turn. */
PERMUTE_INLINE __m128i permute_zip_low(__m128i a, __m128i b) {
  return _mm_unpacklo_epi8(a, b);
}

PERMUTE_INLINE __m128i permute_zip_high(__m128i a, __m128i b) {
  return _mm_unpackhi_epi8(a, b);
}

#endif

#endif
