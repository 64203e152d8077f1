/* SPDX-License-Identifier: Apache-2.0 */
/* Anyone's block cipher with the interface of lwc/crypto_block.h: seal encrypts
 * a block, open decrypts it. MEASURE_STATE_BYTES is CRYPTO_STATEBYTES. */

#include "lwc/crypto_block.h"
#include "measure.h"

_Alignas(8) uint8_t measure_state[MEASURE_STATE_BYTES];

void measure_set_up(measure_job *job) {
  const uint8_t *key = job->key;
  MEASURE_START(set_up);
  crypto_block_set_key(measure_state, key);
  MEASURE_STOP(set_up);
}

/* Input and output are the same buffer. */
void measure_seal(measure_job *job) {
  uint8_t *block = job->output;
  MEASURE_START(seal);
  crypto_block_encrypt(measure_state, block);
  MEASURE_STOP(seal);
  job->result = 0;
}

void measure_open(measure_job *job) {
  uint8_t *block = job->output;
  MEASURE_START(open);
  crypto_block_decrypt(measure_state, block);
  MEASURE_STOP(open);
  job->result = 0;
}
