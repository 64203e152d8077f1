/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_ARCH_MSP430_GRAIN128_MSP430_H
#define SAMARA_ARCH_MSP430_GRAIN128_MSP430_H

/* Grain in assembly: see grain128_msp430.c. It leaves secrets on the stack and
 * in registers: who calls it wipes both. */

#include "common/machine.h"
#include <samara/grain128.h>

#if SAMARA_ARCH_MSP430_GRAIN
/* 16 clocks for each of `count` (1 to 16) words of pre-output. */
void samara_grain128_msp430_clocks(samara_grain128 *generator, uint16_t *words,
                                   unsigned count);
#endif

#endif
