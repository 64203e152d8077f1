/* SPDX-License-Identifier: Apache-2.0 */

/* The store of counters and keys: power cuts at every byte of long lives, also
 * while it recovers; bit errors, worn cells, a full memory, resets. */

#include "check.h"
#include "store/ring.h"
#include "store_model.h"
#include "store_skips.h"
#include <limits.h>
#include <samara/store_life.h>
#include <stdio.h>
#include <string.h>

typedef struct memory_kind {
  const char *name;
  uint32_t size, page_size;
  uint8_t write_unit, erased_value;
} memory_kind;

static const memory_kind kinds[] = {
    {"eeprom", 12 * 5 + 7, 0, 1, 0xff}, {"fram", 16 * 4, 0, 8, 0x00},
    {"file", 12 * 16, 0, 4, 0xff},      {"flash", 3 * 40, 40, 4, 0xff},
    {"two-pages", 2 * 64, 64, 8, 0xff}, {"zero-flash", 2 * 48, 48, 2, 0x00},
};

static const uint32_t steps[] = {1, 2, 16};

/* A device's life: what is known of it outside of the memory. */
typedef struct device_life {
  store_model model;
  samara_store_counter counter;
  uint64_t used; /* numbers below may have been used */
} device_life;

static device_life device;

static samara_store_ring ring_of(const memory_kind *kind,
                                 const store_model *model, uint32_t step,
                                 uint8_t payload_size) {
  return (samara_store_ring){.memory = &model->memory,
                             .size = kind->size,
                             .step = step,
                             .id = 7,
                             .payload_size = payload_size};
}

static void begin(device_life *self, const memory_kind *kind, uint32_t step) {
  model_init(&self->model, kind->size, kind->page_size, kind->write_unit,
             kind->erased_value);
  self->counter.ring = ring_of(kind, &self->model, step, 0);
  CHECK(samara_store_is_valid(&self->counter.ring), "%s: settings", kind->name);
  CHECK_RESULT((samara_result)samara_store_counter_open(&self->counter),
               (samara_result)SAMARA_STORE_ERROR_BLANK, "a blank memory");
  CHECK_RESULT((samara_result)samara_store_start(&self->counter.ring, 5, NULL),
               SAMARA_OK, "start");
  CHECK_RESULT((samara_result)samara_store_counter_open(&self->counter),
               SAMARA_OK, "open");
  self->used = 5;
}

/* After a reset nothing of the state in RAM is known. It answers whether the
 * counter is sound, and goes on with it. */
static bool restart(device_life *self, uint64_t most_lost) {
  const samara_store_ring old = self->counter.ring;
  uint64_t most = self->counter.next + most_lost;
  memset(&self->counter, 0xa5, sizeof self->counter);
  self->counter.ring.memory = old.memory;
  self->counter.ring.first = old.first;
  self->counter.ring.size = old.size;
  self->counter.ring.step = old.step;
  self->counter.ring.id = old.id;
  self->counter.ring.payload_size = old.payload_size;
  const samara_store_result result = samara_store_counter_open(&self->counter);
  const uint64_t next = self->counter.next;
  if (may_have_erased_newer(&self->counter.ring)) {
    most += (uint64_t)1 << self->counter.ring.exponent;
  }
  const bool sound =
      result == SAMARA_STORE_OK && next >= self->used && next <= most;
  if (!sound) {
    printf("result %d, next %llu, used %llu, at most %llu\n", (int)result,
           (unsigned long long)next, (unsigned long long)self->used,
           (unsigned long long)most);
  }
  return sound;
}

/* Sends; whether every number is the one after the last. */
static bool send(device_life *self, unsigned messages) {
  for (unsigned i = 0; i < messages; i++) {
    uint64_t number;
    const uint64_t next = self->counter.next;
    if (samara_store_counter_take(&self->counter, &number) != SAMARA_STORE_OK ||
        number != next || number < self->used) {
      return false;
    }
    self->used = number + 1;
  }
  return true;
}

/* Runs until the power is cut; whether it was. */
static bool is_cut(store_model *model, void (*work)(void)) {
  const bool cut = setjmp(model->dark) != 0;
  if (!cut) {
    work();
  }
  model_stay_powered(model);
  return cut;
}

static unsigned messages_left;
static bool sent;

static void send_messages(void) { sent = send(&device, messages_left); }

