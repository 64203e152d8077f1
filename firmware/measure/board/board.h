/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BOARD_H
#define BOARD_H

/* What a board gives the measuring program: a serial port and a timer. No
 * interrupt is used: one that came during a measurement would be counted. */

#include "measure.h"
#include <stdbool.h>
#include <stdint.h>

void board_port_begin(void);
void board_put(uint8_t byte);
/* Takes a byte if one has come. */
bool board_get(uint8_t *byte);

/* Pass 0 counts cycles; pass 1, where there is one, counts groups of
 * 2^BOARD_COARSE_SHIFT cycles: a short timer counts a long time in both. */
void board_timer_begin(uint8_t pass);
/* Counts from board_began to board_ended. */
uint32_t board_timer_between(void);

#endif
