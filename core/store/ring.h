/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_STORE_RING_H
#define SAMARA_STORE_RING_H

/* Places of a ring and the records in them: shared by the sources here. */

#include "common/stack.h"
#include <samara/store.h>

enum {
  samara_store_sequence_size = 8, /* with the exponent, its last byte */
  samara_store_exponent_place = 7,
  samara_store_exponent_max = 32,
  samara_store_check_size = 4,
  samara_store_record_size_max = samara_store_sequence_size +
      samara_store_payload_size_max + samara_store_check_size,
  /* With filler. */
  samara_store_slot_size_max = samara_store_record_size_max +
      samara_store_write_unit_max,
  /* Of the calls that handle a payload. */
  samara_store_stack = SAMARA_STACK_BYTES(400, 400, 480, 640)
};

/* What a slot holds. */
typedef enum samara_store_state {
  SAMARA_STORE_VALID,
  SAMARA_STORE_ERASED,
  SAMARA_STORE_DAMAGED, /* torn, worn, or changed since it was written */
  SAMARA_STORE_UNREADABLE
} samara_store_state;

/* What a valid record begins with. */
typedef struct samara_store_head {
  uint64_t sequence;
  uint8_t exponent; /* up to 32 */
} samara_store_head;

/* The exponent of the smallest power of 2 that is not below `step`. */
uint8_t samara_store_exponent(const samara_store_ring *ring);

/* Bytes of a record with its filler: the distance of two slots. */
uint8_t samara_store_slot_size(const samara_store_ring *ring);

/* Slots and bytes that are erased at once; of a memory that is not erased, all.
 */
uint32_t samara_store_slots_of_page(const samara_store_ring *ring);
uint32_t samara_store_page_size(const samara_store_ring *ring);
uint32_t samara_store_address(const samara_store_ring *ring, uint32_t slot);
uint32_t samara_store_next_slot(const samara_store_ring *ring, uint32_t slot);

SAMARA_INLINE bool samara_store_begins_page(const samara_store_ring *ring,
                                            uint32_t slot) {
  return slot % samara_store_slots_of_page(ring) == 0;
}

SAMARA_INLINE bool samara_store_erase_page(const samara_store_ring *ring,
                                           uint32_t slot) {
  const samara_store_memory *memory = ring->memory;
  return memory->erase(memory->context, samara_store_address(ring, slot));
}

/* The public calls that handle a payload, without wiping the stack. */
SAMARA_NOT_INLINED samara_store_result
samara_bare_store_open(samara_store_ring *ring, uint8_t *payload);

/* Reads the slot at an address. `record` has room for
 * samara_store_slot_size_max bytes; the head is set when it is VALID. */
samara_store_state samara_store_look(const samara_store_ring *ring,
                                     uint32_t address, uint8_t *record,
                                     samara_store_head *head);

/* Writes a record into a slot and reads it back: whether it is there. */
bool samara_store_write_slot(const samara_store_ring *ring, uint32_t slot,
                             uint64_t sequence, const uint8_t *payload);

/* The same from the next slot on that takes it; moves the ring to it. */
SAMARA_NOT_INLINED samara_store_result samara_store_append(
    samara_store_ring *ring, uint64_t sequence, const uint8_t *payload);

/* Two records in a row: where the second is lost, the first tells how far it
 * reached. */
SAMARA_NOT_INLINED samara_store_result
samara_store_append_two(samara_store_ring *ring, uint64_t sequence,
                        uint64_t next, const uint8_t *payload);

#endif
