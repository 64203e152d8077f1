/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_AEAD_ASCON_WORDS_H
#define SAMARA_AEAD_ASCON_WORDS_H

#include "common/machine.h"

#if SAMARA_ARCH_ARMV7M
/* Assembly, for words whose low half has the even bits and whose high half the
 * odd ones: ascon_enter and ascon_leave. */

/* Ascon-p with the last `rounds` of its constants, 8 or 12. */
void samara_ascon_armv7m_permute(uint64_t state[5], unsigned rounds);

/* For each of `count` blocks, at least one: adds the first two words of the
 * state to it and writes the sum, unless `output` is a null pointer. `kept`
 * says what the state's words become: zeros for the sum, ones for the input.
 * Then 8 rounds. */
void samara_ascon_armv7m_blocks(uint64_t state[5], uint8_t *output,
                                const uint8_t *input, size_t count,
                                uint32_t kept);
#endif

#endif
