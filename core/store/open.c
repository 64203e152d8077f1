/* SPDX-License-Identifier: Apache-2.0 */
#include "store/ring.h"

#include "common/bytes.h"
#include "common/wiped.h"

typedef struct store_found {
  samara_store_head head;
  uint32_t slot;
} store_found;

/* The three highest of the records in a ring, and how many slots are in use. */
typedef struct store_scan {
  store_found highest[3];
  uint8_t valid; /* up to 3 */
  bool blank;
} store_scan;

static bool store_is_below(const store_found *low, const store_found *high) {
  return low->head.sequence <= high->head.sequence;
}

/* Of equal records the one found later comes first: it is the one that was
 * written after the other had failed, or the second of two. */
static void store_insert(store_scan *scan, store_found found) {
  uint8_t place = scan->valid;
  while (place > 0 && store_is_below(&scan->highest[place - 1], &found)) {
    place--;
  }
  if (scan->valid < 3) {
    scan->valid++;
  }
  for (uint8_t i = (uint8_t)(scan->valid - 1); i > place; i--) {
    scan->highest[i] = scan->highest[i - 1];
  }
  if (place < 3) {
    scan->highest[place] = found;
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
    store_found found = {.slot = walk.slot};
    const samara_store_state state =
        samara_store_look(ring, ring->first + walk.offset, record, &found.head);
    if (state == SAMARA_STORE_UNREADABLE) {
      return SAMARA_STORE_ERROR_READ;
    }
    if (state == SAMARA_STORE_VALID) {
      store_insert(scan, found);
    }
    scan->blank = scan->blank && state == SAMARA_STORE_ERASED;
  }
  return SAMARA_STORE_OK;
}

static uint64_t store_above(const store_found *high, const store_found *low) {
  return high->head.sequence - low->head.sequence;
}

/* How far two records that are in a ring at one time can be apart: each is at
 * most 2^exponent numbers above the one before it. */
static uint64_t store_reach(const samara_store_ring *ring,
                            const store_found *high, const store_found *low) {
  const uint8_t exponent = high->head.exponent > low->head.exponent
                               ? high->head.exponent
                               : low->head.exponent;
  return (uint64_t)samara_store_slot_count(ring) << exponent;
}

/* Whether two records agree that the highest is none of theirs. */
static bool store_is_stray(const samara_store_ring *ring,
                           const store_scan *scan) {
  const store_found *highest = scan->highest;
  const uint64_t reach = store_reach(ring, &highest[0], &highest[1]);
  return scan->valid == 3 && store_above(&highest[0], &highest[1]) > reach &&
         store_above(&highest[1], &highest[2]) <= reach;
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
  if (scan.valid == 0) {
    return scan.blank ? SAMARA_STORE_ERROR_BLANK : SAMARA_STORE_ERROR_LOST;
  }
  const store_found newest = scan.highest[store_is_stray(ring, &scan) ? 1 : 0];
  ring->sequence = newest.head.sequence;
  ring->exponent = newest.head.exponent;
  ring->slot = newest.slot;
  return payload != NULL ? store_read_payload(ring, payload) : SAMARA_STORE_OK;
}

samara_store_result samara_store_open(samara_store_ring *ring,
                                      uint8_t *payload) {
  const samara_store_result result = samara_bare_store_open(ring, payload);
  samara_wipe_stack(samara_store_stack);
  return result;
}
