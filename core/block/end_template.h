/* SPDX-License-Identifier: Apache-2.0 */
/* Ends a template that began with words_template.h: what every cipher on words
 * has in common, the modes where blocks have 128 bits, and the #undefs. The
 * template may define what is to be wiped behind a block (SAMARA_BLOCK_STACK)
 * and behind a key (SAMARA_KEY_STACK) if that is less or more than usual. */

#ifndef SAMARA_BLOCK_STACK
#define SAMARA_BLOCK_STACK SAMARA_WORDS_STACK
#endif
#ifndef SAMARA_KEY_STACK
#define SAMARA_KEY_STACK SAMARA_WORDS_STACK
#endif
#define SAMARA_CIPHER_STACK SAMARA_BLOCK_STACK
#define SAMARA_CIPHER_ENCRYPT_STACK SAMARA_BLOCK_STACK

#ifndef SAMARA_CIPHER_IS_ASSEMBLY
void SAMARA_NAME(set_key)(
    SAMARA_KEY *key,
    const uint8_t bytes[SAMARA_CIPHER_KEY_WORDS * SAMARA_CIPHER_WORD_SIZE]) {
  SAMARA_LOCAL(bare_set_key)(key, bytes);
  samara_wipe_stack(SAMARA_KEY_STACK);
}

#ifndef SAMARA_ENCRYPT_IS_ASSEMBLY
void SAMARA_NAME(encrypt)(
    const SAMARA_KEY *key, uint8_t ciphertext[2 * SAMARA_CIPHER_WORD_SIZE],
    const uint8_t plaintext[2 * SAMARA_CIPHER_WORD_SIZE]) {
  SAMARA_LOCAL(bare_encrypt)(key, ciphertext, plaintext);
  samara_wipe_stack(SAMARA_BLOCK_STACK);
}
#endif

void SAMARA_NAME(decrypt)(
    const SAMARA_KEY *key, uint8_t plaintext[2 * SAMARA_CIPHER_WORD_SIZE],
    const uint8_t ciphertext[2 * SAMARA_CIPHER_WORD_SIZE]) {
  SAMARA_LOCAL(bare_decrypt)(key, plaintext, ciphertext);
  samara_wipe_stack(SAMARA_BLOCK_STACK);
}
#endif

void SAMARA_NAME(wipe)(SAMARA_KEY *key) { samara_wipe(key, sizeof *key); }

#undef load_word
#undef store_word
#undef rotate_left
#undef rotate_right
#undef add_words
#undef subtract_words
#undef SAMARA_CIPHER_WORD_SIZE
#undef SAMARA_CIPHER_WORD_MASK
#undef SAMARA_CIPHER_WORD

#if SAMARA_CIPHER_WORD_BITS == 64
#include "mode/block_modes_template.h"
#else
#undef SAMARA_CIPHER
#endif
#undef SAMARA_CIPHER_KEY_WORDS
#undef SAMARA_CIPHER_ROUNDS
#undef SAMARA_CIPHER_WORD_BITS
#undef SAMARA_CIPHER_STACK
#undef SAMARA_CIPHER_ENCRYPT_STACK
#undef SAMARA_BLOCK_STACK
#undef SAMARA_KEY_STACK
#undef SAMARA_CIPHER_IS_ASSEMBLY
