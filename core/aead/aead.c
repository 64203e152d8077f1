/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/aead.h>

#include "common/bytes.h"
#include <samara/ascon_aead128.h>
#include <samara/grain128aead.h>

/* The ciphers that are no mode of a block cipher. Their state is the key. */

static void aead_copy_key(void *state, const uint8_t *key) {
  samara_copy_bytes(state, key, 16);
}

static samara_result
aead_grain_seal(const void *state, uint8_t *ciphertext, uint8_t *tag,
                size_t tag_size, const uint8_t nonce[samara_aead_nonce_size],
                const uint8_t *associated_data, size_t associated_data_size,
                const uint8_t *message, size_t message_size) {
  return samara_grain128aead_seal_truncated(
      state, ciphertext, tag, tag_size, nonce, associated_data,
      associated_data_size, message, message_size);
}

static samara_result
aead_grain_open(const void *state, uint8_t *message, const uint8_t *tag,
                size_t tag_size, const uint8_t nonce[samara_aead_nonce_size],
                const uint8_t *associated_data, size_t associated_data_size,
                const uint8_t *ciphertext, size_t ciphertext_size) {
  return samara_grain128aead_open_truncated(
      state, message, tag, tag_size, nonce, associated_data,
      associated_data_size, ciphertext, ciphertext_size);
}

const samara_aead samara_grain128aead_aead = {0x1f0, /* 4 to 8 */
                                              samara_grain128aead_key_size,
                                              samara_grain128aead_key_size,
                                              aead_copy_key,
                                              aead_grain_seal,
                                              aead_grain_open};

static void aead_widen_nonce(uint8_t wide[samara_ascon_aead128_nonce_size],
                             const uint8_t nonce[samara_aead_nonce_size]) {
  samara_zero_bytes(wide, samara_ascon_aead128_nonce_size);
  samara_copy_bytes(wide, nonce, samara_aead_nonce_size);
}

static samara_result
aead_ascon_seal(const void *state, uint8_t *ciphertext, uint8_t *tag,
                size_t tag_size, const uint8_t nonce[samara_aead_nonce_size],
                const uint8_t *associated_data, size_t associated_data_size,
                const uint8_t *message, size_t message_size) {
  uint8_t wide[samara_ascon_aead128_nonce_size];
  aead_widen_nonce(wide, nonce);
  return samara_ascon_aead128_seal_truncated(
      state, ciphertext, tag, tag_size, wide, associated_data,
      associated_data_size, message, message_size);
}

static samara_result
aead_ascon_open(const void *state, uint8_t *message, const uint8_t *tag,
                size_t tag_size, const uint8_t nonce[samara_aead_nonce_size],
                const uint8_t *associated_data, size_t associated_data_size,
                const uint8_t *ciphertext, size_t ciphertext_size) {
  uint8_t wide[samara_ascon_aead128_nonce_size];
  aead_widen_nonce(wide, nonce);
  return samara_ascon_aead128_open_truncated(
      state, message, tag, tag_size, wide, associated_data,
      associated_data_size, ciphertext, ciphertext_size);
}

const samara_aead samara_ascon_aead128_aead = {0x1fff0, /* 4 to 16 */
                                               samara_ascon_aead128_key_size,
                                               samara_ascon_aead128_key_size,
                                               aead_copy_key,
                                               aead_ascon_seal,
                                               aead_ascon_open};
