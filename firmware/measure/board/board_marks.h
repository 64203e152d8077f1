/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BOARD_MARKS_H
#define BOARD_MARKS_H

/* Marks of the measuring program on a real board, where no host stops the
 * processor: the first and the last of an operation read the timer. They save
 * the registers that they use, so the compiler makes the same code around them
 * as around the labels of the simulator. What they take is measured and
 * subtracted (board.c). */

#include "board_timer.h"

/* BOARD_TIMER_READ(to) is assembly that copies the timer into a variable. */
#define BOARD_LABEL(name) ".global measure_" name "\nmeasure_" name ":\n"
#define BOARD_MARK(name, to)                                                   \
  __asm__ __volatile__(BOARD_LABEL(name)                                       \
                           BOARD_TIMER_READ(to)::BOARD_TIMER_OPERANDS          \
                       : "memory")

#define MEASURE_START(operation) BOARD_MARK("start_" #operation, "board_began")
#define MEASURE_STOP(operation) BOARD_MARK("stop_" #operation, "board_ended")

/* The only other mark, where the program waits for a job. */
#define MEASURE_MARK(name)                                                     \
  do {                                                                         \
    __asm__ __volatile__(BOARD_LABEL(#name)::: "memory");                      \
    board_serve();                                                             \
  } while (0)

extern volatile board_count board_began;
extern volatile board_count board_ended;

/* Answers the host until it has given a job. */
void board_serve(void);

#endif
