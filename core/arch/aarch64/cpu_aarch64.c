/* SPDX-License-Identifier: Apache-2.0 */
#include "arch/aarch64/cpu.h"

#if SAMARA_ARCH_AARCH64 && SAMARA_AARCH64_AES && !defined(__ARM_FEATURE_AES)

#if defined(__linux__)
#include <sys/auxv.h>

/* Bits of AT_HWCAP (Linux, Documentation/arch/arm64/elf_hwcaps.rst). */
enum { hwcap_aes = 1 << 3, hwcap_pmull = 1 << 4 };

/* What the kernel told when the program began: no system call. */
bool samara_aarch64_has_aes(void) {
  const unsigned long both = hwcap_aes | hwcap_pmull;
  return (getauxval(AT_HWCAP) & both) == both;
}
#else
bool samara_aarch64_has_aes(void) { return false; }
#endif

#endif
