/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_ARCH_AARCH64_CPU_H
#define SAMARA_ARCH_AARCH64_CPU_H

/* Whether the processor at hand has the instructions for AES and for products
 * of polynomials, FEAT_AES and FEAT_PMULL: those of gateways from 2013 on do,
 * but the Raspberry Pi's before number 5. Linux tells; elsewhere they are used
 * if the compiler may use them everywhere. */

#include "common/machine.h"

#if SAMARA_ARCH_AARCH64

#include <stdbool.h>

/* SAMARA_AARCH64_AES, at compile time, is whether they may be used. */
#ifndef SAMARA_AARCH64_AES
#define SAMARA_AARCH64_AES 1
#endif

#if !SAMARA_AARCH64_AES
SAMARA_INLINE bool samara_aarch64_has_aes(void) { return false; }
#elif defined(__ARM_FEATURE_AES)
SAMARA_INLINE bool samara_aarch64_has_aes(void) { return true; }
#else
bool samara_aarch64_has_aes(void);
#endif

#endif

#endif
