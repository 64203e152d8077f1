/* SPDX-License-Identifier: Apache-2.0 */
#include "store/ring.h"

#include "common/bytes.h"
#include "common/crc32.h"
#include "common/secret.h"
#include "common/wiped.h"

enum { store_piece = 16 }; /* bytes that are read back at once */

static uint32_t store_check(const samara_store_ring *ring,
                            const uint8_t *record) {
  const uint8_t kind[] = {ring->id, ring->payload_size};
  const uint32_t crc = samara_crc32(SAMARA_CRC32_BEGIN, kind, sizeof kind);
  return ~samara_crc32(crc, record,
                       (size_t)samara_store_sequence_size + ring->payload_size);
}

static bool store_is_erased(const samara_store_ring *ring,
                            const uint8_t *record) {
  const uint8_t size = samara_store_slot_size(ring);
  uint8_t difference = 0;
  for (uint8_t i = 0; i < size; i++) {
    difference |= record[i] ^ ring->memory->erased_value;
  }
  return samara_declassify32(difference) == 0;
}

samara_store_state samara_store_look(const samara_store_ring *ring,
                                     uint32_t address, uint8_t *record,
                                     samara_store_head *head) {
  const samara_store_memory *memory = ring->memory;
  if (!memory->read(memory->context, address, record,
                    samara_store_slot_size(ring))) {
    return SAMARA_STORE_UNREADABLE;
  }
  if (store_is_erased(ring, record)) {
    return SAMARA_STORE_ERASED;
  }
  const uint8_t *check =
      record + samara_store_sequence_size + ring->payload_size;
  const uint32_t wrong = store_check(ring, record) ^ samara_load32_le(check);
  if (samara_declassify32(wrong) != 0) {
    return SAMARA_STORE_DAMAGED;
  }
  samara_declassify(record, samara_store_sequence_size);
  head->sequence = samara_load64_le(record) & SAMARA_STORE_SEQUENCE_MAX;
  head->exponent = record[samara_store_exponent_place];
  return head->exponent <= samara_store_exponent_max ? SAMARA_STORE_VALID
                                                     : SAMARA_STORE_DAMAGED;
}

/* `record` has room for samara_store_slot_size_max bytes. */
static void store_encode(const samara_store_ring *ring, uint8_t *record,
                         uint64_t sequence, const uint8_t *payload) {
  const size_t end = (size_t)samara_store_sequence_size + ring->payload_size;
  samara_store64_le(record, sequence);
  record[samara_store_exponent_place] = samara_store_exponent(ring);
  samara_copy_bytes(record + samara_store_sequence_size, payload,
                    ring->payload_size);
  samara_store32_le(record + end, store_check(ring, record));
  const uint8_t size = samara_store_slot_size(ring);
  for (size_t i = end + samara_store_check_size; i < size; i++) {
    record[i] = ring->memory->erased_value;
  }
}

/* Whether the memory holds these bytes, read piece by piece: the stack of an
 * AVR has no room for a second record. */
static bool store_is_there(const samara_store_memory *memory, uint32_t address,
                           const uint8_t *wanted, uint8_t size) {
  uint8_t found[store_piece];
  SAMARA_WIPED(found);
  for (uint8_t at = 0; at < size; at = (uint8_t)(at + store_piece)) {
    const uint8_t left = (uint8_t)(size - at);
    const uint8_t piece = left < store_piece ? left : (uint8_t)store_piece;
    if (!memory->read(memory->context, address + at, found, piece) ||
        !samara_equal(wanted + at, found, piece)) {
      return false;
    }
  }
  return true;
}

bool samara_store_write_slot(const samara_store_ring *ring, uint32_t slot,
                             uint64_t sequence, const uint8_t *payload) {
  const samara_store_memory *memory = ring->memory;
  const uint32_t address = samara_store_address(ring, slot);
  const uint8_t size = samara_store_slot_size(ring);
  uint8_t wanted[samara_store_slot_size_max];
  SAMARA_WIPED(wanted);
  store_encode(ring, wanted, sequence, payload);
  return memory->write(memory->context, address, wanted, size) &&
         store_is_there(memory, address, wanted, size);
}
