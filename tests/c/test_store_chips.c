/* SPDX-License-Identifier: Apache-2.0 */

/* The memories of chips with their real geometry, on models that refuse what
 * the controllers refuse: power cuts at every unit and page around the ends of
 * a ring's pages, bytes that cannot be corrected, keys that are wiped. */

#include "check.h"
#include "flash_model.h"
#include "store/ring.h"
#include "store_chips.h"
#include "store_skips.h"
#include <string.h>

static samara_store_counter counter;
static uint64_t used; /* numbers below were given out */

static samara_store_ring ring_on(const chip *kind) {
  const samara_store_memory *memory = kind->start();
  const bool pages = memory->erase != NULL;
  return (samara_store_ring){.memory = memory,
                             .first = pages ? memory->page_size : kind->first,
                             .size = pages ? 2 * memory->page_size : 256,
                             .step = 1,
                             .id = 5};
}

/* A reset; whether the counter goes on above all that was used, and loses at
 * most so many numbers. */
static bool restart(const chip *kind, uint64_t lost) {
  memset(&counter, 0xa5, sizeof counter);
  counter.ring = ring_on(kind);
  const bool opened = samara_store_counter_open(&counter) == SAMARA_STORE_OK;
  const uint64_t most = lost + (may_have_erased_newer(&counter.ring) ? 1 : 0);
  return opened && counter.next >= used && counter.next <= used + most;
}

static bool take(unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    uint64_t number;
    if (samara_store_counter_take(&counter, &number) != SAMARA_STORE_OK ||
        number < used) {
      return false;
    }
    used = number + 1;
  }
  return true;
}

/* A life of so many messages. */
static void begin(const chip *kind, unsigned messages) {
  chip_init(kind);
  counter.ring = ring_on(kind);
  CHECK(samara_store_is_valid(&counter.ring), "%s: settings", kind->name);
  CHECK(samara_store_start(&counter.ring, 0, NULL) == SAMARA_STORE_OK,
        "%s: start", kind->name);
  used = 0;
  CHECK(restart(kind, 0) && take(messages) && restart(kind, 0), "%s: %u sent",
        kind->name, messages);
}

static bool sent;

/* Whether the power was cut while messages were sent. */
static bool send_until_cut(unsigned long at, flash_tear tear) {
  flash_cut_after(at, tear);
  const bool cut = setjmp(flash.dark) != 0;
  if (!cut) {
    sent = take(8);
  }
  flash_stay_powered();
  return cut;
}

static bool is_sound_after(const chip *kind, unsigned long at, flash_tear tear,
                           bool *cut) {
  sent = true;
  *cut = send_until_cut(at, tear);
  return sent && restart(kind, 1) && take(12) && restart(kind, 0) &&
         flash.refused == 0;
}

/* The records before and behind the end of a page, with a cut in each step. */
static void check_cuts(const chip *kind, unsigned messages) {
  begin(kind, messages);
  chip_save();
  const uint64_t before = used;
  for (int tear = 0; tear < FLASH_TEARS; tear++) {
    bool cut = true;
    unsigned long at = 0;
    bool sound = true;
    for (; cut && sound; at++) {
      chip_restore();
      used = before;
      sound = CHECK(
          restart(kind, 0) && is_sound_after(kind, at, (flash_tear)tear, &cut),
          "%s, %u messages: cut at %lu by %d", kind->name, messages, at, tear);
    }
    CHECK(at > 8, "%s: %lu steps", kind->name, at);
  }
}

static void check_chip(const chip *kind) {
  const samara_store_ring ring = ring_on(kind);
  const unsigned slots = (unsigned)samara_store_slot_count(&ring);
  /* Two records are written by the start. */
  check_cuts(kind, 0);
  check_cuts(kind, slots > 16 ? slots / 2 - 6 : 1);
  check_cuts(kind, slots > 16 ? slots - 6 : 2);
  begin(kind, 2 * slots + 3);
  CHECK(flash.refused == 0, "%s: nothing was refused", kind->name);
}

static bool holds(const uint8_t *key, size_t size) {
  for (size_t i = 0; i + size <= flash_size; i++) {
    if (memcmp(flash.cells + i, key, size) == 0) {
      return true;
    }
  }
  return false;
}

/* A key is read back as it was written, and is gone after it was replaced. */
static void check_keys(const chip *kind) {
  static const uint8_t old_key[16] = "an older key 16",
                       new_key[16] = "a newer key, 16";
  uint8_t found[16];
  chip_init(kind);
  samara_store_ring ring = ring_on(kind);
  ring.size = ring.memory->erase != NULL ? ring.size : 8 * 64;
  ring.payload_size = sizeof old_key;
  CHECK(samara_store_start(&ring, 1, old_key) == SAMARA_STORE_OK &&
            samara_store_put(&ring, new_key) == SAMARA_STORE_OK,
        "%s: keys", kind->name);
  CHECK(holds(old_key, sizeof old_key), "%s: it was there", kind->name);
  CHECK(samara_store_wipe_replaced(&ring) == SAMARA_STORE_OK &&
            !holds(old_key, sizeof old_key) && holds(new_key, sizeof new_key),
        "%s: the older key is gone", kind->name);
  (void)kind->start();
  CHECK(samara_store_open(&ring, found) == SAMARA_STORE_OK &&
            memcmp(found, new_key, sizeof found) == 0,
        "%s: the newer key", kind->name);
  CHECK(samara_store_erase(&ring) == SAMARA_STORE_OK &&
            !holds(new_key, sizeof new_key) && flash.refused == 0,
        "%s: a factory reset", kind->name);
}

int main(void) {
  restart_random();
  for (unsigned i = 0; i < chip_count; i++) {
    check_chip(&chips[i]);
    check_keys(&chips[i]);
  }
  return check_report();
}
