/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "radio.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Registers, and bits there (data sheet 8266, section 9.12). */
enum {
  TRXPR = 0x139,
  SLPTR = 1 << 1,
  TRX_STATUS = 0x141,
  TRX_STATE = 0x142,
  TRX_CTRL_1 = 0x144,
  TX_AUTO_CRC_ON = 1 << 5,
  PHY_CC_CCA = 0x148,
  BATMON = 0x151,
  BATMON_OK = 1 << 5,
  BATMON_HR = 1 << 4,
  TRXFBST = 0x180
};

/* States; those that a command asks for have its number. */
enum {
  AT_RESET = 0,
  TX_START = 2, /* a command */
  TRX_OFF = 8,
  PLL_ON = 9,
  ASLEEP = 15,
  BUSY = 18,
  TX_ARET_ON = 25,
  CHANGING = 31,
  COMMANDS = 31,         /* of TRX_STATE, and above them TRAC_STATUS: */
  ACCESS_FAILED = 3 << 5 /* the channel was busy all the time */
};

/* Times, in microseconds: of the tables of state transitions. */
enum {
  reset_us = 330,
  wake_us = 210,
  lock_us = 110,
  short_us = 1,
  turnaround_us = 192,
  byte_us = 32,
  head_size = 6, /* preamble, delimiter, length */
  slot_us = 320, /* of the backoff */
  sense_us = 128,
  backoffs = 8, /* a first backoff exponent of 3 */
  attempts = 5, /* MAX_CSMA_RETRIES is 4 after a reset */
  first_channel = 11,
  last_channel = 26,
  fcs_size = 2,
  supply_mv = 3300
};

bool radio_is_in(const char *mcu) { return strcmp(mcu, "atmega128rfa1") == 0; }

bool radio_is_busy(const radio *radio) {
  return radio->changes && radio->state == BUSY;
}

static void refuse(const radio *radio, const char *what) {
  fprintf(stderr, "board: the program %s while its radio is in state %d\n",
          what, radio->state);
  exit(1);
}

static void change(radio *radio, const avr_t *avr, uint8_t next, uint32_t us) {
  radio->changes = true;
  radio->next = next;
  radio->due = avr->cycle + avr_usec_to_cycles((avr_t *)avr, us);
}

static uint16_t fcs_of(const uint8_t *bytes, size_t size) {
  uint16_t fcs = 0;
  for (size_t i = 0; i < size; i++) {
    fcs ^= bytes[i];
    for (int bit = 0; bit < 8; bit++) {
      fcs = (uint16_t)((fcs & 1) != 0 ? fcs >> 1 ^ 0x8408 : fcs >> 1);
    }
  }
  return fcs;
}

static void take_frame(radio *radio, const avr_t *avr) {
  radio->size = avr->data[TRXFBST];
  radio->channel = avr->data[PHY_CC_CCA] & 0x1f;
  if (radio->size <= fcs_size || radio->size > radio_psdu_size_max) {
    refuse(radio, "sends a frame of a wrong length");
  }
  if (radio->channel < first_channel || radio->channel > last_channel) {
    refuse(radio, "sends on a channel that does not exist");
  }
  const uint8_t text_size = (uint8_t)(radio->size - fcs_size);
  memcpy(radio->psdu, avr->data + TRXFBST + 1, radio->size);
  if ((avr->data[TRX_CTRL_1] & TX_AUTO_CRC_ON) != 0) {
    const uint16_t fcs = fcs_of(radio->psdu, text_size);
    radio->psdu[text_size] = (uint8_t)fcs;
    radio->psdu[text_size + 1] = (uint8_t)(fcs >> 8);
  }
}

static void start(radio *radio, const avr_t *avr, uint8_t (*chance)(void)) {
  take_frame(radio, avr);
  uint32_t takes_us = 0;
  radio->fails = true;
  for (int i = 0; i < attempts && radio->fails; i++) {
    takes_us += slot_us * (chance() % backoffs) + sense_us;
    radio->fails = chance() % 100 < radio->busy_percent;
  }
  if (!radio->fails) {
    takes_us += turnaround_us + byte_us * (head_size + (uint32_t)radio->size);
  }
  radio->state = BUSY;
  change(radio, avr, TX_ARET_ON, takes_us);
}

static void obey(radio *radio, const avr_t *avr, uint8_t command,
                 uint8_t (*chance)(void)) {
  const uint8_t from = radio->state;
  if (radio->changes) {
    refuse(radio, "gives a command before the last one is done");
  } else if (from == TX_ARET_ON && command == TX_START) {
    start(radio, avr, chance);
  } else if (from == AT_RESET && command == TRX_OFF) {
    change(radio, avr, TRX_OFF, reset_us);
  } else if (from == TRX_OFF && command == PLL_ON) {
    change(radio, avr, PLL_ON, lock_us);
  } else if ((from == PLL_ON &&
              (command == TX_ARET_ON || command == TRX_OFF)) ||
             (from == TX_ARET_ON && command == PLL_ON)) {
    change(radio, avr, command, short_us);
  } else if (from != command) {
    refuse(radio, "gives a command that is not allowed");
  }
}

static void look_at_sleep(radio *radio, const avr_t *avr) {
  const bool shall_sleep = (avr->data[TRXPR] & SLPTR) != 0;
  if (shall_sleep && radio->state != ASLEEP) {
    if (radio->changes || radio->state != TRX_OFF) {
      refuse(radio, "lets the radio sleep");
    }
    radio->state = ASLEEP;
  } else if (!shall_sleep && radio->state == ASLEEP && !radio->changes) {
    change(radio, avr, TRX_OFF, wake_us);
  }
}

static void compare_supply(avr_t *avr) {
  const uint8_t value = avr->data[BATMON], step = value & 0xf;
  const int threshold_mv =
      (value & BATMON_HR) != 0 ? 2550 + 75 * step : 1700 + 50 * step;
  avr->data[BATMON] = (uint8_t)(supply_mv >= threshold_mv ? value | BATMON_OK
                                                          : value & ~BATMON_OK);
}

bool radio_step(radio *radio, avr_t *avr, uint8_t (*chance)(void)) {
  compare_supply(avr);
  look_at_sleep(radio, avr);
  const uint8_t command = avr->data[TRX_STATE] & COMMANDS;
  if (command != 0) {
    avr->data[TRX_STATE] = 0;
    obey(radio, avr, command, chance);
  }
  bool is_sent = false;
  if (radio->changes && avr->cycle >= radio->due) {
    is_sent = radio->state == BUSY && !radio->fails;
    if (radio->state == BUSY && radio->fails) {
      avr->data[TRX_STATE] = ACCESS_FAILED;
    }
    radio->changes = false;
    radio->state = radio->next;
  }
  avr->data[TRX_STATUS] =
      radio->changes && radio->state != BUSY ? CHANGING : radio->state;
  return is_sent;
}