/* Sends until the power is cut, if it is. */
static bool send_in_the_dark(unsigned messages, bool *cut) {
  messages_left = messages;
  *cut = is_cut(&device.model, send_messages);
  return *cut || sent;
}

/* Messages of three turns of the ring. */
static unsigned long_life(const device_life *self) {
  return 3 * samara_store_slot_count(&self->counter.ring) *
             self->counter.ring.step +
         1;
}

/* A cut in each step of a life, then a second one in each step of what follows,
 * and from there on three more turns with a reset at the end. */
static void check_cuts(const memory_kind *kind, uint32_t step,
                       unsigned long second) {
  bool cut = true;
  bool again;
  unsigned long count = 0;
  for (unsigned long at = 0; cut; at++) {
    /* Every kind of tear at each step; where the second cut varies, by turns.
     */
    const int kinds_of_tear = second == 0 ? MODEL_TEARS : 1;
    for (int i = 0; i < kinds_of_tear; i++) {
      const int tear =
          (int)((at + second) % MODEL_TEARS + (unsigned)i) % MODEL_TEARS;
      begin(&device, kind, step);
      model_cut_after(&device.model, at, (model_tear)tear);
      bool good = send_in_the_dark(long_life(&device), &cut);
      good = good && restart(&device, step);
      model_cut_after(&device.model, (second + at) % (second + 1),
                      (model_tear)((tear + (int)second) % MODEL_TEARS));
      good = good && send_in_the_dark(2 * step + 1, &again);
      good = good && restart(&device, step) &&
             send(&device, long_life(&device)) && restart(&device, step);
      CHECK(good, "%s, step %u: cut at %lu by %d, then %lu", kind->name,
            (unsigned)step, at, tear, second);
      count++;
    }
  }
  CHECK(count > 20, "%lu cuts are a life", count);
}

static void start_at_9(void) {
  CHECK(samara_store_start(&device.counter.ring, 9, NULL) == 0, "started");
}

/* Cuts while the first record is written: nothing or the first number. */
static void check_start_cut(const memory_kind *kind, unsigned long at,
                            model_tear tear) {
  model_init(&device.model, kind->size, kind->page_size, kind->write_unit,
             kind->erased_value);
  device.counter.ring = ring_of(kind, &device.model, 2, 0);
  model_cut_after(&device.model, at, tear);
  (void)is_cut(&device.model, start_at_9);
  const samara_store_result result = samara_store_counter_open(&device.counter);
  if (result != SAMARA_STORE_OK) {
    CHECK(result == SAMARA_STORE_ERROR_BLANK ||
              result == SAMARA_STORE_ERROR_LOST,
          "%s: %d", kind->name, (int)result);
    start_at_9();
  }
  device.used = 9;
  device.counter.next = 9;
  CHECK(restart(&device, 2) && send(&device, long_life(&device)),
        "%s: start, cut at %lu by %d", kind->name, at, (int)tear);
}

static void check_start_cuts(const memory_kind *kind) {
  for (unsigned long at = 0; at < 32; at++) {
    for (int tear = 0; tear < MODEL_TEARS; tear++) {
      check_start_cut(kind, at, (model_tear)tear);
    }
  }
}

/* Each bit that flips anywhere, at each age, also after a cut that left a torn
 * record and skipped numbers: no number comes back. */
static void check_bit_errors(const memory_kind *kind, uint32_t step) {
  for (unsigned age = 0; age < long_life(&device); age += 1 + step / 3) {
    bool cut;
    begin(&device, kind, step);
    model_cut_after(&device.model, age % 20, MODEL_RANDOM);
    CHECK(send_in_the_dark(long_life(&device), &cut) && cut &&
              restart(&device, step) && send(&device, age),
          "sent");
    static device_life old;
    old = device;
    for (uint32_t bit = 0; bit < 8 * kind->size; bit++) {
      device = old;
      device.model.memory.context = &device.model;
      device.model.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
      CHECK(restart(&device, 2 * (uint64_t)step) && send(&device, 3 * step) &&
                restart(&device, 2 * step),
            "%s, step %u, age %u: bit %u", kind->name, (unsigned)step, age,
            (unsigned)bit);
    }
  }
}

static void pass_a_million(void) {
  CHECK(samara_store_counter_pass(&device.counter, 1000000) == 0 &&
            device.counter.next == 1000001,
        "passed");
  device.used = 1000001;
}

