/* SPDX-License-Identifier: Apache-2.0 */
#include "store/ring.h"

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
                      (size_t)samara_store_slot_size(ring));
}

/* The page that holds the record in force, or its slot, comes last: a power cut
 * must not bring an older key back. */
static SAMARA_NOT_INLINED samara_store_result
store_bare_erase(samara_store_ring *ring) {
  samara_store_result result = samara_bare_store_open(ring, NULL);
  if (result != SAMARA_STORE_OK) {
    ring->slot = 0;
  }
  const uint32_t page =
      ring->memory->erase != NULL ? samara_store_slots_of_page(ring) : 1;
  const uint32_t last = ring->slot / page * page;
  const uint32_t slots = samara_store_slot_count(ring);
  for (uint32_t slot = 0; slot < slots; slot++) {
    if (slot != last) {
      store_clear(ring, slot);
    }
  }
  store_clear(ring, last);
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
