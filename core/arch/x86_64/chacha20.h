/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_ARCH_X86_64_CHACHA20_H
#define SAMARA_ARCH_X86_64_CHACHA20_H

#include "arch/x86_64/cpu.h"

#if SAMARA_ARCH_X86_64

/* Adds the stream of ChaCha20 from the block whose counter is word 12 on, moves
 * the counter, and returns how many bytes it did: whole blocks, as many as a
 * multiple of those that the processor works on together; 0 without AVX2.
 * Leaves nothing of secrets in the registers that samara_leave does not clear.
 */
size_t samara_chacha20_x86_64_crypt(uint32_t words[16], uint8_t *output,
                                    const uint8_t *input, size_t size);

#endif

#endif
