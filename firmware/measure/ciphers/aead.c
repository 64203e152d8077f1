/* SPDX-License-Identifier: Apache-2.0 */
/* An AEAD of its own, in one call that takes the key: its set-up is part of
 * seal and of open, and alone is nothing. */

#include "measure.h"
#include <samara/samara.h>

void measure_set_up(measure_job *job) {
  (void)job;
  MEASURE_START(set_up);
  MEASURE_STOP(set_up);
}

#define MEASURE_AEAD(verb)                                                     \
  void measure_##verb(measure_job *job) {                                      \
    const uint8_t *key = job->key;                                             \
    const uint8_t *nonce = job->nonce;                                         \
    const uint8_t *data = job->associated_data;                                \
    const size_t data_size = job->associated_data_size;                        \
    const uint8_t *input = job->input;                                         \
    const size_t input_size = job->input_size;                                 \
    uint8_t *output = job->output;                                             \
    uint8_t *tag = job->tag;                                                   \
    MEASURE_START(verb);                                                       \
    const samara_result result = MEASURE_NAME(verb)(                           \
        key, output, tag, nonce, data, data_size, input, input_size);          \
    MEASURE_STOP(verb);                                                        \
    job->result = (uintptr_t)result;                                           \
  }

MEASURE_AEAD(seal)
MEASURE_AEAD(open)
