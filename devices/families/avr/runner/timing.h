/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TIMING_H
#define TIMING_H

#include <stdint.h>

/* AVRs whose instructions are those of the ATmega, in other numbers of cycles:
 * XMEGA (AVRxm), and megaAVR 0-series, tinyAVR 0 to 2, AVR Dx and Ex (AVRxt).
 */
typedef enum core_timing { AVRE, AVRXM, AVRXT } core_timing;

/* The cycles that an instruction takes on top of those that an ATmega counts
 * for it; fewer are negative. Data that is loaded is in RAM. */
int cycles_beyond_atmega(core_timing timing, uint16_t opcode);

#endif
