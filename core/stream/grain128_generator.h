/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_STREAM_GRAIN128_GENERATOR_H
#define SAMARA_STREAM_GRAIN128_GENERATOR_H

/* The clocks of samara/grain128.h, for the ciphers made of it. They leave the
 * stack as it is: who calls them wipes it (common/stack.h). */

#include "common/stack.h"
#include <samara/grain128.h>

/* Loads key and nonce and runs the first 384 clocks: 320 with the pre-output
 * fed back, 64 that also bring the key in once more. */
SAMARA_NOT_INLINED void
samara_grain128_init(samara_grain128 *generator,
                     const uint8_t key[samara_grain128_key_size],
                     const uint8_t nonce[samara_grain128_nonce_size]);

/* 32 clocks; the 32 pre-output bits, the first in bit 0. */
SAMARA_NOT_INLINED uint32_t samara_grain128_next(samara_grain128 *generator);

#endif
