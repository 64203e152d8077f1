/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_AEAD_ASCON_PERMUTATION_H
#define SAMARA_AEAD_ASCON_PERMUTATION_H

/* Ascon's permutation in assembly. */

#include "common/machine.h"

#if SAMARA_ARCH_AVR
/* Rounds from that of this constant on: 0xf0 for twelve, 0xb4 for eight. It
 * leaves nothing of its own on the stack or in registers. */
void samara_ascon_avr_permute(uint8_t *state, uint8_t constant);
#endif

#if SAMARA_ARCH_MSP430
/* The same. */
void samara_ascon_msp430_permute(uint64_t state[5], uint8_t constant);
#endif

#if SAMARA_ARCH_RV32
/* The last `rounds` rounds, 8 or 12. What it leaves on the stack and in
 * registers its caller wipes. */
void samara_ascon_rv32_permute(uint64_t state[5], unsigned rounds);
#endif

#endif
