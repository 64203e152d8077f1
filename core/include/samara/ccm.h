/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_CCM_H
#define SAMARA_CCM_H

/* CCM (SP 800-38C, RFC 3610) and CCM* (IEEE 802.15.4, Annex B) over any cipher
 * of 128-bit blocks: authenticated encryption that needs only the encrypting
 * direction of the block cipher. IEEE 802.15.4, Bluetooth and Zigbee use it.
 *
 * Never use a nonce twice under a key: an attacker then learns the difference
 * of both messages. A nonce need not be secret or random; use a counter. A
 * nonce of n bytes allows messages of fewer than 2^(8 (15 - n)) bytes: 13
 * bytes, the size in IEEE 802.15.4, allow 65,535.
 *
 * Input and output may be the same buffer; any other overlap of the two
 * answers SAMARA_ERROR_OVERLAP. Tag, nonce and associated data must not overlap
 * the output (not checked).
 *
 * samara_NAME_ccm_seal(key, ciphertext, tag, tag_size, nonce, nonce_size,
 *                      associated_data, associated_data_size,
 *                      message, message_size)
 *   Writes message_size bytes of ciphertext and tag_size bytes of tag.
 *
 * samara_NAME_ccm_open(key, message, tag, tag_size, nonce, nonce_size,
 *                      associated_data, associated_data_size,
 *                      ciphertext, ciphertext_size)
 *   Writes ciphertext_size bytes of message when the tag is right. When it is
 *   not: SAMARA_ERROR_AUTHENTICATION, and the bytes are zeros.
 *
 * Both: nonce_size 7 to 13, else SAMARA_ERROR_NONCE_SIZE; tag_size 4, 6, 8, 10,
 * 12, 14 or 16, else SAMARA_ERROR_TAG_SIZE; SAMARA_ERROR_MESSAGE_SIZE as above
 * (open: SAMARA_ERROR_CIPHERTEXT_SIZE).
 *
 * samara_NAME_ccm_star_seal, samara_NAME_ccm_star_open
 *   The same with nonces of 13 bytes, and tag_size 0 allowed: encryption alone
 *   (level 4 of 802.15.4). Then NOTHING is authenticated, the associated data
 *   has no effect, and open cannot fail for a changed ciphertext.
 *
 * samara_NAME_ccm_seal_batch(messages, count, tag_size)
 * samara_NAME_ccm_open_batch(messages, count, tag_size)
 *   Many messages, each with its raw key, nonce and sizes: see batch.h. All
 *   tags have one size. On x86-64, 4 to 16 messages are worked on side by side.
 */

#include <samara/batch.h>
#include <samara/result.h>

enum {
  samara_ccm_nonce_size_min = 7,
  samara_ccm_nonce_size_max = 13,
  samara_ccm_tag_size_min = 4,
  samara_ccm_tag_size_max = 16,
  samara_ccm_star_nonce_size = 13
};

#define SAMARA_DECLARE_CCM(cipher)                                             \
  SAMARA_MUST_CHECK samara_result samara_##cipher##_ccm_seal(                  \
      const samara_##cipher##_key *key, uint8_t *ciphertext, uint8_t *tag,     \
      size_t tag_size, const uint8_t *nonce, size_t nonce_size,                \
      const uint8_t *associated_data, size_t associated_data_size,             \
      const uint8_t *message, size_t message_size);                            \
  SAMARA_MUST_CHECK samara_result samara_##cipher##_ccm_open(                  \
      const samara_##cipher##_key *key, uint8_t *message, const uint8_t *tag,  \
      size_t tag_size, const uint8_t *nonce, size_t nonce_size,                \
      const uint8_t *associated_data, size_t associated_data_size,             \
      const uint8_t *ciphertext, size_t ciphertext_size);                      \
  SAMARA_MUST_CHECK samara_result samara_##cipher##_ccm_star_seal(             \
      const samara_##cipher##_key *key, uint8_t *ciphertext, uint8_t *tag,     \
      size_t tag_size, const uint8_t nonce[samara_ccm_star_nonce_size],        \
      const uint8_t *associated_data, size_t associated_data_size,             \
      const uint8_t *message, size_t message_size);                            \
  SAMARA_MUST_CHECK samara_result samara_##cipher##_ccm_star_open(             \
      const samara_##cipher##_key *key, uint8_t *message, const uint8_t *tag,  \
      size_t tag_size, const uint8_t nonce[samara_ccm_star_nonce_size],        \
      const uint8_t *associated_data, size_t associated_data_size,             \
      const uint8_t *ciphertext, size_t ciphertext_size);

#define SAMARA_DECLARE_CCM_BATCH(cipher)                                       \
  SAMARA_MUST_CHECK samara_result samara_##cipher##_ccm_seal_batch(            \
      samara_batch_message *messages, size_t count, size_t tag_size);          \
  SAMARA_MUST_CHECK samara_result samara_##cipher##_ccm_open_batch(            \
      samara_batch_message *messages, size_t count, size_t tag_size);

#endif
