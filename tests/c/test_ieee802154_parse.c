/* SPDX-License-Identifier: Apache-2.0 */

/* Reading frames: each refusal has its name, nothing past the end is read, and
 * what is read is written again, byte by byte. */

#include "ends.h"
#include <stdlib.h>
#include <string.h>

#define REFUSAL(code) SAMARA_IEEE802154_ERROR_##code

enum { N = SAMARA_IEEE802154_ABSENT, S = SAMARA_IEEE802154_SHORT };
enum { L = SAMARA_IEEE802154_LONG };

/* In memory of its own size, where the sanitizers see a step past its end. */
static samara_ieee802154_result parse_copy(samara_ieee802154_frame *frame,
                                           const uint8_t *bytes, size_t size) {
  uint8_t *copy = malloc(size == 0 ? 1 : size);
  if (size != 0) {
    memcpy(copy, bytes, size);
  }
  const samara_ieee802154_result result =
      samara_ieee802154_parse(frame, copy, size);
  free(copy);
  return result;
}

typedef struct refusal {
  samara_ieee802154_result want;
  uint8_t size;
  uint8_t bytes[24];
} refusal;

static const refusal refusals[] = {
    {REFUSAL(TRUNCATED), 0, {0}},
    {REFUSAL(TRUNCATED), 1, {0x01}},
    {REFUSAL(RESERVED_TYPE), 3, {0x04, 0x00, 1}},
    {REFUSAL(MULTIPURPOSE), 3, {0x05, 0x00, 1}},
    {REFUSAL(FRAGMENT), 3, {0x06, 0x00, 1}},
    {REFUSAL(EXTENDED), 3, {0x07, 0x00, 1}},
    {REFUSAL(VERSION), 3, {0x01, 0x30, 1}},
    {REFUSAL(ADDRESS_MODE), 3, {0x01, 0x04, 1}},
    {REFUSAL(ADDRESS_MODE), 3, {0x01, 0x60, 1}},
    /* One address, and its PAN left out. */
    {REFUSAL(PAN_COMPRESSION), 5, {0x41, 0x08, 1, 2, 0}},
    {REFUSAL(PAN_COMPRESSION), 5, {0x41, 0x90, 1, 2, 0}},
    {REFUSAL(PAN_COMPRESSION), 3, {0x41, 0x10, 1}},
    /* Acknowledgements with payload, address, security. */
    {REFUSAL(ACKNOWLEDGEMENT), 4, {0x02, 0x00, 1, 0}},
    {REFUSAL(ACKNOWLEDGEMENT), 7, {0x02, 0x80, 1, 0, 0, 0, 0}},
    {REFUSAL(ACKNOWLEDGEMENT), 7, {0x02, 0x08, 1, 0, 0, 0, 0}},
    {REFUSAL(ACKNOWLEDGEMENT), 4, {0x02, 0x10, 1, 0}},
    {REFUSAL(ACKNOWLEDGEMENT), 7, {0x02, 0x18, 1, 0, 0, 0, 0}},
    {REFUSAL(ACKNOWLEDGEMENT), 8, {0x0a, 0x10, 1, 0, 0, 0, 0, 0}},
    {REFUSAL(COMMAND), 3, {0x03, 0x00, 1}},
    {REFUSAL(COMMAND), 3, {0x03, 0x20, 1}},
    /* Beacons that end in the superframe, the slots, the addresses. */
    {REFUSAL(TRUNCATED), 8, {0x00, 0x80, 1, 0, 0, 0, 0, 0xff}},
    {REFUSAL(TRUNCATED), 10, {0x00, 0x80, 1, 0, 0, 0, 0, 0xff, 0xcf, 1}},
    {REFUSAL(TRUNCATED), 11, {0x00, 0x80, 1, 0, 0, 0, 0, 0xff, 0xcf, 0, 1}},
    /* No room for the security header, or the MIC. */
    {REFUSAL(TRUNCATED), 7, {0x09, 0x10, 1, 0x05, 0, 0, 0}},
    {REFUSAL(TRUNCATED), 11, {0x09, 0x10, 1, 0x05, 0, 0, 0, 0, 1, 2, 3}},
    {REFUSAL(TRUNCATED), 8, {0x09, 0x10, 1, 0x08, 0, 0, 0, 0}},
    /* A counter, and a nonce of the ASN. */
    {REFUSAL(SECURITY_CONTROL), 8, {0x09, 0x20, 1, 0x40, 0, 0, 0, 0}},
    /* Elements: of the payload's kind, longer than the frame, cut. */
    {REFUSAL(ELEMENT), 5, {0x01, 0x22, 1, 0x00, 0x80}},
    {REFUSAL(ELEMENT), 6, {0x01, 0x22, 1, 0x02, 0x0f, 0}},
    {REFUSAL(ELEMENT), 4, {0x01, 0x22, 1, 0x02}},
};

