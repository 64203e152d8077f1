/* SPDX-License-Identifier: Apache-2.0 */

/* A node for a device: its frames are those of the host's nodes, and neither
 * resets, cuts in writes, replays nor hostile bytes bring a counter back.
 *
 * The frames were made by samara.link.rfserial.Sender with the settings of the
 * record below: a start notice, "21.5 C", "\xf5\x01" as a message, one that is
 * to be acknowledged, and an empty one. */

#include "check.h"
#include <samara/samara.h>
#include <string.h>

enum { ring_size = 12 * 6, message_max = 16, wire_max = 48, unit_max = 24 };

static const uint8_t record[] = {'S',  'M', 'N', 1,  0,  12, 8,  4,  0x12,
                                 0x34, 16,  0,   1,  2,  3,  4,  5,  6,
                                 7,    8,   9,   10, 11, 12, 13, 14, 15};

static const uint8_t sent_start[] = {
    0x03, 0x00, 0x00, 0x00, 0x00, 0xc9, 0xd7, 0xa8, 0x6f, 0xeb, 0x3e, 0x66,
    0x8b, 0xba, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x09};
static const uint8_t sent_text[] = {
    0x03, 0x00, 0x00, 0x00, 0x01, 0xd2, 0x0f, 0x7f, 0xce, 0xb8, 0xe6, 0x0f,
    0x14, 0xcb, 0xf0, 0xe9, 0x76, 0xd1, 0x36, 0x00, 0x00, 0x00, 0x00, 0x05};
static const uint8_t sent_marked[] = {
    0x03, 0x00, 0x00, 0x00, 0x02, 0x95, 0x67, 0x61, 0x6c, 0xc0, 0x4f, 0xdb,
    0x77, 0x59, 0x64, 0x50, 0xa6, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x07};
static const uint8_t heard[5][unit_max] = {
    {0x03, 0x00, 0x00, 0x00, 0x00, 0x6f, 0x07, 0x79, 0x09, 0x74, 0xac, 0x37,
     0x13, 0xd6, 0xe3, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x09},
    {0x03, 0x00, 0x00, 0x00, 0x01, 0x90, 0x80, 0x37, 0x7f, 0x69, 0x5a, 0x48,
     0x97, 0x8b, 0x27, 0x2f, 0x89, 0x9c, 0x8f, 0x00, 0x00, 0x00, 0x00, 0x05},
    {0x03, 0x00, 0x00, 0x00, 0x02, 0x00, 0xce, 0xf1, 0xe7, 0xbf, 0x9b, 0x78,
     0x2d, 0x1f, 0x0a, 0xf4, 0x45, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x07},
    {0x03, 0x00, 0x00, 0x00, 0x03, 0xd2, 0xdf, 0x67, 0x2b, 0x0b, 0x31, 0xcf,
     0x2f, 0xb7, 0x4b, 0x10, 0xc9, 0xeb, 0x7b, 0x7c, 0xd6, 0x22, 0x00, 0x02},
    {0x03, 0x00, 0x00, 0x00, 0x04, 0x78, 0x1a, 0x6d, 0xc1, 0xa2, 0xe7, 0x18,
     0xd4, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x0b}};

static uint8_t cells[2 * ring_size];
static size_t writes_left; /* bytes until the power is cut */

static bool ram_read(void *context, uint32_t address, uint8_t *bytes,
                     size_t size) {
  (void)context;
  memcpy(bytes, cells + address, size);
  return true;
}

static bool ram_write(void *context, uint32_t address, const uint8_t *bytes,
                      size_t size) {
  (void)context;
  for (size_t i = 0; i < size; i++) {
    if (writes_left == 0) {
      return false;
    }
    writes_left--;
    cells[address + i] = bytes[i];
  }
  return true;
}

static const samara_store_memory memory = {.read = ram_read,
                                           .write = ram_write,
                                           .write_unit = 1,
                                           .erased_value = 0xff};

static samara_store_counter sent, expected;
static samara_aes128_key state;
static uint8_t wire[wire_max], buffer[2 * wire_max], opened[message_max + 2];
static uint8_t out[wire_max];
static size_t out_size;
static bool out_works;

static bool output(void *context, const uint8_t *bytes, size_t size) {
  (void)context;
  out_size = size;
  memcpy(out, bytes, size);
  return out_works;
}

