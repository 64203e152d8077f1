/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RADIO_H
#define RADIO_H

/* The transceiver of the ATmega128RFA1, as far as a sensor needs it: it sends
 * frames with CSMA-CA in its extended operating mode, and sleeps. Its registers
 * are above those that libsimavr has: they are plain memory, which is looked at
 * after each instruction. What the data sheet does not allow ends the program.
 */

#include <simavr/sim_avr.h>
#include <simavr/sim_time.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { radio_psdu_size_max = 127 };

typedef struct radio {
  uint8_t state; /* TRX_STATUS, when no transition is due */
  uint8_t next;
  bool changes;
  bool fails; /* to get the channel, for the frame that is being sent */
  uint8_t busy_percent; /* of the times at which the channel is looked at */
  avr_cycle_count_t due;
  uint8_t psdu[radio_psdu_size_max];
  uint8_t size;
  uint8_t channel;
} radio;

bool radio_is_in(const char *mcu);

/* After each instruction: true when a frame has just been sent. `chance` is for
 * the backoff. */
bool radio_step(radio *radio, avr_t *avr, uint8_t (*chance)(void));

/* While it sends a frame, or waits for the channel. */
bool radio_is_busy(const radio *radio);

#endif
