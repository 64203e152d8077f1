/* SPDX-License-Identifier: Apache-2.0 */
/* The measuring program's side of the serial port. The host writes a job into
 * memory, lets it run, and reads timer and answer. All keys are the host's
 * random ones: this program is for measuring alone.
 *
 * A request is 0xa5, command, size, so many bytes, and a CRC-16 (CCITT, the
 * higher byte first) of all but the first byte; an answer the same after 0x5a.
 * An answer has the command of its request, or 0 if that was damaged or is not
 * known. Addresses and counts have four bytes, the lowest first.
 *
 *   i                     -> bits of the timer, shift of pass 1 (0: there is
 *                            none), the name of this program
 *   w ADDRESS BYTES       -> nothing
 *   r ADDRESS SIZE (1)    -> bytes
 *   g PASS (1)            -> counts of the job, counts of the marks alone */

#include "board.h"

enum {
  begin_request = 0xa5,
  begin_answer = 0x5a,
  address_size = 4,
  payload_max = 64,
  polls_max = 60000, /* for the next byte of a request */
  crc_initial = 0xffff,
  crc_polynomial = 0x1021
};

typedef struct request {
  uint8_t command;
  uint8_t size;
  uint8_t payload[payload_max];
} request;

volatile board_count board_began;
volatile board_count board_ended;

static bool is_ready, is_running;
static const char name[] = BOARD_PROGRAM;

static uint16_t crc_with(uint16_t crc, uint8_t byte) {
  crc ^= (uint16_t)((uint16_t)byte << 8);
  for (uint8_t i = 0; i < 8; i++) {
    const uint16_t shifted = (uint16_t)(crc << 1);
    crc = (crc & 0x8000u) != 0 ? shifted ^ crc_polynomial : shifted;
  }
  return crc;
}

static uint16_t put_counted(uint16_t crc, uint8_t byte) {
  board_put(byte);
  return crc_with(crc, byte);
}

static void answer(uint8_t command, const uint8_t *bytes, uint8_t size) {
  board_put(begin_answer);
  uint16_t crc = put_counted(crc_initial, command);
  crc = put_counted(crc, size);
  for (uint8_t i = 0; i < size; i++) {
    crc = put_counted(crc, bytes[i]);
  }
  board_put((uint8_t)(crc >> 8));
  board_put((uint8_t)crc);
}

static bool get_soon(uint8_t *byte) {
  for (uint16_t i = 0; i < polls_max; i++) {
    if (board_get(byte)) {
      return true;
    }
  }
  return false;
}

/* Waits for a request; one that is damaged, or breaks off, is refused. */
static bool get_request(request *to) {
  uint8_t byte = 0;
  while (!board_get(&byte) || byte != begin_request) {
  }
  if (!get_soon(&to->command) || !get_soon(&to->size) ||
      to->size > payload_max) {
    return false;
  }
  uint16_t crc = crc_with(crc_with(crc_initial, to->command), to->size);
  for (uint8_t i = 0; i < to->size; i++) {
    if (!get_soon(&to->payload[i])) {
      return false;
    }
    crc = crc_with(crc, to->payload[i]);
  }
  uint8_t high = 0;
  uint8_t low = 0;
  return get_soon(&high) && get_soon(&low) &&
         crc == (uint16_t)((uint16_t)high << 8 | low);
}

static void put_number(uint8_t *to, uint32_t number) {
  for (uint8_t i = 0; i < address_size; i++) {
    to[i] = (uint8_t)(number >> 8 * i);
  }
}

static uint8_t *address_of(const request *from) {
  uint32_t address = 0;
  for (uint8_t i = address_size; i-- > 0;) {
    address = address << 8 | from->payload[i];
  }
  /* NOLINTNEXTLINE(performance-no-int-to-ptr): the host says where. */
  return (uint8_t *)(uintptr_t)address;
}

static void tell_name(void) {
  uint8_t told[2 + sizeof name - 1] = {BOARD_TIMER_BITS, BOARD_COARSE_SHIFT};
  for (uint8_t i = 0; i < sizeof name - 1; i++) {
    told[2 + i] = (uint8_t)name[i];
  }
  answer('i', told, sizeof told);
}

/* Its two marks are next to each other. */
__attribute__((noinline)) static uint32_t between_marks(void) {
  MEASURE_START(nothing);
  MEASURE_STOP(nothing);
  return board_timer_between();
}

static void tell_counts(void) {
  uint8_t told[2 * address_size];
  put_number(told, board_timer_between());
  put_number(told + address_size, between_marks());
  answer('g', told, sizeof told);
}

/* Returns whether the host has given a job. */
static bool obey(const request *from) {
  if (from->command == 'i') {
    tell_name();
  } else if (from->command == 'w' && from->size >= address_size) {
    uint8_t *to = address_of(from);
    for (uint8_t i = address_size; i < from->size; i++) {
      to[i - address_size] = from->payload[i];
    }
    answer('w', from->payload, 0);
  } else if (from->command == 'r' && from->size == address_size + 1 &&
             from->payload[address_size] <= payload_max) {
    answer('r', address_of(from), from->payload[address_size]);
  } else if (from->command == 'g' && from->size == 1) {
    board_timer_begin(from->payload[0]);
    return true;
  } else {
    answer(0, from->payload, 0);
  }
  return false;
}

void board_serve(void) {
  request now;
  if (!is_ready) {
    board_port_begin();
    is_ready = true;
  }
  if (is_running) {
    tell_counts();
  }
  do {
    while (!get_request(&now)) {
      answer(0, now.payload, 0);
    }
  } while (!obey(&now));
  is_running = true;
}
