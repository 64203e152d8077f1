/* SPDX-License-Identifier: Apache-2.0 */
/* Template for one key size of AES: SAMARA_CIPHER and KEY_WORDS are defined by
 * aes.c and undefined here. Contract: samara/aes.h. */

#define ROUNDS (KEY_WORDS + 6)
#define CIPHER_STACK SAMARA_AES_STACK

SAMARA_INLINE void LOCAL(bare_encrypt)(const KEY *key, uint8_t *ciphertext,
                                       const uint8_t *plaintext) {
  SAMARA_AES(encrypt)(key->round_keys, ROUNDS, ciphertext, plaintext, 1);
}

void NAME(set_key)(KEY *key, const uint8_t bytes[4 * KEY_WORDS]) {
  SAMARA_AES(expand_key)(key->round_keys, bytes, KEY_WORDS);
  samara_wipe_stack(CIPHER_STACK);
}

void NAME(encrypt)(const KEY *key, uint8_t ciphertext[BLOCK_SIZE],
                   const uint8_t plaintext[BLOCK_SIZE]) {
  LOCAL(bare_encrypt)(key, ciphertext, plaintext);
  samara_wipe_stack(CIPHER_STACK);
}

void NAME(decrypt)(const KEY *key, uint8_t plaintext[BLOCK_SIZE],
                   const uint8_t ciphertext[BLOCK_SIZE]) {
  SAMARA_AES(decrypt)(key->round_keys, ROUNDS, plaintext, ciphertext, 1);
  samara_wipe_stack(CIPHER_STACK);
}

void NAME(wipe)(KEY *key) { samara_wipe(key, sizeof *key); }

SAMARA_INLINE void LOCAL(encrypt_blocks)(const KEY *key, uint8_t *output,
                                         const uint8_t *input, size_t count) {
  SAMARA_AES(encrypt)(key->round_keys, ROUNDS, output, input, count);
}

SAMARA_INLINE void LOCAL(decrypt_blocks)(const KEY *key, uint8_t *output,
                                         const uint8_t *input, size_t count) {
  SAMARA_AES(decrypt)(key->round_keys, ROUNDS, output, input, count);
}

#include "mode/cbc_template.h"
#include "mode/ctr_template.h"
/* CCM and GCM are made of CTR. */
#include "mode/ccm_template.h"
#include "mode/frame_template.h"
#include "mode/gcm_template.h"

#undef CIPHER_STACK
#undef ROUNDS
#undef KEY_WORDS
#undef SAMARA_CIPHER
