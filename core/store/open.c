/* SPDX-License-Identifier: Apache-2.0 */
#include "store/ring.h"

#include "common/bytes.h"
#include "common/wiped.h"

typedef struct store_found {
  uint64_t sequence;
  uint32_t slot;
} store_found;

/* The three highest of the records in a ring, and how many slots are in use. */
typedef struct store_scan {
  store_found highest[3];
  uint8_t valid; /* up to 3 */
  bool blank;
} store_scan;

/* Of equal records the one found later comes first: it is the one that was
 * written after the other had failed, or the second of two. */
static void store_insert(store_scan *scan, store_found found) {
  uint8_t place = scan->valid;
  while (place > 0 && found.sequence >= scan->highest[place - 1].sequence) {
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

static samara_store_result store_read_all(const samara_store_ring *ring,
                                          store_scan *scan) {
  const uint32_t slots = samara_store_slot_count(ring);
  uint8_t record[samara_store_slot_size_max];
  SAMARA_WIPED(record);
  *scan = (store_scan){.blank = true};
  for (uint32_t slot = 0; slot < slots; slot++) {
    store_found found = {0, slot};
    const samara_store_state state =
        samara_store_look(ring, slot, record, &found.sequence);
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

/* Whether two records agree that the highest is none of theirs. */
static bool store_is_stray(const samara_store_ring *ring,
                           const store_scan *scan) {
  const uint64_t reach = samara_store_reach(ring);
  return scan->valid == 3 &&
         scan->highest[0].sequence - scan->highest[1].sequence > reach &&
         scan->highest[1].sequence - scan->highest[2].sequence <= reach;
}

static samara_store_result store_read_payload(const samara_store_ring *ring,
                                              uint8_t *payload) {
  uint8_t record[samara_store_slot_size_max];
  SAMARA_WIPED(record);
  uint64_t sequence;
  if (samara_store_look(ring, ring->slot, record, &sequence) !=
      SAMARA_STORE_VALID) {
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
  ring->sequence = newest.sequence;
  ring->slot = newest.slot;
  return payload != NULL ? store_read_payload(ring, payload) : SAMARA_STORE_OK;
}

samara_store_result samara_store_open(samara_store_ring *ring,
                                      uint8_t *payload) {
  const samara_store_result result = samara_bare_store_open(ring, payload);
  samara_wipe_stack(samara_store_stack);
  return result;
}
