/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/ascon_aead128.h>
#include <samara/ieee802154_cipher.h>

#include "common/bytes.h"

static void
ieee802154_ascon_nonce(uint8_t longer[samara_ascon_aead128_nonce_size],
                       const uint8_t *nonce) {
  samara_zero_bytes(longer, samara_ascon_aead128_nonce_size);
  samara_copy_bytes(longer, nonce, samara_ieee802154_nonce_size);
}

static samara_result ieee802154_ascon_seal(const uint8_t *key, uint8_t *mic,
                                           size_t mic_size,
                                           const uint8_t *nonce,
                                           const uint8_t *associated_data,
                                           size_t associated_data_size,
                                           uint8_t *text, size_t text_size) {
  uint8_t longer[samara_ascon_aead128_nonce_size];
  ieee802154_ascon_nonce(longer, nonce);
  return samara_ascon_aead128_seal_truncated(
      key, text, mic, mic_size, longer, associated_data, associated_data_size,
      text, text_size);
}

static samara_result ieee802154_ascon_open(const uint8_t *key,
                                           const uint8_t *mic, size_t mic_size,
                                           const uint8_t *nonce,
                                           const uint8_t *associated_data,
                                           size_t associated_data_size,
                                           uint8_t *text, size_t text_size) {
  uint8_t longer[samara_ascon_aead128_nonce_size];
  ieee802154_ascon_nonce(longer, nonce);
  return samara_ascon_aead128_open_truncated(
      key, text, mic, mic_size, longer, associated_data, associated_data_size,
      text, text_size);
}

const samara_ieee802154_cipher samara_ieee802154_ascon_aead128 = {
    samara_ascon_aead128_key_size, samara_ascon_aead128_tag_size, true,
    ieee802154_ascon_seal, ieee802154_ascon_open};
