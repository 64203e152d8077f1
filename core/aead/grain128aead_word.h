/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_AEAD_GRAIN128AEAD_WORD_H
#define SAMARA_AEAD_GRAIN128AEAD_WORD_H

#include "common/machine.h"
#include <samara/grain128aead.h>

#if SAMARA_ARCH_X86_64
/* Authenticates 32 bits, on processors with PCLMULQDQ: see
 * grain128aead_authenticate. */
void samara_grain128aead_word_x86_64(samara_grain128aead *state, uint32_t bits,
                                     uint32_t fresh);
#endif

#if SAMARA_ARCH_ARMV7M
/* Authenticates 32 bits: see grain128aead_authenticate. The register follows
 * the accumulator in memory. */
void samara_grain128aead_armv7m_authenticate(uint32_t *accumulator,
                                             uint32_t bits, uint32_t fresh);
#endif

#if SAMARA_ARCH_AVR_GRAIN
/* The even bits of a word in its low half, the odd ones in its high half. */
uint32_t samara_grain128aead_avr_split(uint32_t word);

/* Authenticates 1 to 4 bytes: see grain128aead_authenticate. The register
 * follows the accumulator in memory. */
void samara_grain128aead_avr_authenticate(uint32_t *accumulator, uint32_t bits,
                                          uint32_t fresh, uint8_t bytes);
#endif

#endif
