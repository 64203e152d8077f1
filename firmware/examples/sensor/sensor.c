/* SPDX-License-Identifier: Apache-2.0 */

/* A sensor: it measures its supply voltage, sends it sealed through a serial
 * radio, and sleeps. Key and counters are in the EEPROM, so that a reset
 * repeats no nonce. record.h comes from the host (samara node init
 * --for-device).
 *
 * Set the fuse EESAVE before the first start: without it, programming erases
 * the EEPROM, and the record must not be adopted a second time. */

#include "board.h"
#include "record.h"
#include <avr/io.h>
#include <samara/node.h>
#include <samara/store_avr_eeprom.h>
#include <stdlib.h>
#include <string.h>

#if __has_include("settings.h")
#include "settings.h"
#endif
#ifndef STEP
#define STEP 16 /* messages in one record of the EEPROM */
#endif
#ifndef SLEEPS
#define SLEEPS 1 /* half seconds between messages */
#endif

#ifndef UNIT_SIZE
#define UNIT_SIZE 60 /* the longest unit with packets of 12 bytes */
#endif

enum { longest = 16 };

static samara_node_record_key key;
static uint8_t wire[UNIT_SIZE];

static samara_node node = {.link = &samara_node_rfserial,
                           .aead = &SAMARA_NODE_RECORD_AEAD,
                           .key_state = &key,
                           .key_state_size = sizeof key,
                           .memory = &samara_store_avr_eeprom,
                           .first = 16, /* byte 0 suffers from brown-outs */
                           .size = E2END + 1 - 16,
                           .step = STEP,
                           .receive_step = 1,
                           .write = board_write,
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
  strcat(itoa((int)board_supply_mv(), text, 10), " mV");
}

int main(void) {
  char text[longest];
  board_start();
  int result = open_node();
  while (result == 0) {
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
