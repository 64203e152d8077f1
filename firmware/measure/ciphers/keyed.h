/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MEASURE_KEYED_H
#define MEASURE_KEYED_H

/* A cipher that keeps an expanded key: its set-up makes that. Included by the
 * one file of ciphers/ that is linked. */

#include "measure.h"
#include <samara/samara.h>

MEASURE_NAME(key) measure_state;

void measure_set_up(measure_job *job) {
  const uint8_t *key = job->key;
  MEASURE_START(set_up);
  MEASURE_NAME(set_key)(&measure_state, key);
  MEASURE_STOP(set_up);
}

#endif
