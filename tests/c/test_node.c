/* SPDX-License-Identifier: Apache-2.0 */

/* Nodes of a serial link and of IEEE 802.15.4: provisioning, messages of all
 * sizes both ways, whole and in parts, acknowledgements, replays, power cuts at
 * every step of the store, hostile bytes. */

#include "check.h"
#include "node/node.h"
#include "node_record.h"
#include "store_model.h"
#include <limits.h>
#include <samara/aes.h>
#include <samara/grain128aead.h>
#include <samara/node_ieee802154.h>
#include <string.h>

enum {
  longest = 40,
  long_message = 640, /* the longest that is received in parts */
  room = 130,
  key_size = 16,
  record_room = frames_record_size,
  memory_size = 640,
  page_size = 256,
  units_max = 40
};

/* A device, and the line on which its units are found. */
typedef struct end {
  store_model model;
  samara_node node;
  union {
    samara_aes128_key serial;
    samara_node_frames frames;
  } key;
  uint8_t wire[room], buffer[2 * room];
  uint8_t message[longest + samara_node_overhead], parts[long_message];
  uint8_t line[units_max * room];
  size_t on_line;
  size_t sizes[units_max]; /* of the units on the line */
  size_t units;
  bool line_is_broken;
} end;

static end left, right;

/* What differs between the links. */
typedef struct kind {
  const samara_node_link *link;
  size_t record_size;
  size_t payload_size;   /* of the longest payload */
  size_t number_at;      /* place of the lowest byte of a unit's number */
  uint8_t control, form; /* of frames */
} kind;

static const kind serial = {
    &samara_node_rfserial, node_record_size, 48, 4, 0, 0};
/* Header of 15 bytes with a short address each, and a MIC of 4. */
static const kind frames = {
    &samara_node_ieee802154, frames_record_size, 125 - 15 - 4, 10, 8 | 5, 0};
static const kind *link_kind = &serial;

static bool is_serial(void) { return link_kind == &serial; }

static bool put(void *context, const uint8_t *bytes, size_t size) {
  end *self = context;
  if (self->line_is_broken || self->units == units_max) {
    return false;
  }
  memcpy(self->line + self->on_line, bytes, size);
  self->on_line += size;
  self->sizes[self->units++] = size;
  return true;
}

/* As after a reset: nothing of the RAM is known. */
static void reset(end *self, uint32_t step) {
  memset(&self->node, 0xa5, sizeof self->node);
  memset(&self->key, 0xa5, sizeof self->key);
  self->key.frames.cipher = &samara_ieee802154_aes128;
  self->node.link = link_kind->link;
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
  self->node.parts = self->parts;
  self->node.parts_room = sizeof self->parts;
  self->node.effort = 0;
}

static void make_record_of(uint8_t *record, uint8_t direction, uint8_t first) {
  const uint8_t key[key_size] = {first, 2, 3, 5, 8, 13, 21, 34};
  if (is_serial()) {
    write_node_record(record, key, direction);
  } else {
    write_frames_record(record, key, direction, link_kind->control,
                        link_kind->form);
  }
}

static void make_record(uint8_t *record, uint8_t direction) {
  make_record_of(record, direction, 1);
}

static void begin(end *self, uint8_t direction, uint32_t page, uint8_t unit) {
  uint8_t record[record_room];
  make_record(record, direction);
  memset(self, 0, sizeof *self);
  model_init(&self->model, page != 0 ? 8 * page : memory_size, page, unit,
             0xff);
  reset(self, 4);
  CHECK(samara_node_open(&self->node) == SAMARA_STORE_ERROR_BLANK, "a new one");
  CHECK(samara_node_adopt(&self->node, record, link_kind->record_size) == 0,
        "adopt");
  reset(self, 4);
  CHECK(samara_node_open(&self->node) == 0, "open");
}

static void begin_both(void) {
  begin(&left, 0, 0, 1);
  begin(&right, 1, page_size, 8);
}

/* Takes the first unit off the line. */
static void drop(end *from) {
  const size_t size = from->sizes[0];
  from->on_line -= size;
  from->units--;
  memmove(from->line, from->line + size, from->on_line);
  memmove(from->sizes, from->sizes + 1, from->units * sizeof from->sizes[0]);
}

static void drop_all(end *from) { from->on_line = from->units = 0; }

/* Hands what one has written to the other, frames one by one, all else at once;
 * answers the event. */
