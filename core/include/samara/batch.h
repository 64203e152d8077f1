/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_BATCH_H
#define SAMARA_BATCH_H

/* Many messages in one call.
 *
 * A gateway or a simulation handles many short frames, each with its own key,
 * nonce and length. A batch call takes them together, so that an implementation
 * can process several at once on a machine with wide registers. The results are
 * the same as with one call per message. Messages of one batch must not share
 * output memory, because the order of work is not defined.
 *
 * A batch call returns SAMARA_OK when every message succeeded, and otherwise
 * the first failure in the order of the array; each message's own answer is
 * in its `result`. One refused message does not stop the others.
 *
 * Side by side work, on x86-64: Grain; Ascon; AES, Speck, ModSpeck and Simon in
 * CCM and CTR; AES in GCM; encryption by AES in CBC. All other batch calls are
 * a convenience that takes one message after the other.
 *
 * Batches of Grain take up to 160 KiB of stack on machines with words of 64
 * bits, all others up to 32 KiB on x86-64. */

#include <samara/result.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct samara_batch_message {
  const uint8_t *key;
  const uint8_t *nonce;
  size_t nonce_size;
  const uint8_t *associated_data;
  size_t associated_data_size;
  const uint8_t *input; /* seal: the message. open: the ciphertext */
  size_t input_size;
  uint8_t *output;    /* seal: the ciphertext. open: the message */
  size_t output_size; /* written: bytes of it */
  uint8_t *tag;       /* seal: written. open: read */
  samara_result result;
} samara_batch_message;

typedef struct samara_batch_keystream {
  const uint8_t *key;
  const uint8_t *nonce;
  uint8_t *keystream; /* (bit_count + 7) / 8 bytes, packed */
  size_t bit_count;
} samara_batch_keystream;

#ifdef __cplusplus
}
#endif

#endif