/* A jump that is meant is written twice, and holds. */
static void check_far(const memory_kind *kind) {
  for (unsigned long at = 0; at < 60; at++) {
    begin(&device, kind, 2);
    CHECK(send(&device, 20), "sent");
    model_cut_after(&device.model, at, MODEL_RANDOM);
    const bool cut = is_cut(&device.model, pass_a_million);
    CHECK(restart(&device, cut ? 2000000 : 2), "%s: far, cut at %lu",
          kind->name, at);
    CHECK(send(&device, long_life(&device)), "%s: sends on", kind->name);
  }
  CHECK(samara_store_counter_pass(&device.counter, device.counter.next - 1) ==
            SAMARA_STORE_ERROR_LOWERED,
        "a number below");
  CHECK(samara_store_start(&device.counter.ring, device.counter.next / 2,
                           NULL) == SAMARA_STORE_ERROR_LOWERED,
        "a lower start");
}

/* Ends a record's life: its slot holds neither it nor nothing. */
static void lose(device_life *self, uint32_t slot) {
  self->model.bytes[samara_store_address(&self->counter.ring, slot)] ^= 0x10;
}

static void lose_newest(device_life *self) {
  lose(self, self->counter.ring.slot);
}

/* One record of the two of a jump is lost, wherever in the ring they are: the
 * other one holds, though it is far above all others. */
static void check_far_lost(const memory_kind *kind) {
  for (unsigned age = 0; age < 2 * long_life(&device); age++) {
    begin(&device, kind, 2);
    CHECK(send(&device, age / 2), "sent");
    pass_a_million();
    const samara_store_ring *ring = &device.counter.ring;
    const uint32_t first =
        ring->slot != 0 ? ring->slot - 1 : samara_store_slot_count(ring) - 1;
    lose(&device, age % 2 == 0 ? ring->slot : first);
    CHECK(restart(&device, 4) && send(&device, 9) && restart(&device, 4),
          "%s: record %u of a jump at age %u is lost", kind->name, 2 - age % 2,
          age / 2);
  }
}

/* The newest record is lost, and the power fails while the next one is written:
 * two faults at once. What tells of the first must outlive the second. */
static void check_lost_and_cut(const memory_kind *kind, uint32_t step) {
  static device_life old;
  for (unsigned age = 0; age < long_life(&device); age += 1 + step / 2) {
    begin(&device, kind, step);
    CHECK(send(&device, age), "sent");
    lose_newest(&device);
    CHECK(restart(&device, 2 * (uint64_t)step), "%s: lost", kind->name);
    old = device;
    bool cut = true;
    for (unsigned long at = 0; cut; at++) {
      for (int tear = 0; tear < MODEL_TEARS; tear++) {
        device = old;
        device.model.memory.context = &device.model;
        device.counter.ring.memory = &device.model.memory;
        model_cut_after(&device.model, at, (model_tear)tear);
        CHECK(send_in_the_dark(1, &cut) &&
                  restart(&device, 3 * (uint64_t)step) &&
                  send(&device, 3 * step) && restart(&device, 2 * step),
              "%s, step %u, age %u: lost, then cut at %lu by %d", kind->name,
              (unsigned)step, age, at, tear);
      }
    }
  }
}

static uint64_t goal;

static void pass_goal(void) {
  CHECK(samara_store_counter_pass(&device.counter, goal) == 0, "passed");
  device.used = goal + 1;
}

static void pass_next(void) {
  const uint64_t number = device.counter.next;
  CHECK(samara_store_counter_pass(&device.counter, number) == 0, "passed");
  device.used = number + 1;
}

/* A jump is cut, numbers come near to its goal without reaching it, and there
 * the power fails again, twice: no number comes back. The record that the first
 * cut may have left is above those that are written after it. */
static void check_far_cut(const memory_kind *kind, unsigned age,
                          unsigned long at, unsigned long again) {
  begin(&device, kind, 2);
  CHECK(send(&device, age), "sent");
  goal = device.used + 600;
  model_cut_after(&device.model, at, MODEL_ERASED);
  (void)is_cut(&device.model, pass_goal);
  CHECK(restart(&device, 1000), "%s: a jump, cut at %lu", kind->name, at);
  if (device.counter.next + 12 < goal) {
    goal -= 12;
    pass_goal();
  }
  CHECK(restart(&device, 1000), "%s: near to it", kind->name);
  model_cut_after(&device.model, again, MODEL_ERASED);
  (void)is_cut(&device.model, pass_next);
  CHECK(restart(&device, 1000) && send(&device, 9) && restart(&device, 4),
        "%s: cut at %lu, and at %lu", kind->name, at, again);
}