static samara_node_event carry(end *from, end *to, size_t *rest) {
  samara_node_event event;
  size_t done;
  const size_t size = is_serial() ? from->on_line : from->sizes[0];
  const int result =
      samara_node_receive(&to->node, &event, from->line, size, &done);
  CHECK(result == 0, "receive: %s", samara_node_result_text(result));
  CHECK(done == from->sizes[0], "one unit, %u bytes", (unsigned)done);
  drop(from);
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
  const size_t record_size = link_kind->record_size;
  uint8_t record[record_room + 1], bad[record_room + 1];
  memset(&left, 0, sizeof left);
  model_init(&left.model, memory_size, 0, 1, 0xff);
  reset(&left, 4);
  make_record(record, 0);
  record[record_size] = 0;
  for (size_t bit = 0; bit < 8 * record_size; bit++) {
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

/* A record that is refused leaves an open node as it is: its counters, and the
 * settings that nonces are made of. */
static void test_refused_record(void) {
  static samara_node node;
  uint8_t record[record_room], key[sizeof left.key];
  begin(&left, 0, page_size, 8);
  CHECK(samara_node_send(&left.node, NULL, 0) == 0, "number 0");
  memcpy(&node, &left.node, sizeof node);
  memcpy(key, &left.key, sizeof key);
  make_record_of(record, 1, 7);
  CHECK(samara_node_adopt(&left.node, record, link_kind->record_size) ==
            SAMARA_NODE_ERROR_ADOPTED,
        "the other end's");
  CHECK_BYTES((const uint8_t *)&left.node, (const uint8_t *)&node, sizeof node,
              "the node");
  CHECK_BYTES((const uint8_t *)&left.key, key, sizeof key, "its key");
}

static size_t least_wire(void) {
  return is_serial() ? samara_node_wire_size(&left.node, 12) - 12
                     : (size_t)samara_node_frame_size;
}

/* Buffers of one byte too few, of all links. */
static void test_buffers(void) {
  begin(&left, 0, 0, 1);
  left.node.wire_size = least_wire() - 1;
  CHECK(samara_node_open(&left.node) == SAMARA_NODE_ERROR_SETTINGS, "a unit");
  reset(&left, 4);
  left.node.buffer_size = least_wire() - 1;
  CHECK(samara_node_open(&left.node) == SAMARA_NODE_ERROR_SETTINGS, "a buffer");
  reset(&left, 4);
  left.node.write = NULL;
  CHECK(samara_node_open(&left.node) == SAMARA_NODE_ERROR_SETTINGS, "no write");
  CHECK(samara_node_send(&left.node, NULL, 0) == SAMARA_NODE_ERROR_CLOSED,
        "what failed to open is not open");
  reset(&left, 4);
  left.node.link = NULL;
  CHECK(samara_node_open(&left.node) == SAMARA_NODE_ERROR_SETTINGS, "no link");
  CHECK(samara_node_memory_size(&left.node) == 0, "of no size");
  reset(&left, 4);
  CHECK(samara_node_open(&left.node) == 0, "as it was");
}

/* The same of a serial link, and another cipher. */
static void test_room(void) {
  begin(&left, 0, 0, 1);
  left.node.message_room--;
  CHECK(samara_node_open(&left.node) == SAMARA_NODE_ERROR_SETTINGS,
        "a message");
  reset(&left, 4);
  left.node.key_state_size = sizeof left.key.serial - 1;
  CHECK(samara_node_open(&left.node) == SAMARA_NODE_ERROR_SETTINGS, "a key");
  reset(&left, 4);
  left.node.aead = &samara_aes256_ccm_aead;
  CHECK(samara_node_open(&left.node) == SAMARA_STORE_ERROR_BLANK,
        "a cipher with a longer key finds none");
  reset(&left, 4);
  CHECK(samara_node_open(&left.node) == 0, "as it was");
}

/* Every size that fits, also of messages that begin as a notice does. */
static void test_messages(void) {
  uint8_t message[room];
  begin_both();
  for (size_t size = 0; size < link_kind->payload_size - 1; size++) {
    end *from = size % 2 == 0 ? &left : &right;
    end *to = size % 2 == 0 ? &right : &left;
    fill_random(message, sizeof message);
    if (size % 3 == 0) {
      message[0] = samara_node_escape;
    }
    CHECK(samara_node_send(&from->node, message, size) == 0, "send");
    CHECK(from->units == 1, "whole");
    const samara_node_event event = carry_all(from, to);
    CHECK(event.kind == SAMARA_NODE_MESSAGE && event.number == size / 2 &&
              event.lost == 0 && event.message_size == size,
          "a message of %u bytes", (unsigned)size);
    CHECK_BYTES(event.message, message, size, "the message");
  }
  CHECK(
      samara_node_send(&left.node, message, SAMARA_NODE_MESSAGE_SIZE_MAX + 1) ==
          SAMARA_ERROR_MESSAGE_SIZE,
      "a byte too many");
  CHECK(left.units == 0, "of which nothing is sent");
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
    drop_all(&left);
  }
  CHECK(samara_node_send(&left.node, message, 3) == 0, "fifth");
  CHECK(carry_all(&left, &right).lost == 3, "three are missing");
  for (unsigned life = 0; life < 2; life++) {
    CHECK(put(&left, old, size), "again");
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

/* What the other is told when it asks again; the event of the receiver is
 * `kind`. */
static uint8_t asked_again(const uint8_t *message, size_t size, uint32_t id,
                           samara_node_event_kind expected) {
  CHECK(samara_node_send_confirmed(&left.node, message, size, &id) == 0, "ask");
  samara_node_event event = carry_all(&left, &right);
  CHECK(event.kind == expected && event.wants_acknowledgement, "kind %d",
        (int)event.kind);
  CHECK(samara_node_acknowledge(&right.node, &event) == 0, "acknowledge");
  do {
    size_t rest;
    event = carry(&right, &left, &rest);
  } while (event.kind == SAMARA_NODE_NOTICE);
  CHECK(event.kind == SAMARA_NODE_ACKNOWLEDGED && event.id == id, "answer");
  return event.status;
}

/* The receiver is reset before it has acknowledged: the message is not given
 * out again, and the sender is told that it is not known. */
static void test_ids_survive(void) {
  static const uint8_t message[2] = {7, 8};
  uint32_t first = 0, second = 0;
  begin_both();
  CHECK(samara_node_send_confirmed(&left.node, message, 2, &first) == 0,
        "first");
  CHECK(carry_all(&left, &right).kind == SAMARA_NODE_MESSAGE, "given out");
  CHECK(asked_again(message, 2, first, SAMARA_NODE_AGAIN) ==
            samara_node_delivered,
        "in this life it is known");
  reset(&right, 4);
  CHECK(samara_node_open(&right.node) == 0, "a reset");
  CHECK(asked_again(message, 2, first, SAMARA_NODE_AGAIN) ==
            samara_node_unknown,
        "after a reset it is not");
  CHECK(samara_node_send_confirmed(&left.node, message, 2, &second) == 0,
        "second");
  CHECK(carry_all(&left, &right).kind == SAMARA_NODE_MESSAGE, "is given out");
  CHECK(asked_again(message, 2, second, SAMARA_NODE_AGAIN) ==
            samara_node_delivered,
        "second is known");
  CHECK(asked_again(message, 2, first, SAMARA_NODE_AGAIN) ==
            samara_node_unknown,
        "of older ones nobody knows");
}

/* Sends what is on the line to the other but for the units in `lost`, bit by
 * bit; answers the last event that is no notice. */
static samara_node_event carry_some(end *from, end *to, uint64_t lost) {
  samara_node_event event = {.kind = SAMARA_NODE_NOTHING};
  for (; from->units != 0; lost >>= 1) {
    size_t rest;
    if ((lost & 1) != 0) {
      drop(from);
    } else {
      event = carry(from, to, &rest);
    }
  }
  return event;
}

static size_t part_size(void) {
  return link_kind->payload_size - samara_node_overhead;
}

/* A message is delivered although each of its units, and each of its
 * acknowledgements, may be lost: what is missing is sent again, no more. */
static void deliver(const uint8_t *message, size_t size, uint64_t lost) {
  const size_t count = size / part_size() + (size % part_size() != 0);
  uint32_t id = 0;
  bool given_out = false;
  unsigned sent = 0;
  samara_node_event event;
  do {
    CHECK(samara_node_send_confirmed(&left.node, message, size, &id) == 0,
          "send");
    sent += (unsigned)left.units;
    event = carry_some(&left, &right, lost);
    lost = 0;
    if (event.kind == SAMARA_NODE_MESSAGE) {
      CHECK(!given_out && event.id == id && event.message_size == size,
            "%u of %u bytes", (unsigned)event.message_size, (unsigned)size);
      CHECK_BYTES(event.message, message, size, "the message");
      given_out = true;
    }
    if (event.wants_acknowledgement) {
      CHECK(samara_node_acknowledge(&right.node, &event) == 0, "answer");
      event = carry_all(&right, &left);
    }
  } while (event.kind != SAMARA_NODE_ACKNOWLEDGED ||
           event.status == samara_node_incomplete);
  CHECK(given_out && event.status == samara_node_delivered, "status %u",
        event.status);
  CHECK(sent <= 2 * count + 1, "%u units for %u parts", sent, (unsigned)count);
}

static void test_parts_lost(void) {
  uint8_t message[long_message];
  begin_both();
  fill_random(message, sizeof message);
  const size_t size = 4 * part_size() + 3;
  for (uint64_t lost = 0; lost < 32; lost++) {
    deliver(message, size, lost);
  }
  deliver(message, sizeof message, 0x5555);
  deliver(message, 2 * part_size(), 1);
  deliver(message, part_size() + 1, 2);
}

static void test_parts_of_all_sizes(void) {
  uint8_t message[long_message];
  begin_both();
  fill_random(message, sizeof message);
  message[0] = samara_node_escape;
  for (size_t size = link_kind->payload_size - 1; size <= sizeof message;
       size += 1 + size % 5) {
    CHECK(samara_node_send(&left.node, message, size) == 0, "send");
    const samara_node_event event = carry_some(&left, &right, 0);
    CHECK(event.kind == SAMARA_NODE_MESSAGE && event.message_size == size &&
              !event.wants_acknowledgement,
          "%u bytes", (unsigned)size);
    CHECK_BYTES(event.message, message, size, "the message");
  }
}

/* A message that is too long for the receiver is refused, once and for all;
 * and so is one without room for parts. */
static void test_parts_too_long(void) {
  uint8_t message[long_message + 1];
  uint32_t id = 0;
  begin_both();
  fill_random(message, sizeof message);
  CHECK(samara_node_send_confirmed(&left.node, message, sizeof message, &id) ==
            0,
        "send");
  (void)carry_some(&left, &right, 0);
  CHECK(asked_again(message, sizeof message, id, SAMARA_NODE_UNKNOWN) ==
            samara_node_unknown,
        "too long");
  deliver(message, long_message, 0);
  right.node.parts = NULL;
  id = 0;
  CHECK(samara_node_send_confirmed(&left.node, message, long_message, &id) == 0,
        "send");
  CHECK(carry_some(&left, &right, 0).kind == SAMARA_NODE_UNKNOWN, "no room");
}

/* Parts that do not belong together are no message. */
static void test_wrong_parts(void) {
  static const uint8_t rows[][12] = {
      {0xf5, 0x10, 0, 0, 1, 0, 0, 0, 'a', 'b', 'c'},
      {0xf5, 0x10, 0, 0, 1, 0, 0, 1, 'd', 'e'}, /* shorter than the first */
      {0xf5, 0x11, 0, 0, 1, 0, 0, 2, 'f', 'g'},
      {0xf5, 0x11, 0, 0, 2, 0, 0, 1, 'h', 'i'}, /* longer than the first */
      {0xf5, 0x10, 0, 0, 2, 0, 0, 0, 'j'},
      {0xf5, 0x11, 0, 0, 2, 0, 0, 1, 'h', 'i'},
      {0xf5, 0x11, 0, 0, 3, 0, 0xff, 0xff, 'k'}, /* beyond all parts */
      {0xf5, 0x10, 0, 0, 4, 0, 0, 64, 'l'},
      {0xf5, 0x10, 0, 0, 5, 0, 0, 0}, /* nothing in it */
      {0xf5, 0x11, 0, 0, 6, 0, 0, 1, 'm'},
      {0xf5, 0x10, 0, 0, 6, 0, 0, 1, 'n'}, /* no longer the last */
  };
  static const uint8_t sizes[] = {11, 10, 10, 10, 9, 10, 9, 9, 8, 9, 9};
  begin_both();
  for (size_t i = 0; i < sizeof sizes; i++) {
    CHECK(samara_node_send_payload(&left.node, rows[i], sizes[i], NULL, 0) == 0,
          "payload");
    const samara_node_event event = carry_all(&left, &right);
    CHECK(event.kind == SAMARA_NODE_PART || event.kind == SAMARA_NODE_UNKNOWN,
          "row %u: kind %d", (unsigned)i, (int)event.kind);
  }
}

/* What a host says to be missing, and is no part of the message. */
static void test_wrong_missing(void) {
  uint8_t message[long_message];
  uint8_t ack[17] = {0xf5, 0x02, 0, 0, 0, 1, samara_node_incomplete};
  uint32_t id = 0;
  begin_both();
  fill_random(message, sizeof message);
  CHECK(samara_node_send_confirmed(&left.node, message, sizeof message, &id) ==
            0,
        "send");
  drop_all(&left);
  memset(ack + 9, 0xff, sizeof ack - 9);
  for (unsigned i = 0; i < 2; i++) {
    ack[7] = i == 0 ? 0xff : 0;
    ack[8] = i == 0 ? 0xf0 : 0;
    ack[5] = (uint8_t)id;
    CHECK(samara_node_send_payload(&right.node, ack, sizeof ack, NULL, 0) == 0,
          "tell");
    CHECK(carry_all(&right, &left).kind == SAMARA_NODE_ACKNOWLEDGED, "told");
    CHECK(samara_node_send_confirmed(&left.node, message, sizeof message,
                                     &id) == 0,
          "again");
    const size_t count = (sizeof message + part_size() - 1) / part_size();
    CHECK(left.units == (i == 0 ? 1 : count), "%u units", (unsigned)left.units);
    drop_all(&left);
  }
}

/* The receiver loses its power between two parts: the sender is told that all
 * of them are missing. */
static void test_parts_and_reset(void) {
  uint8_t message[long_message];
  uint32_t id = 0;
  begin_both();
  fill_random(message, sizeof message);
  const size_t size = 3 * part_size();
  CHECK(samara_node_send_confirmed(&left.node, message, size, &id) == 0,
        "send");
  size_t rest;
  CHECK(carry(&left, &right, &rest).kind == SAMARA_NODE_PART, "the first");
  reset(&right, 4);
  CHECK(samara_node_open(&right.node) == 0, "a reset");
  const samara_node_event event = carry_some(&left, &right, 0);
  CHECK(event.kind == SAMARA_NODE_PART && event.wants_acknowledgement,
        "one is missing");
  CHECK(samara_node_acknowledge(&right.node, &event) == 0, "answer");
  CHECK(carry_some(&right, &left, 0).status == samara_node_incomplete, "told");
  CHECK(samara_node_send_confirmed(&left.node, message, size, &id) == 0,
        "again");
  CHECK(left.units == 1 &&
            carry_some(&left, &right, 0).kind == SAMARA_NODE_MESSAGE,
        "the one that is missing is enough");
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
      {8, {0xf5, 0x02, 0, 0, 0, 1, 1, 0}, SAMARA_NODE_ACKNOWLEDGED, 0},
      {7, {0xf5, 0x15, 0, 0, 0, 1, 0}, SAMARA_NODE_UNKNOWN, 0},
      {9, {0xf5, 0x14, 0, 0, 0, 1, 0, 0, 9}, SAMARA_NODE_PART, 0},
      {9, {0xf5, 0x15, 0, 0, 0, 2, 0, 1, 9}, SAMARA_NODE_PART, 0},
      {8, {0xf5, 0x15, 0, 0, 0, 3, 0, 0}, SAMARA_NODE_MESSAGE, 0},
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
  CHECK(right.node.missing_id == 0, "half a place tells of no part");
  CHECK(samara_node_send(&right.node, NULL, 0) == 0, "with a skipped number");
  CHECK(carry_all(&right, &left).number == 0x10000, "that is told");
}

static void forget(end *self, uint8_t direction, uint8_t first) {
  uint8_t record[record_room];
  make_record_of(record, direction, first);
  CHECK(samara_node_forget(&self->node) == 0, "forget");
  CHECK(is_serial() ? all_zero((const uint8_t *)&self->key.serial,
                               sizeof self->key.serial)
                    : all_zero((const uint8_t *)&self->key.frames.key,
                               sizeof self->key.frames.key),
        "the key in RAM");
  reset(self, 4);
  CHECK(samara_node_open(&self->node) == SAMARA_STORE_ERROR_BLANK, "no key");
  CHECK(samara_node_adopt(&self->node, record, link_kind->record_size) == 0,
        "again");
  CHECK(samara_node_open(&self->node) == 0, "open");
}

static void test_forget(void) {
  begin_both();
  CHECK(samara_node_send(&left.node, NULL, 0) == 0, "number 0");
  drop_all(&left);
  forget(&left, 0, 1);
  CHECK(left.node.sent.next == 4, "the counter goes on");
}

/* Nothing is sent, taken or counted: the key in RAM is zeros, or of another
 * life. */
static void check_closed(end *self, const char *when) {
  static const uint8_t message[longest + 1] = {7};
  const samara_node_event asked = {.id = 1, .wants_acknowledgement = true};
  const uint64_t next = self->node.sent.next;
  const uint64_t expected = self->node.expected.next;
  samara_node_event event = {.kind = SAMARA_NODE_MESSAGE};
  size_t done = 0;
  uint32_t id = 0;
  for (size_t size = 0; size < 2 * sizeof message; size += sizeof message) {
    CHECK(samara_node_send(&self->node, message, size) ==
              SAMARA_NODE_ERROR_CLOSED,
          "%s: send", when);
    CHECK(samara_node_send_confirmed(&self->node, message, size, &id) ==
                  SAMARA_NODE_ERROR_CLOSED &&
              id == 0,
          "%s: send and ask", when);
  }
  CHECK(samara_node_acknowledge(&self->node, &asked) ==
            SAMARA_NODE_ERROR_CLOSED,
        "%s: acknowledge", when);
  CHECK(samara_node_receive(&self->node, &event, right.line, right.on_line,
                            &done) == SAMARA_NODE_ERROR_CLOSED,
        "%s: receive", when);
  CHECK(event.kind == SAMARA_NODE_NOTHING && event.message == NULL &&
            done == right.on_line,
        "%s: nothing is given out", when);
  CHECK(self->units == 0 && self->node.sent.next == next &&
            self->node.expected.next == expected,
        "%s: nothing is counted", when);
}

/* A node without its key neither sends nor takes what anybody can make. */
static void test_closed(void) {
  uint8_t record[record_room];
  make_record(record, 0);
  begin_both();
  if (is_serial()) {
    /* As a stranger does who knows what a wiped key is. */
    memset(&right.key.serial, 0, sizeof right.key.serial);
  }
  CHECK(samara_node_send(&right.node, record, 9) == 0, "of a stranger");
  memset(left.wire, 7, sizeof left.wire);
  memset(left.parts, 7, sizeof left.parts);
  memset(left.buffer, 7, sizeof left.buffer);
  samara_node_close(&left.node);
  CHECK(all_zero(left.wire, sizeof left.wire) &&
            all_zero(left.parts, sizeof left.parts) &&
            all_zero(left.buffer, sizeof left.buffer),
        "bytes in RAM");
  check_closed(&left, "closed");
  CHECK(samara_node_open(&left.node) == 0, "open");
  left.model.fails_to_read = true;
  CHECK(samara_node_open(&left.node) == SAMARA_STORE_ERROR_READ, "no memory");
  check_closed(&left, "not open");
  left.model.fails_to_read = false;
  left.node.wire_size = 1;
  CHECK(samara_node_open(&left.node) == SAMARA_NODE_ERROR_SETTINGS, "no room");
  left.node.wire_size = sizeof left.wire;
  check_closed(&left, "of wrong settings");
  CHECK(samara_node_open(&left.node) == 0, "open");
  CHECK(samara_node_forget(&left.node) == 0, "forget");
  check_closed(&left, "forgotten");
  CHECK(samara_node_adopt(&left.node, record, link_kind->record_size) == 0,
        "adopt");
  check_closed(&left, "adopted");
  CHECK(samara_node_open(&left.node) == 0, "open");
  CHECK(samara_node_send(&left.node, record, 9) == 0, "with its key");
}

/* A new host begins with number 0 and low ids: a device that got its key takes
 * them, and its own counter goes on. */
static void test_new_key(void) {
  static const uint8_t message[1] = {9};
  begin_both();
  for (unsigned key = 1; key < 4; key++) {
    if (key > 1) {
      forget(&right, 1, (uint8_t)key);
      begin(&left, 0, 0, 1);
      forget(&left, 0, (uint8_t)key);
    }
    for (uint8_t i = 0; i < 6; i++) {
      uint32_t id = 0;
      CHECK(samara_node_send_confirmed(&left.node, message, 1, &id) == 0,
            "send");
      const samara_node_event event = carry_all(&left, &right);
      CHECK(event.kind == SAMARA_NODE_MESSAGE && event.number == i &&
                event.lost == 0,
            "key %u, message %u", key, i);
    }
  }
}

/* One life of a device: it is provisioned where needed, and sends. */
static void live(end *self, uint32_t step, const uint8_t *record) {
  int result = samara_node_open(&self->node);
  if (result == SAMARA_STORE_ERROR_BLANK) {
    result = samara_node_adopt(&self->node, record, link_kind->record_size);
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

/* Numbers on the line, of which the high bytes are 0: low byte first in frames,
 * last on a serial line. */
static long highest_number(end *self, long before) {
  for (; self->units != 0; drop(self)) {
    const uint8_t *low = self->line + link_kind->number_at;
    const ptrdiff_t up = is_serial() ? -1 : 1;
    const long found = (long)low[up] << 8 | low[0];
    CHECK(low[2 * up] == 0 && low[3 * up] == 0 && found > before,
          "number %ld after %ld", found, before);
    before = found;
  }
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
  uint8_t record[record_room];
  make_record(record, 0);
  for (unsigned tear = 0; tear < MODEL_TEARS; tear++) {
    unsigned long at = 0;
    do {
      memset(&left, 0, sizeof left);
      model_init(&left.model, page != 0 ? 8 * page : memory_size, page, unit,
                 0xff);
    } while (live_thrice(step, record, at++, (model_tear)tear));
    CHECK(at > 50, "%lu steps", at);
  }
}

/* The receiver's power fails at every step of a message that is acknowledged:
 * it is given out once at most, and if the sender learns that it was delivered,
 * it was. */
static unsigned live_and_receive(const uint8_t *message, uint32_t *id) {
  unsigned given = 0;
  if (setjmp(right.model.dark) != 0) {
    drop_all(&left);
    drop_all(&right);
    return 0;
  }
  if (!CHECK(samara_node_open(&right.node) == 0, "open")) {
    return 0;
  }
  CHECK(samara_node_send_confirmed(&left.node, message, 4, id) == 0, "send");
  samara_node_event event = carry_some(&left, &right, 0);
  given = event.kind == SAMARA_NODE_MESSAGE ? 1 : 0;
  CHECK(samara_node_acknowledge(&right.node, &event) == 0, "answer");
  event = carry_some(&right, &left, 0);
  CHECK(event.kind == SAMARA_NODE_ACKNOWLEDGED &&
            event.status ==
                (given == 1 ? samara_node_delivered : samara_node_unknown),
        "status %u", event.status);
  return given;
}

static void test_cuts_of_receiver(void) {
  static const uint8_t message[4] = {4, 3, 2, 1};
  for (unsigned tear = 0; tear < MODEL_TEARS; tear++) {
    unsigned given = 1;
    for (unsigned long at = 0; at < 60; at++) {
      uint32_t id = 0;
      begin_both();
      reset(&right, 4);
      model_cut_after(&right.model, at, (model_tear)tear);
      const unsigned first = live_and_receive(message, &id);
      reset(&right, 4);
      model_stay_powered(&right.model);
      given = first + (id == 0 ? 0 : live_and_receive(message, &id));
      CHECK(given <= 1, "given out %u times", given);
    }
    CHECK(given == 1, "without a cut it is given out");
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
            (is_serial() ? all_zero(right.message, sizeof right.message)
                         : all_zero(right.buffer + 15, 8)),
        "nothing is released");
}

/* What a frame says of itself is what its record tells. */
static void check_form(uint8_t control, uint8_t form) {
  samara_ieee802154_frame frame;
  CHECK(samara_ieee802154_parse(&frame, left.line, left.sizes[0]) ==
            SAMARA_IEEE802154_OK,
        "a frame");
  const unsigned version = frame.control >> 12 & 3;
  const bool is_long = frame.source.kind == SAMARA_IEEE802154_LONG;
  CHECK(version == (form % 2 != 0 ? 2u : 1u) && is_long == (form >= 2) &&
            frame.sequence == frame.frame_counter && frame.sequence == 1 &&
            frame.key_index == (control >> 3 != 0 ? frames_key_index : 0) &&
            frame.destination.pan == 0xcafe,
        "control %02x, form %u: its header", control, form);
}

/* All levels, key id modes, versions and forms of addresses that there are. */
static void test_forms(void) {
  uint8_t message[room];
  fill_random(message, sizeof message);
  for (uint8_t control = 0; control < 0x40; control++) {
    for (uint8_t form = 0; form < 8; form++) {
      const kind one = {
          &samara_node_ieee802154, frames_record_size, 0, 0, control, form};
      uint8_t record[record_room];
      link_kind = &one;
      if (control < 0x20 && form < 4 && (control & 3) != 0) {
        begin_both();
        const size_t size = left.node.payload_size;
        message[0] = 1;
        CHECK(samara_node_send(&left.node, NULL, 0) == 0, "number 0");
        drop_all(&left);
        CHECK(samara_node_send(&left.node, message, size) == 0, "send");
        check_form(control, form);
        CHECK(left.units == 1 && left.on_line == samara_node_frame_size,
              "a full frame of %u", (unsigned)left.on_line);
        const samara_node_event event = carry_all(&left, &right);
        CHECK(event.kind == SAMARA_NODE_MESSAGE && event.message_size == size,
              "control %02x, form %u", control, form);
        CHECK_BYTES(event.message, message, size, "the message");
        continue;
      }
      memset(&left, 0, sizeof left);
      model_init(&left.model, memory_size, 0, 1, 0xff);
      reset(&left, 4);
      make_record(record, 0);
      CHECK(samara_node_adopt(&left.node, record, sizeof record) ==
                SAMARA_NODE_ERROR_SETTINGS,
            "control %02x, form %u", control, form);
    }
  }
  link_kind = &frames;
}

/* Every bit of a frame counts. Some are of the address that it is for, or make
 * another frame of it. */
static void test_changed_frames(void) {
  static const uint8_t message[4] = {1, 2, 3, 4};
  begin_both();
  CHECK(samara_node_send(&left.node, message, 4) == 0, "send");
  for (size_t bit = 0; bit < 8 * left.sizes[0]; bit++) {
    samara_node_event event;
    size_t done;
    uint8_t changed[room];
    memcpy(changed, left.line, left.sizes[0]);
    changed[bit / 8] ^= (uint8_t)(1u << bit % 8);
    CHECK(samara_node_receive(&right.node, &event, changed, left.sizes[0],
                              &done) == 0 &&
              event.kind == SAMARA_NODE_NOTHING && event.message == NULL,
          "bit %u", (unsigned)bit);
  }
  CHECK(carry_all(&left, &right).kind == SAMARA_NODE_MESSAGE, "the frame");
  CHECK(samara_node_send(&left.node, message, 4) == 0, "send");
  const samara_node_event event = carry_all(&left, &left);
  CHECK(event.kind == SAMARA_NODE_NOTHING, "a frame of its own");
}

/* A genuine frame of the host that is for another device, or for all. */
static void test_frames_for_others(void) {
  static const size_t at = 5; /* behind control, sequence number and PAN */
  begin_both();
  left.key.frames.header[at] ^= 1;
  CHECK(samara_node_send(&left.node, NULL, 0) == 0, "for another one");
  CHECK(carry_all(&left, &right).kind == SAMARA_NODE_NOTHING, "is nothing");
  left.key.frames.header[at] ^= 1;
  CHECK(samara_node_send(&left.node, NULL, 0) == 0, "for this one");
  CHECK(carry_all(&left, &right).kind == SAMARA_NODE_MESSAGE, "is a message");
}

/* The last counter is never used. */
static void test_frame_counter_end(void) {
  begin_both();
  CHECK(samara_store_counter_pass(&left.node.sent, UINT32_MAX - 2) == 0,
        "far ahead");
  CHECK(samara_node_send(&left.node, NULL, 0) == 0, "the last but one");
  CHECK(carry_all(&left, &right).lost == UINT32_MAX - 1, "arrives");
  CHECK(samara_node_send(&left.node, NULL, 0) == SAMARA_ERROR_COUNTER,
        "the end");
  CHECK(left.units == 0, "nothing is sent");
}

/* The frame that cannot be sent leaves nothing of its message. */
static void test_seal_fails(void) {
  static const uint8_t message[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  begin_both();
  CHECK(samara_store_counter_pass(&left.node.sent, UINT32_MAX - 1) == 0,
        "the last one");
  CHECK(samara_node_send(&left.node, message, 9) == SAMARA_ERROR_COUNTER,
        "the end");
  CHECK(all_zero(left.wire, sizeof left.wire), "the message in RAM");
}

static void end_record(uint8_t *record) {
  const size_t size = link_kind->record_size - 4;
  samara_store32_le(record + size,
                    ~samara_crc32(SAMARA_CRC32_BEGIN, record, size));
}

/* A record of frames whose check is right, and whose settings are not. */
static void test_wrong_frame_records(void) {
  uint8_t record[record_room];
  for (unsigned i = 0; i < 4; i++) {
    memset(&left, 0, sizeof left);
    model_init(&left.model, memory_size, 0, 1, 0xff);
    reset(&left, 4);
    make_record(record, 0);
    if (i == 1) {
      record[9] = 1; /* reserved */
    } else if (i == 2) {
      memcpy(record + 24, record + 16, 8); /* the host's address is our own */
    } else if (i == 3) {
      record[5] = 8 | 7; /* a MIC of 16 bytes, of a cipher with 8 */
      left.key.frames.cipher = &samara_ieee802154_grain128aead;
    }
    end_record(record);
    CHECK(samara_node_adopt(&left.node, record, link_kind->record_size) ==
              (i == 0 ? 0 : SAMARA_NODE_ERROR_SETTINGS),
          "record %u", i);
  }
}

/* A frame of 2015 with a list of header elements that ends so, and 3 bytes. */
static void send_with_elements(uint32_t number, uint8_t termination) {
  samara_node_frames *frames_of_left = &left.key.frames;
  const samara_ieee802154_counter counter = {number, 0};
  const uint8_t rest[5] = {termination, 0x3f, 7, 8, 9};
  const size_t head = frames_of_left->header_size;
  uint8_t frame[room];
  size_t size = 0;
  memcpy(frame, frames_of_left->header, head);
  frame[1] |= 2; /* elements are present */
  memcpy(frame + head, rest, sizeof rest);
  CHECK(samara_ieee802154_set_transmit_counter(&frames_of_left->security, 0,
                                               counter) == 0 &&
            samara_ieee802154_protect(&frames_of_left->security, &size, NULL,
                                      frame, head + sizeof rest,
                                      sizeof frame) == 0,
        "a frame with elements");
  CHECK(put(&left, frame, size), "on the line");
}

/* Elements of the header are not the message; those of the payload are no
 * message at all. */
static void test_elements(void) {
  const kind of_2015 = {
      &samara_node_ieee802154, frames_record_size, 106, 10, 8 | 5, 1};
  const kind *before = link_kind;
  link_kind = &of_2015;
  begin_both();
  send_with_elements(0, 0x80);
  const samara_node_event event = carry_all(&left, &right);
  CHECK(event.kind == SAMARA_NODE_MESSAGE && event.message_size == 3 &&
            event.message[0] == 7 && event.message[2] == 9,
        "3 bytes behind the elements");
  send_with_elements(1, 0x00);
  CHECK(carry_all(&left, &right).kind == SAMARA_NODE_NOTHING,
        "elements of the payload");
  link_kind = before;
}

/* The standard has longer frames than the buffer must have room for. */
static void test_frame_too_long(void) {
  samara_node_event event;
  uint8_t frame[2 * room] = {0};
  size_t done;
  begin_both();
  reset(&right, 4);
  right.node.buffer_size = samara_node_frame_size;
  CHECK(samara_node_open(&right.node) == 0, "with the least buffer");
  memset(right.buffer, 0x5a, sizeof right.buffer);
  memcpy(frame, left.key.frames.header, left.key.frames.header_size);
  for (size_t size = samara_node_frame_size + 1; size <= sizeof frame; size++) {
    CHECK(samara_node_receive(&right.node, &event, frame, size, &done) == 0 &&
              event.kind == SAMARA_NODE_NOTHING &&
              right.buffer[samara_node_frame_size] == 0x5a,
          "a frame of %u bytes", (unsigned)size);
  }
}

/* A part has 10 bytes, and 65,536 of them are the most. */
static void test_too_many_parts(void) {
  static const size_t size = 655361; /* of a message that nobody reads */
  static const uint8_t message[1024] = {0};
  begin_both();
  reset(&left, 4);
  left.node.message_size_max = 9;
  CHECK(samara_node_open(&left.node) == SAMARA_NODE_ERROR_SETTINGS,
        "no room to tell what is missing");
  reset(&left, 4);
  left.node.message_size_max = 10;
  CHECK(samara_node_open(&left.node) == 0, "short units");
  CHECK(samara_node_send(&left.node, message, size) ==
                SAMARA_ERROR_MESSAGE_SIZE &&
            left.units == 0,
        "one part too many");
}

/* An odd number of pages is left for two counters. */
static void test_odd_pages(void) {
  uint8_t record[record_room];
  make_record(record, 0);
  memset(&left, 0, sizeof left);
  model_init(&left.model, 9 * 128, 128, 8, 0xff);
  reset(&left, 4);
  CHECK(samara_node_adopt(&left.node, record, link_kind->record_size) == 0 &&
            samara_node_open(&left.node) == 0,
        "nine pages");
}

static void test_texts(void) {
  for (int result = -200; result <= 0; result++) {
    CHECK(samara_node_result_text(result) != NULL, "a text");
  }
}

/* A key whose counter is gone is no new device: it would begin again. */
static void test_counter_gone(void) {
  for (unsigned i = 0; i < 3; i++) {
    begin(&left, 0, 0, 1);
    const samara_store_ring *const rings[] = {
        &left.node.sent.ring, &left.node.expected.ring, &left.node.taken.ring};
    memset(left.model.bytes + rings[i]->first, 0xff, rings[i]->size);
    CHECK(rings[i]->id != rings[(i + 1) % 3]->id &&
              rings[i]->id != left.node.identity.id,
          "an id of its own");
    reset(&left, 4);
    CHECK(samara_node_open(&left.node) == SAMARA_STORE_ERROR_LOST,
          "counter %u is gone", i);
  }
}

static void test_unreadable(void) {
  uint8_t record[record_room];
  make_record(record, 0);
  memset(&left, 0, sizeof left);
  model_init(&left.model, memory_size, 0, 1, 0xff);
  reset(&left, 4);
  left.model.fails_to_read = true;
  CHECK(samara_node_adopt(&left.node, record, link_kind->record_size) ==
            SAMARA_STORE_ERROR_READ,
        "nobody knows whether it has a key");
}

/* Numbers of what is received have 32 bits beside the key. */
static void test_expected_end(void) {
  uint8_t record[record_room];
  make_record(record, 0);
  begin(&left, 0, 0, 1);
  CHECK(samara_store_counter_pass(&left.node.expected, UINT32_MAX) == 0,
        "the last one");
  reset(&left, 4);
  CHECK(samara_node_open(&left.node) ==
            (is_serial() ? SAMARA_OK : (int)SAMARA_ERROR_COUNTER),
        "no frame can come");
  CHECK(samara_node_forget(&left.node) == 0, "forget");
  CHECK(samara_node_adopt(&left.node, record, link_kind->record_size) ==
            SAMARA_STORE_ERROR_END,
        "a new key");
}

/* What the host could not be told is told the next time. */
static void test_restart_is_told_later(void) {
  begin_both();
  CHECK(samara_node_send(&left.node, NULL, 0) == 0, "number 0");
  drop_all(&left);
  reset(&left, 4);
  CHECK(samara_node_open(&left.node) == 0, "after a reset");
  left.line_is_broken = true;
  CHECK(samara_node_send(&left.node, NULL, 0) == SAMARA_NODE_ERROR_WRITE,
        "no line");
  left.line_is_broken = false;
  CHECK(samara_node_send(&left.node, NULL, 0) == 0 && left.units == 2,
        "a notice and a message");
}

/* Of two messages that wait, what is missing of one is sent once. */
static void test_missing_of_another(void) {
  uint8_t message[long_message];
  uint8_t ack[17] = {0xf5, 0x02, 0, 0, 0, 0, samara_node_incomplete};
  uint32_t ids[2] = {0, 0};
  begin_both();
  fill_random(message, sizeof message);
  for (unsigned i = 0; i < 2; i++) {
    CHECK(samara_node_send_confirmed(&left.node, message, sizeof message,
                                     &ids[i]) == 0,
          "send");
    drop_all(&left);
  }
  ack[5] = (uint8_t)ids[0];
  /* All, then two. */
  memset(ack + 9, 0xff, sizeof ack - 9);
  tell(&right, ack, sizeof ack);
  (void)carry_all(&right, &left);
  CHECK(samara_node_send_confirmed(&left.node, message, sizeof message,
                                   &ids[1]) == 0 &&
            left.units == 1,
        "the last part of the other one asks");
  drop_all(&left);
  tell(&right, ack, sizeof ack);
  (void)carry_all(&right, &left);
  ack[9] = 3;
  tell(&right, ack, 10);
  (void)carry_all(&right, &left);
  for (unsigned times = 0; times < 2; times++) {
    CHECK(samara_node_send_confirmed(&left.node, message, sizeof message,
                                     &ids[0]) == 0 &&
              left.units == 2 - times,
          "%u units, time %u", (unsigned)left.units, times);
    drop_all(&left);
  }
}

/* The id of a message cannot be stored: nothing of it is told. */
static void test_id_not_stored(void) {
  samara_node_event event;
  size_t done;
  uint32_t id = 0;
  begin_both();
  const samara_store_ring *taken = &right.node.taken.ring;
  memset(right.model.stuck_low + taken->first, 0xff, taken->size);
  CHECK(samara_node_send_confirmed(&left.node, NULL, 0, &id) == 0, "send");
  CHECK(samara_node_receive(&right.node, &event, left.line, left.on_line,
                            &done) == SAMARA_STORE_ERROR_WORN,
        "worn");
  CHECK(event.kind == SAMARA_NODE_NOTHING && event.id == 0 &&
            !event.wants_acknowledgement,
        "nothing is told");
}

/* What holds for every link. */
static void test_link(void) {
  test_records();
  test_refused_record();
  test_buffers();
  test_messages();
  test_losses_and_replays();
  test_acknowledgements();
  test_ids_survive();
  test_parts_lost();
  test_parts_of_all_sizes();
  test_parts_too_long();
  test_wrong_parts();
  test_parts_and_reset();
  test_wrong_missing();
  test_notices();
  test_forget();
  test_closed();
  test_new_key();
  test_cuts(0, 1, 1);
  test_cuts(0, 1, 4);
  test_cuts(page_size, 8, 2);
  test_cuts_of_receiver();
  test_hostile_bytes();
  test_worn_memory();
  test_counter_gone();
  test_unreadable();
  test_expected_end();
  test_restart_is_told_later();
  test_missing_of_another();
  test_id_not_stored();
}

int main(void) {
  static const kind *const kinds[] = {&serial, &frames};
  for (unsigned i = 0; i < 2; i++) {
    link_kind = kinds[i];
    test_link();
  }
  test_forms();
  test_changed_frames();
  test_frames_for_others();
  test_frame_counter_end();
  test_seal_fails();
  test_wrong_frame_records();
  test_elements();
  test_frame_too_long();
  link_kind = &serial;
  test_too_many_parts();
  test_odd_pages();
  test_room();
  test_texts();
  return check_report();
}
