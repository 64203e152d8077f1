/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_AEAD_GRAIN128AEAD_PREFIXED_H
#define SAMARA_AEAD_GRAIN128AEAD_PREFIXED_H

/* Grain-128AEADv2 in place, with one byte in front of the associated data that
 * need not lie in front of it in memory: so a frame is its own associated data
 * and no copy is made. Tags of 0 (none) to 8 bytes; the caller has checked the
 * size. Answers as the truncated calls of samara/grain128aead.h. */

#include <samara/grain128aead.h>

SAMARA_MUST_CHECK samara_result samara_grain128aead_seal_prefixed(
    const uint8_t key[samara_grain128aead_key_size], uint8_t *tag,
    size_t tag_size, const uint8_t nonce[samara_grain128aead_nonce_size],
    uint8_t prefix, const uint8_t *associated_data, size_t associated_data_size,
    uint8_t *text, size_t text_size);
SAMARA_MUST_CHECK samara_result samara_grain128aead_open_prefixed(
    const uint8_t key[samara_grain128aead_key_size], const uint8_t *tag,
    size_t tag_size, const uint8_t nonce[samara_grain128aead_nonce_size],
    uint8_t prefix, const uint8_t *associated_data, size_t associated_data_size,
    uint8_t *text, size_t text_size);

#endif
