/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_AEAD_GRAIN128AEAD_WORD_H
#define SAMARA_AEAD_GRAIN128AEAD_WORD_H

#include "common/machine.h"
#include <samara/grain128aead.h>
#include <stdbool.h>

#if SAMARA_ARCH_X86_64
/* Authenticates 32 bits, on processors with PCLMULQDQ: see
 * grain128aead_authenticate. */
void samara_grain128aead_word_x86_64(samara_grain128aead *state, uint32_t bits,
                                     uint32_t fresh);
#endif

#if SAMARA_WORD_BITS == 64
/* The pieces of a call, for one that goes on with a message from a batch. They
 * leave the stack as it is. */
void samara_grain128aead_bare_absorb(samara_grain128aead *state,
                                     const uint8_t *associated_data,
                                     size_t size);
void samara_grain128aead_bare_crypt(samara_grain128aead *state, uint8_t *output,
                                    const uint8_t *input, size_t size,
                                    bool opening);
void samara_grain128aead_bare_finish(samara_grain128aead *state,
                                     uint8_t tag[samara_grain128aead_tag_size]);
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
