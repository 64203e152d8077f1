/* SPDX-License-Identifier: Apache-2.0 */
/* Template for one key size of AES: SAMARA_CIPHER and SAMARA_CIPHER_KEY_WORDS
 * are defined by aes.c and undefined here. Contract: samara/aes.h. */

#define SAMARA_CIPHER_ROUNDS (SAMARA_CIPHER_KEY_WORDS + 6)
#define SAMARA_CIPHER_STACK SAMARA_AES_STACK
#define SAMARA_CIPHER_ENCRYPT_STACK SAMARA_AES_MODE_STACK

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
  samara_wipe_stack(SAMARA_AES_DECRYPT_STACK);
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

/* Several blocks in one call (mode/names.h), where assembly or an engine saves
 * much of what a block costs beside the rounds. */
#if SAMARA_ARCH_MSP430_AES_ENGINE ||                                           \
    (SAMARA_ARCH_AVR_AES_ENGINE && SAMARA_CIPHER_KEY_WORDS == 4)
#define SAMARA_AES_BLOCKS(call) samara_aes_engine_##call
#elif SAMARA_ARCH_AVR
#define SAMARA_AES_BLOCKS(call) samara_aes_avr_##call
#endif
#ifdef SAMARA_AES_BLOCKS
#define SAMARA_CIPHER_ABSORB_BLOCKS(key, block, input, count)                  \
  SAMARA_AES_BLOCKS(absorb_blocks)                                             \
  ((key)->round_keys, SAMARA_CIPHER_ROUNDS, block, input, count)
#define SAMARA_CIPHER_COUNT_BLOCKS(key, output, counter, first, input, count)  \
  SAMARA_AES_BLOCKS(count_blocks)                                              \
  ((key)->round_keys, SAMARA_CIPHER_ROUNDS, output, input, counter,            \
   (uint8_t)(first), count)
#endif

#include "mode/cbc_template.h"
#include "mode/ctr_template.h"
/* CCM and GCM are made of CTR. */
#include "mode/ccm_template.h"

#include "mode/frame_template.h"
#include "mode/gcm_template.h"

#define SAMARA_BATCH_ALL_MODES
#include "mode/batch_template.h"
#undef SAMARA_BATCH_ALL_MODES

#undef SAMARA_AES_BLOCKS
#undef SAMARA_CIPHER_ABSORB_BLOCKS
#undef SAMARA_CIPHER_COUNT_BLOCKS
#undef SAMARA_CIPHER_STACK
#undef SAMARA_CIPHER_ENCRYPT_STACK
#undef SAMARA_CIPHER_ROUNDS
#undef SAMARA_CIPHER_KEY_WORDS
#undef SAMARA_CIPHER
