/* SPDX-License-Identifier: Apache-2.0 */

/* Both ends of a serial link, and on the line between them whatever the fuzzer
 * likes: its own bytes, genuine units, pieces of them, old ones, changed ones.
 * What is delivered was sent, under its number, whole, once and in order; and a
 * genuine unit behind another always arrives. */

#include "input.h"
#include <samara/aes.h>
#include <samara/ascon_aead128.h>
#include <samara/rfserial.h>

enum { message_max = 300, units_max = 40, key_words = 40 };

typedef struct line {
  samara_rfserial_link link;
  samara_rfserial_sender sender;
  samara_rfserial_receiver receiver;
  uint64_t first; /* the number of the first unit */
  uint8_t *units[units_max];
  size_t unit_sizes[units_max];
  size_t message_sizes[units_max];
} line;

/* Messages need not be kept: their number and size say what they are. */
static uint8_t letter(uint64_t number, size_t place) {
  return (uint8_t)(number * 31 + place * 7);
}

static void check_event(const line *line, const samara_rfserial_event *event,
                        uint64_t expected) {
  if (event->kind == SAMARA_RFSERIAL_NOTHING) {
    fuzz_require(line->receiver.counter == expected);
    return;
  }
  fuzz_require(event->number >= line->first &&
               event->number < line->sender.counter);
  if (event->kind == SAMARA_RFSERIAL_REPEATED) {
    fuzz_require(event->number < expected && event->message == NULL);
    fuzz_require(line->receiver.counter == expected);
    return;
  }
  fuzz_require(event->number == expected + event->lost);
  fuzz_require(line->receiver.counter == event->number + 1);
  fuzz_require(event->message_size ==
               line->message_sizes[event->number - line->first]);
  for (size_t i = 0; i < event->message_size; i++) {
    fuzz_require(event->message[i] == letter(event->number, i));
  }
}

/* Returns how many messages arrived, or came again. */
static unsigned feed(line *line, const uint8_t *bytes, size_t size) {
  unsigned count = 0;
  while (size != 0) {
    const uint64_t expected = line->receiver.counter;
    samara_rfserial_event event;
    const size_t taken =
        samara_rfserial_receive(&line->receiver, &event, bytes, size);
    fuzz_require(taken != 0 && taken <= size);
    check_event(line, &event, expected);
    count += event.kind != SAMARA_RFSERIAL_NOTHING;
    bytes += taken;
    size -= taken;
  }
  return count;
}

/* Seals one more message, if there is room to remember it. */
static void seal(line *line, size_t message_size) {
  const size_t place = (size_t)(line->sender.counter - line->first);
  if (place == units_max || line->sender.counter == UINT64_MAX) {
    return;
  }
  const size_t size = samara_rfserial_wire_size(&line->link, message_size);
  uint8_t *message = fuzz_allocate(message_size);
  for (size_t i = 0; i < message_size; i++) {
    message[i] = letter(line->sender.counter, i);
  }
  line->units[place] = fuzz_allocate(size);
  line->message_sizes[place] = message_size;
  fuzz_require(samara_rfserial_seal(&line->sender, line->units[place],
                                    &line->unit_sizes[place], message,
                                    message_size) == SAMARA_OK);
  fuzz_require(line->unit_sizes[place] == size);
  free(message);
}

static void feed_some(line *line, fuzz_input *input) {
  const size_t size = fuzz_byte(input);
  uint8_t *bytes = fuzz_take(input, size);
  (void)feed(line, bytes, size);
  free(bytes);
}

/* A unit of before, whole or in part, or with a byte changed. */
static void feed_unit(line *line, fuzz_input *input) {
  const size_t count = (size_t)(line->sender.counter - line->first);
  if (count == 0) {
    return;
  }
  const size_t place = fuzz_byte(input) % count;
  const size_t size = line->unit_sizes[place];
  fuzz_require(size != 0);
  const size_t begin = fuzz_byte(input) % size;
  const size_t part = 1 + fuzz_byte(input) % (size - begin);
  const uint8_t change = fuzz_byte(input);
  uint8_t *bytes = fuzz_allocate(part);
  memcpy(bytes, line->units[place] + begin, part);
  bytes[change % part] ^= fuzz_byte(input);
  (void)feed(line, bytes, part);
  free(bytes);
}

/* The newest unit; behind a genuine one it is never missed. */
static void feed_newest(line *line) {
  const size_t count = (size_t)(line->sender.counter - line->first);
  if (count != 0) {
    const uint64_t number = line->sender.counter - 1;
    const bool in_order =
        samara_rfserial_receiver_waiting(&line->receiver) == 0 &&
        number >= line->receiver.counter &&
        number - line->receiver.counter <= 11;
    const unsigned arrived =
        feed(line, line->units[count - 1], line->unit_sizes[count - 1]);
    fuzz_require(!in_order || arrived == 1);
  }
}

static void play(line *line, fuzz_input *input) {
  while (input->size != 0) {
    const uint8_t choice = fuzz_byte(input);
    switch (choice % 4) {
    case 0:
      seal(line, choice / 4 < 60 ? choice / 4 : message_max);
      feed_newest(line);
      break;
    case 1:
      seal(line, choice);
      break;
    case 2:
      feed_unit(line, input);
      break;
    default:
      feed_some(line, input);
    }
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  fuzz_input input = {bytes, size};
  uint64_t key[key_words];
  const samara_aead *aead = fuzz_byte(&input) % 2 != 0
                                ? &samara_aes128_ccm_aead
                                : &samara_ascon_aead128_aead;
  aead->set_key(key, (const uint8_t *)"0123456789abcdef");
  line line = {.link = {.aead = aead, .key = key}};
  line.link.direction = fuzz_byte(&input) % 2;
  line.link.packet_size = (uint8_t)(1 + fuzz_byte(&input) % 240);
  line.link.counter_size = fuzz_byte(&input) % 5;
  line.link.tag_size = 8;
  fuzz_require(samara_rfserial_is_valid(&line.link));
  const uint32_t effort = fuzz_byte(&input);
  const uint8_t where = fuzz_byte(&input);
  line.first = where < 250 ? where : UINT64_MAX - (256 - where);
  line.sender = (samara_rfserial_sender){&line.link, line.first};

  const size_t room =
      samara_rfserial_wire_size(&line.link, message_max) + fuzz_byte(&input);
  uint8_t *buffer = fuzz_allocate(room);
  uint8_t *message = fuzz_allocate(message_max);
  fuzz_require(samara_rfserial_receiver_init(&line.receiver, &line.link,
                                             line.first, buffer, room, message,
                                             message_max, effort) == SAMARA_OK);
  play(&line, &input);
  samara_rfserial_receiver_wipe(&line.receiver);
  for (size_t i = 0; i < units_max; i++) {
    free(line.units[i]);
  }
  free(buffer);
  free(message);
  return 0;
}
