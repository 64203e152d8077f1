/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BOARD_H
#define BOARD_H

/* What the sensor needs of its board: a radio modem at UART 0, and a clock that
 * wakes it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void board_start(void);

/* Sends bytes to the modem, and waits until they are out. A function `write` of
 * samara_node. */
bool board_write(void *context, const uint8_t *bytes, size_t size);

/* The supply in millivolts. */
uint16_t board_supply_mv(void);

/* About half a second of power-down. */
void board_sleep(void);

#endif
