/* SPDX-License-Identifier: Apache-2.0 */
/* Template: see mode/names.h. Contract: samara/ieee802154_cipher.h. Needs the
 * CCM template before it.
 *
 * The expanded key lives on the stack, for one frame: a table of keys then
 * takes 16 bytes a key and not 176. */

#include "common/wiped.h"
#include "mode/names.h"
#include <samara/ieee802154_cipher.h>

static samara_result SAMARA_LOCAL(frame_seal)(const uint8_t *key, uint8_t *mic,
                                              size_t mic_size,
                                              const uint8_t *nonce,
                                              const uint8_t *associated_data,
                                              size_t associated_data_size,
                                              uint8_t *text, size_t text_size) {
  SAMARA_KEY expanded;
  SAMARA_WIPED(expanded);
  SAMARA_NAME(set_key)(&expanded, key);
  return SAMARA_NAME(ccm_star_seal)(&expanded, text, mic, mic_size, nonce,
                                    associated_data, associated_data_size, text,
                                    text_size);
}

static samara_result SAMARA_LOCAL(frame_open)(
    const uint8_t *key, const uint8_t *mic, size_t mic_size,
    const uint8_t *nonce, const uint8_t *associated_data,
    size_t associated_data_size, uint8_t *text, size_t text_size) {
  SAMARA_KEY expanded;
  SAMARA_WIPED(expanded);
  SAMARA_NAME(set_key)(&expanded, key);
  return SAMARA_NAME(ccm_star_open)(&expanded, text, mic, mic_size, nonce,
                                    associated_data, associated_data_size, text,
                                    text_size);
}

const samara_ieee802154_cipher SAMARA_JOIN(samara_ieee802154_,
                                           SAMARA_CIPHER, ) = {
    SAMARA_NAME(key_size), samara_ccm_tag_size_max, true,
    SAMARA_LOCAL(frame_seal), SAMARA_LOCAL(frame_open)};
