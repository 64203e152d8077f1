/* SPDX-License-Identifier: Apache-2.0 */
#include "keyed.h"

void measure_seal(measure_job *job) {
  const uint8_t *iv = job->nonce;
  const uint8_t *input = job->input;
  const size_t input_size = job->input_size;
  uint8_t *output = job->output;
  MEASURE_START(seal);
  const samara_result result =
      MEASURE_NAME(cbc_encrypt)(&measure_state, output, iv, input, input_size);
  MEASURE_STOP(seal);
  job->result = (uintptr_t)result;
}

void measure_open(measure_job *job) {
  const uint8_t *iv = job->nonce;
  const uint8_t *input = job->input;
  const size_t input_size = job->input_size;
  uint8_t *output = job->output;
  size_t output_size = 0;
  MEASURE_START(open);
  const samara_result result = MEASURE_NAME(cbc_decrypt)(
      &measure_state, output, &output_size, iv, input, input_size);
  MEASURE_STOP(open);
  job->output_size = output_size;
  job->result = (uintptr_t)result;
}
