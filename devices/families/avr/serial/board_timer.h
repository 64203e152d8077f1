/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BOARD_TIMER_H
#define BOARD_TIMER_H

/* Timer 1: 16 bits, one count for each cycle, or for each 1,024. */

#include <avr/io.h>
#include <stdint.h>

typedef uint16_t board_count;

enum { BOARD_TIMER_BITS = 16, BOARD_COARSE_SHIFT = 10 };

/* Neither LDS nor STS changes a flag. The lower byte is read first: that keeps
 * the higher one for the next read. */
#define BOARD_TIMER_READ(to)                                                   \
  "push r24\n"                                                                 \
  "lds r24, %[low]\n"                                                          \
  "sts " to ", r24\n"                                                          \
  "lds r24, %[high]\n"                                                         \
  "sts " to " + 1, r24\n"                                                      \
  "pop r24\n"
#define BOARD_TIMER_OPERANDS                                                   \
  [low] "i"(_SFR_MEM_ADDR(TCNT1L)), [high] "i"(_SFR_MEM_ADDR(TCNT1H))

#endif
