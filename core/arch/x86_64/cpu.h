/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_ARCH_X86_64_CPU_H
#define SAMARA_ARCH_X86_64_CPU_H

/* What the processor at hand can do, and the operating system saves of it.
 *
 * Kernels need sets of instructions. A set counts only when all of it is there:
 * CPUID tells what the processor has, XGETBV whether the system keeps the wide
 * registers of a program that is interrupted. Both are asked once and
 * remembered (CPUID takes a microsecond on a virtual machine): the one
 * variable of the library, which several threads may write, all of them the
 * same.
 *
 * SAMARA_X86_64_SETS, at compile time, is the sets that may be used. The tests
 * compile the library with fewer of them (CMake's SAMARA_MACHINE). */

#include "common/machine.h"

#if SAMARA_ARCH_X86_64

#include <stdbool.h>

#define SAMARA_X86_64_AES 1      /* AES-NI, PCLMULQDQ, SSE4.1 */
#define SAMARA_X86_64_AVX2 2     /* AVX2, BMI2 */
#define SAMARA_X86_64_VAES256 4  /* VAES, VPCLMULQDQ, AVX2; and AES-NI */
#define SAMARA_X86_64_AVX512 8   /* AVX-512 F, BW, DQ, VL */
#define SAMARA_X86_64_VAES512 16 /* VAES, VPCLMULQDQ, AVX-512; and AES-NI */
#define SAMARA_X86_64_VBMI2 32   /* VBMI, VBMI2, GFNI, AVX-512 */
#define SAMARA_X86_64_SSSE3 64

#ifndef SAMARA_X86_64_SETS
#define SAMARA_X86_64_SETS 127
#endif

/* The sets of this processor. */
unsigned samara_x86_64_sets(void);

SAMARA_INLINE bool samara_x86_64_has(unsigned set) {
  return (SAMARA_X86_64_SETS & set) != 0 &&
         (samara_x86_64_sets() & set & SAMARA_X86_64_SETS) != 0;
}

/* Registers that samara_leave does not know: the upper parts of the sixteen
 * that it clears, and sixteen more. */
#define SAMARA_X86_64_CLEAR_256() __asm__ __volatile__("vzeroall" ::: "memory")
#define SAMARA_X86_64_CLEAR_512()                                              \
  __asm__ __volatile__(                                                        \
      "vzeroall\n"                                                             \
      "vpxord %%zmm16, %%zmm16, %%zmm16\n vpxord %%zmm17, %%zmm17, %%zmm17\n"  \
      "vpxord %%zmm18, %%zmm18, %%zmm18\n vpxord %%zmm19, %%zmm19, %%zmm19\n"  \
      "vpxord %%zmm20, %%zmm20, %%zmm20\n vpxord %%zmm21, %%zmm21, %%zmm21\n"  \
      "vpxord %%zmm22, %%zmm22, %%zmm22\n vpxord %%zmm23, %%zmm23, %%zmm23\n"  \
      "vpxord %%zmm24, %%zmm24, %%zmm24\n vpxord %%zmm25, %%zmm25, %%zmm25\n"  \
      "vpxord %%zmm26, %%zmm26, %%zmm26\n vpxord %%zmm27, %%zmm27, %%zmm27\n"  \
      "vpxord %%zmm28, %%zmm28, %%zmm28\n vpxord %%zmm29, %%zmm29, %%zmm29\n"  \
      "vpxord %%zmm30, %%zmm30, %%zmm30\n vpxord %%zmm31, %%zmm31, "           \
      "%%zmm31\n" ::                                                           \
          : "memory")

/* Registers 16 to 31, where memcpy of some C libraries leaves what it copied.
 */
#define SAMARA_X86_64_CLEAR_UPPER()                                            \
  __asm__ __volatile__(                                                        \
      "vpxord %%xmm16, %%xmm16, %%xmm16\n vpxord %%xmm17, %%xmm17, %%xmm17\n"  \
      "vpxord %%xmm18, %%xmm18, %%xmm18\n vpxord %%xmm19, %%xmm19, %%xmm19\n"  \
      "vpxord %%xmm20, %%xmm20, %%xmm20\n vpxord %%xmm21, %%xmm21, %%xmm21\n"  \
      "vpxord %%xmm22, %%xmm22, %%xmm22\n vpxord %%xmm23, %%xmm23, %%xmm23\n"  \
      "vpxord %%xmm24, %%xmm24, %%xmm24\n vpxord %%xmm25, %%xmm25, %%xmm25\n"  \
      "vpxord %%xmm26, %%xmm26, %%xmm26\n vpxord %%xmm27, %%xmm27, %%xmm27\n"  \
      "vpxord %%xmm28, %%xmm28, %%xmm28\n vpxord %%xmm29, %%xmm29, %%xmm29\n"  \
      "vpxord %%xmm30, %%xmm30, %%xmm30\n vpxord %%xmm31, %%xmm31, "           \
      "%%xmm31\n" ::                                                           \
          : "memory")

#endif

#endif
