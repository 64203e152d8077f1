/* SPDX-License-Identifier: Apache-2.0 */
/* Template for one size of Simon: SAMARA_CIPHER, WORD, WORD_BITS, KEY_WORDS,
 * ROUNDS and SEQUENCE are defined by simon.c and undefined here. Contract:
 * samara/simon.h. */

#include "block/words_template.h"
#include <samara/memory.h>

#define mix LOCAL(mix)

SAMARA_INLINE WORD mix(WORD x) {
  return (WORD)(rotate_left(x, 1) & rotate_left(x, 8)) ^ rotate_left(x, 2);
}

SAMARA_NOT_INLINED static void
LOCAL(bare_set_key)(KEY *key, const uint8_t bytes[KEY_WORDS * WORD_SIZE]) {
  WORD *k = key->round_keys;
  for (unsigned i = 0; i < KEY_WORDS; i++) {
    k[i] = load_word(bytes + WORD_SIZE * i);
  }
  uint64_t sequence = SEQUENCE;
  for (unsigned i = KEY_WORDS; i < ROUNDS; i++) {
    WORD t = rotate_right(k[i - 1], 3);
#if KEY_WORDS == 4
    t ^= k[i - 3];
#endif
    t ^= rotate_right(t, 1);
    /* The constant 2^n - 4 (section 3.3). */
    const WORD c = (WORD)(WORD_MASK ^ 3);
    k[i] = (WORD)(k[i - KEY_WORDS] ^ t ^ c ^ (WORD)(sequence & 1));
    sequence = sequence >> 1 | (sequence & 1) << 61;
  }
}

SAMARA_NOT_INLINED static void
LOCAL(bare_encrypt)(const KEY *key, uint8_t ciphertext[2 * WORD_SIZE],
                    const uint8_t plaintext[2 * WORD_SIZE]) {
  WORD y = load_word(plaintext);
  WORD x = load_word(plaintext + WORD_SIZE);
  for (unsigned i = 0; i < ROUNDS; i++) {
    const WORD next = (WORD)(y ^ mix(x) ^ key->round_keys[i]);
    y = x;
    x = next;
  }
  store_word(ciphertext, y);
  store_word(ciphertext + WORD_SIZE, x);
}

SAMARA_NOT_INLINED static void
LOCAL(bare_decrypt)(const KEY *key, uint8_t plaintext[2 * WORD_SIZE],
                    const uint8_t ciphertext[2 * WORD_SIZE]) {
  WORD y = load_word(ciphertext);
  WORD x = load_word(ciphertext + WORD_SIZE);
  for (unsigned i = ROUNDS; i-- > 0;) {
    const WORD previous = (WORD)(x ^ mix(y) ^ key->round_keys[i]);
    x = y;
    y = previous;
  }
  store_word(plaintext, y);
  store_word(plaintext + WORD_SIZE, x);
}

#undef mix
#undef SEQUENCE
#include "block/end_template.h"
