/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BOARD_H
#define BOARD_H

/* What the sensor needs of its board, an MSP430F1611 with a crystal of 32,768
 * Hz: a radio modem at USART 0, pin P3.4, and a clock that wakes it. */

#include <samara/memories/msp430.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The memory of key and counters: the first eight segments of the flash memory,
 * which board.ld leaves free. */
#define BOARD_MEMORY samara_store_msp430
#define BOARD_MEMORY_FIRST 0x4000u
#define BOARD_MEMORY_SIZE (8u * 512u)

void board_start(void);

/* Sends bytes to the modem, and waits until they are out. A function `write` of
 * samara_node. */
bool board_write(void *context, const uint8_t *bytes, size_t size);

/* What there is to measure: the supply in millivolts, 3000 at most. */
#define BOARD_UNIT " mV"
int board_measure(void);

/* Half a second of sleep: LPM3, woken by the watchdog as an interval timer. */
void board_sleep(void);

#endif