static void check_far_cuts(const memory_kind *kind) {
  for (unsigned age = 14; age < 34; age += 2) {
    for (unsigned long at = 0; at < 24; at++) {
      for (unsigned long again = 0; again < 24; again++) {
        check_far_cut(kind, age, at, again);
      }
    }
  }
}

/* Cells that cannot be changed any more from now on, with what they hold. */
static void wear_out(uint32_t first, uint32_t size) {
  for (uint32_t i = first; i < first + size; i++) {
    device.model.stuck_high[i] = device.model.bytes[i];
    device.model.stuck_low[i] = (uint8_t)~device.model.bytes[i];
  }
}

/* Bits that are stuck in one byte and, where there is room, two slots on. A
 * reset follows each reservation. */
static void check_worn(const memory_kind *kind, uint32_t step) {
  for (uint32_t worn = 0; worn < kind->size; worn++) {
    for (unsigned high = 0; high < 2; high++) {
      begin(&device, kind, step);
      const uint32_t slot = samara_store_slot_size(&device.counter.ring);
      uint8_t *stuck = high ? device.model.stuck_high : device.model.stuck_low;
      stuck[worn] = 0x5a;
      stuck[worn + slot < kind->size ? worn + slot : worn] = 0x5a;
      bool good = true;
      for (unsigned i = 0; i < 12; i++) {
        good = good && send(&device, step) && restart(&device, 2 * step);
      }
      CHECK(good, "%s, step %u: byte %u is worn", kind->name, (unsigned)step,
            (unsigned)worn);
    }
  }
}

/* Only the place of the last record can still be changed: it must not be. */
static void check_full(const memory_kind *kind) {
  uint64_t number = 77;
  begin(&device, kind, 2);
  CHECK(send(&device, 7), "sent");
  const samara_store_ring *ring = &device.counter.ring;
  const uint32_t size =
      kind->page_size != 0 ? kind->page_size : samara_store_slot_size(ring);
  const uint32_t first = samara_store_address(ring, ring->slot) / size * size;
  wear_out(0, first);
  wear_out(first + size, kind->size - first - size);
  while (device.used < 1000 &&
         samara_store_counter_take(&device.counter, &number) == 0) {
    CHECK(number == device.used, "%s: what was reserved", kind->name);
    device.used = number + 1;
  }
  CHECK(device.counter.next == device.used, "nothing was used");
  CHECK(samara_store_counter_take(&device.counter, &number) ==
                SAMARA_STORE_ERROR_WORN &&
            number == device.used - 1,
        "%s: no slot takes a record", kind->name);
  CHECK(restart(&device, 4), "%s: the last record is in force", kind->name);
}

/* One slot is left, and a jump needs two: it fails, and nothing was used. After
 * a reset the numbers before its goal are skipped, of which one record tells.
 */
static void check_far_worn(const memory_kind *kind) {
  uint64_t number;
  begin(&device, kind, 2);
  CHECK(send(&device, 40), "sent");
  const samara_store_ring *ring = &device.counter.ring;
  const uint32_t size = samara_store_slot_size(ring);
  const uint32_t left =
      samara_store_address(ring, samara_store_next_slot(ring, ring->slot));
  wear_out(0, left);
  wear_out(left + size, kind->size - left - size);
  CHECK(samara_store_counter_pass(&device.counter, 1000000) ==
                SAMARA_STORE_ERROR_WORN &&
            device.counter.next == device.used,
        "%s: a jump into one slot", kind->name);
  while (samara_store_counter_take(&device.counter, &number) == 0 &&
         device.counter.next < device.used + 100) {
  }
  device.used = device.counter.next;
  CHECK(restart(&device, 1000000), "%s: no number comes back", kind->name);
}

static store_model key_memory;
static samara_store_ring key_ring;
static unsigned last_key;

static void fill_key(uint8_t *key, unsigned value) {
  memset(key, (int)value, 16);
}

/* Keys 1 to 40, then none. */
static void use_keys(void) {
  uint8_t key[16];
  fill_key(key, 1);
  CHECK(samara_store_start(&key_ring, 1, key) == 0, "start");
  for (last_key = 1; last_key < 40; last_key++) {
    fill_key(key, last_key + 1);
    CHECK(samara_store_put(&key_ring, key) == 0, "put");
  }
  CHECK(samara_store_erase(&key_ring) == 0, "erase");
  last_key = 0;
}