static void check_refusals(void) {
  samara_ieee802154_frame frame;
  for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
    const refusal *one = &refusals[i];
    const samara_ieee802154_result got =
        parse_copy(&frame, one->bytes, one->size);
    CHECK(got == one->want, "refusal %zu: got %s, want %s", i,
          samara_ieee802154_result_name(got),
          samara_ieee802154_result_name(one->want));
  }
  static const uint8_t zeros[samara_ieee802154_size_max + 1] = {0x01, 0};
  CHECK_FRAME(parse_copy(&frame, zeros, sizeof zeros), REFUSAL(FRAME_SIZE));
  CHECK_FRAME(parse_copy(&frame, zeros, sizeof zeros - 1),
              SAMARA_IEEE802154_OK);
}

/* Which PANs there are: 7.2.1.5 of 2006, and table 7-2 of 2015. */
typedef struct pan_rule {
  uint8_t version; /* the first that it is a rule of: 1 is 2006 and 2003 */
  uint8_t destination, source, compressed;
  uint8_t destination_pan, source_pan;
} pan_rule;

static const pan_rule pan_rules[] = {
    {1, N, N, 0, 0, 0}, {1, S, N, 0, 1, 0}, {1, L, N, 0, 1, 0},
    {1, N, S, 0, 0, 1}, {1, N, L, 0, 0, 1}, {1, S, S, 0, 1, 1},
    {1, S, S, 1, 1, 0}, {1, S, L, 0, 1, 1}, {1, S, L, 1, 1, 0},
    {1, L, S, 0, 1, 1}, {1, L, S, 1, 1, 0}, {1, L, L, 0, 1, 1},
    {1, L, L, 1, 1, 0}, {2, N, N, 0, 0, 0}, {2, N, N, 1, 1, 0},
    {2, S, N, 0, 1, 0}, {2, L, N, 0, 1, 0}, {2, S, N, 1, 0, 0},
    {2, L, N, 1, 0, 0}, {2, N, S, 0, 0, 1}, {2, N, L, 0, 0, 1},
    {2, N, S, 1, 0, 0}, {2, N, L, 1, 0, 0}, {2, L, L, 0, 1, 0},
    {2, L, L, 1, 0, 0}, {2, S, S, 0, 1, 1}, {2, S, L, 0, 1, 1},
    {2, L, S, 0, 1, 1}, {2, S, L, 1, 1, 0}, {2, L, S, 1, 1, 0},
    {2, S, S, 1, 1, 0},
};

static size_t address_size(uint8_t kind) {
  return kind == L ? 8 : kind; /* a short one has 2 bytes, and is kind 2 */
}

