/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BOARD_H
#define BOARD_H

/* What the sensor needs of its board: a radio modem at UART 0, and a clock that
 * wakes it. */

#include <avr/io.h>
#include <samara/store_avr_eeprom.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The memory of key and counters: all of the EEPROM but its first bytes, of
 * which byte 0 suffers from brown-outs. */
#define BOARD_MEMORY samara_store_avr_eeprom
#define BOARD_MEMORY_FIRST 16
#define BOARD_MEMORY_SIZE (E2END + 1 - 16)

void board_start(void);

/* Sends bytes to the modem, and waits until they are out. A function `write` of
 * samara_node. */
bool board_write(void *context, const uint8_t *bytes, size_t size);

/* What there is to measure: the supply in millivolts. */
#define BOARD_UNIT " mV"
int board_measure(void);

/* About half a second of power-down. */
void board_sleep(void);

#endif