/* As after a reset: nothing but the cells of the memory is left. */
static samara_node reset(uint32_t step) {
  memset(wire, 0xa5, sizeof wire);
  writes_left = SIZE_MAX;
  out_works = true;
  out_size = 0;
  sent = (samara_store_counter){
      .ring = {.memory = &memory, .size = ring_size, .step = step, .id = 1}};
  expected = (samara_store_counter){.ring = {.memory = &memory,
                                             .first = ring_size,
                                             .size = ring_size,
                                             .step = 1,
                                             .id = 2}};
  return (samara_node){.aead = &samara_aes128_ccm_aead,
                       .key = &state,
                       .sent = &sent,
                       .expected = &expected,
                       .output = output,
                       .wire = wire,
                       .wire_size = sizeof wire,
                       .buffer = buffer,
                       .buffer_size = sizeof buffer,
                       .message = opened,
                       .message_size_max = message_max};
}

static void check_node(samara_node_result got, samara_node_result want,
                       const char *what) {
  CHECK(got == want, "%s: %s, not %s", what, samara_node_result_text(got),
        samara_node_result_text(want));
}

static samara_node provisioned(uint32_t step) {
  memset(cells, 0xff, sizeof cells);
  samara_node node = reset(step);
  check_node(samara_node_provision(&node, record, sizeof record),
             SAMARA_NODE_OK, "provision");
  check_node(samara_node_open(&node, record, sizeof record), SAMARA_NODE_OK,
             "open");
  return node;
}

static samara_node reopened(uint32_t step) {
  samara_node node = reset(step);
  check_node(samara_node_open(&node, record, sizeof record), SAMARA_NODE_OK,
             "open again");
  return node;
}

static samara_node_event receive(samara_node *node, const uint8_t *bytes,
                                 size_t size, samara_node_result want) {
  samara_node_event event;
  size_t taken = 0;
  check_node(samara_node_receive(node, &event, bytes, size, &taken), want,
             "receive");
  CHECK(taken == size, "took %zu of %zu bytes", taken, size);
  return event;
}

static uint32_t number_sent(void) {
  return (uint32_t)out[1] << 24 | (uint32_t)out[2] << 16 |
         (uint32_t)out[3] << 8 | out[4];
}

static void check_frames_sent(void) {
  samara_node node = provisioned(4);
  check_node(samara_node_send_start(&node), SAMARA_NODE_OK, "start notice");
  CHECK(out_size == unit_max, "size %zu", out_size);
  CHECK_BYTES(out, sent_start, unit_max, "start notice");
  check_node(samara_node_send(&node, (const uint8_t *)"21.5 C", 6),
             SAMARA_NODE_OK, "send");
  CHECK_BYTES(out, sent_text, unit_max, "text");
  check_node(samara_node_send(&node, (const uint8_t *)"\xf5\x01", 2),
             SAMARA_NODE_OK, "send what looks like a notice");
  CHECK_BYTES(out, sent_marked, unit_max, "marked text");
}

static void check_frames_heard(void) {
  samara_node node = provisioned(4);
  samara_node_event event = receive(&node, heard[0], unit_max, SAMARA_NODE_OK);
  CHECK(event.kind == SAMARA_NODE_STARTED, "a start");
  event = receive(&node, heard[1], unit_max, SAMARA_NODE_OK);
  CHECK(event.kind == SAMARA_NODE_MESSAGE && event.number == 1 &&
            event.lost == 0 && event.message_size == 6,
        "the text");
  CHECK_BYTES(event.message, (const uint8_t *)"21.5 C", 6, "the text");
  event = receive(&node, heard[2], unit_max, SAMARA_NODE_OK);
  CHECK(event.kind == SAMARA_NODE_MESSAGE && event.message_size == 2,
        "the marked text");
  CHECK_BYTES(event.message, (const uint8_t *)"\xf5\x01", 2, "marked text");
  event = receive(&node, heard[3], unit_max, SAMARA_NODE_OK);
  CHECK(event.kind == SAMARA_NODE_OTHER && event.message == NULL &&
            all_zero(opened, sizeof opened),
        "a part is not released");
  event = receive(&node, heard[4], unit_max, SAMARA_NODE_OK);
  CHECK(event.kind == SAMARA_NODE_MESSAGE && event.message_size == 0,
        "an empty message");
}

