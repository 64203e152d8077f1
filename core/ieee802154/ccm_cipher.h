/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_IEEE802154_CCM_CIPHER_H
#define SAMARA_IEEE802154_CCM_CIPHER_H

/* A block cipher as CCM* for frames. The expanded key lives on the stack, for
 * one frame: a table of keys then takes 16 bytes a key and not 176. */

#include <samara/block.h>
#include <samara/ieee802154_cipher.h>

#define SAMARA_IEEE802154_CCM_CIPHER(name)                                     \
  static samara_result ieee802154_##name##_seal(                               \
      const uint8_t *key, uint8_t *mic, size_t mic_size, const uint8_t *nonce, \
      const uint8_t *associated_data, size_t associated_data_size,             \
      uint8_t *text, size_t text_size) {                                       \
    samara_##name##_key expanded;                                              \
    samara_##name##_set_key(&expanded, key);                                   \
    const samara_result result = samara_##name##_ccm_star_seal(                \
        &expanded, text, mic, mic_size, nonce, associated_data,                \
        associated_data_size, text, text_size);                                \
    samara_##name##_wipe(&expanded);                                           \
    return result;                                                             \
  }                                                                            \
  static samara_result ieee802154_##name##_open(                               \
      const uint8_t *key, const uint8_t *mic, size_t mic_size,                 \
      const uint8_t *nonce, const uint8_t *associated_data,                    \
      size_t associated_data_size, uint8_t *text, size_t text_size) {          \
    samara_##name##_key expanded;                                              \
    samara_##name##_set_key(&expanded, key);                                   \
    const samara_result result = samara_##name##_ccm_star_open(                \
        &expanded, text, mic, mic_size, nonce, associated_data,                \
        associated_data_size, text, text_size);                                \
    samara_##name##_wipe(&expanded);                                           \
    return result;                                                             \
  }                                                                            \
  const samara_ieee802154_cipher samara_ieee802154_##name = {                  \
      samara_##name##_key_size, samara_ccm_tag_size_max, true,                 \
      ieee802154_##name##_seal, ieee802154_##name##_open};

#endif
