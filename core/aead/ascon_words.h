/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_AEAD_ASCON_WORDS_H
#define SAMARA_AEAD_ASCON_WORDS_H

#include "common/machine.h"

/* What goes through the state, beginning with what has not gone yet. `output`
 * is a null pointer for associated data. */
typedef struct samara_ascon_bytes {
  const uint8_t *input;
  uint8_t *output;
  size_t size;
} samara_ascon_bytes;

/* Words whose low half has the even bits and whose high half the odd ones:
 * ascon_enter and ascon_leave. Below is the assembly for them. */
#define SAMARA_ASCON_INTERLEAVED (SAMARA_ARCH_ARMV6M || SAMARA_ARCH_ARMV7M)

#if SAMARA_ARCH_ARMV6M
/* Ascon-p with the last `rounds` of its constants, 8 or 12. */
void samara_ascon_armv6m_permute(uint64_t state[5], unsigned rounds);
#endif

#if SAMARA_ARCH_ARMV7M
/* The same. */
void samara_ascon_armv7m_permute(uint64_t state[5], unsigned rounds);

/* For each whole block, of which there is at least one: adds the first two
 * words of the state to it and writes the sum, if there is an output. `kept`
 * says what the state's words become: zeros for the sum, ones for the input.
 * Then 8 rounds. */
void samara_ascon_armv7m_blocks(uint64_t state[5], samara_ascon_bytes *bytes,
                                uint32_t kept);
#endif

#endif
