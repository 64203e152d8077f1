/* SPDX-License-Identifier: Apache-2.0 */

/* Nodes of a serial link: provisioning, messages of all sizes both ways,
 * acknowledgements, replays, power cuts at every step of the store, hostile
 * bytes. */

#include "check.h"
#include "node/node.h"
#include "node_record.h"
#include "store_model.h"
#include <limits.h>
#include <samara/aes.h>
#include <string.h>

enum {
  longest = 40,
  room = 120,
  key_size = 16,
  record_size = node_record_size
};

/* A device, and the line on which its bytes are found. */
typedef struct end {
  store_model model;
  samara_node node;
  samara_aes128_key key;
  uint8_t wire[room], buffer[2 * room];
  uint8_t message[longest + samara_node_overhead];
  uint8_t line[4 * room];
  size_t on_line;
  bool line_is_broken;
} end;

static end left, right;

static bool put(void *context, const uint8_t *bytes, size_t size) {
  end *self = context;
  if (self->line_is_broken || self->on_line + size > sizeof self->line) {
    return false;
  }
  memcpy(self->line + self->on_line, bytes, size);
  self->on_line += size;
  return true;
}

/* As after a reset: nothing of the RAM is known. */
static void reset(end *self, uint32_t step) {
  memset(&self->node, 0xa5, sizeof self->node);
  memset(&self->key, 0xa5, sizeof self->key);
  self->node.aead = &samara_aes128_ccm_aead;
  self->node.key_state = &self->key;
  self->node.key_state_size = sizeof self->key;
  self->node.memory = &self->model.memory;
  self->node.first = 0;
  self->node.size = self->model.size;
  self->node.step = step;
  self->node.receive_step = 1;
  self->node.write = put;
  self->node.context = self;
  self->node.message_size_max = longest;
  self->node.wire = self->wire;
  self->node.wire_size = sizeof self->wire;
  self->node.buffer = self->buffer;
  self->node.buffer_size = sizeof self->buffer;
  self->node.message = self->message;
  self->node.message_room = sizeof self->message;
  self->node.effort = 0;
}

static void make_record(uint8_t *record, uint8_t direction) {
  static const uint8_t key[key_size] = {1, 2, 3, 5, 8, 13, 21, 34};
  write_node_record(record, key, direction);
}

static void begin(end *self, uint8_t direction, uint32_t page, uint8_t unit) {
  uint8_t record[record_size];
  make_record(record, direction);
  memset(self, 0, sizeof *self);
  model_init(&self->model, page != 0 ? 6 * page : 480, page, unit, 0xff);
  reset(self, 4);
  CHECK(samara_node_open(&self->node) == SAMARA_STORE_ERROR_BLANK, "a new one");
  CHECK(samara_node_adopt(&self->node, record, sizeof record) == 0, "adopt");
  reset(self, 4);
  CHECK(samara_node_open(&self->node) == 0, "open");
}

static void begin_both(void) {
  begin(&left, 0, 0, 1);
  begin(&right, 1, 128, 8);
}

/* Hands what one has written to the other, all at once; answers the event. */
static samara_node_event carry(end *from, end *to, size_t *rest) {
  samara_node_event event;
  size_t done;
  const int result =
      samara_node_receive(&to->node, &event, from->line, from->on_line, &done);
  CHECK(result == 0, "receive: %s", samara_node_result_text(result));
  memmove(from->line, from->line + done, from->on_line - done);
  from->on_line -= done;
  *rest = from->on_line;
  return event;
}

static samara_node_event carry_all(end *from, end *to) {
  size_t rest;
  const samara_node_event event = carry(from, to, &rest);
  CHECK(rest == 0, "%u bytes are left", (unsigned)rest);
  return event;
}

static void test_records(void) {
  uint8_t record[record_size + 1], bad[record_size + 1];
  memset(&left, 0, sizeof left);
  model_init(&left.model, 480, 0, 1, 0xff);
  reset(&left, 4);
  make_record(record, 0);
  record[record_size] = 0;
  for (size_t bit = 0; bit < 8 * (size_t)record_size; bit++) {
    memcpy(bad, record, sizeof bad);
    bad[bit / 8] ^= (uint8_t)(1u << bit % 8);
    CHECK(samara_node_adopt(&left.node, bad, record_size) ==
              SAMARA_NODE_ERROR_RECORD,
          "bit %u of the record", (unsigned)bit);
  }
  for (size_t size = 0; size <= record_size + 1; size++) {
    if (size != record_size) {
      CHECK(samara_node_adopt(&left.node, record, size) ==
                SAMARA_NODE_ERROR_RECORD,
            "a record of %u bytes", (unsigned)size);
    }
  }
  CHECK(samara_node_open(&left.node) == SAMARA_STORE_ERROR_BLANK,
        "nothing was stored");
  left.node.size = samara_node_memory_size(&left.node) - 1;
  CHECK(samara_node_adopt(&left.node, record, record_size) ==
            SAMARA_NODE_ERROR_SETTINGS,
        "a byte of memory too few");
  left.node.size++;
  CHECK(samara_node_adopt(&left.node, record, record_size) == 0, "just enough");
  CHECK(samara_node_adopt(&left.node, record, record_size) ==
            SAMARA_NODE_ERROR_ADOPTED,
        "a second time");
}

