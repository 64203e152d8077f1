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

#elif SAMARA_ARCH_AARCH64

__attribute__((noinline)) static void
read_registers(uint8_t registers[32][16]) {
  __asm__ __volatile__("stp q0, q1, [%0, #0]\n"
                       "stp q2, q3, [%0, #32]\n"
                       "stp q4, q5, [%0, #64]\n"
                       "stp q6, q7, [%0, #96]\n"
                       "stp q8, q9, [%0, #128]\n"
                       "stp q10, q11, [%0, #160]\n"
                       "stp q12, q13, [%0, #192]\n"
                       "stp q14, q15, [%0, #224]\n"
                       "stp q16, q17, [%0, #256]\n"
                       "stp q18, q19, [%0, #288]\n"
                       "stp q20, q21, [%0, #320]\n"
                       "stp q22, q23, [%0, #352]\n"
                       "stp q24, q25, [%0, #384]\n"
                       "stp q26, q27, [%0, #416]\n"
                       "stp q28, q29, [%0, #448]\n"
                       "stp q30, q31, [%0, #480]\n" ::"r"(registers)
                       : "memory");
}

__attribute__((noinline, unused)) static void clear_registers(void) {
  __asm__ __volatile__("movi v0.2d, 0\n movi v1.2d, 0\n movi v2.2d, 0\n"
                       "movi v4.2d, 0\n movi v5.2d, 0\n"
                       "movi v6.2d, 0\n movi v7.2d, 0\n"
                       "movi v16.2d, 0\n movi v17.2d, 0\n"
                       "movi v18.2d, 0\n movi v19.2d, 0\n"
                       "movi v20.2d, 0\n movi v21.2d, 0\n"
                       "movi v22.2d, 0\n movi v23.2d, 0\n"
                       "movi v24.2d, 0\n movi v25.2d, 0\n"
                       "movi v26.2d, 0\n movi v27.2d, 0\n"
                       "movi v28.2d, 0\n movi v29.2d, 0\n"
                       "movi v30.2d, 0\n movi v31.2d, 0\n"
                       "movi v3.2d, 0\n" ::
                           : "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7",
                             "v16", "v17", "v18", "v19", "v20", "v21", "v22",
                             "v23", "v24", "v25", "v26", "v27", "v28", "v29",
                             "v30", "v31");
}

/* The lower halves of v8 to v15 are the caller's. */
static inline bool upper_halves_are_clear(uint8_t registers[8][16]) {
  bool clear = true;
  for (unsigned i = 0; i < 8; i++) {
    clear = clear && all_zero(registers[i] + 8, 8);
  }
  return clear;
}

/* Whether all but v0 to v7 are zeros. */
static inline bool upper_registers_are_clear(void) {
  static uint8_t all[32][16];
  read_registers(all);
  return upper_halves_are_clear(all + 8) && all_zero(all[16], sizeof all / 2);
}

static inline bool registers_are_clear(void) {
  static uint8_t all[32][16];
  read_registers(all);
  return all_zero(all[0], sizeof all / 4) && upper_halves_are_clear(all + 8) &&
         all_zero(all[16], sizeof all / 2);
}

#else

static inline void clear_registers(void) {}
static inline bool upper_registers_are_clear(void) { return true; }
static inline bool registers_are_clear(void) { return true; }

#endif

#endif
