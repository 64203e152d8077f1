/* SPDX-License-Identifier: Apache-2.0 */
/* Template for ciphers on words of SAMARA_CIPHER_WORD_BITS bits (16, 24, 32,
 * 48, 64) held in a SAMARA_CIPHER_WORD: reading and writing them little-endian,
 * rotating and adding them. Words of 24 and 48 bits keep the upper bits of
 * their SAMARA_CIPHER_WORD zero. */

#include "common/bytes.h"
#include "common/stack.h"
#include "mode/names.h"

#ifndef SAMARA_WORDS_STACK
#define SAMARA_WORDS_STACK SAMARA_STACK_BYTES(80, 64, 96, 256)
#endif

#define SAMARA_CIPHER_WORD_SIZE (SAMARA_CIPHER_WORD_BITS / 8)
#define SAMARA_CIPHER_WORD_MASK                                                \
  ((SAMARA_CIPHER_WORD)(~(SAMARA_CIPHER_WORD)0 >>                              \
                        (8 * sizeof(SAMARA_CIPHER_WORD) -                      \
                         SAMARA_CIPHER_WORD_BITS)))
#define load_word SAMARA_LOCAL(load_word)
#define store_word SAMARA_LOCAL(store_word)
#define rotate_left SAMARA_LOCAL(rotate_left)
#define rotate_right SAMARA_LOCAL(rotate_right)
#define add_words SAMARA_LOCAL(add_words)
#define subtract_words SAMARA_LOCAL(subtract_words)

SAMARA_INLINE SAMARA_CIPHER_WORD load_word(const uint8_t *bytes) {
#if SAMARA_CIPHER_WORD_BITS == 64
  return samara_load64_le(bytes);
#elif SAMARA_CIPHER_WORD_BITS == 32
  return samara_load32_le(bytes);
#else
  SAMARA_CIPHER_WORD word = 0;
  for (unsigned i = SAMARA_CIPHER_WORD_SIZE; i-- > 0;) {
    word = (SAMARA_CIPHER_WORD)(word << 8 | bytes[i]);
  }
  return word;
#endif
}

SAMARA_INLINE void store_word(uint8_t *bytes, SAMARA_CIPHER_WORD word) {
#if SAMARA_CIPHER_WORD_BITS == 64
  samara_store64_le(bytes, word);
#elif SAMARA_CIPHER_WORD_BITS == 32
  samara_store32_le(bytes, word);
#else
  for (unsigned i = 0; i < SAMARA_CIPHER_WORD_SIZE; i++) {
    bytes[i] = (uint8_t)(word >> (8 * i));
  }
#endif
}

SAMARA_INLINE SAMARA_CIPHER_WORD rotate_left(SAMARA_CIPHER_WORD word,
                                             unsigned count) {
  return (SAMARA_CIPHER_WORD)((word << count |
                               word >> (SAMARA_CIPHER_WORD_BITS - count)) &
                              SAMARA_CIPHER_WORD_MASK);
}

SAMARA_INLINE SAMARA_CIPHER_WORD rotate_right(SAMARA_CIPHER_WORD word,
                                              unsigned count) {
  return rotate_left(word, SAMARA_CIPHER_WORD_BITS - count);
}

SAMARA_INLINE SAMARA_CIPHER_WORD add_words(SAMARA_CIPHER_WORD a,
                                           SAMARA_CIPHER_WORD b) {
#if SAMARA_CIPHER_WORD_BITS > 32
  return samara_add64(a, b) & SAMARA_CIPHER_WORD_MASK;
#else
  return (SAMARA_CIPHER_WORD)((a + b) & SAMARA_CIPHER_WORD_MASK);
#endif
}

SAMARA_INLINE SAMARA_CIPHER_WORD subtract_words(SAMARA_CIPHER_WORD a,
                                                SAMARA_CIPHER_WORD b) {
#if SAMARA_CIPHER_WORD_BITS > 32
  return samara_subtract64(a, b) & SAMARA_CIPHER_WORD_MASK;
#else
  return (SAMARA_CIPHER_WORD)((a - b) & SAMARA_CIPHER_WORD_MASK);
#endif
}
