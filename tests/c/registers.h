/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_TESTS_REGISTERS_H
#define SAMARA_TESTS_REGISTERS_H

/* What a call leaves in vector registers. Clear them before the call, and ask
 * at once behind it: any other call may use them, memcpy not least. */

#include "arch/x86_64/cpu.h"
#include "check.h"
#include "common/machine.h"

#if SAMARA_ARCH_X86_64

__attribute__((target("avx512f"), noinline)) static void
read_upper_registers(uint8_t registers[16][64]) {
  __asm__ __volatile__("vmovdqu64 %%zmm16, (%0)\n"
                       "vmovdqu64 %%zmm17, 64(%0)\n"
                       "vmovdqu64 %%zmm18, 128(%0)\n"
                       "vmovdqu64 %%zmm19, 192(%0)\n"
                       "vmovdqu64 %%zmm20, 256(%0)\n"
                       "vmovdqu64 %%zmm21, 320(%0)\n"
                       "vmovdqu64 %%zmm22, 384(%0)\n"
                       "vmovdqu64 %%zmm23, 448(%0)\n"
                       "vmovdqu64 %%zmm24, 512(%0)\n"
                       "vmovdqu64 %%zmm25, 576(%0)\n"
                       "vmovdqu64 %%zmm26, 640(%0)\n"
                       "vmovdqu64 %%zmm27, 704(%0)\n"
                       "vmovdqu64 %%zmm28, 768(%0)\n"
                       "vmovdqu64 %%zmm29, 832(%0)\n"
                       "vmovdqu64 %%zmm30, 896(%0)\n"
                       "vmovdqu64 %%zmm31, 960(%0)\n" ::"r"(registers)
                       : "memory");
}

__attribute__((target("avx2"), noinline)) static void
read_lower_registers(uint8_t registers[16][32]) {
  __asm__ __volatile__("vmovdqu %%ymm0, (%0)\n"
                       "vmovdqu %%ymm1, 32(%0)\n"
                       "vmovdqu %%ymm2, 64(%0)\n"
                       "vmovdqu %%ymm3, 96(%0)\n"
                       "vmovdqu %%ymm4, 128(%0)\n"
                       "vmovdqu %%ymm5, 160(%0)\n"
                       "vmovdqu %%ymm6, 192(%0)\n"
                       "vmovdqu %%ymm7, 224(%0)\n"
                       "vmovdqu %%ymm8, 256(%0)\n"
                       "vmovdqu %%ymm9, 288(%0)\n"
                       "vmovdqu %%ymm10, 320(%0)\n"
                       "vmovdqu %%ymm11, 352(%0)\n"
                       "vmovdqu %%ymm12, 384(%0)\n"
                       "vmovdqu %%ymm13, 416(%0)\n"
                       "vmovdqu %%ymm14, 448(%0)\n"
                       "vmovdqu %%ymm15, 480(%0)\n" ::"r"(registers)
                       : "memory");
}

__attribute__((target("avx512f"), noinline)) static void
clear_wide_registers(void) {
  SAMARA_X86_64_CLEAR_512();
}

static inline void clear_registers(void) {
  if (__builtin_cpu_supports("avx512f")) {
    clear_wide_registers();
  }
}

/* Whether registers 16 to 31 are zeros; true where the processor has none. */
static inline bool upper_registers_are_clear(void) {
  static uint8_t upper[16][64];
  if (__builtin_cpu_supports("avx512f")) {
    read_upper_registers(upper);
  }
  return all_zero(upper[0], sizeof upper);
}

/* The same, and registers 0 to 15, to 256 bits. */
static inline bool registers_are_clear(void) {
  static uint8_t lower[16][32];
  if (__builtin_cpu_supports("avx2")) {
    read_lower_registers(lower);
  }
  return upper_registers_are_clear() && all_zero(lower[0], sizeof lower);
}

#else

static inline void clear_registers(void) {}
static inline bool upper_registers_are_clear(void) { return true; }
static inline bool registers_are_clear(void) { return true; }

#endif

#endif
