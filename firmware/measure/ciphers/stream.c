/* SPDX-License-Identifier: Apache-2.0 */
/* A stream cipher that encrypts in place. Set-up takes key and nonce, and is
 * to be done for every message. */

#include "measure.h"
#include <samara/samara.h>

#define STATE MEASURE_JOIN(samara_, MEASURE_CIPHER, )

STATE measure_state;

void measure_set_up(measure_job *job) {
  const uint8_t *key = job->key;
  const uint8_t *nonce = job->nonce;
  MEASURE_START(set_up);
  MEASURE_NAME(init)(&measure_state, key, nonce);
  MEASURE_STOP(set_up);
}

#define MEASURE_STREAM(verb)                                                   \
  void measure_##verb(measure_job *job) {                                      \
    uint8_t *bytes = job->output;                                              \
    const size_t bit_count = 8 * (size_t)job->input_size;                      \
    MEASURE_START(verb);                                                       \
    MEASURE_NAME(xor)(&measure_state, bytes, 0, bit_count);                    \
    MEASURE_STOP(verb);                                                        \
    job->result = 0;                                                           \
  }

MEASURE_STREAM(seal)
MEASURE_STREAM(open)
