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

#if SAMARA_ARCH_RV32
/* The same. */
void samara_grain128aead_rv32_authenticate(uint32_t *accumulator, uint32_t bits,
                                           uint32_t fresh);
#endif

#endif
