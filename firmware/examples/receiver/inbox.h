/* SPDX-License-Identifier: Apache-2.0 */
#ifndef INBOX_H
#define INBOX_H

/* Bytes that arrive at UART 0 while the program does something else, such as
 * waiting for the EEPROM. Two messages of a sensor fit in; what arrives when it
 * is full is lost, as on the air. */

#include <stddef.h>
#include <stdint.h>

/* After board_start. */
void inbox_start(void);

/* Moves bytes that have arrived: how many, which may be none. */
size_t inbox_take(uint8_t *bytes, size_t room);

/* Sleeps, with the clock on, until a byte is there. */
void inbox_wait(void);

#endif
