/* SPDX-License-Identifier: Apache-2.0 */

/* The sealed framing of the serial radio: sizes, round trips over every suite,
 * refusals, and finding the next message in what a bad line leaves of it. */

#include "check.h"
#include "vector_file.h"
#include <samara/samara.h>
#include <samara/suite.h>
#include <stdlib.h>
#include <string.h>

enum { message_max = 3000, wire_max = 4000, key_words = 80 };

static uint64_t key[key_words];
static uint8_t message[message_max], wire[wire_max];
static uint8_t buffer[2 * wire_max], opened[message_max];

/* Each link begins with the same noise: what a check counts depends neither on
 * the checks before it nor on the number of rows in the registry. */
static samara_rfserial_link link_of(const samara_aead *aead, unsigned tag_size,
                                    unsigned counter_size) {
  uint8_t bytes[64];
  restart_random();
  fill_random(bytes, sizeof bytes);
  aead->set_key(key, bytes);
  fill_random(message, sizeof message);
  return (samara_rfserial_link){.aead = aead,
                                .key = key,
                                .identity = 0x1234,
                                .packet_size = 12,
                                .tag_size = (uint8_t)tag_size,
                                .counter_size = (uint8_t)counter_size};
}

static samara_rfserial_receiver receiver_of(const samara_rfserial_link *link,
                                            uint64_t counter) {
  samara_rfserial_receiver receiver;
  CHECK_RESULT(samara_rfserial_receiver_init(&receiver, link, counter, buffer,
                                             sizeof buffer, opened,
                                             sizeof opened, 0),
               SAMARA_OK, "receiver");
  return receiver;
}

static size_t seal(samara_rfserial_sender *sender, size_t size) {
  size_t wire_size = 0;
  CHECK_RESULT(samara_rfserial_seal(sender, wire, &wire_size, message, size),
               SAMARA_OK, "seal");
  return wire_size;
}

static samara_rfserial_event receive(samara_rfserial_receiver *receiver,
                                     size_t size) {
  samara_rfserial_event event;
  const size_t taken = samara_rfserial_receive(receiver, &event, wire, size);
  CHECK(taken == size, "took %zu of %zu bytes", taken, size);
  return event;
}

static void check_message(const samara_rfserial_event *event, uint64_t number,
                          size_t size, uint64_t lost) {
  CHECK(event->kind == SAMARA_RFSERIAL_MESSAGE, "no message %llu of %zu bytes",
        (unsigned long long)number, size);
  if (event->kind == SAMARA_RFSERIAL_MESSAGE) {
    CHECK(event->number == number && event->lost == lost, "number %llu",
          (unsigned long long)number);
    CHECK(event->message_size == size, "size %zu", size);
    CHECK_BYTES(event->message, message, size, "message");
  }
}

/* A unit is the fewest packets that hold header, number, text and tag; where
 * long ones are counted in steps, it is at most one part in 64 more. */
static void check_sizes(void) {
  samara_rfserial_link link = link_of(&samara_aes128_ccm_aead, 8, 2);
  for (unsigned packet = 1; packet <= 240; packet++) {
    const size_t grain = packet < 5 ? packet * ((4 + packet) / packet) : packet;
    size_t last = 0;
    link.packet_size = (uint8_t)packet;
    for (size_t size = 0; size <= 65536; size += 1 + size / 12) {
      const size_t least = (size + 11 + grain - 1) / grain * grain;
      const size_t got = samara_rfserial_wire_size(&link, size);
      const bool exact = least <= 64 * grain;
      const size_t most = exact ? least : least + least / 64 + grain;
      CHECK(got % packet == 0 && got >= least && got <= most && got >= last,
            "%zu bytes in packets of %u: %zu", size, packet, got);
      last = got;
    }
    CHECK(samara_rfserial_wire_size(&link, 65536) != 0, "64 KiB fit");
    CHECK(samara_rfserial_wire_size(&link, 65537) == 0, "no more than that");
  }
}

