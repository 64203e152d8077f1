/* SPDX-License-Identifier: Apache-2.0 */
#include "measure.h"

measure_job measure_job_now;

int measure_nothing(void) { return 0; }

static void do_job(measure_job *job) {
  switch (job->operation) {
  case MEASURE_SET_UP:
    measure_set_up(job);
    break;
  case MEASURE_SEAL:
    measure_seal(job);
    break;
  case MEASURE_OPEN:
    measure_open(job);
    break;
  default:
    break;
  }
}

int main(void) {
  for (;;) {
    MEASURE_MARK(ready);
    do_job(&measure_job_now);
  }
}
