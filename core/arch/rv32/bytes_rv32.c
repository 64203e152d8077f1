/* SPDX-License-Identifier: Apache-2.0 */
#include "common/bytes.h"

#if SAMARA_ARCH_RV32

/* Bytes up to a word, words, four at a time, and the bytes behind them. a0
 * memory, a1 size, t0 bytes at a time. */
__attribute__((naked)) void samara_rv32_wipe(void *memory
                                             __attribute__((unused)),
                                             size_t size
                                             __attribute__((unused))) {
  __asm__("j 2f\n"
          "1:\n"
          "sb zero, 0(a0)\n"
          "addi a0, a0, 1\n"
          "addi a1, a1, -1\n"
          "2:\n"
          "beqz a1, 7f\n"
          "andi t0, a0, 3\n"
          "bnez t0, 1b\n"
          "li t0, 16\n"
          "bltu a1, t0, 4f\n"
          "3:\n"
          "sw zero, 0(a0)\n"
          "sw zero, 4(a0)\n"
          "sw zero, 8(a0)\n"
          "sw zero, 12(a0)\n"
          "addi a0, a0, 16\n"
          "addi a1, a1, -16\n"
          "bgeu a1, t0, 3b\n"
          "4:\n"
          "li t0, 4\n"
          "j 6f\n"
          "5:\n"
          "sw zero, 0(a0)\n"
          "addi a0, a0, 4\n"
          "addi a1, a1, -4\n"
          "6:\n"
          "bgeu a1, t0, 5b\n"
          "bnez a1, 1b\n"
          "7:\n"
          "ret\n");
}

#endif