static void check_pan_rule(const pan_rule *rule, uint8_t version) {
  uint8_t bytes[samara_ieee802154_header_size_max];
  size_t size = 0;
  samara_ieee802154_frame read;
  samara_ieee802154_frame frame = {
      .control = (uint16_t)(SAMARA_IEEE802154_DATA | version << 12 |
                            (rule->compressed ? 0x40 : 0)),
      .destination = {rule->destination, false, 0x1111, 0x2222, {1, 2, 3}},
      .source = {rule->source, false, 0x3333, 0x4444, {4, 5, 6}}};
  CHECK_FRAME(
      samara_ieee802154_write_header(&frame, bytes, sizeof bytes, &size),
      SAMARA_IEEE802154_OK);
  CHECK(size == (size_t)3 + 2 * rule->destination_pan + 2 * rule->source_pan +
                    address_size(rule->destination) +
                    address_size(rule->source),
        "size of a header");
  CHECK_FRAME(parse_copy(&read, bytes, size), SAMARA_IEEE802154_OK);
  CHECK(read.destination.has_pan == rule->destination_pan &&
            read.source.has_pan == rule->source_pan,
        "PANs of version %u, addresses %u and %u", version, rule->destination,
        rule->source);
  CHECK(read.destination.pan == (rule->destination_pan ? 0x1111 : 0) &&
            read.source.pan == (rule->source_pan ? 0x3333 : 0),
        "the PANs read");
  CHECK(rule->source != L ||
            memcmp(read.source.long_address, frame.source.long_address, 8) == 0,
        "the address read");
}

static void check_pan_rules(void) {
  for (size_t i = 0; i < sizeof pan_rules / sizeof pan_rules[0]; i++) {
    check_pan_rule(&pan_rules[i], pan_rules[i].version);
    if (pan_rules[i].version == 1) {
      check_pan_rule(&pan_rules[i], 0);
    }
  }
}

/* Any bytes: what parses has parts that add up, and its header is written as it
 * was. */
static void check_random(void) {
  unsigned long parsed = 0;
  for (unsigned i = 0; i < 200000; i++) {
    uint8_t bytes[127];
    uint8_t again[samara_ieee802154_header_size_max];
    samara_ieee802154_frame frame;
    size_t size = random_below(sizeof bytes + 1);
    fill_random(bytes, sizeof bytes);
    if (parse_copy(&frame, bytes, size) != SAMARA_IEEE802154_OK) {
      continue;
    }
    parsed++;
    const size_t sum = (size_t)frame.header_size + frame.elements_size +
                       frame.open_size + frame.payload_size + frame.mic_size;
    if (sum != size) {
      CHECK(false, "parts of %zu bytes make %zu", size, sum);
    }
    if (samara_ieee802154_write_header(&frame, again, sizeof again, &size) !=
            SAMARA_IEEE802154_OK ||
        size != frame.header_size || memcmp(again, bytes, size) != 0) {
      CHECK(false, "a header is written otherwise than it was read");
    }
  }
  CHECK(parsed > 10000, "only %lu of the random frames parse", parsed);
}

/* A header is written whole or not at all. */
static void check_room(void) {
  uint8_t bytes[samara_ieee802154_header_size_max];
  size_t size = 0;
  const samara_ieee802154_frame frame = data_frame(5, 1);
  CHECK_FRAME(
      samara_ieee802154_write_header(&frame, bytes, sizeof bytes, &size),
      SAMARA_IEEE802154_OK);
  const size_t needed = size;
  for (size_t room = 0; room < needed; room++) {
    uint8_t *exact = malloc(room == 0 ? 1 : room);
    CHECK_FRAME(samara_ieee802154_write_header(&frame, exact, room, &size),
                REFUSAL(NO_ROOM));
    CHECK(size == 0, "no size");
    free(exact);
  }
}

