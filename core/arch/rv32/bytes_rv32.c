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

/* Words, four at a time, if all addresses are those of words; and the bytes
 * behind them. a0 output, a1 left, a2 right, a3 size, t2 bytes at a time. */
__attribute__((naked)) void
samara_rv32_xor_bytes(uint8_t *output __attribute__((unused)),
                      const uint8_t *left __attribute__((unused)),
                      const uint8_t *right __attribute__((unused)),
                      size_t size __attribute__((unused))) {
  __asm__("or t0, a0, a1\n"
          "or t0, t0, a2\n"
          "andi t0, t0, 3\n"
          "li t2, 16\n"
          "beqz t0, 2f\n"
          "j 4f\n"
          "1:\n"
          "lw t0, 0(a1)\n"
          "lw t1, 0(a2)\n"
          "xor t0, t0, t1\n"
          "sw t0, 0(a0)\n"
          "lw t0, 4(a1)\n"
          "lw t1, 4(a2)\n"
          "xor t0, t0, t1\n"
          "sw t0, 4(a0)\n"
          "lw t0, 8(a1)\n"
          "lw t1, 8(a2)\n"
          "xor t0, t0, t1\n"
          "sw t0, 8(a0)\n"
          "lw t0, 12(a1)\n"
          "lw t1, 12(a2)\n"
          "xor t0, t0, t1\n"
          "sw t0, 12(a0)\n"
          "addi a0, a0, 16\n"
          "addi a1, a1, 16\n"
          "addi a2, a2, 16\n"
          "addi a3, a3, -16\n"
          "2:\n"
          "bgeu a3, t2, 1b\n"
          "j 4f\n"
          "3:\n"
          "lbu t0, 0(a1)\n"
          "lbu t1, 0(a2)\n"
          "xor t0, t0, t1\n"
          "sb t0, 0(a0)\n"
          "addi a0, a0, 1\n"
          "addi a1, a1, 1\n"
          "addi a2, a2, 1\n"
          "addi a3, a3, -1\n"
          "4:\n"
          "bnez a3, 3b\n"
          "ret\n");
}

/* The same without the right side. a0 output, a1 input, a2 size. */
__attribute__((naked)) void
samara_rv32_copy_bytes(uint8_t *output __attribute__((unused)),
                       const uint8_t *input __attribute__((unused)),
                       size_t size __attribute__((unused))) {
  __asm__("or t0, a0, a1\n"
          "andi t0, t0, 3\n"
          "li t2, 4\n"
          "beqz t0, 2f\n"
          "j 4f\n"
          "1:\n"
          "lw t0, 0(a1)\n"
          "sw t0, 0(a0)\n"
          "addi a0, a0, 4\n"
          "addi a1, a1, 4\n"
          "addi a2, a2, -4\n"
          "2:\n"
          "bgeu a2, t2, 1b\n"
          "j 4f\n"
          "3:\n"
          "lbu t0, 0(a1)\n"
          "sb t0, 0(a0)\n"
          "addi a0, a0, 1\n"
          "addi a1, a1, 1\n"
          "addi a2, a2, -1\n"
          "4:\n"
          "bnez a2, 3b\n"
          "ret\n");
}

#endif
