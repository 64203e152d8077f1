/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_AEAD_ASCON_PERMUTATION_H
#define SAMARA_AEAD_ASCON_PERMUTATION_H

/* Ascon in assembly: the permutation, or whole messages. */

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
/* A whole message: its tag, and its output, which may be the input. `opening`
 * is ones when the input is a ciphertext, zeros when not. */
void samara_ascon_rv32_message(const uint8_t *key, const uint8_t *nonce,
                               const uint8_t *data, size_t data_size,
                               const uint8_t *input, uint8_t *output,
                               size_t size, uint8_t *tag, uint32_t opening);
#endif

#endif