/* The old or the new key after a cut; a key that was erased does not come back,
 * and no byte of any is left. */
static void check_key_cut(const memory_kind *kind, unsigned long at) {
  uint8_t key[16];
  uint8_t got[16];
  model_init(&key_memory, kind->size, kind->page_size, kind->write_unit,
             kind->erased_value);
  key_ring = ring_of(kind, &key_memory, 1, 16);
  last_key = 0;
  model_cut_after(&key_memory, at, (model_tear)(at % MODEL_TEARS));
  (void)is_cut(&key_memory, use_keys);
  if (samara_store_open(&key_ring, got) == SAMARA_STORE_OK) {
    fill_key(key, got[0]);
    CHECK_BYTES(got, key, 16, kind->name);
    CHECK(got[0] == last_key || got[0] == last_key + 1, "%s: key %u after %u",
          kind->name, got[0], last_key);
  } else {
    CHECK(last_key == 0 || last_key == 40, "%s: no key after %u", kind->name,
          last_key);
  }
  CHECK(samara_store_erase(&key_ring) == 0 &&
            samara_store_open(&key_ring, got) == SAMARA_STORE_ERROR_BLANK,
        "%s: blank", kind->name);
  uint8_t left = 0;
  for (uint32_t i = 0; i < kind->size; i++) {
    left |= key_memory.bytes[i] ^ kind->erased_value;
  }
  CHECK(left == 0, "%s: all is erased", kind->name);
}

static void check_keys(const memory_kind *small) {
  memory_kind kind = *small;
  kind.size = 512;
  kind.page_size = small->page_size != 0 ? 256 : 0;
  for (unsigned long at = 0; at < 2600; at += 3) {
    check_key_cut(&kind, at);
  }
}

/* Whether a byte of the old keys, each of which has a value of its own, is in
 * the memory. Sequences are far below these values. */
static bool has_old_key(uint32_t size, unsigned newest) {
  for (uint32_t i = 0; i + 1 < size; i++) {
    const uint8_t byte = key_memory.bytes[i];
    if (byte >= 100 && byte < newest && key_memory.bytes[i + 1] == byte) {
      return true;
    }
  }
  return false;
}

static void fill_ring(const memory_kind *kind, unsigned keys) {
  uint8_t key[16];
  model_init(&key_memory, kind->size, kind->page_size, kind->write_unit,
             kind->erased_value);
  key_ring = ring_of(kind, &key_memory, 1, 16);
  fill_key(key, 100);
  CHECK(samara_store_start(&key_ring, 0, key) == 0, "start");
  for (unsigned i = 1; i < keys; i++) {
    fill_key(key, 100 + i);
    CHECK(samara_store_put(&key_ring, key) == 0, "put");
  }
}

static samara_store_result wiped;

static void wipe(void) { wiped = samara_store_wipe_replaced(&key_ring); }

/* The newest key is written once more as if it had come by a jump. */
static void jump(const uint8_t *key) {
  CHECK(samara_store_start(&key_ring, key_ring.sequence + 9999, key) == 0,
        "a jump");
}

/* Keys are replaced, the older ones wiped with a power cut, and wiped again:
 * the newest stays in force all the time, and no other is left. */
static bool wipe_is_cut(const memory_kind *kind, unsigned keys, bool jumps,
                        unsigned long at) {
  uint8_t got[16];
  uint8_t key[16];
  fill_key(key, 99 + keys);
  fill_ring(kind, keys);
  if (jumps) {
    jump(key);
  }
  CHECK(keys == 1 || has_old_key(kind->size, 99 + keys), "%s: %u keys",
        kind->name, keys);
  model_cut_after(&key_memory, at, (model_tear)(at % MODEL_TEARS));
  const bool cut = is_cut(&key_memory, wipe);
  if (cut) {
    CHECK(samara_store_open(&key_ring, got) == 0, "open");
    CHECK_BYTES(got, key, 16, kind->name);
    wipe();
  }
  CHECK(wiped == SAMARA_STORE_OK && !has_old_key(kind->size, 99 + keys),
        "%s: %u keys are wiped (%d), cut at %lu", kind->name, keys, (int)wiped,
        at);
  CHECK(samara_store_open(&key_ring, got) == 0, "open");
  CHECK_BYTES(got, key, 16, kind->name);
  fill_key(key, 200);
  CHECK(samara_store_put(&key_ring, key) == 0 &&
            samara_store_open(&key_ring, got) == 0,
        "another");
  CHECK_BYTES(got, key, 16, kind->name);
  return cut;
}