static void check_settings(void) {
  const samara_rfserial_link good = link_of(&samara_aes128_ccm_aead, 8, 2);
  CHECK(samara_rfserial_is_valid(&good), "good settings");
#define CHECK_REFUSED(field, value)                                            \
  do {                                                                         \
    samara_rfserial_link link = good;                                          \
    link.field = (value);                                                      \
    CHECK(!samara_rfserial_is_valid(&link), #field " of " #value);             \
  } while (0)
  CHECK_REFUSED(direction, 2);
  CHECK_REFUSED(packet_size, 0);
  CHECK_REFUSED(packet_size, 241);
  CHECK_REFUSED(counter_size, 5);
  CHECK_REFUSED(tag_size, 0);
  CHECK_REFUSED(tag_size, 2);
  CHECK_REFUSED(tag_size, 5);
  CHECK_REFUSED(tag_size, 18);
  CHECK_REFUSED(aead, &samara_aes128_gcm_aead);
  samara_rfserial_receiver receiver;
  CHECK_RESULT(samara_rfserial_receiver_init(&receiver, &good, 0, buffer, 35,
                                             opened, 14, 0),
               SAMARA_ERROR_MESSAGE_SIZE, "a buffer that is too small");
}

/* Every suite, tag size and counter size; the sender works in place. */
static void check_round_trip(const samara_aead *aead, unsigned tag_size,
                             unsigned counter_size) {
  const samara_rfserial_link link = link_of(aead, tag_size, counter_size);
  const uint64_t first = (uint64_t)1 << 33;
  samara_rfserial_sender sender = {&link, first};
  samara_rfserial_receiver receiver = receiver_of(&link, first);
  for (size_t size = 0; size < 60; size += 1 + size / 8) {
    uint8_t *text = wire + 1 + counter_size;
    size_t wire_size;
    memcpy(text, message, size);
    CHECK_RESULT(samara_rfserial_seal(&sender, wire, &wire_size, text, size),
                 SAMARA_OK, "seal in place");
    CHECK(wire_size == samara_rfserial_wire_size(&link, size), "wire size");
    const samara_rfserial_event event = receive(&receiver, wire_size);
    check_message(&event, sender.counter - 1, size, 0);
    CHECK(event.noise == 0, "noise between messages");
    CHECK(event.unit_size == wire_size, "size of the unit");
    CHECK_BYTES(event.unit, wire, wire_size, "the unit");
  }
}

static void check_every_suite(void) {
  for (size_t i = 0; samara_suite_at(i) != NULL; i++) {
    const samara_aead *aead = samara_suite_at(i)->aead;
    for (unsigned size = 4; aead != NULL && size <= 16; size++) {
      if ((aead->tag_sizes >> size & 1) != 0) {
        check_round_trip(aead, size, size % 5);
      }
    }
  }
}

static void check_longest(void) {
  static uint8_t text[65536], whole[80000], room[80000], result[65536];
  samara_rfserial_link link = link_of(&samara_aes128_gcm_aead, 16, 4);
  samara_rfserial_receiver receiver;
  fill_random(text, sizeof text);
  for (unsigned packet = 1; packet <= 240; packet += 239) {
    size_t size = 0;
    link.packet_size = (uint8_t)packet;
    samara_rfserial_sender sender = {&link, 7};
    CHECK_RESULT(samara_rfserial_receiver_init(&receiver, &link, 7, room,
                                               sizeof room, result,
                                               sizeof result, 0),
                 SAMARA_OK, "receiver");
    CHECK_RESULT(samara_rfserial_seal(&sender, whole, &size, text, sizeof text),
                 SAMARA_OK, "64 KiB");
    samara_rfserial_event event;
    CHECK(samara_rfserial_receive(&receiver, &event, whole, size) == size &&
              event.kind == SAMARA_RFSERIAL_MESSAGE &&
              event.message_size == sizeof text,
          "64 KiB arrive");
    CHECK_BYTES(result, text, sizeof text, "64 KiB");
    CHECK_RESULT(
        samara_rfserial_seal(&sender, whole, &size, text, sizeof text + 1),
        SAMARA_ERROR_MESSAGE_SIZE, "more than 64 KiB");
    CHECK(sender.counter == 8, "a refused message has no number");
  }
}

/* Each bit of a unit but those of plain fill; a changed unit is refused and
 * releases nothing, and the genuine one is taken after it. */
static void check_forgeries(unsigned counter_size) {
  const samara_rfserial_link link =
      link_of(&samara_grain128aead_aead, 8, counter_size);
  samara_rfserial_sender sender = {&link, 1000};
  const size_t size = seal(&sender, 14);
  for (size_t bit = 0; bit < 8 * size; bit++) {
    samara_rfserial_receiver receiver = receiver_of(&link, 1000);
    const size_t byte = bit / 8;
    if (byte >= 1 + counter_size + 14 + 8 && byte < size - 1) {
      continue;
    }
    memset(opened, 0, sizeof opened);
    wire[byte] ^= (uint8_t)(1 << bit % 8);
    samara_rfserial_event event = receive(&receiver, size);
    wire[byte] ^= (uint8_t)(1 << bit % 8);
    CHECK(event.kind == SAMARA_RFSERIAL_NOTHING && receiver.counter == 1000,
          "bit %zu of a unit changed", bit);
    CHECK(memcmp(opened, message, 14) != 0, "bit %zu: released", bit);
    event = receive(&receiver, size);
    check_message(&event, 1000, 14, 0);
    CHECK(event.noise == size, "the changed unit is noise");
  }
}

/* A message that comes back, from another link, or under other settings. */
static void check_separation(void) {
  samara_rfserial_link link = link_of(&samara_ascon_aead128_aead, 8, 2);
  samara_rfserial_sender sender = {&link, 5};
  const size_t size = seal(&sender, 20);
#define CHECK_SEPARATE(field, value)                                           \
  do {                                                                         \
    samara_rfserial_link other = link;                                         \
    other.field = (value);                                                     \
    samara_rfserial_receiver receiver = receiver_of(&other, 5);                \
    CHECK(receive(&receiver, size).kind == SAMARA_RFSERIAL_NOTHING, #field);   \
    CHECK(receiver.counter == 5, #field);                                      \
  } while (0)
  CHECK_SEPARATE(direction, 1);
  CHECK_SEPARATE(identity, 0x1235);
  CHECK_SEPARATE(tag_size, 4);
  CHECK_SEPARATE(packet_size, 6);
  CHECK_SEPARATE(counter_size, 1);
  samara_rfserial_receiver receiver = receiver_of(&link, 5);
  const samara_rfserial_event event = receive(&receiver, size);
  check_message(&event, 5, 20, 0);
}

static void check_repeated(unsigned counter_size) {
  const samara_rfserial_link link =
      link_of(&samara_aes128_ccm_aead, 4, counter_size);
  samara_rfserial_sender sender = {&link, 300};
  samara_rfserial_receiver receiver = receiver_of(&link, 300);
  for (unsigned i = 0; i < 3; i++) {
    const size_t size = seal(&sender, 9);
    samara_rfserial_event event = receive(&receiver, size);
    check_message(&event, 300 + i, 9, 0);
    event = receive(&receiver, size);
    CHECK(event.kind == SAMARA_RFSERIAL_REPEATED && event.number == 300 + i,
          "repeated, counter of %u bytes", counter_size);
    CHECK(event.message == NULL && all_zero(opened, 9), "released again");
    CHECK(receiver.counter == 301 + i, "the counter moved");
  }
}

/* As many lost ones as the numbers tell apart; one more is not followed. */
static void check_lost(unsigned counter_size, uint64_t most) {
  const samara_rfserial_link link =
      link_of(&samara_aes128_ccm_aead, 6, counter_size);
  const uint64_t first = (uint64_t)1 << 40;
  samara_rfserial_sender sender = {&link, first + most};
  samara_rfserial_receiver receiver = receiver_of(&link, first);
  size_t size = seal(&sender, 9);
  const samara_rfserial_event event = receive(&receiver, size);
  check_message(&event, first + most, 9, most);
  receiver = receiver_of(&link, first);
  sender.counter = first + most + 1;
  size = seal(&sender, 9);
  CHECK(receive(&receiver, size).kind == SAMARA_RFSERIAL_NOTHING,
        "%u bytes of counter: too many lost", counter_size);
}

static void check_counter_end(unsigned counter_size) {
  const samara_rfserial_link link =
      link_of(&samara_aes128_ccm_aead, 8, counter_size);
  samara_rfserial_sender sender = {&link, UINT64_MAX - 1};
  samara_rfserial_receiver receiver = receiver_of(&link, UINT64_MAX - 1);
  size_t size = seal(&sender, 9);
  const samara_rfserial_event event = receive(&receiver, size);
  check_message(&event, UINT64_MAX - 1, 9, 0);
  CHECK(receive(&receiver, size).kind == SAMARA_RFSERIAL_REPEATED, "again");
  CHECK_RESULT(samara_rfserial_seal(&sender, wire, &size, message, 9),
               SAMARA_ERROR_COUNTER, "the last number");
  CHECK(sender.counter == UINT64_MAX, "the counter does not wrap");
  receiver = receiver_of(&link, 0);
  CHECK(receive(&receiver, size).kind == SAMARA_RFSERIAL_NOTHING,
        "the first number expects no last ones");
}

/* A header that announces the longest unit holds up nothing. */
static void check_no_stall(void) {
  const samara_rfserial_link link = link_of(&samara_aes128_ccm_aead, 8, 2);
  samara_rfserial_sender sender = {&link, 0};
  samara_rfserial_receiver receiver = receiver_of(&link, 0);
  size_t size = seal(&sender, 14);
  wire[0] = 2 * 59;
  CHECK(receive(&receiver, size).kind == SAMARA_RFSERIAL_NOTHING, "damaged");
  size = seal(&sender, 14);
  const samara_rfserial_event event = receive(&receiver, size);
  check_message(&event, 1, 14, 1);
  CHECK(samara_rfserial_receiver_waiting(&receiver) == 0, "nothing waits");
}

/* Bytes that all look like headers cause no more work than was allowed, and
 * the genuine unit behind the last genuine one is found all the same. */
static void check_effort(void) {
  const samara_rfserial_link link = link_of(&samara_aes128_ccm_aead, 8, 1);
  samara_rfserial_sender sender = {&link, 0};
  samara_rfserial_receiver receiver = receiver_of(&link, 0);
  receiver.effort = 10;
  memset(wire, 2 * 30, sizeof wire);
  for (unsigned i = 0; i < 20; i++) {
    CHECK(receive(&receiver, sizeof wire).kind == SAMARA_RFSERIAL_NOTHING,
          "noise");
  }
  CHECK(receiver.attempts <= (20 * sizeof wire * 10 + 4 * 820) / (31 * 12),
        "%u attempts", (unsigned)receiver.attempts);
  CHECK(receiver.skipped != 0, "nothing was passed over");
  samara_rfserial_receiver_wipe(&receiver);
  CHECK(all_zero(buffer, sizeof buffer), "wiped");
  receiver.credit = 0;
  receiver.effort = 1;
  const size_t size = seal(&sender, 14);
  const samara_rfserial_event event = receive(&receiver, size);
  check_message(&event, 0, 14, 0);
}

/* Loses, inserts or changes a byte of a unit, one of the first `limit`. */
static size_t damage(size_t size, size_t limit) {
  const size_t place = random_below(limit);
  switch (random_below(3)) {
  case 0:
    memmove(wire + place, wire + place + 1, size - place - 1);
    return size - 1;
  case 1:
    memmove(wire + place + 1, wire + place, size - place);
    fill_random(wire + place, 1);
    return size + 1;
  default:
    wire[place] ^= (uint8_t)(1 + random_below(255));
    return size;
  }
}

/* After each damaged unit the next whole one is delivered. Fill is spared: a
 * unit that lost some takes the first byte of the next for it. */
static void check_damage(unsigned counter_size) {
  const samara_rfserial_link link =
      link_of(&samara_aes128_ccm_aead, 8, counter_size);
  samara_rfserial_sender sender = {&link, 0};
  samara_rfserial_receiver receiver = receiver_of(&link, 0);
  unsigned long delivered = 0;
  for (unsigned i = 0; i < 3000; i++) {
    const size_t message_size = random_below(i % 10 == 0 ? 700 : 60);
    size_t size = seal(&sender, message_size);
    const uint64_t expected = receiver.counter;
    /* Without a number, 11 in a row are as many as may be lost. */
    const bool whole = random_below(2) == 0 || i - expected >= 10;
    if (!whole) {
      size = damage(size, 1 + counter_size + message_size + 8);
    }
    const samara_rfserial_event event = receive(&receiver, size);
    /* A byte in front of a unit does it no harm. */
    if (whole || event.kind != SAMARA_RFSERIAL_NOTHING) {
      check_message(&event, i, message_size, i - expected);
    }
    delivered += event.kind == SAMARA_RFSERIAL_MESSAGE;
  }
  CHECK(delivered > 1300, "%lu delivered", delivered);
}

/* ---- known units ---- */

static uint64_t number_in(const vector_record *record, const char *name) {
  const vector_field *field = vector_hex(record, name);
  uint64_t number = 0;
  for (size_t i = 0; i < field->size; i++) {
    number = number << 8 | field->bytes[i];
  }
  return number;
}

static samara_rfserial_link known_link(const vector_record *record) {
  char slug[80];
  char *text = vector_find(record, "sizes")->text;
  const unsigned long tag = strtoul(text, &text, 10);
  const unsigned long counter = strtoul(text, &text, 10);
  const unsigned long packet = strtoul(text, &text, 10);
  const bool is_ccm = strstr(record->slug, "ccm") != NULL;
  snprintf(slug, sizeof slug, "%s%s", record->slug, is_ccm ? "-16" : "");
  const samara_suite *suite = samara_suite_find(slug);
  if (packet == 0 || suite == NULL) {
    abort();
  }
  suite->aead->set_key(key, vector_hex(record, "key")->bytes);
  return (samara_rfserial_link){
      .aead = suite->aead,
      .key = key,
      .identity = (uint16_t)number_in(record, "identity"),
      .direction = (uint8_t)number_in(record, "direction"),
      .packet_size = (uint8_t)packet,
      .tag_size = (uint8_t)tag,
      .counter_size = (uint8_t)counter};
}

/* What is sealed is the unit; the unit, which was made elsewhere, opens. */
static void check_known_unit(const vector_record *record) {
  const samara_rfserial_link link = known_link(record);
  const vector_field *text = vector_hex(record, "message");
  const vector_field *want = vector_hex(record, "wire");
  const uint64_t number = number_in(record, "number");
  samara_rfserial_sender sender = {&link, number};
  samara_rfserial_receiver receiver = receiver_of(&link, number);
  const char *name = vector_find(record, "name")->text;
  size_t size = 0;
  CHECK(samara_rfserial_is_valid(&link), "%s: settings", name);
  memset(wire, 0xa5, sizeof wire);
  memcpy(message, text->bytes, text->size);
  CHECK_RESULT(samara_rfserial_seal(&sender, wire, &size, message, text->size),
               SAMARA_OK, name);
  CHECK(size == want->size, "%s: %zu bytes", name, size);
  CHECK_BYTES(wire, want->bytes, want->size, name);
  CHECK(wire[size] == 0xa5, "%s: a byte behind the unit", name);
  memcpy(wire, want->bytes, want->size);
  const samara_rfserial_event event = receive(&receiver, want->size);
  check_message(&event, number, text->size, 0);
}

static void check_known_units(const char *path) {
  vector_record record = {0};
  size_t records = 0;
  FILE *file = path == NULL ? NULL : fopen(path, "r");
  if (CHECK(file != NULL, "usage: test_rfserial FILE")) {
    while (vector_next(file, path, &record)) {
      check_known_unit(&record);
      records++;
    }
    vector_free(&record);
    fclose(file);
  }
  CHECK(records > 50, "%zu known units", records);
}

/* Every limit that is_valid has, from within. */
static void check_limits_of_settings(void) {
  samara_rfserial_link link = link_of(&samara_ascon_aead128_aead, 16, 4);
  link.direction = 1;
  link.packet_size = samara_rfserial_packet_size_max;
  CHECK(samara_rfserial_is_valid(&link), "the greatest");
  link.tag_size = samara_rfserial_tag_size_min;
  link.packet_size = 1;
  link.counter_size = 0;
  CHECK(samara_rfserial_is_valid(&link), "the least");
  link.packet_size = 0;
  CHECK(!samara_rfserial_is_valid(&link), "no packet");
}

/* What both ends must agree on is authenticated, bit by bit: a unit sealed by
 * the cipher itself under other settings is refused by the tag. */
static void check_settings_authenticated(void) {
  const samara_rfserial_link link = link_of(&samara_aes128_ccm_aead, 8, 2);
  samara_rfserial_sender sender = {&link, 5};
  const size_t size = seal(&sender, 14);
  const uint8_t nonce[12] = {3, 0, 0x12, 0x34, [11] = 5};
  const uint8_t right[3] = {wire[0], 12, 7 << 4 | 2};
  for (unsigned bit = 0; bit <= 24 + 96; bit++) {
    uint8_t data[3], begin[12];
    memcpy(data, right, sizeof data);
    memcpy(begin, nonce, sizeof begin);
    if (bit < 24) {
      data[bit / 8] ^= (uint8_t)(1U << bit % 8);
    } else if (bit < 24 + 96) {
      begin[(bit - 24) / 8] ^= (uint8_t)(1U << bit % 8);
    }
    CHECK_RESULT(link.aead->seal(key, wire + 3, wire + 3 + 14, 8, begin, data,
                                 sizeof data, message, 14),
                 SAMARA_OK, "by hand");
    samara_rfserial_receiver receiver = receiver_of(&link, 5);
    const samara_rfserial_event event = receive(&receiver, size);
    CHECK((event.kind == SAMARA_RFSERIAL_MESSAGE) == (bit == 24 + 96),
          "bit %u of what is authenticated", bit);
  }
}

/* ---- the receiver's own limits ---- */

/* The buffer may be as long as the longest unit, and no shorter. */
static void check_smallest_buffer(void) {
  const samara_rfserial_link link = link_of(&samara_aes128_ccm_aead, 8, 2);
  for (size_t most = 0; most < 60; most++) {
    samara_rfserial_sender sender = {&link, 0};
    samara_rfserial_receiver receiver;
    const size_t reach = samara_rfserial_wire_size(&link, most);
    CHECK_RESULT(samara_rfserial_receiver_init(&receiver, &link, 0, buffer,
                                               reach - 1, opened, most, 0),
                 SAMARA_ERROR_MESSAGE_SIZE, "a buffer one byte too short");
    CHECK_RESULT(samara_rfserial_receiver_init(&receiver, &link, 0, buffer,
                                               reach, opened, most, 0),
                 SAMARA_OK, "a buffer that is just enough");
    for (unsigned i = 0; i < 4; i++) {
      wire[0] = 99; /* noise in front, so that the buffer is full before */
      CHECK(samara_rfserial_receive(&receiver, &(samara_rfserial_event){0},
                                    wire, 1) == 1,
            "a byte of noise");
      const size_t size = seal(&sender, most);
      const samara_rfserial_event event = receive(&receiver, size);
      check_message(&event, i, most, 0);
      CHECK(event.noise == 1, "noise of %u", (unsigned)event.noise);
    }
    /* One byte more is not waited for, though the unit may be as long. */
    opened[most] = 0x77;
    const size_t size = seal(&sender, most + 1);
    CHECK(receive(&receiver, size).kind == SAMARA_RFSERIAL_NOTHING,
          "a message of %zu bytes", most + 1);
    CHECK(opened[most] == 0x77, "a byte behind the message");
  }
}

/* A fill that its size denies: as long as it would be with a packet more, or
 * none where the header says that there is one. The tag is right. */
static void check_fill_sizes(unsigned packet, size_t message_size) {
  samara_rfserial_link link = link_of(&samara_aes128_ccm_aead, 8, 2);
  link.packet_size = (uint8_t)packet;
  samara_rfserial_sender sender = {&link, 0};
  const size_t size = seal(&sender, message_size);
  const bool is_long = wire[0] >= 128;
  const size_t text = size - 11;
  for (size_t fill = 0; fill <= text && fill < 1500; fill++) {
    const uint8_t data[3] = {wire[0], (uint8_t)packet, 7 << 4 | 2};
    const uint8_t nonce[12] = {3, 0, 0x12, 0x34};
    const size_t tag = size - fill - 8;
    memset(wire + 3, 0, size - 3);
    CHECK_RESULT(link.aead->seal(key, wire + 3, wire + tag, 8, nonce, data,
                                 sizeof data, message, text - fill),
                 SAMARA_OK, "by hand");
    if (fill != 0) {
      wire[size - 1] = (uint8_t)fill;
    }
    if (fill > 1 && is_long) {
      wire[size - 2] = (uint8_t)(fill >> 8);
    }
    const size_t grain = packet < 5 ? packet * ((4 + packet) / packet) : packet;
    size_t growth = grain;
    for (unsigned octave = 0; is_long && octave < (wire[0] - 128u) / 16;
         octave++) {
      growth *= 2;
    }
    const bool right =
        is_long ? fill >= 2 && fill < 2 + growth : fill != 0 && fill < grain;
    samara_rfserial_receiver receiver = receiver_of(&link, 0);
    const samara_rfserial_event event = receive(&receiver, size);
    /* A size of 0, or a header without fill, would be other units. */
    if (fill != 0 && (!is_long || fill != 1)) {
      CHECK((event.kind == SAMARA_RFSERIAL_MESSAGE) == right,
            "fill of %zu in packets of %u", fill, packet);
    }
  }
}

/* A call ends behind the unit that it delivers; the rest is for the next. */
static void check_units_in_a_row(void) {
  static uint8_t row[400];
  const samara_rfserial_link link = link_of(&samara_aes128_ccm_aead, 8, 2);
  samara_rfserial_sender sender = {&link, 0};
  samara_rfserial_receiver receiver = receiver_of(&link, 0);
  samara_rfserial_event event;
  size_t filled = 0, taken = 0;
  for (unsigned i = 0; i < 5; i++) {
    const size_t size = seal(&sender, 10 * i);
    memcpy(row + filled, wire, size);
    filled += size;
  }
  for (unsigned i = 0; i < 5; i++) {
    const size_t size = samara_rfserial_wire_size(&link, 10 * i);
    CHECK(samara_rfserial_receive(&receiver, &event, row + taken,
                                  filled - taken) == size,
          "unit %u of a row", i);
    check_message(&event, i, 10 * i, 0);
    CHECK(event.noise == 0, "noise in a row");
    taken += size;
  }
  CHECK(samara_rfserial_receiver_waiting(&receiver) == 0, "nothing waits");
  CHECK(samara_rfserial_receive(&receiver, &event, row, 7) == 7 &&
            samara_rfserial_receiver_waiting(&receiver) == 7,
        "a part of a unit waits");
  samara_rfserial_receiver_wipe(&receiver);
  CHECK(samara_rfserial_receiver_waiting(&receiver) == 0 &&
            receiver.counter == 5 && all_zero(opened, sizeof opened),
        "wiped, but for the counter");
}

/* The work that was not done is saved for four places, and no more. */
static void check_credit(void) {
  const samara_rfserial_link link = link_of(&samara_aes128_ccm_aead, 8, 1);
  samara_rfserial_receiver receiver;
  for (uint32_t effort = 0; effort < 3; effort++) {
    CHECK_RESULT(samara_rfserial_receiver_init(&receiver, &link, 0, buffer, 60,
                                               opened, 40, effort),
                 SAMARA_OK, "receiver");
    /* Wire size of 40 bytes: 60. Four times 64 of a cipher's own and 60. */
    CHECK(receiver.credit == effort + 4 * (64 + 60), "credit of %u",
          (unsigned)receiver.credit);
    memset(wire, 0xff, 100);
    (void)receive(&receiver, 100);
    CHECK(receiver.credit == effort + 4 * (64 + 60), "credit after noise");
  }
  CHECK_RESULT(samara_rfserial_receiver_init(&receiver, &link, 0, buffer, 60,
                                             opened, 40, UINT32_MAX),
               SAMARA_OK, "receiver");
  CHECK(receiver.credit == UINT32_MAX, "credit ends");
  CHECK(receiver.attempts == 0 && receiver.skipped == 0, "nothing was tried");
  samara_rfserial_sender sender = {&link, 0};
  const size_t size = seal(&sender, 40);
  (void)receive(&receiver, size);
  /* Some of the ciphertext may look like a unit. */
  CHECK(receiver.attempts >= 1 && receiver.attempts < 10, "%u tags checked",
        (unsigned)receiver.attempts);
}

int main(int argument_count, char **arguments) {
  static const uint64_t most_lost[] = {11, 191, 6143, 196607, 6291455};
  check_sizes();
  check_known_units(argument_count == 2 ? arguments[1] : NULL);
  check_settings();
  check_limits_of_settings();
  check_settings_authenticated();
  check_smallest_buffer();
  check_fill_sizes(12, 20);
  check_fill_sizes(3, 40);
  check_fill_sizes(1, 330);
  check_fill_sizes(1, 800);
  check_units_in_a_row();
  check_credit();
  check_every_suite();
  check_longest();
  check_separation();
  check_no_stall();
  check_effort();
  for (unsigned size = 0; size <= samara_rfserial_counter_size_max; size++) {
    check_forgeries(size);
    check_repeated(size);
    check_lost(size, most_lost[size]);
    check_counter_end(size);
    check_damage(size);
  }
  return check_report();
}
