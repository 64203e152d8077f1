/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_ARCH_X86_64_SPECK_H
#define SAMARA_ARCH_X86_64_SPECK_H

#include "arch/x86_64/cpu.h"
#include "common/machine.h"

#if SAMARA_ARCH_X86_64

/* count_and_add of ctr_template.h for Speck with words of 64 bits, whole;
 * false, and nothing done, on a processor without AVX2 or for a few blocks. */
bool samara_speck_x86_64_ctr(const uint64_t *round_keys, size_t rounds,
                             uint8_t *output, uint8_t counter[16],
                             const uint8_t *input, size_t size);

#endif

#endif
