/* SPDX-License-Identifier: Apache-2.0 */
#include "store/ring.h"

#include "common/wiped.h"

/* Whether the slot after the last one can be written: of a memory that is
 * erased by pages, once its page is, which must not hold the record in force.
 */
static bool store_make_ready(const samara_store_ring *ring, uint32_t slot) {
  if (ring->memory->erase == NULL) {
    return true;
  }
  const uint32_t slots = samara_store_slots_of_page(ring);
  if (samara_store_begins_page(ring, slot) &&
      slot / slots != ring->slot / slots) {
    (void)samara_store_erase_page(ring, slot);
  }
  uint8_t record[samara_store_slot_size_max];
  SAMARA_WIPED(record);
  samara_store_head head;
  return samara_store_look(ring, samara_store_address(ring, slot), record,
                           &head) == SAMARA_STORE_ERASED;
}

SAMARA_NOT_INLINED samara_store_result samara_store_append(
    samara_store_ring *ring, uint64_t sequence, const uint8_t *payload) {
  uint32_t slot = samara_store_next_slot(ring, ring->slot);
  for (; slot != ring->slot; slot = samara_store_next_slot(ring, slot)) {
    if (store_make_ready(ring, slot) &&
        samara_store_write_slot(ring, slot, sequence, payload)) {
      ring->slot = slot;
      ring->sequence = sequence;
      ring->exponent = samara_store_exponent(ring);
      return SAMARA_STORE_OK;
    }
  }
  return SAMARA_STORE_ERROR_WORN;
}

SAMARA_NOT_INLINED samara_store_result
samara_store_append_two(samara_store_ring *ring, uint64_t sequence,
                        uint64_t next, const uint8_t *payload) {
  const samara_store_result result =
      samara_store_append(ring, sequence, payload);
  return result == SAMARA_STORE_OK ? samara_store_append(ring, next, payload)
                                   : result;
}

static SAMARA_NOT_INLINED samara_store_result store_bare_start(
    samara_store_ring *ring, uint64_t sequence, const uint8_t *payload) {
  const samara_store_result result = samara_bare_store_open(ring, NULL);
  if (sequence > SAMARA_STORE_SEQUENCE_MAX) {
    return SAMARA_STORE_ERROR_END;
  }
  if (result == SAMARA_STORE_ERROR_READ) {
    return result;
  }
  if (result == SAMARA_STORE_OK && sequence <= ring->sequence) {
    return SAMARA_STORE_ERROR_LOWERED;
  }
  if (result != SAMARA_STORE_OK) {
    /* The first record goes into slot 0. */
    ring->slot = samara_store_slot_count(ring) - 1;
  }
  return samara_store_append_two(ring, sequence, sequence, payload);
}

samara_store_result samara_store_start(samara_store_ring *ring,
                                       uint64_t sequence,
                                       const uint8_t *payload) {
  const samara_store_result result = store_bare_start(ring, sequence, payload);
  samara_wipe_stack(samara_store_stack);
  return result;
}

samara_store_result samara_store_put(samara_store_ring *ring,
                                     const uint8_t *payload) {
  if (ring->sequence >= SAMARA_STORE_SEQUENCE_MAX) {
    return SAMARA_STORE_ERROR_END;
  }
  const samara_store_result result =
      samara_store_append(ring, ring->sequence + 1, payload);
  samara_wipe_stack(samara_store_stack);
  return result;
}