/* Before a reset and after it; the device's own frames do not open either. */
static void check_replays(void) {
  samara_node node = provisioned(4);
  samara_node_event event = receive(&node, heard[2], unit_max, SAMARA_NODE_OK);
  CHECK(event.kind == SAMARA_NODE_MESSAGE && event.lost == 2, "two lost");
  for (unsigned life = 0; life < 2; life++) {
    for (unsigned i = 0; i <= 2; i++) {
      memset(opened, 0, sizeof opened);
      event = receive(&node, heard[i], unit_max, SAMARA_NODE_OK);
      CHECK(event.kind == SAMARA_NODE_REPEATED && event.message == NULL &&
                all_zero(opened, sizeof opened),
            "replay %u in life %u", i, life);
    }
    node = reopened(4);
  }
  event = receive(&node, sent_text, unit_max, SAMARA_NODE_OK);
  CHECK(event.kind == SAMARA_NODE_NOTHING, "its own frame");
  event = receive(&node, heard[4], unit_max, SAMARA_NODE_OK);
  CHECK(event.kind == SAMARA_NODE_MESSAGE && event.lost == 1, "the next");
}

/* Each bit that is authenticated, and noise: no event, no write. */
static void check_hostile(void) {
  samara_node node = provisioned(4);
  writes_left = 0;
  const size_t sealed = 5 + 6 + 8;
  for (unsigned bit = 0; bit < 8 * sealed; bit++) {
    uint8_t forged[unit_max];
    memcpy(forged, heard[1], unit_max);
    forged[bit / 8] ^= (uint8_t)(1u << bit % 8);
    CHECK(receive(&node, forged, unit_max, SAMARA_NODE_OK).kind ==
              SAMARA_NODE_NOTHING,
          "bit %u", bit);
  }
  restart_random();
  for (unsigned i = 0; i < 2000; i++) {
    uint8_t noise[unit_max];
    fill_random(noise, sizeof noise);
    noise[0] = 3;
    CHECK(receive(&node, noise, unit_max, SAMARA_NODE_OK).kind ==
              SAMARA_NODE_NOTHING,
          "noise %u", i);
  }
  CHECK(expected.next == 0, "the counter has not moved");
  CHECK(all_zero(opened, sizeof opened), "nothing was released");
  node = reopened(4);
  CHECK(receive(&node, heard[1], unit_max, SAMARA_NODE_OK).kind ==
            SAMARA_NODE_MESSAGE,
        "the genuine one is still new");
}

/* What cannot be made durable is neither released nor sent. */
static void check_store_fails(void) {
  samara_node node = provisioned(4);
  writes_left = 0;
  const samara_node_event event =
      receive(&node, heard[1], unit_max, SAMARA_NODE_ERROR_STORE);
  CHECK(event.kind == SAMARA_NODE_NOTHING && event.message == NULL &&
            all_zero(opened, sizeof opened),
        "not released");
  check_node(samara_node_send(&node, (const uint8_t *)"x", 1),
             SAMARA_NODE_ERROR_STORE, "send");
  CHECK(out_size == 0 && wire[5] == 0, "nothing leaves, and no message stays");
  writes_left = SIZE_MAX;
  check_node(samara_node_send(&node, (const uint8_t *)"x", 1), SAMARA_NODE_OK,
             "send with a store");
  CHECK(number_sent() == 0, "no counter was used");
}

/* Lives that end at each byte of each write, and longer than a reservation. */
static void check_cuts(uint32_t step) {
  samara_node node = provisioned(step);
  uint32_t lowest = 0;
  for (unsigned life = 0; life < 400; life++) {
    const unsigned messages = life % (3 * step + 2);
    node = reopened(step);
    for (unsigned i = 0; i < messages; i++) {
      writes_left = i + 1 == messages ? life % 13 : SIZE_MAX;
      out_size = 0;
      const samara_node_result result =
          samara_node_send(&node, (const uint8_t *)"21.5 C", 6);
      CHECK((result == SAMARA_NODE_OK) == (out_size != 0), "life %u", life);
      if (out_size != 0) {
        CHECK(number_sent() >= lowest, "life %u repeats a counter", life);
        lowest = number_sent() + 1;
      }
    }
  }
  CHECK(lowest > 400 * step, "lives were too short: %u", (unsigned)lowest);
}

