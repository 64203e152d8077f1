/* SPDX-License-Identifier: Apache-2.0 */
/* A counter that survives resets: set_up opens a ring whose slots are all
 * written, seal takes a sender's next number, open lets a receiver pass one;
 * both write a record, as one message in sixteen does. The job's nonce is the
 * number that the ring begins with, low byte first; what is sealed is the
 * record. */

#include "cells.h"

enum {
  number_size = 6,
  slots = 32,
  record_size = 12,
  ring_size = slots * record_size
};

samara_store_counter measure_state;

/* Fills the ring; its newest record is in the last slot. */
static samara_store_result fill_ring(const measure_job *job) {
  samara_store_ring *ring = &measure_state.ring;
  uint64_t first = 0;
  for (unsigned i = 0; i < number_size; i++) {
    first |= (uint64_t)job->nonce[i] << 8 * i;
  }
  erase_cells(job, ring_size);
  *ring = (samara_store_ring){
      .memory = &cells_memory, .size = ring_size, .step = 16, .id = 2};
  samara_store_result result = samara_store_start(ring, first, NULL);
  /* The start has written two. */
  for (unsigned i = 2; i < slots && result == SAMARA_STORE_OK; i++) {
    result = samara_store_put(ring, NULL);
  }
  return result;
}

static samara_store_result prepare(const measure_job *job) {
  const samara_store_result result = fill_ring(job);
  return result == SAMARA_STORE_OK ? samara_store_counter_open(&measure_state)
                                   : result;
}

void measure_set_up(measure_job *job) {
  samara_store_result result = fill_ring(job);
  if (result != SAMARA_STORE_OK) {
    job->result = (uintptr_t)result;
    return;
  }
  MEASURE_START(set_up);
  result = samara_store_counter_open(&measure_state);
  MEASURE_STOP(set_up);
  job->result = (uintptr_t)result;
}

void measure_seal(measure_job *job) {
  uint64_t number;
  samara_store_result result = prepare(job);
  if (result != SAMARA_STORE_OK) {
    job->result = (uintptr_t)result;
    return;
  }
  MEASURE_START(seal);
  result = samara_store_counter_take(&measure_state, &number);
  MEASURE_STOP(seal);
  /* The oldest record was in the first slot. */
  for (unsigned i = 0; i < record_size; i++) {
    job->output[i] = measure_cells[i];
  }
  job->result = (uintptr_t)result;
}

void measure_open(measure_job *job) {
  samara_store_result result = prepare(job);
  if (result != SAMARA_STORE_OK) {
    job->result = (uintptr_t)result;
    return;
  }
  const uint64_t number = measure_state.next;
  MEASURE_START(open);
  result = samara_store_counter_pass(&measure_state, number);
  MEASURE_STOP(open);
  job->result = (uintptr_t)result;
  for (unsigned i = 0; i < record_size; i++) {
    job->result |= (uintptr_t)(job->input[i] ^ measure_cells[i]);
  }
}
