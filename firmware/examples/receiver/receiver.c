/* SPDX-License-Identifier: Apache-2.0 */

/* The other end of the sensor, on a second board: it opens what a serial radio
 * at its receive pin hears, and writes the text, a line a message, to its
 * transmit pin, where a display or a serial monitor is. Nothing that is forged,
 * damaged or replayed is written, also after a reset. The records of the two
 * boards come from samara node devices sensor.h receiver.h --link rf-serial. */

#include "board.h"
#include "inbox.h"
#include "record.h"
#include <samara/node.h>

#if __has_include("settings.h")
#include "settings.h"
#endif
#ifndef UNIT_SIZE
#define UNIT_SIZE 60 /* the longest unit with packets of 12 bytes */
#endif

enum { longest = 16 };

static samara_node_record_key key;
static uint8_t wire[UNIT_SIZE];
static uint8_t buffer[UNIT_SIZE];
static uint8_t message[longest + samara_node_overhead];

static samara_node node = {.link = &samara_node_rfserial,
                           .aead = &SAMARA_NODE_RECORD_AEAD,
                           .key_state = &key,
                           .key_state_size = sizeof key,
                           .memory = &BOARD_MEMORY,
                           .first = BOARD_MEMORY_FIRST,
                           .size = BOARD_MEMORY_SIZE,
                           .step = 1,
                           .receive_step = 1, /* a reset loses no message */
                           .write = board_write,
                           .message_size_max = longest,
                           .wire = wire,
                           .wire_size = sizeof wire,
                           .buffer = buffer,
                           .buffer_size = sizeof buffer,
                           .message = message,
                           .message_room = sizeof message};

static int open_node(void) {
  const int result = samara_node_open(&node);
  if (result != SAMARA_STORE_ERROR_BLANK) {
    return result;
  }
  const int adopted =
      samara_node_adopt(&node, samara_node_record, sizeof samara_node_record);
  return adopted == 0 ? samara_node_open(&node) : adopted;
}

/* Your use of a message: here it is shown. */
static void show(const samara_node_event *event) {
  if (event->kind == SAMARA_NODE_MESSAGE) {
    (void)board_write(NULL, event->message, event->message_size);
    (void)board_write(NULL, (const uint8_t *)"\r\n", 2);
  }
}

static int receive(const uint8_t *bytes, size_t size) {
  int result = 0;
  while (result == 0 && size != 0) {
    samara_node_event event;
    size_t processed = 0;
    result = samara_node_receive(&node, &event, bytes, size, &processed);
    if (result == 0) {
      show(&event);
    }
    bytes += processed;
    size -= processed;
  }
  return result;
}

int main(void) {
  uint8_t bytes[16];
  board_start();
  inbox_start();
  int result = open_node();
  while (result == 0) {
    inbox_wait();
    result = receive(bytes, inbox_take(bytes, sizeof bytes));
  }
  for (;;) { /* no sound counter: nothing can be trusted */
    board_sleep();
  }
}
