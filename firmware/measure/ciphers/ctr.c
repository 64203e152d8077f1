/* SPDX-License-Identifier: Apache-2.0 */
/* The nonce is the whole counter block, which the call counts up. */

#include "keyed.h"

#define MEASURE_CTR(verb)                                                      \
  void measure_##verb(measure_job *job) {                                      \
    uint8_t *counter = job->nonce;                                             \
    const uint8_t *input = job->input;                                         \
    const size_t input_size = job->input_size;                                 \
    uint8_t *output = job->output;                                             \
    MEASURE_START(verb);                                                       \
    const samara_result result = MEASURE_NAME(ctr_encrypt)(                    \
        &measure_state, output, counter, input, input_size);                   \
    MEASURE_STOP(verb);                                                        \
    job->result = (uintptr_t)result;                                           \
  }

MEASURE_CTR(seal)
MEASURE_CTR(open)
