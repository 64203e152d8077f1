/* SPDX-License-Identifier: Apache-2.0 */
#include "store/ring.h"

/* Whether the slot after the record in force, or after a second copy of it, may
 * have held a newer one: it is damaged, or it was, and the power failed when
 * its page had been erased for the next one. */
static samara_store_result store_is_damaged(const samara_store_ring *ring,
                                            bool *damaged) {
  uint8_t record[samara_store_slot_size_max];
  samara_store_head head;
  uint32_t slot = ring->slot;
  samara_store_state state;
  do {
    slot = samara_store_next_slot(ring, slot);
    state = samara_store_look(ring, samara_store_address(ring, slot), record,
                              &head);
  } while (state == SAMARA_STORE_VALID && head.sequence == ring->sequence &&
           slot != ring->slot);
  *damaged = state == SAMARA_STORE_DAMAGED ||
             (state == SAMARA_STORE_ERASED && ring->memory->erase != NULL &&
              samara_store_begins_page(ring, slot));
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
  const uint64_t skipped = damaged ? (uint64_t)1 << ring->exponent : 0;
  if (skipped > SAMARA_STORE_SEQUENCE_MAX - ring->sequence) {
    return SAMARA_STORE_ERROR_END;
  }
  counter->next = ring->sequence + skipped;
  return SAMARA_STORE_OK;
}

/* Reserves from `number` on, unless that is reserved. A record covers at most
 * 2^exponent numbers above the record before it, with the exponent in that one:
 * so the numbers of a record that is lost are known. Where numbers were
 * skipped, or `step` has changed, a record for these comes first. It is above
 * the one in force, or a reset might find that one. */
static samara_store_result store_reserve(samara_store_ring *ring,
                                         uint64_t number) {
  if (number < ring->sequence) {
    return SAMARA_STORE_OK;
  }
  const bool follows = number == ring->sequence;
  const bool same_step = ring->exponent == samara_store_exponent(ring);
  const uint64_t first = follows && !same_step ? number + 1 : number;
  if (first > SAMARA_STORE_SEQUENCE_MAX - ring->step) {
    return SAMARA_STORE_ERROR_END;
  }
  const uint64_t end = first + ring->step;
  return follows && same_step ? samara_store_append(ring, end, NULL)
                              : samara_store_append_two(ring, first, end, NULL);
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
