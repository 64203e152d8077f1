/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_BLOCK_AES_WORDS_H
#define SAMARA_BLOCK_AES_WORDS_H

#include "common/bytes.h"

/* The round keys of FIPS 197, 5.2, in words whose low byte is the first.
 * `sub_word` is the S-box on the four bytes of a word, as the machine does it
 * best. */
SAMARA_INLINE void samara_aes_expand_words(uint32_t *round_keys,
                                           const uint8_t *key,
                                           unsigned key_words,
                                           uint32_t (*sub_word)(uint32_t)) {
  for (unsigned i = 0; i < key_words; i++) {
    round_keys[i] = samara_load32_le(key + 4 * (size_t)i);
  }
  const unsigned words = 4 * (key_words + 7);
  uint8_t constant = 1; /* x^(i / key_words - 1) */
  unsigned turn = 0;    /* i % key_words */
  for (unsigned i = key_words; i < words; i++) {
    uint32_t t = round_keys[i - 1];
    if (turn == 0) {
      t = sub_word(t);
      t = (t >> 8 | t << 24) ^ constant;
      constant = (uint8_t)(constant << 1 ^ (constant >> 7) * 0x1b);
    } else if (key_words > 6 && turn == 4) {
      t = sub_word(t);
    }
    round_keys[i] = round_keys[i - key_words] ^ t;
    turn = turn + 1 == key_words ? 0 : turn + 1;
  }
}

#endif
