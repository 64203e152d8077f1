/* SPDX-License-Identifier: Apache-2.0 */
/* A block cipher alone: seal encrypts a block, open decrypts it. */

#include "keyed.h"

void measure_seal(measure_job *job) {
  const uint8_t *input = job->input;
  uint8_t *output = job->output;
  MEASURE_START(seal);
  MEASURE_NAME(encrypt)(&measure_state, output, input);
  MEASURE_STOP(seal);
  job->result = 0;
}

void measure_open(measure_job *job) {
  const uint8_t *input = job->input;
  uint8_t *output = job->output;
  MEASURE_START(open);
  MEASURE_NAME(decrypt)(&measure_state, output, input);
  MEASURE_STOP(open);
  job->result = 0;
}
