/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BOARD_H
#define BOARD_H

/* What the sensor needs of its board, an STM32F103: a radio modem at USART 1, pin
 * PA9, and a clock that wakes it. */

/* Of the flash memory: 1024 with 64 or 128 KB, 2048 with more. */
#define SAMARA_STM32F1_PAGE_SIZE @page_bytes@u

#include <samara/memories/stm32f1.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The memory of key and counters: @where@,
 * which board.ld leaves free. */
#define BOARD_MEMORY samara_store_stm32f1
#define BOARD_MEMORY_SIZE (8u * SAMARA_STM32F1_PAGE_SIZE)
#define BOARD_MEMORY_FIRST (@FLASH_BYTES@u - BOARD_MEMORY_SIZE)

void board_start(void);

/* Sends bytes to the modem, and waits until they are out. A function `write` of
 * samara_node. */
bool board_write(void *context, const uint8_t *bytes, size_t size);

/* What there is to measure: the supply in millivolts, within 4 %. */
#define BOARD_UNIT " mV"
int board_measure(void);

/* About half a second of sleep: stop mode, woken by the real-time clock. */
void board_sleep(void);

#endif