static void erase_keys(void) { (void)!samara_store_erase(&key_ring); }

/* The newest key or none is in force after a cut, also where the page of the
 * newest has older ones and the cut spares them. */
static bool erase_is_cut(const memory_kind *kind, unsigned keys,
                         unsigned long at) {
  uint8_t got[16];
  fill_ring(kind, keys);
  model_cut_after(&key_memory, at, MODEL_UNITS);
  const bool cut = is_cut(&key_memory, erase_keys);
  CHECK(samara_store_open(&key_ring, got) != SAMARA_STORE_OK ||
            got[0] == 99 + keys,
        "%s: key %u of %u, cut at %lu", kind->name, got[0] - 99u, keys, at);
  return cut;
}

/* A cell that keeps a part of an old key is told. */
static void check_wipe_worn(const memory_kind *kind) {
  fill_ring(kind, 2);
  const uint32_t worn = samara_store_address(&key_ring, 0) + 12;
  key_memory.stuck_high[worn] = key_memory.bytes[worn];
  key_memory.stuck_low[worn] = (uint8_t)~key_memory.bytes[worn];
  wipe();
  CHECK(wiped == SAMARA_STORE_ERROR_WORN, "%s: %d", kind->name, (int)wiped);
}

static void check_wipe(const memory_kind *small) {
  memory_kind kind = *small;
  kind.size = 512;
  kind.page_size = small->page_size != 0 ? 128 : 0;
  for (unsigned keys = 1; keys < 36; keys++) {
    for (unsigned jumps = 0; jumps < 2; jumps++) {
      unsigned long at = 0;
      while (wipe_is_cut(&kind, keys, jumps != 0, at)) {
        at++;
      }
    }
  }
  for (unsigned keys = 1; keys < 12; keys++) {
    for (unsigned long at = 0; erase_is_cut(&kind, keys, at); at++) {
    }
  }
  check_wipe_worn(&kind);
  fill_ring(&kind, 1);
  key_ring.payload_size = 0;
  wipe();
  CHECK(wiped == SAMARA_STORE_ERROR_LOWERED, "a counter is not wiped");
}

/* A factory reset erases keys; a counter refuses. */
static void check_reset(const memory_kind *kind) {
  begin(&device, kind, 16);
  CHECK(send(&device, 40), "sent");
  CHECK(samara_store_erase(&device.counter.ring) == SAMARA_STORE_ERROR_LOWERED,
        "a counter is not erased");
  CHECK(restart(&device, 16), "%s: it goes on", kind->name);
  device.model.fails_to_read = true;
  CHECK(samara_store_counter_open(&device.counter) == SAMARA_STORE_ERROR_READ,
        "a memory that cannot be read");
  device.model.fails_to_read = false;
  memset(device.model.bytes, 0x33, sizeof device.model.bytes);
  CHECK(samara_store_counter_open(&device.counter) == SAMARA_STORE_ERROR_LOST,
        "noise");
}

/* Every slot wears alike, and as slowly as samara_store_record_count says. */
static void check_wear(const memory_kind *kind, uint32_t step) {
  begin(&device, kind, step);
  const unsigned messages = 50 * long_life(&device);
  CHECK(send(&device, messages), "sent");
  const uint32_t slots = samara_store_slot_count(&device.counter.ring);
  const bool erased = kind->page_size != 0;
  uint32_t most = 0;
  for (uint32_t i = 0; i < kind->size; i++) {
    most = device.model.written[i] > most ? device.model.written[i] : most;
  }
  /* The model counts the erase and the write of a byte. */
  const uint32_t turns = erased ? most / 2 : most;
  const uint64_t records =
      samara_store_record_count(&device.counter.ring, turns);
  const uint64_t needed = messages / step + 2;
  CHECK(records >= needed - slots && records <= needed + 2 * slots,
        "%s, step %u: %u turns are %llu records, needed %llu", kind->name,
        (unsigned)step, (unsigned)turns, (unsigned long long)records,
        (unsigned long long)needed);
}

