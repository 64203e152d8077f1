/* SPDX-License-Identifier: Apache-2.0 */
/* The nonce is the whole counter block, which the call counts up. */

#include "measure.h"
#include <samara/samara.h>

NAME(key) measure_state;

void measure_set_up(measure_job *job) {
  const uint8_t *key = job->key;
  MEASURE_START(set_up);
  NAME(set_key)(&measure_state, key);
  MEASURE_STOP(set_up);
}

#define MEASURE_CTR(verb)                                                      \
  void measure_##verb(measure_job *job) {                                      \
    uint8_t *counter = job->nonce;                                             \
    const uint8_t *input = job->input;                                         \
    const size_t input_size = job->input_size;                                 \
    uint8_t *output = job->output;                                             \
    MEASURE_START(verb);                                                       \
    const samara_result result =                                               \
        NAME(ctr_encrypt)(&measure_state, output, counter, input, input_size); \
    MEASURE_STOP(verb);                                                        \
    job->result = (uintptr_t)result;                                           \
  }

MEASURE_CTR(seal)
MEASURE_CTR(open)
