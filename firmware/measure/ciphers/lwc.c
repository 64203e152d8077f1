/* SPDX-License-Identifier: Apache-2.0 */
/* Anyone's cipher with the interface of NIST's Lightweight Cryptography
 * project: crypto_aead_encrypt and crypto_aead_decrypt, the tag behind the
 * ciphertext. It takes the key in every call. */

#include "lwc/crypto_aead.h"
#include "measure.h"

void measure_set_up(measure_job *job) {
  (void)job;
  MEASURE_START(set_up);
  MEASURE_STOP(set_up);
}

void measure_seal(measure_job *job) {
  const uint8_t *key = job->key;
  const uint8_t *nonce = job->nonce;
  const uint8_t *data = job->associated_data;
  const unsigned long long data_size = job->associated_data_size;
  const uint8_t *input = job->input;
  const unsigned long long input_size = job->input_size;
  uint8_t *output = job->output;
  unsigned long long output_size = 0;
  MEASURE_START(seal);
  const int result =
      crypto_aead_encrypt(output, &output_size, input, input_size, data,
                          data_size, NULL, nonce, key);
  MEASURE_STOP(seal);
  job->output_size = (uintptr_t)output_size;
  job->result = (uintptr_t)result;
}

void measure_open(measure_job *job) {
  const uint8_t *key = job->key;
  const uint8_t *nonce = job->nonce;
  const uint8_t *data = job->associated_data;
  const unsigned long long data_size = job->associated_data_size;
  const uint8_t *input = job->input;
  const unsigned long long input_size = job->input_size;
  uint8_t *output = job->output;
  unsigned long long output_size = 0;
  MEASURE_START(open);
  const int result =
      crypto_aead_decrypt(output, &output_size, NULL, input, input_size, data,
                          data_size, nonce, key);
  MEASURE_STOP(open);
  job->output_size = (uintptr_t)output_size;
  job->result = (uintptr_t)result;
}
