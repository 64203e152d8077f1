/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BOARD_TIMER_H
#define BOARD_TIMER_H

/* SysTick, which counts the processor's clock down in 24 bits. */

#include <stdint.h>

typedef uint32_t board_count;

enum { BOARD_TIMER_BITS = 24, BOARD_COARSE_SHIFT = 0 };

/* No flag is changed. 0xe000e018 is SYST_CVR. */
#define BOARD_TIMER_READ(to)                                                   \
  "push {r0, r1}\n"                                                            \
  "ldr r0, =0xe000e018\n"                                                      \
  "ldr r1, =" to "\n"                                                          \
  "ldr r0, [r0]\n"                                                             \
  "str r0, [r1]\n"                                                             \
  "pop {r0, r1}\n"
#define BOARD_TIMER_OPERANDS

#endif
