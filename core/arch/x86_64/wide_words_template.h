/* SPDX-License-Identifier: Apache-2.0 */
/* Template: words of 64 bits in the vectors of wide_template.h, for ciphers
 * that work on words. Two vectors of blocks are two vectors of words: those of
 * the blocks' first halves, and those of the second. */

/* Words of a vector, which is the number of blocks of two vectors. */
#define WIDE_WORDS (2 * WIDE_BLOCKS)

/* Where the words of block i, of WIDE_WORDS blocks in two vectors, lie. */
#define wide_place(i) (2 * ((i) % WIDE_BLOCKS) + (i) / WIDE_BLOCKS)

#if WIDE_BLOCKS == 2

#define wide_zero() _mm256_setzero_si256()
#define wide_and _mm256_and_si256
#define wide_all_of(word) _mm256_set1_epi64x((int64_t)(word))
#define wide_first_halves _mm256_unpacklo_epi64
#define wide_second_halves _mm256_unpackhi_epi64
#define wide_left(a, count)                                                    \
  _mm256_or_si256(_mm256_slli_epi64(a, count),                                 \
                  _mm256_srli_epi64(a, 64 - (count)))
#define wide_xor3(a, b, c) wide_xor(wide_xor(a, b), c)
/* a ^ (~b & c) */
#define wide_xor_unless(a, b, c) wide_xor(a, _mm256_andnot_si256(b, c))
/* a ^ (b & c) */
#define wide_xor_both(a, b, c) wide_xor(a, wide_and(b, c))

#else

#define wide_zero() _mm512_setzero_si512()
#define wide_and _mm512_and_si512
#define wide_all_of(word) _mm512_set1_epi64((int64_t)(word))
#define wide_first_halves _mm512_unpacklo_epi64
#define wide_second_halves _mm512_unpackhi_epi64
#define wide_left(a, count) _mm512_rol_epi64(a, count)
#define wide_xor3(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0x96)
#define wide_xor_unless(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0xd2)
#define wide_xor_both(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0x78)

#endif
