/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_CTR_H
#define SAMARA_CTR_H

/* Counter mode (SP 800-38A, 6.5) over any cipher of 128-bit blocks.
 *
 * CTR DOES NOT AUTHENTICATE: a flipped bit of the ciphertext flips the same bit
 * of the message. Never use a counter block twice under a key: an attacker then
 * learns the difference of both messages. A message uses one block for every 16
 * bytes.
 *
 * samara_NAME_ctr_encrypt(key, output, counter, input, size)
 *   Encrypts, or decrypts: both are the same. `counter` is the whole initial
 *   counter block, counted up as one 128-bit big-endian number; it is left at
 *   the next unused value. A message may come in pieces; every piece but the
 *   last must then be a multiple of 16 bytes.
 *   Input and output may be the same buffer; any other overlap answers
 *   SAMARA_ERROR_OVERLAP.
 *
 * samara_NAME_ctr_encrypt_batch(messages, count)
 *   Encrypts or decrypts many messages, each with its raw key: see batch.h. The
 *   nonce is the counter block, which is not changed. On x86-64, 4 to
 *   16 messages are worked on side by side.
 *   SAMARA_ERROR_NONCE_SIZE: it has not 16 bytes.
 *   SAMARA_ERROR_ASSOCIATED_DATA_SIZE: there is some. */

#include <samara/batch.h>
#include <samara/result.h>

enum { samara_ctr_counter_size = 16 };

#define SAMARA_DECLARE_CTR(cipher)                                             \
  SAMARA_MUST_CHECK samara_result samara_##cipher##_ctr_encrypt(               \
      const samara_##cipher##_key *key, uint8_t *output,                       \
      uint8_t counter[samara_ctr_counter_size], const uint8_t *input,          \
      size_t size);

#define SAMARA_DECLARE_CTR_BATCH(cipher)                                       \
  SAMARA_MUST_CHECK samara_result samara_##cipher##_ctr_encrypt_batch(         \
      samara_batch_message *messages, size_t count);

#endif