/* The example of docs/store.md, and each side of what is rounded. */
static void check_years(void) {
  const memory_kind eeprom = {"eeprom", 384, 0, 1, 0xff};
  static store_model model;
  model_init(&model, 384, 0, 1, 0xff);
  samara_store_ring ring = ring_of(&eeprom, &model, 1, 0);
  const struct {
    uint32_t step, messages, resets;
    uint64_t years;
  } rows[] = {
      {1, 525960, 0, 6},
      {16, 525960, 0, 97},
      {16, 525960, 365, 96},
      {16, 16, 0, 3200000},
      {16, 17, 0, 1600000},
      {16, 17, 1, 1066666},
      {16, 17, UINT32_MAX, 188235},
      {1, UINT32_MAX, UINT32_MAX, 0},
      {UINT32_MAX, 1, 0, 3200000},
      {1, 0, UINT32_MAX, UINT64_MAX},
  };
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    ring.step = rows[i].step;
    const uint64_t years =
        samara_store_years(&ring, 100000, rows[i].messages, rows[i].resets);
    CHECK(years == rows[i].years, "row %u: %llu years", i,
          (unsigned long long)years);
  }
}

/* The bytes of a record; the check is that of Python's zlib.crc32. */
static void check_format(void) {
  static const uint8_t counter[] = {8, 7, 6,    5,    4,    3,
                                    2, 4, 0xcc, 0xb5, 0xd2, 0xb1};
  static const uint8_t key[] = {5,   0,   0,   0,    0,    0,    0,    0,
                                'k', 'e', 'y', 0x63, 0x40, 0xf9, 0xfb, 0xff};
  const memory_kind eeprom = {"eeprom", 200, 0, 2, 0xff};
  static store_model model;
  model_init(&model, 200, 0, 2, 0xff);
  samara_store_ring ring = ring_of(&eeprom, &model, 9, 0);
  CHECK(samara_store_start(&ring, 0x02030405060708, NULL) == 0, "start");
  CHECK_BYTES(model.bytes, counter, sizeof counter, "a counter");
  CHECK_BYTES(model.bytes + 12, counter, sizeof counter, "written twice");
  ring.first = 40;
  ring.size = 160;
  ring.id = 9;
  ring.step = 1;
  ring.payload_size = 3;
  CHECK(samara_store_start(&ring, 5, (const uint8_t *)"key") == 0, "start");
  CHECK_BYTES(model.bytes + 40, key, sizeof key, "a key");
  ring.id = 10;
  CHECK(samara_store_open(&ring, NULL) == SAMARA_STORE_ERROR_LOST,
        "another ring's records do not count");
}

static void check_ends(void) {
  uint64_t number = 1;
  begin(&device, &kinds[0], 16);
  samara_store_ring *ring = &device.counter.ring;
  CHECK(samara_store_start(ring, SAMARA_STORE_SEQUENCE_MAX + 1, NULL) ==
            SAMARA_STORE_ERROR_END,
        "above the end");
  CHECK(samara_store_start(ring, SAMARA_STORE_SEQUENCE_MAX - 16, NULL) == 0,
        "near the end");
  device.used = SAMARA_STORE_SEQUENCE_MAX - 16;
  device.counter.next = device.used;
  CHECK(restart(&device, 0) && send(&device, 16), "the last reservation");
  CHECK(samara_store_counter_take(&device.counter, &number) ==
                SAMARA_STORE_ERROR_END &&
            number == 1,
        "the end");
  CHECK(samara_store_counter_pass(&device.counter, UINT64_MAX) ==
            SAMARA_STORE_ERROR_END,
        "the last number");
}

/* Takes numbers with one step after another, each time from a reset on, with
 * the power cut in one step of it or not; then the newest record is lost. */
static void check_new_steps(const memory_kind *kind, const uint32_t *list,
                            unsigned count, unsigned messages,
                            unsigned long at) {
  bool good = true;
  bool cut = false;
  begin(&device, kind, list[0]);
  for (unsigned i = 0; i < count && good; i++) {
    device.counter.ring.step = list[i];
    good = restart(&device, 512);
    if (i != 0 && !cut) {
      model_cut_after(&device.model, at, (model_tear)(at % MODEL_TEARS));
    }
    good = good && send_in_the_dark(messages, &cut);
  }
  device.counter.ring.step = list[count - 1];
  good = good && restart(&device, 512);
  lose_newest(&device);
  CHECK(good && restart(&device, 1024) && send(&device, 100) &&
            restart(&device, 512),
        "%s: steps of %u, %u and %u, %u messages, cut at %lu", kind->name,
        (unsigned)list[0], (unsigned)list[1], (unsigned)list[count - 1],
        messages, at);
}

