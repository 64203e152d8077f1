/* SPDX-License-Identifier: Apache-2.0 */
#include "measure.h"
#include <samara/samara.h>

NAME(key) measure_state;

void measure_set_up(measure_job *job) {
  const uint8_t *key = job->key;
  MEASURE_START(set_up);
  NAME(set_key)(&measure_state, key);
  MEASURE_STOP(set_up);
}

#define MEASURE_GCM(verb)                                                      \
  void measure_##verb(measure_job *job) {                                      \
    const uint8_t *nonce = job->nonce;                                         \
    const size_t nonce_size = job->nonce_size;                                 \
    const uint8_t *data = job->associated_data;                                \
    const size_t data_size = job->associated_data_size;                        \
    const uint8_t *input = job->input;                                         \
    const size_t input_size = job->input_size;                                 \
    uint8_t *output = job->output;                                             \
    uint8_t *tag = job->tag;                                                   \
    MEASURE_START(verb);                                                       \
    const samara_result result =                                               \
        NAME(gcm_##verb)(&measure_state, output, tag, nonce, nonce_size, data, \
                         data_size, input, input_size);                        \
    MEASURE_STOP(verb);                                                        \
    job->result = (uintptr_t)result;                                           \
  }

MEASURE_GCM(seal)
MEASURE_GCM(open)
