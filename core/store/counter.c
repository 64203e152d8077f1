/* SPDX-License-Identifier: Apache-2.0 */
#include "store/ring.h"

/* Whether the slot after the record in force may have held a newer one. */
static samara_store_result store_is_damaged(const samara_store_ring *ring,
                                            bool *damaged) {
  uint8_t record[samara_store_slot_size_max];
  uint64_t sequence;
  const samara_store_state state = samara_store_look(
      ring, samara_store_next_slot(ring, ring->slot), record, &sequence);
  *damaged = state == SAMARA_STORE_DAMAGED;
  return state == SAMARA_STORE_UNREADABLE ? SAMARA_STORE_ERROR_READ
                                          : SAMARA_STORE_OK;
}

samara_store_result samara_store_counter_open(samara_store_counter *counter) {
  samara_store_ring *ring = &counter->ring;
  bool damaged;
  samara_store_result result = samara_bare_store_open(ring, NULL);
  if (result == SAMARA_STORE_OK) {
    result = store_is_damaged(ring, &damaged);
  }
  if (result != SAMARA_STORE_OK) {
    return result;
  }
  const uint32_t skipped = damaged ? ring->step : 0;
  if (skipped > UINT64_MAX - ring->sequence) {
    return SAMARA_STORE_ERROR_END;
  }
  counter->next = ring->sequence + skipped;
  return SAMARA_STORE_OK;
}

/* Reserves from `number` on, unless that is reserved. A record covers `step`
 * numbers above the record before it, never more: so the numbers of a record
 * that is lost are known from that one. Where numbers were skipped, a record
 * for these comes first. */
static samara_store_result store_reserve(samara_store_ring *ring,
                                         uint64_t number) {
  if (number < ring->sequence) {
    return SAMARA_STORE_OK;
  }
  if (number > UINT64_MAX - ring->step) {
    return SAMARA_STORE_ERROR_END;
  }
  const uint64_t end = number + ring->step;
  return number == ring->sequence
             ? samara_store_append(ring, end, NULL)
             : samara_store_append_two(ring, number, end, NULL);
}

samara_store_result samara_store_counter_take(samara_store_counter *counter,
                                              uint64_t *number) {
  const samara_store_result result =
      store_reserve(&counter->ring, counter->next);
  if (result == SAMARA_STORE_OK) {
    *number = counter->next++;
  }
  return result;
}

samara_store_result samara_store_counter_pass(samara_store_counter *counter,
                                              uint64_t number) {
  if (number < counter->next) {
    return SAMARA_STORE_ERROR_LOWERED;
  }
  const samara_store_result result = store_reserve(&counter->ring, number);
  if (result == SAMARA_STORE_OK) {
    counter->next = number + 1;
  }
  return result;
}
