/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_AEAD_CHACHA20_ROUNDS_H
#define SAMARA_AEAD_CHACHA20_ROUNDS_H

/* The rounds of ChaCha20 in assembly. */

#include "common/machine.h"

#if SAMARA_ARCH_AVR
/* It leaves nothing of its own on the stack or in registers. */
void samara_chacha20_avr_rounds(uint32_t words[16]);
#endif

#endif
