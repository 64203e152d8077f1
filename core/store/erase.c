/* SPDX-License-Identifier: Apache-2.0 */
#include "store/ring.h"

#include "common/wiped.h"

/* Erases a slot, or the page that begins with it. */
static void store_clear(const samara_store_ring *ring, uint32_t slot) {
  const samara_store_memory *memory = ring->memory;
  if (memory->erase != NULL) {
    if (samara_store_begins_page(ring, slot)) {
      (void)samara_store_erase_page(ring, slot);
    }
    return;
  }
  uint8_t erased[samara_store_slot_size_max];
  for (unsigned i = 0; i < samara_store_slot_size_max; i++) {
    erased[i] = memory->erased_value;
  }
  (void)memory->write(memory->context, samara_store_address(ring, slot), erased,
                      samara_store_slot_size(ring));
}

static uint32_t store_slots_at_once(const samara_store_ring *ring) {
  return ring->memory->erase != NULL ? samara_store_slots_of_page(ring) : 1;
}

/* Clears all but the page that holds the record in force, or its slot, and
 * answers with the first slot of that. */
static uint32_t store_clear_others(const samara_store_ring *ring) {
  const uint32_t page = store_slots_at_once(ring);
  const uint32_t kept = ring->slot / page * page;
  const uint32_t slots = samara_store_slot_count(ring);
  for (uint32_t slot = 0; slot < slots; slot++) {
    if (slot != kept) {
      store_clear(ring, slot);
    }
  }
  return kept;
}

/* Writes the value again, into the next page: as if the page were full. */
static samara_store_result store_leave_page(samara_store_ring *ring,
                                            const uint8_t *payload) {
  const uint32_t page = samara_store_slots_of_page(ring);
  samara_store_ring moved = *ring;
  moved.slot = ring->slot / page * page + page - 1;
  if (ring->sequence >= SAMARA_STORE_SEQUENCE_MAX) {
    return SAMARA_STORE_ERROR_END;
  }
  const samara_store_result result =
      samara_store_append(&moved, ring->sequence + 1, payload);
  if (result == SAMARA_STORE_OK) {
    *ring = moved;
  }
  return result;
}

/* Finds the record in force. In flash its value is written again, into the next
 * page, which has no older one: a cut while that page is erased could spare it.
 */
static SAMARA_NOT_INLINED samara_store_result
store_set_apart(samara_store_ring *ring) {
  uint8_t payload[samara_store_payload_size_max];
  SAMARA_WIPED(payload);
  const samara_store_result result = samara_bare_store_open(ring, payload);
  return result == SAMARA_STORE_OK && ring->memory->erase != NULL
             ? store_leave_page(ring, payload)
             : result;
}

/* The record in force comes last: a power cut must not bring an older key back.
 */
static SAMARA_NOT_INLINED samara_store_result
store_bare_erase(samara_store_ring *ring) {
  samara_store_result result = store_set_apart(ring);
  if (result == SAMARA_STORE_ERROR_BLANK || result == SAMARA_STORE_ERROR_LOST ||
      result == SAMARA_STORE_ERROR_READ) {
    ring->slot = 0;
  }
  store_clear(ring, store_clear_others(ring));
  result = samara_bare_store_open(ring, NULL);
  if (result == SAMARA_STORE_ERROR_BLANK) {
    return SAMARA_STORE_OK;
  }
  return result == SAMARA_STORE_ERROR_READ ? result : SAMARA_STORE_ERROR_WORN;
}

samara_store_result samara_store_erase(samara_store_ring *ring) {
  if (ring->payload_size == 0) {
    return SAMARA_STORE_ERROR_LOWERED;
  }
  const samara_store_result result = store_bare_erase(ring);
  samara_wipe_stack(samara_store_stack);
  return result;
}

/* Whether every slot is erased but that of the record in force. */
static bool store_is_alone(const samara_store_ring *ring) {
  const uint32_t slots = samara_store_slot_count(ring);
  uint8_t record[samara_store_slot_size_max];
  SAMARA_WIPED(record);
  samara_store_head head;
  bool alone = true;
  for (uint32_t slot = 0; slot < slots; slot++) {
    alone = alone && (slot == ring->slot ||
                      samara_store_look(ring, samara_store_address(ring, slot),
                                        record, &head) == SAMARA_STORE_ERASED);
  }
  return alone;
}

static SAMARA_NOT_INLINED samara_store_result
store_bare_wipe_replaced(samara_store_ring *ring) {
  const samara_store_result result = store_set_apart(ring);
  if (result != SAMARA_STORE_OK) {
    return result;
  }
  (void)store_clear_others(ring);
  return store_is_alone(ring) ? SAMARA_STORE_OK : SAMARA_STORE_ERROR_WORN;
}

samara_store_result samara_store_wipe_replaced(samara_store_ring *ring) {
  if (ring->payload_size == 0) {
    return SAMARA_STORE_ERROR_LOWERED;
  }
  const samara_store_result result = store_bare_wipe_replaced(ring);
  samara_wipe_stack(samara_store_stack);
  return result;
}
