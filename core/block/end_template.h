/* SPDX-License-Identifier: Apache-2.0 */
/* Ends a template that began with words_template.h: what every cipher on words
 * has in common, the modes where blocks have 128 bits, and the #undefs. */

#define CIPHER_STACK SAMARA_WORDS_STACK
#ifdef SET_KEY_STACK
#define KEY_STACK SET_KEY_STACK
#else
#define KEY_STACK CIPHER_STACK
#endif

void NAME(set_key)(KEY *key, const uint8_t bytes[KEY_WORDS * WORD_SIZE]) {
  LOCAL(bare_set_key)(key, bytes);
  samara_wipe_stack(KEY_STACK);
}

void NAME(encrypt)(const KEY *key, uint8_t ciphertext[2 * WORD_SIZE],
                   const uint8_t plaintext[2 * WORD_SIZE]) {
  LOCAL(bare_encrypt)(key, ciphertext, plaintext);
  samara_wipe_stack(CIPHER_STACK);
}

void NAME(decrypt)(const KEY *key, uint8_t plaintext[2 * WORD_SIZE],
                   const uint8_t ciphertext[2 * WORD_SIZE]) {
  LOCAL(bare_decrypt)(key, plaintext, ciphertext);
  samara_wipe_stack(CIPHER_STACK);
}

void NAME(wipe)(KEY *key) { samara_wipe(key, sizeof *key); }

#undef load_word
#undef store_word
#undef rotate_left
#undef rotate_right
#undef add_words
#undef subtract_words
#undef WORD_SIZE
#undef WORD_MASK
#undef WORD
#undef KEY_WORDS
#undef ROUNDS

#if WORD_BITS == 64
#include "mode/block_modes_template.h"
#else
#undef SAMARA_CIPHER
#endif
#undef WORD_BITS
#undef CIPHER_STACK
#undef KEY_STACK
