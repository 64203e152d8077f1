/* SPDX-License-Identifier: Apache-2.0 */
#include "common/bytes.h"
#include "rfserial/unit.h"
#include <samara/memory.h>

/* The buffer holds the bytes since the last unit, or as many of the newest as
 * the longest unit has. A unit that ends with the newest byte begins a known
 * number of bytes before it, one for each size that there is: these places are
 * looked at for every byte, and so each place is tried once, when what its
 * header announces has arrived. */

enum {
  /* Messages that may be lost, or come again, where no number is sent. */
  receiver_ahead = 12,
  receiver_behind = 4,
  /* What a cipher does beside working on text, as bytes of text. */
  receiver_fixed_work = 64
};

/* A place in the buffer that may hold a unit. */
typedef struct receiver_place {
  const uint8_t *unit;
  size_t message_size;
} receiver_place;

/* The range of numbers around the one expected that are told apart by `size`
 * bytes of them: 2^8 by one, 2^13 by two, 2^18, 2^23. A quarter lies behind.
 * From two bytes on, most bytes that only look like a number are outside. */
static uint64_t receiver_window(unsigned size) {
  return (uint64_t)1 << (5 * size + 3);
}

/* Of 64 bits: sizes have up to so many, and down to 16. */
static uint32_t receiver_sum(uint32_t left, uint64_t right) {
  return right > UINT32_MAX - left ? UINT32_MAX : left + (uint32_t)right;
}

static unsigned receiver_guesses(const samara_rfserial_link *link) {
  return link->counter_size == 0 ? receiver_ahead + receiver_behind : 1;
}

/* Work that was not done is saved, for a few places with the longest unit. */
static uint32_t receiver_most_credit(const samara_rfserial_receiver *receiver) {
  const uint32_t place = (uint32_t)receiver_guesses(receiver->link) *
                         receiver_sum(receiver_fixed_work, receiver->reach);
  return receiver->effort > UINT32_MAX - 4 * place
             ? UINT32_MAX
             : receiver->effort + 4 * place;
}

samara_result samara_rfserial_receiver_init(
    samara_rfserial_receiver *receiver, const samara_rfserial_link *link,
    uint64_t counter, uint8_t *buffer, size_t buffer_size, uint8_t *message,
    size_t message_size_max, uint32_t effort) {
  const size_t reach = samara_rfserial_wire_size(link, message_size_max);
  if (reach == 0 || reach > buffer_size) {
    return SAMARA_ERROR_MESSAGE_SIZE;
  }
  *receiver = (samara_rfserial_receiver){.link = link,
                                         .counter = counter,
                                         .buffer = buffer,
                                         .buffer_size = buffer_size,
                                         .message = message,
                                         .message_size_max = message_size_max,
                                         .reach = reach,
                                         .effort = effort};
  receiver->credit = receiver_most_credit(receiver);
  return SAMARA_OK;
}

void samara_rfserial_receiver_wipe(samara_rfserial_receiver *receiver) {
  samara_wipe(receiver->buffer, receiver->buffer_size);
  samara_wipe(receiver->message, receiver->message_size_max);
  receiver->filled = 0;
  receiver->noise = 0;
}

uint32_t
samara_rfserial_receiver_waiting(const samara_rfserial_receiver *receiver) {
  return receiver_sum(receiver->noise, receiver->filled);
}

/* Appends a byte; when there is no room, all but the newest that a unit may
 * still need are gone. */
static void receiver_append(samara_rfserial_receiver *receiver, uint8_t byte) {
  if (receiver->filled == receiver->buffer_size) {
    const size_t kept = receiver->reach - 1;
    const size_t gone = receiver->filled - kept;
    for (size_t i = 0; i < kept; i++) {
      receiver->buffer[i] = receiver->buffer[gone + i];
    }
    receiver->filled = kept;
    receiver->noise = receiver_sum(receiver->noise, gone);
  }
  receiver->buffer[receiver->filled++] = byte;
}

/* Whether the fill of a unit that ends with `end` may have the size that it
 * says: never a packet more than is needed. */
static bool receiver_fill_size(unsigned step, uint8_t code, unsigned grain,
                               const uint8_t *end, size_t *fill_size) {
  if (step >= samara_unit_exact_steps) {
    const uint32_t limit = 2 + samara_unit_growth(step, grain);
    *fill_size = (size_t)end[-2] << 8 | end[-1];
    return *fill_size >= 2 && *fill_size < limit;
  }
  *fill_size = (code & 1) != 0 ? end[-1] : 0;
  return (code & 1) == 0 || (*fill_size != 0 && *fill_size < grain);
}

/* The cheap tests: header, size of the fill, room for the message. */
static bool receiver_look(const samara_rfserial_receiver *receiver,
                          unsigned step, size_t size, receiver_place *place) {
  const uint8_t *end = receiver->buffer + receiver->filled;
  const uint8_t code = end[-(ptrdiff_t)size];
  const uint8_t flag = step < samara_unit_exact_steps ? 1 : 0;
  const unsigned grain = samara_unit_grain(receiver->link);
  size_t fill_size;
  if ((code & ~flag) != samara_unit_code(step) ||
      !receiver_fill_size(step, code, grain, end, &fill_size)) {
    return false;
  }
  const size_t rest = samara_unit_overhead(receiver->link) + fill_size;
  place->unit = end - size;
  place->message_size = size - rest;
  return size >= rest && size - rest <= receiver->message_size_max;
}

