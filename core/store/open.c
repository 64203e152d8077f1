/* SPDX-License-Identifier: Apache-2.0 */
#include "store/ring.h"

#include "common/bytes.h"
#include "common/wiped.h"

/* The record that counts so far, if there is one, and whether all slots are
 * erased. */
typedef struct store_scan {
  samara_store_head head;
  uint32_t slot;
  bool found;
  bool blank;
} store_scan;

/* Of equal records the one found later counts: it is the one that was written
 * after the other had failed, or the second of two. */
static void store_count(store_scan *scan, const samara_store_head *head,
                        uint32_t slot) {
  if (!scan->found || head->sequence >= scan->head.sequence) {
    scan->head = *head;
    scan->slot = slot;
    scan->found = true;
  }
}

/* A place on the way through all slots, without dividing. */
typedef struct store_walk {
  uint32_t slot;
  uint32_t offset;   /* of the slot in the ring */
  uint32_t page_end; /* its page ends there */
} store_walk;

static void store_go_on(const samara_store_ring *ring, store_walk *walk) {
  const uint8_t slot_size = samara_store_slot_size(ring);
  walk->slot++;
  walk->offset += slot_size;
  if (walk->page_end - walk->offset < slot_size) {
    walk->offset = walk->page_end;
    walk->page_end += samara_store_page_size(ring);
  }
}

static samara_store_result store_read_all(const samara_store_ring *ring,
                                          store_scan *scan) {
  store_walk walk = {.page_end = samara_store_page_size(ring)};
  uint8_t record[samara_store_slot_size_max];
  SAMARA_WIPED(record);
  *scan = (store_scan){.blank = true};
  for (; walk.offset < ring->size; store_go_on(ring, &walk)) {
    samara_store_head head;
    const samara_store_state state =
        samara_store_look(ring, ring->first + walk.offset, record, &head);
    if (state == SAMARA_STORE_UNREADABLE) {
      return SAMARA_STORE_ERROR_READ;
    }
    if (state == SAMARA_STORE_VALID) {
      store_count(scan, &head, walk.slot);
    }
    scan->blank = scan->blank && state == SAMARA_STORE_ERASED;
  }
  return SAMARA_STORE_OK;
}

static samara_store_result store_read_payload(const samara_store_ring *ring,
                                              uint8_t *payload) {
  uint8_t record[samara_store_slot_size_max];
  SAMARA_WIPED(record);
  samara_store_head head;
  if (samara_store_look(ring, samara_store_address(ring, ring->slot), record,
                        &head) != SAMARA_STORE_VALID) {
    return SAMARA_STORE_ERROR_READ;
  }
  samara_copy_bytes(payload, record + samara_store_sequence_size,
                    ring->payload_size);
  return SAMARA_STORE_OK;
}

SAMARA_NOT_INLINED samara_store_result
samara_bare_store_open(samara_store_ring *ring, uint8_t *payload) {
  store_scan scan;
  const samara_store_result result = store_read_all(ring, &scan);
  if (result != SAMARA_STORE_OK) {
    return result;
  }
  if (!scan.found) {
    return scan.blank ? SAMARA_STORE_ERROR_BLANK : SAMARA_STORE_ERROR_LOST;
  }
  ring->sequence = scan.head.sequence;
  ring->exponent = scan.head.exponent;
  ring->slot = scan.slot;
  return payload != NULL ? store_read_payload(ring, payload) : SAMARA_STORE_OK;
}

samara_store_result samara_store_open(samara_store_ring *ring,
                                      uint8_t *payload) {
  const samara_store_result result = samara_bare_store_open(ring, payload);
  samara_wipe_stack(samara_store_stack);
  return result;
}
