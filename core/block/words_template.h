/* SPDX-License-Identifier: Apache-2.0 */
/* Template for ciphers on words of WORD_BITS bits (16, 24, 32, 48, 64) held in
 * a WORD: reading and writing them little-endian, rotating and adding them.
 * Words of 24 and 48 bits keep the upper bits of their WORD zero. */

#include "common/bytes.h"
#include "common/stack.h"
#include "mode/names.h"

#ifndef SAMARA_WORDS_STACK
#define SAMARA_WORDS_STACK SAMARA_STACK_BYTES(80, 64, 96, 256)
#endif

#define WORD_SIZE (WORD_BITS / 8)
#define WORD_MASK ((WORD)(~(WORD)0 >> (8 * sizeof(WORD) - WORD_BITS)))
#define load_word LOCAL(load_word)
#define store_word LOCAL(store_word)
#define rotate_left LOCAL(rotate_left)
#define rotate_right LOCAL(rotate_right)
#define add_words LOCAL(add_words)
#define subtract_words LOCAL(subtract_words)

SAMARA_INLINE WORD load_word(const uint8_t *bytes) {
#if WORD_BITS == 64
  return samara_load64_le(bytes);
#elif WORD_BITS == 32
  return samara_load32_le(bytes);
#else
  WORD word = 0;
  for (unsigned i = WORD_SIZE; i-- > 0;) {
    word = (WORD)(word << 8 | bytes[i]);
  }
  return word;
#endif
}

SAMARA_INLINE void store_word(uint8_t *bytes, WORD word) {
#if WORD_BITS == 64
  samara_store64_le(bytes, word);
#elif WORD_BITS == 32
  samara_store32_le(bytes, word);
#else
  for (unsigned i = 0; i < WORD_SIZE; i++) {
    bytes[i] = (uint8_t)(word >> (8 * i));
  }
#endif
}

SAMARA_INLINE WORD rotate_left(WORD word, unsigned count) {
  return (WORD)((word << count | word >> (WORD_BITS - count)) & WORD_MASK);
}

SAMARA_INLINE WORD rotate_right(WORD word, unsigned count) {
  return rotate_left(word, WORD_BITS - count);
}

SAMARA_INLINE WORD add_words(WORD a, WORD b) {
#if WORD_BITS > 32
  return samara_add64(a, b) & WORD_MASK;
#else
  return (WORD)((a + b) & WORD_MASK);
#endif
}

SAMARA_INLINE WORD subtract_words(WORD a, WORD b) {
#if WORD_BITS > 32
  return samara_subtract64(a, b) & WORD_MASK;
#else
  return (WORD)((a - b) & WORD_MASK);
#endif
}