/* Buffers of one byte too few, and another cipher. */
static void test_room(void) {
  begin(&left, 0, 0, 1);
  left.node.wire_size = samara_node_wire_size(&left.node, 12) - 13;
  CHECK(samara_node_open(&left.node) == SAMARA_NODE_ERROR_SETTINGS, "a unit");
  reset(&left, 4);
  left.node.message_room--;
  CHECK(samara_node_open(&left.node) == SAMARA_NODE_ERROR_SETTINGS,
        "a message");
  reset(&left, 4);
  left.node.key_state_size--;
  CHECK(samara_node_open(&left.node) == SAMARA_NODE_ERROR_SETTINGS, "a key");
  reset(&left, 4);
  left.node.aead = &samara_aes256_ccm_aead;
  CHECK(samara_node_open(&left.node) == SAMARA_STORE_ERROR_BLANK,
        "a cipher with a longer key finds none");
  reset(&left, 4);
  CHECK(samara_node_open(&left.node) == 0, "as it was");
}

/* Every size, also of messages that begin as a notice does. */
static void test_messages(void) {
  uint8_t message[longest + 1];
  begin_both();
  for (size_t size = 0; size <= longest; size++) {
    end *from = size % 2 == 0 ? &left : &right;
    end *to = size % 2 == 0 ? &right : &left;
    fill_random(message, sizeof message);
    if (size % 3 == 0) {
      message[0] = samara_node_escape;
    }
    CHECK(samara_node_send(&from->node, message, size) == 0, "send");
    const samara_node_event event = carry_all(from, to);
    CHECK(event.kind == SAMARA_NODE_MESSAGE && event.number == size / 2 &&
              event.lost == 0 && event.message_size == size,
          "a message of %u bytes", (unsigned)size);
    CHECK_BYTES(event.message, message, size, "the message");
  }
  CHECK(samara_node_send(&left.node, message, longest + 1) ==
            SAMARA_ERROR_MESSAGE_SIZE,
        "a byte too many");
  CHECK(left.on_line == 0, "of which nothing is sent");
}

static void test_losses_and_replays(void) {
  static const uint8_t message[3] = {1, 2, 3};
  uint8_t old[room];
  begin_both();
  CHECK(samara_node_send(&left.node, message, 3) == 0, "first");
  const size_t size = left.on_line;
  memcpy(old, left.line, size);
  CHECK(carry_all(&left, &right).kind == SAMARA_NODE_MESSAGE, "it arrives");
  for (unsigned i = 0; i < 3; i++) {
    CHECK(samara_node_send(&left.node, message, 3) == 0, "lost");
    left.on_line = 0;
  }
  CHECK(samara_node_send(&left.node, message, 3) == 0, "fifth");
  CHECK(carry_all(&left, &right).lost == 3, "three are missing");
  for (unsigned life = 0; life < 2; life++) {
    memcpy(left.line, old, size);
    left.on_line = size;
    const samara_node_event event = carry_all(&left, &right);
    CHECK(event.kind == SAMARA_NODE_REPLAY && event.message == NULL,
          "a replay in life %u", life);
    reset(&right, 4);
    CHECK(samara_node_open(&right.node) == 0, "after a reset");
  }
  left.line_is_broken = true;
  CHECK(samara_node_send(&left.node, message, 3) == SAMARA_NODE_ERROR_WRITE,
        "a broken line");
  left.line_is_broken = false;
  CHECK(samara_node_send(&left.node, message, 3) == 0, "it is mended");
  CHECK(carry_all(&left, &right).lost == 1, "that number was used");
}

