/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BOARD_H
#define BOARD_H

/* What the sensor needs of its board, an nRF51 or nRF52: a radio modem at UART
 * 0, and a clock that wakes it. */

#include <samara/memories/@store@.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The memory of key and counters: the last eight pages of the flash memory,
 * which board.ld leaves free. */
#define BOARD_MEMORY samara_store_@store@
#define BOARD_MEMORY_SIZE (8u * @page_bytes@u)
#define BOARD_MEMORY_FIRST (@FLASH_BYTES@u - BOARD_MEMORY_SIZE)

void board_start(void);

/* Sends bytes to the modem, and waits until they are out. A function `write` of
 * samara_node. */
bool board_write(void *context, const uint8_t *bytes, size_t size);

/* What there is to measure: the temperature of the chip in degrees Celsius. */
#define BOARD_UNIT " C"
int board_measure(void);

/* Half a second of sleep: System ON, woken by the real-time counter. */
void board_sleep(void);

#endif
