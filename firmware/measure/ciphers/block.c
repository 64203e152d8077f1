/* SPDX-License-Identifier: Apache-2.0 */
/* A block cipher alone: seal encrypts a block, open decrypts it. */

#include "measure.h"
#include <samara/samara.h>

NAME(key) measure_state;

void measure_set_up(measure_job *job) {
  const uint8_t *key = job->key;
  MEASURE_START(set_up);
  NAME(set_key)(&measure_state, key);
  MEASURE_STOP(set_up);
}

void measure_seal(measure_job *job) {
  const uint8_t *input = job->input;
  uint8_t *output = job->output;
  MEASURE_START(seal);
  NAME(encrypt)(&measure_state, output, input);
  MEASURE_STOP(seal);
  job->result = 0;
}

void measure_open(measure_job *job) {
  const uint8_t *input = job->input;
  uint8_t *output = job->output;
  MEASURE_START(open);
  NAME(decrypt)(&measure_state, output, input);
  MEASURE_STOP(open);
  job->result = 0;
}