static void check_elements(void) {
  /* Header element 0x1e of 2 bytes, termination 1; payload elements: group 1 of
   * 3 bytes, termination; payload. */
  static const uint8_t bytes[] = {0x01, 0x22, 7,    0x02, 0x0f, 5,
                                  0,    0x00, 0x3f, 0x03, 0x88, 1,
                                  2,    3,    0x00, 0xf8, 0xaa, 0xbb};
  samara_ieee802154_frame frame;
  samara_ieee802154_element element;
  size_t offset = 0;
  CHECK_FRAME(parse_copy(&frame, bytes, sizeof bytes), SAMARA_IEEE802154_OK);
  CHECK(frame.header_size == 3 && frame.elements_size == 6 &&
            frame.payload_elements && frame.payload_size == 9,
        "parts of a frame with elements");
  CHECK_FRAME(samara_ieee802154_header_element(&element, bytes + 3, 6, &offset),
              SAMARA_IEEE802154_OK);
  CHECK(element.id == 0x1e && element.content_size == 2 &&
            element.content_offset == 2 && offset == 4,
        "a header element");
  offset = 0;
  CHECK_FRAME(
      samara_ieee802154_payload_element(&element, bytes + 9, 9, &offset),
      SAMARA_IEEE802154_OK);
  CHECK(element.id == 1 && element.content_size == 3 && offset == 5,
        "a payload element");
  CHECK_FRAME(samara_ieee802154_payload_elements_size(bytes + 9, 9, &offset),
              SAMARA_IEEE802154_OK);
  CHECK(offset == 7, "payload elements with their termination");
  CHECK_FRAME(samara_ieee802154_payload_elements_size(bytes + 9, 6, &offset),
              REFUSAL(ELEMENT));
  offset = 99;
  CHECK_FRAME(samara_ieee802154_header_element(&element, bytes, 6, &offset),
              REFUSAL(ELEMENT));
}

/* The bit of 2003 says no more than that something follows. */
/* A beacon's open part is as long as its slots and pending addresses say: 4
 * bytes, with slots 1 + 3 each, with addresses 2 and 8 each (7.2.2.1 of 2006).
 */
static void check_beacons(void) {
  for (unsigned slots = 0; slots < 8; slots++) {
    for (unsigned pending = 0; pending < 256; pending++) {
      const size_t want = 4 + (slots == 0 ? 0 : 1 + 3 * (size_t)slots) +
                          2 * (size_t)(pending % 8) +
                          8 * (size_t)(pending / 16 % 8);
      uint8_t bytes[7 + 4 + 22 + 14 + 56 + 2] = {0x00, 0x90, 1, 0x21, 0x43};
      const size_t spec = 7;
      /* Bits 3 to 7 of the slots, and 3 and 7 of the addresses, mean others. */
      bytes[spec + 2] = (uint8_t)(0xf8 | slots);
      bytes[spec + 3 + (slots == 0 ? 0 : 1 + 3 * slots)] = (uint8_t)pending;
      samara_ieee802154_frame frame;
      const size_t size = spec + want + 2;
      CHECK_FRAME(parse_copy(&frame, bytes, size), SAMARA_IEEE802154_OK);
      CHECK(frame.open_size == want && frame.payload_size == 2,
            "%u slots, %u pending: %u open, %u payload", slots, pending,
            frame.open_size, frame.payload_size);
      CHECK_FRAME(parse_copy(&frame, bytes, size - 2), SAMARA_IEEE802154_OK);
      CHECK(frame.open_size == want && frame.payload_size == 0, "no payload");
      CHECK_FRAME(parse_copy(&frame, bytes, size - 3), REFUSAL(TRUNCATED));
    }
  }
}

/* A list that ends just behind a descriptor, and each bit of one. */
static void check_descriptors(void) {
  samara_ieee802154_element element;
  for (unsigned bit = 0; bit < 15; bit++) {
    const unsigned value = 1U << bit;
    uint8_t list[2 + 2047] = {(uint8_t)value, (uint8_t)(value >> 8)};
    const size_t header_size = value % 128;
    const size_t payload_size = value % 2048;
    size_t offset = 0;
    CHECK_FRAME(samara_ieee802154_header_element(&element, list,
                                                 2 + header_size, &offset),
                SAMARA_IEEE802154_OK);
    CHECK(element.id == value / 128 && element.content_size == header_size &&
              element.content_offset == 2 && offset == 2 + header_size,
          "header element, bit %u", bit);
    CHECK_FRAME(samara_ieee802154_header_element(&element, list,
                                                 2 + header_size, &offset),
                REFUSAL(ELEMENT));
    offset = 0;
    CHECK_FRAME(samara_ieee802154_payload_element(&element, list,
                                                  2 + payload_size, &offset),
                REFUSAL(ELEMENT));
    list[1] |= 0x80;
    offset = 0;
    CHECK_FRAME(samara_ieee802154_payload_element(&element, list,
                                                  2 + payload_size, &offset),
                SAMARA_IEEE802154_OK);
    CHECK(element.id == value / 2048 && element.content_size == payload_size &&
              element.content_offset == 2 && offset == 2 + payload_size,
          "payload element, bit %u", bit);
    offset = 0;
    CHECK_FRAME(
        samara_ieee802154_header_element(&element, list, sizeof list, &offset),
        REFUSAL(ELEMENT));
    if (payload_size != 0) {
      offset = 0;
      CHECK_FRAME(samara_ieee802154_payload_element(&element, list,
                                                    1 + payload_size, &offset),
                  REFUSAL(ELEMENT));
    }
  }
  const uint8_t one[1] = {0};
  size_t offset = 0;
  CHECK_FRAME(samara_ieee802154_header_element(&element, one, 1, &offset),
              REFUSAL(ELEMENT));
  offset = 2;
  CHECK_FRAME(samara_ieee802154_header_element(&element, one, 1, &offset),
              REFUSAL(ELEMENT));
}

