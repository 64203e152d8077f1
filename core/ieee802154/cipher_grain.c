/* SPDX-License-Identifier: Apache-2.0 */
#include "aead/grain128aead_prefixed.h"
#include <samara/ieee802154_cipher.h>

/* The level, the nonce's last byte, goes in front of the associated data. */

static samara_result ieee802154_grain_seal(const uint8_t *key, uint8_t *mic,
                                           size_t mic_size,
                                           const uint8_t *nonce,
                                           const uint8_t *associated_data,
                                           size_t associated_data_size,
                                           uint8_t *text, size_t text_size) {
  return samara_grain128aead_seal_prefixed(
      key, mic, mic_size, nonce, nonce[samara_grain128aead_nonce_size],
      associated_data, associated_data_size, text, text_size);
}

static samara_result ieee802154_grain_open(const uint8_t *key,
                                           const uint8_t *mic, size_t mic_size,
                                           const uint8_t *nonce,
                                           const uint8_t *associated_data,
                                           size_t associated_data_size,
                                           uint8_t *text, size_t text_size) {
  return samara_grain128aead_open_prefixed(
      key, mic, mic_size, nonce, nonce[samara_grain128aead_nonce_size],
      associated_data, associated_data_size, text, text_size);
}

const samara_ieee802154_cipher samara_ieee802154_grain128aead = {
    samara_grain128aead_key_size, samara_grain128aead_tag_size, false,
    ieee802154_grain_seal, ieee802154_grain_open};
