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

/* A function, so that a compiler that turns the loop keeps one mark. */
__attribute__((noinline)) static void wait_for_job(void) {
  MEASURE_MARK(ready);
}

int main(void) {
  for (;;) {
    wait_for_job();
    do_job(&measure_job_now);
  }
}
