/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_GCM_H
#define SAMARA_GCM_H

/* GCM (SP 800-38D) over AES, with tags of 16 bytes.
 *
 * Never use a nonce twice under a key: an attacker then learns the difference
 * of both messages and the authentication key, with which he can forge
 * messages. Use 12 bytes that are counted up; the standard allows any other
 * size but 0.
 *
 * Input and output may be the same buffer; any other overlap of the two
 * answers SAMARA_ERROR_OVERLAP. Tag, nonce and associated data must not overlap
 * the output (not checked).
 *
 * The authentication multiplies by a secret. x86-64 with PCLMULQDQ has a
 * carry-less multiplier. Other machines of 32 and 64 bits use their integer
 * multiplication, 32 x 32 -> 32 or 64 x 64 -> 64 bits, whose time must not
 * depend on its operands; this holds on Cortex-M and current 64-bit processors.
 * AVR and MSP430 compute it bit by bit.
 *
 * samara_NAME_gcm_seal(key, ciphertext, tag, nonce, nonce_size,
 *                      associated_data, associated_data_size,
 *                      message, message_size)
 *   Writes message_size bytes of ciphertext and 16 of tag.
 *
 * samara_NAME_gcm_open(key, message, tag, nonce, nonce_size,
 *                      associated_data, associated_data_size,
 *                      ciphertext, ciphertext_size)
 *   Checks the tag first and decrypts only when it is right; otherwise
 *   SAMARA_ERROR_AUTHENTICATION, and `message` is ciphertext_size zeros.
 *
 * Both: SAMARA_ERROR_NONCE_SIZE for an empty nonce or one of 2^61 bytes and
 * more; SAMARA_ERROR_MESSAGE_SIZE above 2^36 - 32 bytes (open:
 * SAMARA_ERROR_CIPHERTEXT_SIZE); SAMARA_ERROR_ASSOCIATED_DATA_SIZE from 2^61
 * bytes on.
 *
 * samara_NAME_gcm_seal_batch(messages, count)
 * samara_NAME_gcm_open_batch(messages, count)
 *   Many messages, each with its raw key, nonce and sizes: see batch.h. On
 *   x86-64 with AES instructions, 4 to 16 messages are worked on side by side
 *   when all nonces have 12 bytes. gcm_open_batch may write to the output of a
 *   message whose tag is wrong before it writes zeros there. */

#include <samara/batch.h>
#include <samara/result.h>

enum { samara_gcm_tag_size = 16, samara_gcm_nonce_size = 12 };

#define SAMARA_DECLARE_GCM(cipher)                                             \
  SAMARA_MUST_CHECK samara_result samara_##cipher##_gcm_seal(                  \
      const samara_##cipher##_key *key, uint8_t *ciphertext,                   \
      uint8_t tag[samara_gcm_tag_size], const uint8_t *nonce,                  \
      size_t nonce_size, const uint8_t *associated_data,                       \
      size_t associated_data_size, const uint8_t *message,                     \
      size_t message_size);                                                    \
  SAMARA_MUST_CHECK samara_result samara_##cipher##_gcm_open(                  \
      const samara_##cipher##_key *key, uint8_t *message,                      \
      const uint8_t tag[samara_gcm_tag_size], const uint8_t *nonce,            \
      size_t nonce_size, const uint8_t *associated_data,                       \
      size_t associated_data_size, const uint8_t *ciphertext,                  \
      size_t ciphertext_size);

#define SAMARA_DECLARE_GCM_BATCH(cipher)                                       \
  SAMARA_MUST_CHECK samara_result samara_##cipher##_gcm_seal_batch(            \
      samara_batch_message *messages, size_t count);                           \
  SAMARA_MUST_CHECK samara_result samara_##cipher##_gcm_open_batch(            \
      samara_batch_message *messages, size_t count);

#endif
