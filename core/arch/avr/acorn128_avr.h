/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_ARCH_AVR_ACORN128_AVR_H
#define SAMARA_ARCH_AVR_ACORN128_AVR_H

/* The state of ACORN-128 for the assembly of an AVR.
 *
 * What entered a register of the cipher in the last 64 clocks is eight bytes,
 * the oldest first, in a column of eight rows: A to F, the feedback, and bytes
 * of work. The first four rows are one block, the others the other. */

#include "common/machine.h"

#if SAMARA_ARCH_AVR

enum {
  acorn128_avr_row = 8,
  acorn128_avr_block = 4 * acorn128_avr_row,
  /* Flags of a call. */
  acorn128_avr_ca = 1,
  acorn128_avr_cb = 2,
  acorn128_avr_opening = 4,
  acorn128_avr_input = 8,
  acorn128_avr_output = 16
};

/* 32 clocks for each of 1 to 255 words of four bytes. Without their flags, the
 * input is zeros and no output is written. It leaves nothing of its own on the
 * stack or in registers. */
void samara_acorn128_avr_clocks(uint8_t *blocks, uint8_t *output,
                                const uint8_t *input, uint8_t words,
                                uint8_t flags);

#endif

#endif
