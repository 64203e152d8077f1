/* SPDX-License-Identifier: Apache-2.0 */
#include "store/ring.h"

/* Divisions of 32 bits take 600 cycles on an AVR, and of 8 bits 100. */
uint8_t samara_store_slot_size(const samara_store_ring *ring) {
  const uint8_t unit = ring->memory->write_unit;
  const uint8_t size = (uint8_t)(samara_store_sequence_size +
                                 ring->payload_size + samara_store_check_size);
  const uint8_t over = (uint8_t)(size % unit);
  return (uint8_t)(over == 0 ? size : size + unit - over);
}

uint32_t samara_store_page_size(const samara_store_ring *ring) {
  return ring->memory->erase != NULL ? ring->memory->page_size : ring->size;
}

uint32_t samara_store_slots_of_page(const samara_store_ring *ring) {
  return samara_store_page_size(ring) / samara_store_slot_size(ring);
}

uint32_t samara_store_slot_count(const samara_store_ring *ring) {
  const uint32_t slots = samara_store_slots_of_page(ring);
  return ring->memory->erase != NULL
             ? ring->size / ring->memory->page_size * slots
             : slots;
}

uint32_t samara_store_address(const samara_store_ring *ring, uint32_t slot) {
  const uint8_t slot_size = samara_store_slot_size(ring);
  if (ring->memory->erase == NULL) {
    return ring->first + slot * slot_size;
  }
  const uint32_t slots = samara_store_slots_of_page(ring);
  return ring->first + slot / slots * ring->memory->page_size +
         slot % slots * slot_size;
}

uint32_t samara_store_next_slot(const samara_store_ring *ring, uint32_t slot) {
  return slot + 1 < samara_store_slot_count(ring) ? slot + 1 : 0;
}

uint8_t samara_store_exponent(const samara_store_ring *ring) {
  uint8_t exponent = 0;
  for (uint32_t rest = ring->step - 1; rest != 0; rest >>= 1) {
    exponent++;
  }
  return exponent;
}

static bool store_has_pages(const samara_store_ring *ring) {
  const samara_store_memory *memory = ring->memory;
  if (memory->erase == NULL) {
    return true;
  }
  return memory->page_size != 0 &&
         memory->page_size % memory->write_unit == 0 &&
         ring->first % memory->page_size == 0 &&
         ring->size % memory->page_size == 0 &&
         ring->size / memory->page_size >= 2 &&
         samara_store_slots_of_page(ring) >= 2;
}

bool samara_store_is_valid(const samara_store_ring *ring) {
  const samara_store_memory *memory = ring->memory;
  return memory->write_unit >= 1 &&
         memory->write_unit <= samara_store_write_unit_max &&
         ring->first % memory->write_unit == 0 &&
         ring->payload_size <= samara_store_payload_size_max &&
         ring->step >= 1 && ring->size != 0 &&
         ring->size - 1 <= UINT32_MAX - ring->first && store_has_pages(ring) &&
         samara_store_slot_count(ring) >= 4;
}

uint64_t samara_store_record_count(const samara_store_ring *ring,
                                   uint32_t endurance) {
  return (uint64_t)samara_store_slot_count(ring) * endurance;
}