/* The bits of a security control that were reserved until 2015 mean nothing in
 * a frame of 2006: the counter is there. */
static void check_reserved_security(void) {
  uint8_t bytes[] = {0x09, 0x10, 1, 0xe5, 0x78, 0x56, 0x34,
                     0x12, 7,    1, 2,    3,    4};
  uint8_t again[16];
  samara_ieee802154_frame frame;
  size_t size = 0;
  CHECK_FRAME(parse_copy(&frame, bytes, sizeof bytes), SAMARA_IEEE802154_OK);
  CHECK(frame.frame_counter == 0x12345678 && frame.header_size == 8 &&
            frame.payload_size == 1 && frame.mic_size == 4,
        "a counter of 2006");
  CHECK_FRAME(
      samara_ieee802154_write_header(&frame, again, sizeof again, &size),
      SAMARA_IEEE802154_OK);
  CHECK(size == 8, "size of the header");
  CHECK_BYTES(again, bytes, 8, "a header of 2006");
  /* In 2015: suppressed; a counter beside a nonce of the ASN; suppressed alone.
   */
  bytes[1] = 0x20;
  CHECK_FRAME(parse_copy(&frame, bytes, sizeof bytes), SAMARA_IEEE802154_OK);
  CHECK(frame.frame_counter == 0 && frame.header_size == 4, "no counter");
  bytes[3] = 0x45;
  CHECK_FRAME(parse_copy(&frame, bytes, sizeof bytes),
              REFUSAL(SECURITY_CONTROL));
  bytes[3] = 0x25;
  CHECK_FRAME(parse_copy(&frame, bytes, sizeof bytes), SAMARA_IEEE802154_OK);
  CHECK(frame.frame_counter == 0 && frame.header_size == 4, "no counter");
}

static void check_legacy(void) {
  static const uint8_t bytes[] = {0x09, 0x08, 1, 0x21, 0x43, 2, 0, 9, 9, 9, 9};
  samara_ieee802154_frame frame;
  CHECK_FRAME(parse_copy(&frame, bytes, sizeof bytes), SAMARA_IEEE802154_OK);
  CHECK(frame.header_size == 7 && frame.payload_size == 4 &&
            frame.mic_size == 0 && samara_ieee802154_level(&frame) == 0,
        "a secured frame of 2003");
}

static void check_names(void) {
  for (int code = -110; code <= 0; code++) {
    const samara_ieee802154_result result = (samara_ieee802154_result)code;
    const bool known =
        strcmp(samara_ieee802154_result_name(result), "unknown") != 0;
    const bool has_text = strcmp(samara_ieee802154_result_text(result),
                                 "not a result of IEEE 802.15.4") != 0;
    CHECK(known == has_text, "name and text of %d", code);
  }
}

int main(void) {
  check_refusals();
  check_pan_rules();
  check_random();
  check_room();
  check_elements();
  check_beacons();
  check_descriptors();
  check_reserved_security();
  check_legacy();
  check_names();
  return check_report();
}