/* A reset in between: the next id is greater, and the restart is told. */
static void test_acknowledgements(void) {
  static const uint8_t message[5] = {samara_node_escape, 2, 3, 4, 5};
  uint32_t id = 0, second = 0;
  begin_both();
  for (unsigned i = 0; i < 2; i++) {
    CHECK(samara_node_send_confirmed(&left.node, message, 5, &id) == 0, "send");
    samara_node_event event = carry_all(&left, &right);
    CHECK(event.kind == (i == 0 ? SAMARA_NODE_MESSAGE : SAMARA_NODE_AGAIN) &&
              event.id == id && event.wants_acknowledgement,
          "time %u", i);
    CHECK((event.message_size == 5) == (i == 0), "it is given out once");
    CHECK(samara_node_acknowledge(&right.node, &event) == 0, "acknowledge");
    event = carry_all(&right, &left);
    CHECK(event.kind == SAMARA_NODE_ACKNOWLEDGED && event.id == id &&
              event.status == 0,
          "delivered");
  }
  reset(&left, 4);
  CHECK(samara_node_open(&left.node) == 0, "a reset");
  CHECK(samara_node_send_confirmed(&left.node, message, 5, &second) == 0,
        "another");
  size_t rest;
  samara_node_event event = carry(&left, &right, &rest);
  CHECK(event.kind == SAMARA_NODE_NOTICE && event.lost == 2 && rest != 0,
        "numbers 2 and 3 were reserved");
  event = carry_all(&left, &right);
  CHECK(event.kind == SAMARA_NODE_MESSAGE && event.id == second && second > id,
        "a greater id");
  CHECK(samara_node_send_confirmed(&left.node, message, 5, &id) == 0, "old");
  CHECK(carry_all(&left, &right).kind == SAMARA_NODE_AGAIN,
        "an older message is not given out again");
}

static void tell(end *from, const uint8_t *payload, size_t size) {
  CHECK(samara_node_send_payload(&from->node, payload, size, NULL, 0) == 0,
        "payload");
}

/* What a host may say besides messages. */
static void test_notices(void) {
  static const struct {
    uint8_t size, bytes[12];
    samara_node_event_kind kind;
    uint64_t next;
  } rows[] = {
      {1, {0xf5}, SAMARA_NODE_UNKNOWN, 0},
      {2, {0xf5, 0x01}, SAMARA_NODE_NOTICE, 0},
      {2, {0xf5, 0x00}, SAMARA_NODE_MESSAGE, 0},
      {2, {0xf5, 0x77}, SAMARA_NODE_UNKNOWN, 0},
      {3, {0xf5, 0x04, 0}, SAMARA_NODE_NOTICE, 0},
      {6, {0xf5, 0x02, 0, 0, 0, 1}, SAMARA_NODE_UNKNOWN, 0},
      {7, {0xf5, 0x15, 0, 0, 0, 1, 0}, SAMARA_NODE_UNKNOWN, 0},
      {9, {0xf5, 0x14, 0, 0, 0, 1, 0, 0, 9}, SAMARA_NODE_UNKNOWN, 0},
      {9, {0xf5, 0x15, 0, 0, 0, 1, 0, 1, 9}, SAMARA_NODE_UNKNOWN, 0},
      {8, {0xf5, 0x15, 0, 0, 0, 2, 0, 0}, SAMARA_NODE_MESSAGE, 0},
      {6, {0xf5, 0x01, 0, 0, 1, 2}, SAMARA_NODE_NOTICE, 0x102},
      {6, {0xf5, 0x01, 0, 0, 0, 9}, SAMARA_NODE_NOTICE, 0x102},
      {10, {0xf5, 0x01, 0, 0, 1, 3, 0, 1, 0, 0}, SAMARA_NODE_NOTICE, 0x10000},
  };
  begin_both();
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    tell(&left, rows[i].bytes, rows[i].size);
    const samara_node_event event = carry_all(&left, &right);
    CHECK(event.kind == rows[i].kind && event.message_size == 0,
          "row %u: kind %d", (unsigned)i, (int)event.kind);
    CHECK(right.node.sent.next == rows[i].next, "row %u: number", (unsigned)i);
  }
  CHECK(samara_node_send(&right.node, NULL, 0) == 0, "with a skipped number");
  CHECK(carry_all(&right, &left).number == 0x10000, "that is told");
}

static void test_forget(void) {
  uint8_t record[record_size];
  make_record(record, 0);
  begin_both();
  CHECK(samara_node_send(&left.node, NULL, 0) == 0, "number 0");
  left.on_line = 0;
  CHECK(samara_node_forget(&left.node) == 0, "forget");
  CHECK(all_zero((const uint8_t *)&left.key, sizeof left.key),
        "the key in RAM");
  reset(&left, 4);
  CHECK(samara_node_open(&left.node) == SAMARA_STORE_ERROR_BLANK, "no key");
  CHECK(samara_node_adopt(&left.node, record, sizeof record) == 0, "again");
  CHECK(samara_node_open(&left.node) == 0 && left.node.sent.next == 4,
        "the counter goes on");
}

