/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that forget a copy of the key on the stack and a byte of it in a
 * register: what looks for such residue must find both. */

#include "keyed.h"

#include "common/secret.h"

__attribute__((noinline)) static void forget_key(const uint8_t *key) {
  volatile uint8_t copy[16];
  for (unsigned i = 0; i < sizeof copy; i++) {
    copy[i] = key[i];
  }
}

void measure_seal(measure_job *job) {
  const uint8_t *key = job->key;
  MEASURE_START(seal);
  forget_key(key);
  MEASURE_STOP(seal);
  job->result = 0;
}

void measure_open(measure_job *job) {
  const uint8_t *key = job->key;
  MEASURE_START(open);
  const uint8_t first = *key;
  /* In a register, as the program stops here. */
  __asm__ __volatile__("" : : "r"(first));
  MEASURE_STOP(open);
  job->result = 0;
}