/* Number `guess` that a unit may have, of those that receiver_guesses counts:
 * false when it is outside of what is accepted. */
static bool receiver_number(const samara_rfserial_receiver *receiver,
                            const uint8_t *unit, unsigned guess,
                            uint64_t *number) {
  const uint64_t expected = receiver->counter;
  const unsigned size = receiver->link->counter_size;
  if (size == 0) {
    const bool ahead = guess < receiver_ahead;
    const uint64_t distance = ahead ? guess : guess - receiver_ahead + 1;
    *number = ahead ? expected + distance : expected - distance;
    return *number != UINT64_MAX && (*number >= expected) == ahead;
  }
  uint64_t low = 0;
  for (unsigned i = 0; i < size; i++) {
    low = low << 8 | unit[1 + i];
  }
  const uint64_t window = receiver_window(size);
  const uint64_t first = expected < window / 4 ? 0 : expected - window / 4;
  const uint64_t mask = ((uint64_t)1 << (8 * size)) - 1;
  const uint64_t distance = (low - first) & mask;
  *number = first + distance;
  return distance < window && *number >= first && *number != UINT64_MAX;
}

/* Whether the cipher may be asked about a place. */
static bool receiver_pay(samara_rfserial_receiver *receiver,
                         const receiver_place *place) {
  const uint32_t price = receiver_sum(receiver_fixed_work, place->message_size);
  const bool next_in_order =
      receiver->noise == 0 && place->unit == receiver->buffer;
  if (receiver->effort == 0 || next_in_order) {
    return true;
  }
  if (receiver->credit < price) {
    receiver->skipped++;
    return false;
  }
  receiver->credit -= price;
  return true;
}

static bool receiver_open(samara_rfserial_receiver *receiver,
                          const receiver_place *place, uint64_t number) {
  const samara_rfserial_link *link = receiver->link;
  const uint8_t *text = place->unit + 1 + link->counter_size;
  uint8_t nonce[samara_aead_nonce_size];
  uint8_t data[samara_unit_data_size];
  samara_unit_nonce(nonce, link, number);
  samara_unit_data(data, link, place->unit[0]);
  receiver->attempts++;
  return link->aead->open(link->key, receiver->message,
                          text + place->message_size, link->tag_size, nonce,
                          data, sizeof data, text,
                          place->message_size) == SAMARA_OK;
}

/* A genuine unit ends with the newest byte: the counter moves, now. */
static void receiver_deliver(samara_rfserial_receiver *receiver,
                             samara_rfserial_event *event,
                             const receiver_place *place, uint64_t number) {
  const size_t before = (size_t)(place->unit - receiver->buffer);
  event->number = number;
  event->noise = receiver_sum(receiver->noise, before);
  event->unit = place->unit;
  event->unit_size = receiver->filled - before;
  receiver->filled = 0;
  receiver->noise = 0;
  if (number < receiver->counter) {
    event->kind = SAMARA_RFSERIAL_REPEATED;
    samara_wipe(receiver->message, place->message_size);
    return;
  }
  event->kind = SAMARA_RFSERIAL_MESSAGE;
  event->lost = number - receiver->counter;
  event->message = receiver->message;
  event->message_size = place->message_size;
  receiver->counter = number + 1;
}

/* Tries the numbers that a place may have. */
static bool receiver_try(samara_rfserial_receiver *receiver,
                         samara_rfserial_event *event,
                         const receiver_place *place) {
  for (unsigned i = 0; i < receiver_guesses(receiver->link); i++) {
    uint64_t number;
    if (receiver_number(receiver, place->unit, i, &number) &&
        receiver_pay(receiver, place) &&
        receiver_open(receiver, place, number)) {
      receiver_deliver(receiver, event, place, number);
      return true;
    }
  }
  return false;
}

/* Whether a unit of any size ends with the newest byte. */
static bool receiver_search(samara_rfserial_receiver *receiver,
                            samara_rfserial_event *event) {
  const unsigned grain = samara_unit_grain(receiver->link);
  uint32_t size = 0;
  for (unsigned step = 0; step < samara_unit_steps; step++) {
    receiver_place place;
    size += samara_unit_growth(step, grain);
    if (size > receiver->filled || size > receiver->reach) {
      return false;
    }
    if (receiver_look(receiver, step, (size_t)size, &place) &&
        receiver_try(receiver, event, &place)) {
      return true;
    }
  }
  return false;
}

static void receiver_earn(samara_rfserial_receiver *receiver) {
  const uint32_t most = receiver_most_credit(receiver);
  const uint32_t credit = receiver_sum(receiver->credit, receiver->effort);
  receiver->credit = credit < most ? credit : most;
}

size_t samara_rfserial_receive(samara_rfserial_receiver *receiver,
                               samara_rfserial_event *event,
                               const uint8_t *bytes, size_t size) {
  *event = (samara_rfserial_event){.kind = SAMARA_RFSERIAL_NOTHING};
  for (size_t i = 0; i < size; i++) {
    receiver_earn(receiver);
    receiver_append(receiver, bytes[i]);
    if (receiver_search(receiver, event)) {
      return i + 1;
    }
  }
  return size;
}
