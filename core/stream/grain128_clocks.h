/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_STREAM_GRAIN128_CLOCKS_H
#define SAMARA_STREAM_GRAIN128_CLOCKS_H

/* 32 clocks of the generator of Grain-128AEADv2 for many lanes at a time, in
 * assembly: what grain128_clocks_template.h takes for a width that has it.
 *
 * planes   128 planes of the NFSR, then 128 of the LFSR; changed.
 * quarter  0 to 3: which 32 of 128 clocks.
 * y        32 planes of pre-output are written here.
 * sums     64 planes, secret, that may be overwritten.
 *
 * The processor must have AVX2 and AVX-512F, respectively. Vector registers are
 * cleared at the end. */

#include "common/machine.h"
#include <stdint.h>

#if SAMARA_ARCH_X86_64
void samara_grain128_clocks_256_x86_64(uint64_t *planes, unsigned quarter,
                                       uint64_t *y, uint64_t *sums);
void samara_grain128_clocks_512_x86_64(uint64_t *planes, unsigned quarter,
                                       uint64_t *y, uint64_t *sums);
#endif

#endif
