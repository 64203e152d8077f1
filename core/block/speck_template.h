/* SPDX-License-Identifier: Apache-2.0 */
/* Template for one size of Speck: SAMARA_CIPHER, WORD, WORD_BITS, KEY_WORDS and
 * ROUNDS come from speck.c and are undefined here. Contract: samara/speck.h.
 * With DERIVE_KEY, of modspeck.c, the key is what that makes of it. */

#include "block/words_template.h"
#include <samara/memory.h>

/* Rotations of the round function (paper, table 4.1). */
#if WORD_BITS == 16
#define ALPHA 7
#define BETA 2
#else
#define ALPHA 8
#define BETA 3
#endif

#define round_encrypt LOCAL(round_encrypt)
#define round_decrypt LOCAL(round_decrypt)

SAMARA_INLINE void round_encrypt(WORD *x, WORD *y, WORD round_key) {
  *x = add_words(rotate_right(*x, ALPHA), *y) ^ round_key;
  *y = rotate_left(*y, BETA) ^ *x;
}

SAMARA_INLINE void round_decrypt(WORD *x, WORD *y, WORD round_key) {
  *y = rotate_right(*y ^ *x, BETA);
  *x = rotate_left(subtract_words(*x ^ round_key, *y), ALPHA);
}

/* The schedule is the round function, keyed by the round's number. */
SAMARA_NOT_INLINED static void
LOCAL(bare_set_key)(KEY *key, const uint8_t bytes[KEY_WORDS * WORD_SIZE]) {
#ifdef DERIVE_KEY
  uint8_t derived[KEY_WORDS * WORD_SIZE];
  DERIVE_KEY(derived, bytes, sizeof derived);
  bytes = derived;
#endif
  WORD k = load_word(bytes);
  WORD l[KEY_WORDS - 1];
  for (unsigned i = 0; i < KEY_WORDS - 1; i++) {
    l[i] = load_word(bytes + WORD_SIZE * (i + 1));
  }
  for (unsigned i = 0; i < ROUNDS - 1; i++) {
    key->round_keys[i] = k;
    round_encrypt(&l[i % (KEY_WORDS - 1)], &k, (WORD)i);
  }
  key->round_keys[ROUNDS - 1] = k;
  samara_wipe(l, sizeof l);
#ifdef DERIVE_KEY
  samara_wipe(derived, sizeof derived);
#endif
}

SAMARA_NOT_INLINED static void
LOCAL(bare_encrypt)(const KEY *key, uint8_t ciphertext[2 * WORD_SIZE],
                    const uint8_t plaintext[2 * WORD_SIZE]) {
  WORD y = load_word(plaintext);
  WORD x = load_word(plaintext + WORD_SIZE);
  for (unsigned i = 0; i < ROUNDS; i++) {
    round_encrypt(&x, &y, key->round_keys[i]);
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
    round_decrypt(&x, &y, key->round_keys[i]);
  }
  store_word(plaintext, y);
  store_word(plaintext + WORD_SIZE, x);
}

#undef ALPHA
#undef BETA
#undef round_encrypt
#undef round_decrypt
#include "block/end_template.h"
