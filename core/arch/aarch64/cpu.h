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

/* For functions that use them. Clang before 16 reads the names of instructions
 * in another way than gcc. */
#if defined(__ARM_FEATURE_AES)
#define SAMARA_AARCH64_WITH_AES
#elif defined(__clang__) && __clang_major__ < 16
#define SAMARA_AARCH64_WITH_AES __attribute__((target("crypto")))
#else
#define SAMARA_AARCH64_WITH_AES __attribute__((target("+crypto")))
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
