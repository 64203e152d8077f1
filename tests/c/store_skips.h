/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_TESTS_STORE_SKIPS_H
#define SAMARA_TESTS_STORE_SKIPS_H

#include "store/ring.h"

/* Whether the next record begins a page of flash that is erased: what was there
 * may have been newer than the record in force, and its numbers are skipped. */
static inline bool may_have_erased_newer(const samara_store_ring *ring) {
  const uint32_t next = samara_store_next_slot(ring, ring->slot);
  uint8_t record[samara_store_slot_size_max];
  samara_store_head head;
  return ring->memory->erase != NULL && samara_store_begins_page(ring, next) &&
         samara_store_look(ring, samara_store_address(ring, next), record,
                           &head) == SAMARA_STORE_ERASED;
}

#endif
