/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_CBC_H
#define SAMARA_CBC_H

/* Cipher block chaining (SP 800-38A, 6.2) with PKCS#7 padding (RFC 5652, 6.3)
 * over any cipher of 128-bit blocks.
 *
 * CBC DOES NOT AUTHENTICATE. An attacker who can change the ciphertext can
 * change the message, and one who can learn from a receiver whether the padding
 * was right can read it. It is here because existing links use it; choose CCM,
 * GCM, Grain or Ascon for new ones.
 *
 * The initialisation vector must be unpredictable. Never use one twice under a
 * key. Input and output may be the same buffer; any other overlap is refused.
 *
 * samara_NAME_cbc_encrypt(key, ciphertext, iv, message, message_size)
 *   Pads and encrypts. `ciphertext` receives
 *   samara_cbc_ciphertext_size(message_size) bytes.
 *   SAMARA_ERROR_MESSAGE_SIZE: that size does not fit a size_t.
 *
 * samara_NAME_cbc_decrypt(key, message, message_size, iv, ciphertext,
 *                         ciphertext_size)
 *   Decrypts and removes the padding. `message` has room for ciphertext_size
 *   bytes; the first *message_size hold the message, the rest zeros.
 *   SAMARA_ERROR_CIPHERTEXT_SIZE: empty, or not a multiple of 16.
 *   SAMARA_ERROR_AUTHENTICATION: the padding is wrong. `message` is zeros and
 *   *message_size 0. The padding is checked in constant time.
 *
 * samara_NAME_cbc_encrypt_blocks(key, ciphertext, iv, message, block_count)
 * samara_NAME_cbc_decrypt_blocks(key, message, iv, ciphertext, block_count)
 *   Whole blocks without padding, for messages that come in pieces: `iv` is
 *   left as the next call needs it.
 *
 * samara_NAME_cbc_encrypt_batch(messages, count)              (AES alone)
 * samara_NAME_cbc_decrypt_batch(messages, count)
 *   Many messages, each with its raw key: see batch.h. The nonce is the
 *   initialisation vector. On x86-64 with AES instructions, 4 to 16 messages
 *   are encrypted side by side: the blocks of one message are a chain. Blocks
 *   are decrypted independently of each other, so cbc_decrypt_batch is a
 *   convenience that takes one message after the other.
 *   SAMARA_ERROR_NONCE_SIZE: the vector has not 16 bytes.
 *   SAMARA_ERROR_ASSOCIATED_DATA_SIZE: there is some. */

#include <samara/batch.h>
#include <samara/result.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { samara_cbc_iv_size = 16 };

/* message_size rounded up to the next multiple of 16, never equal to it; 0
 * when that does not fit. */
size_t samara_cbc_ciphertext_size(size_t message_size);

#ifdef __cplusplus
}
#endif

#define SAMARA_DECLARE_CBC(cipher)                                             \
  SAMARA_MUST_CHECK samara_result samara_##cipher##_cbc_encrypt(               \
      const samara_##cipher##_key *key, uint8_t *ciphertext,                   \
      const uint8_t iv[samara_cbc_iv_size], const uint8_t *message,            \
      size_t message_size);                                                    \
  SAMARA_MUST_CHECK samara_result samara_##cipher##_cbc_decrypt(               \
      const samara_##cipher##_key *key, uint8_t *message,                      \
      size_t *message_size, const uint8_t iv[samara_cbc_iv_size],              \
      const uint8_t *ciphertext, size_t ciphertext_size);                      \
  SAMARA_MUST_CHECK samara_result samara_##cipher##_cbc_encrypt_blocks(        \
      const samara_##cipher##_key *key, uint8_t *ciphertext,                   \
      uint8_t iv[samara_cbc_iv_size], const uint8_t *message,                  \
      size_t block_count);                                                     \
  SAMARA_MUST_CHECK samara_result samara_##cipher##_cbc_decrypt_blocks(        \
      const samara_##cipher##_key *key, uint8_t *message,                      \
      uint8_t iv[samara_cbc_iv_size], const uint8_t *ciphertext,               \
      size_t block_count);

#define SAMARA_DECLARE_CBC_BATCH(cipher)                                       \
  SAMARA_MUST_CHECK samara_result samara_##cipher##_cbc_encrypt_batch(         \
      samara_batch_message *messages, size_t count);                           \
  SAMARA_MUST_CHECK samara_result samara_##cipher##_cbc_decrypt_batch(         \
      samara_batch_message *messages, size_t count);

#endif
