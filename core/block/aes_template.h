/* SPDX-License-Identifier: Apache-2.0 */
/* Template for one key size of AES: SAMARA_CIPHER and SAMARA_CIPHER_KEY_WORDS
 * are defined by aes.c and undefined here. Contract: samara/aes.h. */

#define SAMARA_CIPHER_ROUNDS (SAMARA_CIPHER_KEY_WORDS + 6)
#define SAMARA_CIPHER_STACK SAMARA_AES_STACK

SAMARA_INLINE void SAMARA_LOCAL(bare_encrypt)(const SAMARA_KEY *key,
                                              uint8_t *ciphertext,
                                              const uint8_t *plaintext) {
  SAMARA_AES(encrypt)(key->round_keys, SAMARA_CIPHER_ROUNDS, ciphertext,
                      plaintext, 1);
}

void SAMARA_NAME(set_key)(SAMARA_KEY *key,
                          const uint8_t bytes[4 * SAMARA_CIPHER_KEY_WORDS]) {
  SAMARA_AES(expand_key)(key->round_keys, bytes, SAMARA_CIPHER_KEY_WORDS);
  samara_wipe_stack(SAMARA_AES_KEY_STACK);
}

void SAMARA_NAME(encrypt)(const SAMARA_KEY *key,
                          uint8_t ciphertext[SAMARA_BLOCK_SIZE],
                          const uint8_t plaintext[SAMARA_BLOCK_SIZE]) {
  SAMARA_LOCAL(bare_encrypt)(key, ciphertext, plaintext);
  samara_wipe_stack(SAMARA_AES_ENCRYPT_STACK);
}

void SAMARA_NAME(decrypt)(const SAMARA_KEY *key,
                          uint8_t plaintext[SAMARA_BLOCK_SIZE],
                          const uint8_t ciphertext[SAMARA_BLOCK_SIZE]) {
  SAMARA_AES(decrypt)(key->round_keys, SAMARA_CIPHER_ROUNDS, plaintext,
                      ciphertext, 1);
  samara_wipe_stack(SAMARA_CIPHER_STACK);
}

void SAMARA_NAME(wipe)(SAMARA_KEY *key) { samara_wipe(key, sizeof *key); }

SAMARA_INLINE void SAMARA_LOCAL(encrypt_blocks)(const SAMARA_KEY *key,
                                                uint8_t *output,
                                                const uint8_t *input,
                                                size_t count) {
  SAMARA_AES(encrypt)(key->round_keys, SAMARA_CIPHER_ROUNDS, output, input,
                      count);
}

SAMARA_INLINE void SAMARA_LOCAL(decrypt_blocks)(const SAMARA_KEY *key,
                                                uint8_t *output,
                                                const uint8_t *input,
                                                size_t count) {
  SAMARA_AES(decrypt)(key->round_keys, SAMARA_CIPHER_ROUNDS, output, input,
                      count);
}

#include "mode/cbc_template.h"
#include "mode/ctr_template.h"
/* CCM and GCM are made of CTR. */
#include "mode/ccm_template.h"

#include "mode/ccm_batch_template.h"
#include "mode/frame_template.h"
#include "mode/gcm_template.h"

#undef SAMARA_CIPHER_STACK
#undef SAMARA_CIPHER_ROUNDS
#undef SAMARA_CIPHER_KEY_WORDS
#undef SAMARA_CIPHER
