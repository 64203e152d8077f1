/* SPDX-License-Identifier: Apache-2.0 */

/* A sensor: it measures, sends what it measured sealed through its link
 * (link.h) and sleeps. Key and counters are in a memory that outlasts resets,
 * so that none repeats a nonce. record.h comes from the host (samara node init
 * --for-device).
 *
 * Programming must not erase that memory, or the record would be adopted a
 * second time. On an AVR set the fuse EESAVE before the first start. */

#include "board.h"
#include "link.h"
#include "record.h"
#include <samara/node.h>
#include <stdlib.h>
#include <string.h>

#if __has_include("settings.h")
#include "settings.h"
#endif
#ifndef STEP
#define STEP 16 /* messages in one record of the memory */
#endif
#ifndef SLEEPS
#define SLEEPS 1 /* half seconds between messages */
#endif

enum { longest = 16 };

static uint8_t wire[LINK_WIRE_SIZE];

static samara_node node = {LINK_SETTINGS,
                           .memory = &BOARD_MEMORY,
                           .first = BOARD_MEMORY_FIRST,
                           .size = BOARD_MEMORY_SIZE,
                           .step = STEP,
                           .receive_step = 1,
                           .message_size_max = longest,
                           .wire = wire,
                           .wire_size = sizeof wire};

static int open_node(void) {
  const int result = samara_node_open(&node);
  if (result != SAMARA_STORE_ERROR_BLANK) {
    return result;
  }
  const int adopted =
      samara_node_adopt(&node, samara_node_record, sizeof samara_node_record);
  return adopted == 0 ? samara_node_open(&node) : adopted;
}

/* Your reading, as text of up to `longest` bytes. */
static void measure(char text[longest]) {
  strcat(itoa(board_measure(), text, 10), BOARD_UNIT);
}

int main(void) {
  char text[longest];
  board_start();
  int result = open_node();
  link_start();
  /* A message that the radio could not send is lost; the next one is tried. */
  while (result == 0 || result == SAMARA_NODE_ERROR_WRITE) {
    measure(text);
    result = samara_node_send(&node, (const uint8_t *)text, strlen(text));
    for (unsigned i = 0; i < SLEEPS; i++) {
      board_sleep();
    }
  }
  for (;;) { /* no sound counter, no message */
    board_sleep();
  }
}