/* A firmware has another step than the one before it: no number comes back. */
static void check_steps(const memory_kind *kind) {
  const uint32_t sizes[] = {1, 5, 16, 256};
  for (unsigned i = 0; i < 64; i++) {
    const uint32_t list[] = {sizes[i % 4], sizes[i / 4 % 4], sizes[i / 16]};
    for (unsigned messages = 1; messages < 40; messages += 3) {
      for (unsigned long at = 0; at < 30; at++) {
        check_new_steps(kind, list, 3, messages, at);
      }
      check_new_steps(kind, list, 3, messages, ULONG_MAX / 2);
    }
  }
}

/* A new step costs one number and one record, once. */
static void check_step_cost(const memory_kind *kind) {
  begin(&device, kind, 1);
  device.counter.ring.step = 16;
  const bool good = restart(&device, 0) && send(&device, 160);
  CHECK(good && device.counter.ring.sequence == 5 + 1 + 160,
        "%s: the sequence is %llu", kind->name,
        (unsigned long long)device.counter.ring.sequence);
}

/* The two records of a start lie at the end of the ring and at its begin. */
static void check_start_lost(const memory_kind *kind) {
  for (unsigned age = 0; age < long_life(&device); age++) {
    begin(&device, kind, 2);
    CHECK(send(&device, age) &&
              samara_store_start(&device.counter.ring, 500, NULL) == 0,
          "started again");
    device.used = 500;
    device.counter.next = 500;
    CHECK(send(&device, 1), "sent");
    lose_newest(&device);
    CHECK(restart(&device, 4) && send(&device, 9),
          "%s: the record after a start at age %u is lost", kind->name, age);
  }
}

static void check_settings(void) {
  static store_model model;
  model_init(&model, 512, 64, 4, 0xff);
  const samara_store_ring good = {
      .memory = &model.memory, .first = 64, .size = 128, .step = 1};
  CHECK(samara_store_is_valid(&good), "good settings");
#define CHECK_REFUSED(field, value)                                            \
  do {                                                                         \
    samara_store_ring ring = good;                                             \
    ring.field = (value);                                                      \
    CHECK(!samara_store_is_valid(&ring), #field " of " #value);                \
  } while (0)
  CHECK_REFUSED(first, 32);
  CHECK_REFUSED(first, UINT32_MAX - 63);
  CHECK_REFUSED(size, 0);
  CHECK_REFUSED(size, 64);
  CHECK_REFUSED(size, 160);
  CHECK_REFUSED(step, 0);
  CHECK_REFUSED(payload_size, 24);
  CHECK_REFUSED(payload_size, 65);
#undef CHECK_REFUSED
  const uint8_t units[] = {0, 33, 3};
  for (unsigned i = 0; i < sizeof units; i++) {
    model.memory.write_unit = units[i];
    CHECK(!samara_store_is_valid(&good), "a write unit of %u", units[i]);
  }
  CHECK(strcmp(samara_store_result_text(SAMARA_STORE_ERROR_WORN),
               "no part of the memory takes a new record") == 0 &&
            strcmp(samara_store_result_text((samara_store_result)-999),
                   "not a result of the store") == 0,
        "texts");
}

int main(void) {
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    const memory_kind *kind = &kinds[i];
    restart_random();
    for (size_t j = 0; j < sizeof steps / sizeof steps[0]; j++) {
      const unsigned long apart = steps[j] < 16 ? 1 : 3;
      for (unsigned long second = 0; second < 24; second += apart) {
        check_cuts(kind, steps[j], second);
      }
      check_bit_errors(kind, steps[j]);
      check_lost_and_cut(kind, steps[j]);
      check_worn(kind, steps[j]);
      check_wear(kind, steps[j]);
    }
    check_start_cuts(kind);
    check_far(kind);
    check_far_lost(kind);
    check_far_cuts(kind);
    check_full(kind);
    if (kind->page_size == 0) {
      check_far_worn(kind);
    }
    check_keys(kind);
    check_wipe(kind);
    check_reset(kind);
    check_steps(kind);
    check_step_cost(kind);
    check_start_lost(kind);
  }
  check_format();
  check_years();
  check_ends();
  check_settings();
  return check_report();
}
