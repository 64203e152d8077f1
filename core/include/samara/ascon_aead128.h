/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_ASCON_AEAD128_H
#define SAMARA_ASCON_AEAD128_H

/* Ascon-AEAD128 (NIST SP 800-232, section 4): authenticated encryption with
 * key, nonce and tag of 16 bytes. It is not the Ascon-128 v1.2 of older tables:
 * initial value, byte order and rate differ.
 *
 * A nonce is never to be used twice under a key, and no more than 2^54 bytes
 * are to be processed under one key (section 4.3; not counted here).
 *
 * Input and output may be the same buffer; any other overlap of the two
 * answers SAMARA_ERROR_OVERLAP. Tag, nonce and associated data must not overlap
 * the output (not checked). */

#include <samara/batch.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  samara_ascon_aead128_key_size = 16,
  samara_ascon_aead128_nonce_size = 16,
  samara_ascon_aead128_tag_size = 16,
  samara_ascon_aead128_tag_size_min = 4
};

/* Writes message_size bytes of ciphertext and the tag. */
SAMARA_MUST_CHECK samara_result samara_ascon_aead128_seal(
    const uint8_t key[samara_ascon_aead128_key_size], uint8_t *ciphertext,
    uint8_t tag[samara_ascon_aead128_tag_size],
    const uint8_t nonce[samara_ascon_aead128_nonce_size],
    const uint8_t *associated_data, size_t associated_data_size,
    const uint8_t *message, size_t message_size);

/* Writes ciphertext_size bytes of message when the tag is right. When it is
 * not: SAMARA_ERROR_AUTHENTICATION, and the bytes are zeros. */
SAMARA_MUST_CHECK samara_result samara_ascon_aead128_open(
    const uint8_t key[samara_ascon_aead128_key_size], uint8_t *message,
    const uint8_t tag[samara_ascon_aead128_tag_size],
    const uint8_t nonce[samara_ascon_aead128_nonce_size],
    const uint8_t *associated_data, size_t associated_data_size,
    const uint8_t *ciphertext, size_t ciphertext_size);

/* With the first tag_size bytes of the tag alone, for frames that have no room
 * for more: 4 to 16, else SAMARA_ERROR_TAG_SIZE. A tag of n bytes is guessed
 * with one of 2^(8 n) tries. With tag_size 0 NOTHING is authenticated: open
 * cannot fail for a changed ciphertext, and gives a sponge's unverified
 * plaintext away (level 4 of IEEE 802.15.4; for nothing else). */
SAMARA_MUST_CHECK samara_result samara_ascon_aead128_seal_truncated(
    const uint8_t key[samara_ascon_aead128_key_size], uint8_t *ciphertext,
    uint8_t *tag, size_t tag_size,
    const uint8_t nonce[samara_ascon_aead128_nonce_size],
    const uint8_t *associated_data, size_t associated_data_size,
    const uint8_t *message, size_t message_size);
SAMARA_MUST_CHECK samara_result samara_ascon_aead128_open_truncated(
    const uint8_t key[samara_ascon_aead128_key_size], uint8_t *message,
    const uint8_t *tag, size_t tag_size,
    const uint8_t nonce[samara_ascon_aead128_nonce_size],
    const uint8_t *associated_data, size_t associated_data_size,
    const uint8_t *ciphertext, size_t ciphertext_size);

/* `count` messages: see batch.h. Each nonce_size must be 16
 * (SAMARA_ERROR_NONCE_SIZE). */
SAMARA_MUST_CHECK samara_result
samara_ascon_aead128_seal_batch(samara_batch_message *messages, size_t count);
SAMARA_MUST_CHECK samara_result
samara_ascon_aead128_open_batch(samara_batch_message *messages, size_t count);

#ifdef __cplusplus
}
#endif

#endif