/* One life of a device: it is provisioned where needed, and sends. */
static void live(end *self, uint32_t step, const uint8_t *record) {
  int result = samara_node_open(&self->node);
  if (result == SAMARA_STORE_ERROR_BLANK) {
    result = samara_node_adopt(&self->node, record, record_size);
    CHECK(result == 0, "adopt: %s", samara_node_result_text(result));
    result = samara_node_open(&self->node);
  }
  if (!CHECK(result == 0, "open: %s", samara_node_result_text(result))) {
    return;
  }
  for (unsigned i = 0; i < 3 * step; i++) {
    CHECK(samara_node_send(&self->node, record, 3) == 0, "send");
  }
}

/* Numbers on the line: high byte first, behind the header. */
static long highest_number(end *self, long before) {
  static const size_t unit = 24; /* of a message of up to 11 bytes */
  for (size_t at = 0; at + unit <= self->on_line; at += unit) {
    const uint8_t *number = self->line + at + 1;
    const long found = (long)number[2] << 8 | number[3];
    CHECK(number[0] == 0 && number[1] == 0 && found > before,
          "number %ld after %ld", found, before);
    before = found;
  }
  self->on_line = 0;
  return before;
}

static bool survives(end *self, uint32_t step, const uint8_t *record) {
  if (setjmp(self->model.dark) != 0) {
    return false;
  }
  live(self, step, record);
  return true;
}

/* Three lives of a device. The power fails in the first two, if they last so
 * long; answers whether it failed in the first. */
static bool live_thrice(uint32_t step, const uint8_t *record, unsigned long at,
                        model_tear tear) {
  bool failed = false;
  long highest = -1;
  for (unsigned life = 0; life < 3; life++) {
    reset(&left, step);
    model_cut_after(&left.model, life == 0 ? at : at % 13, tear);
    if (life == 2) {
      model_stay_powered(&left.model);
    }
    const bool dark = !survives(&left, step, record);
    failed = life == 0 ? dark : failed;
    highest = highest_number(&left, highest);
  }
  CHECK(highest >= 3 * (long)step - 1, "the last life sends");
  return failed;
}

/* The power fails at every step of a life, in all ways. */
static void test_cuts(uint32_t page, uint8_t unit, uint32_t step) {
  uint8_t record[record_size];
  make_record(record, 0);
  for (unsigned tear = 0; tear < MODEL_TEARS; tear++) {
    unsigned long at = 0;
    do {
      memset(&left, 0, sizeof left);
      model_init(&left.model, page != 0 ? 6 * page : 480, page, unit, 0xff);
    } while (live_thrice(step, record, at++, (model_tear)tear));
    CHECK(at > 50, "%lu steps", at);
  }
}

static void test_hostile_bytes(void) {
  uint8_t noise[50];
  begin_both();
  for (unsigned i = 0; i < 2000; i++) {
    samara_node_event event;
    size_t done = 0;
    fill_random(noise, sizeof noise);
    const size_t size = random_below(sizeof noise);
    CHECK(samara_node_receive(&right.node, &event, noise, size, &done) == 0 &&
              event.kind == SAMARA_NODE_NOTHING && done == size,
          "noise");
  }
  CHECK(samara_node_send(&left.node, noise, 7) == 0, "behind it");
  CHECK(carry_all(&left, &right).kind == SAMARA_NODE_MESSAGE, "a message");
}

/* A number that cannot be made durable: its message is not given out. */
static void test_worn_memory(void) {
  static const uint8_t message[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  samara_node_event event;
  size_t done;
  begin_both();
  memset(right.model.stuck_low, 0xff, sizeof right.model.stuck_low);
  CHECK(samara_node_send(&left.node, message, 8) == 0, "send");
  const int result =
      samara_node_receive(&right.node, &event, left.line, left.on_line, &done);
  CHECK(result == SAMARA_STORE_ERROR_WORN || result == SAMARA_STORE_ERROR_READ,
        "result %d", result);
  CHECK(event.kind == SAMARA_NODE_NOTHING && event.message == NULL &&
            all_zero(right.message, sizeof right.message),
        "nothing is released");
}

static void test_texts(void) {
  for (int result = -200; result <= 0; result++) {
    CHECK(samara_node_result_text(result) != NULL, "a text");
  }
}

int main(void) {
  test_records();
  test_room();
  test_messages();
  test_losses_and_replays();
  test_acknowledgements();
  test_notices();
  test_forget();
  test_cuts(0, 1, 1);
  test_cuts(0, 1, 4);
  test_cuts(128, 8, 2);
  test_hostile_bytes();
  test_worn_memory();
  test_texts();
  return check_report();
}