static void check_provisioning(void) {
  samara_node node = provisioned(4);
  check_node(samara_node_provision(&node, record, sizeof record),
             SAMARA_NODE_ERROR_PROVISIONED, "provision twice");
  memset(cells, 0xff, sizeof cells);
  node = reset(4);
  check_node(samara_node_open(&node, record, sizeof record),
             SAMARA_NODE_ERROR_STORE, "an erased memory");
  CHECK(node.store_result == SAMARA_STORE_ERROR_BLANK, "blank");
  memset(cells, 0, sizeof cells);
  node = reset(4);
  check_node(samara_node_provision(&node, record, sizeof record),
             SAMARA_NODE_ERROR_PROVISIONED, "a damaged memory");
  node = reset(4);
  check_node(samara_node_send(&node, record, 1), SAMARA_NODE_ERROR_CLOSED,
             "send before open");
  check_node(samara_node_send_start(&node), SAMARA_NODE_ERROR_CLOSED, "start");
  samara_node_event event;
  size_t taken = 1;
  check_node(samara_node_receive(&node, &event, record, 1, &taken),
             SAMARA_NODE_ERROR_CLOSED, "receive before open");
  CHECK(taken == 0 && event.kind == SAMARA_NODE_NOTHING, "nothing taken");
}

static void check_records(void) {
  samara_node node = provisioned(4);
  for (size_t size = 0; size < sizeof record; size++) {
    check_node(samara_node_open(&node, record, size), SAMARA_NODE_ERROR_RECORD,
               "a short record");
  }
  static const struct {
    uint8_t place, value;
  } wrong[] = {{0, 'T'}, {1, 'm'}, {2, 0},  {3, 2}, {4, 2},  {5, 0},
               {5, 241}, {6, 0},   {6, 18}, {7, 5}, {10, 15}};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    uint8_t changed[sizeof record];
    memcpy(changed, record, sizeof record);
    changed[wrong[i].place] = wrong[i].value;
    check_node(samara_node_open(&node, changed, sizeof changed),
               SAMARA_NODE_ERROR_RECORD, "a wrong record");
    CHECK(!node.is_open, "closed");
  }
}

static void check_rooms(void) {
  samara_node node = provisioned(4);
  const size_t needed = samara_node_wire_size(&samara_aes128_ccm_aead, record,
                                              sizeof record, message_max);
  CHECK(needed == 36, "wire size %zu", needed);
  CHECK(samara_node_wire_size(&samara_aes128_ccm_aead, record, 3, 1) == 0 &&
            samara_node_wire_size(&samara_aes128_ccm_aead, record,
                                  sizeof record, SIZE_MAX) == 0,
        "no size");
  node.wire_size = needed - 1;
  check_node(samara_node_open(&node, record, sizeof record),
             SAMARA_NODE_ERROR_ROOM, "wire");
  node.wire_size = needed;
  node.buffer_size = needed - 1;
  check_node(samara_node_open(&node, record, sizeof record),
             SAMARA_NODE_ERROR_ROOM, "buffer");
  node.buffer_size = needed;
  check_node(samara_node_open(&node, record, sizeof record), SAMARA_NODE_OK,
             "enough");
  uint8_t longest[message_max + 1] = {0xf5};
  check_node(samara_node_send(&node, longest, message_max), SAMARA_NODE_OK,
             "the longest message");
  CHECK(out_size == needed, "size %zu", out_size);
  check_node(samara_node_send(&node, longest, message_max + 1),
             SAMARA_NODE_ERROR_MESSAGE_SIZE, "one byte more");
  out_works = false;
  check_node(samara_node_send(&node, longest, 1), SAMARA_NODE_ERROR_OUTPUT,
             "no output");
  out_works = true;
  check_node(samara_node_send(&node, longest, 1), SAMARA_NODE_OK, "output");
  CHECK(number_sent() == 2, "the counter of the lost one was used");
}

static void check_close(void) {
  samara_node node = provisioned(4);
  (void)receive(&node, heard[1], unit_max, SAMARA_NODE_OK);
  samara_node_close(&node);
  CHECK(all_zero((const uint8_t *)&state, sizeof state) &&
            all_zero(wire, sizeof wire) && all_zero(opened, sizeof opened) &&
            all_zero(buffer, sizeof buffer),
        "key and messages are wiped");
  check_node(samara_node_send(&node, record, 1), SAMARA_NODE_ERROR_CLOSED,
             "closed");
}

int main(void) {
  check_frames_sent();
  check_frames_heard();
  check_replays();
  check_hostile();
  check_store_fails();
  check_cuts(1);
  check_cuts(2);
  check_cuts(7);
  check_provisioning();
  check_records();
  check_rooms();
  check_close();
  return check_report();
}
