/* SPDX-License-Identifier: Apache-2.0 */
#include "arch/msp430/grain128_msp430.h"

#include "aead/grain128aead_work.h"

#if SAMARA_ARCH_MSP430_GRAIN == SAMARA_MSP430_GRAIN_SMALL

/* Grain-128 in the least code: the functions of grain128_msp430.c, 16 clocks at
 * a time, by lists of taps.
 *
 * A tap is one byte: its bit in the NFSR, or 128 + its bit in the LFSR, which
 * follows in memory. A list is a sum of products. Within a product taps rise,
 * and a tap that is not above the one before begins the next product: the list
 * needs no other marks.
 *
 * r10 has the state, r4 the message's byte, r5 the pre-output. On the stack are
 * output, input, size and whether to decrypt. It leaves secrets on the stack
 * and in registers: who calls it wipes both. r4 to r10 are saved and restored.
 */

/* The sum of products of the list from r12 to r13, in r11. r15 is the product,
 * r9 the tap before, r14 the 16 bits of a tap. */
#define EVALUATE                                                               \
  "3:\n"                                                                       \
  "clr r11\n"                                                                  \
  "clr r15\n"                                                                  \
  "mov #255, r9\n"                                                             \
  "4:\n"                                                                       \
  "mov.b @r12+, r8\n"                                                          \
  "cmp r8, r9\n"                                                               \
  "jnc 5f\n"                                                                   \
  "xor r15, r11\n"                                                             \
  "mov #-1, r15\n"                                                             \
  "5:\n"                                                                       \
  "mov r8, r9\n"                                                               \
  "mov r8, r7\n"                                                               \
  "rra r7\n"                                                                   \
  "rra r7\n"                                                                   \
  "rra r7\n"                                                                   \
  "add r10, r7\n"                                                              \
  "mov.b @r7+, r14\n"                                                          \
  "mov.b @r7+, r6\n"                                                           \
  "swpb r6\n"                                                                  \
  "bis r6, r14\n"                                                              \
  "mov.b @r7, r6\n"                                                            \
  "and #7, r8\n"                                                               \
  "jz 7f\n"                                                                    \
  "6:\n"                                                                       \
  "rra r6\n"                                                                   \
  "rrc r14\n"                                                                  \
  "dec r8\n"                                                                   \
  "jnz 6b\n"                                                                   \
  "7:\n"                                                                       \
  "and r14, r15\n"                                                             \
  "cmp r13, r12\n"                                                             \
  "jne 4b\n"                                                                   \
  "xor r15, r11\n"                                                             \
  "ret\n"

/* Pre-output, then the feedback of the NFSR and of the LFSR. */
#define TAPS                                                                   \
  "8:\n"                                                                       \
  ".byte 221, 188, 207, 141, 148, 95, 170, 89, 73, 64, 45, 36, 15\n"           \
  ".byte 12, 95, 222, 12, 136, 2\n"                                            \
  "9:\n"                                                                       \
  ".byte 128, 96, 91, 88, 92, 93, 95, 70, 78, 82, 68, 84, 61, 65, 56\n"        \
  ".byte 40, 48, 27, 59, 26, 22, 24, 25, 17, 18, 11, 13, 3, 67, 0\n"           \
  "30:\n"                                                                      \
  ".byte 224, 209, 198, 166, 135, 128\n"                                       \
  "31:\n"                                                                      \
  ".byte 0\n"

/* 16 clocks; the pre-output in r5. The lists lie one behind the other. */
#define CLOCKS                                                                 \
  "mov #8b, r12\n"                                                             \
  "mov #9b, r13\n"                                                             \
  "call #3b\n"                                                                 \
  "mov r11, r5\n"                                                              \
  "mov #30b, r13\n"                                                            \
  "call #3b\n"                                                                 \
  "push r11\n"                                                                 \
  "mov #31b, r13\n"                                                            \
  "call #3b\n"                                                                 \
  "mov r10, r7\n"                                                              \
  "mov #16, r8\n"                                                              \
  "12:\n"                                                                      \
  "mov 2(r7), 0(r7)\n"                                                         \
  "incd r7\n"                                                                  \
  "dec r8\n"                                                                   \
  "jnz 12b\n"                                                                  \
  "mov r11, 30(r10)\n"                                                         \
  "pop r11\n"                                                                  \
  "mov r11, 14(r10)\n"

/* Input byte and result; the message is in r4 then. */
#define CRYPT                                                                  \
  "mov 2(r1), r12\n"                                                           \
  "mov.b @r12+, r4\n"                                                          \
  "mov r12, 2(r1)\n"                                                           \
  "mov r5, r12\n"                                                              \
  "mov #8, r13\n"                                                              \
  "14:\n"                                                                      \
  "rra r12\n"                                                                  \
  "rrc.b r15\n"                                                                \
  "rra r12\n"                                                                  \
  "dec r13\n"                                                                  \
  "jnz 14b\n"                                                                  \
  "xor.b r4, r15\n"                                                            \
  "mov @r1, r12\n"                                                             \
  "tst r12\n"                                                                  \
  "jz 15f\n"                                                                   \
  "mov.b r15, 0(r12)\n"                                                        \
  "inc 0(r1)\n"                                                                \
  "tst 6(r1)\n"                                                                \
  "jz 15f\n"                                                                   \
  "mov r15, r4\n"                                                              \
  "15:\n"

/* Adds the register to the accumulator for each bit, and moves it on. */
#define AUTHENTICATE                                                           \
  "mov #8, r13\n"                                                              \
  "16:\n"                                                                      \
  "mov r10, r12\n"                                                             \
  "mov #4, r9\n"                                                               \
  "rra r4\n"                                                                   \
  "subc r15, r15\n"                                                            \
  "17:\n"                                                                      \
  "mov 40(r12), r14\n"                                                         \
  "bic r15, r14\n"                                                             \
  "xor r14, 32(r12)\n"                                                         \
  "incd r12\n"                                                                 \
  "dec r9\n"                                                                   \
  "jnz 17b\n"                                                                  \
  "rra r5\n"                                                                   \
  "rra r5\n"                                                                   \
  "rrc 46(r10)\n"                                                              \
  "rrc 44(r10)\n"                                                              \
  "rrc 42(r10)\n"                                                              \
  "rrc 40(r10)\n"                                                              \
  "dec r13\n"                                                                  \
  "jnz 16b\n"

__attribute__((naked)) void
samara_grain128aead_encrypt(samara_grain128aead *state, uint8_t *output,
                            const uint8_t *input, size_t size) {
  __asm__("clr r11\n"
          "jmp 1f\n"
          ".global samara_grain128aead_decrypt\n"
          "samara_grain128aead_decrypt:\n"
          "mov r1, r11\n"
          "jmp 1f\n"
          ".global samara_grain128aead_absorb\n"
          "samara_grain128aead_absorb:\n"
          "mov r14, r15\n"
          "mov r13, r14\n"
          "clr r13\n"
          "jmp 1f\n" EVALUATE TAPS ".global samara_grain128_msp430_clocks\n"
          "samara_grain128_msp430_clocks:\n"
          "mov r14, r15\n"
          "clr r14\n"
          "1:\n"
          "tst r15\n"
          "jz 20f\n"
          "push r4\n"
          "push r5\n"
          "push r6\n"
          "push r7\n"
          "push r8\n"
          "push r9\n"
          "push r10\n"
          "push r11\n"
          "push r15\n"
          "push r14\n"
          "push r13\n"
          "mov r12, r10\n"
          "2:\n" CLOCKS "tst 2(r1)\n"
          "jnz 13f\n"
          "mov @r1, r12\n"
          "mov r5, 0(r12)\n"
          "incd 0(r1)\n"
          "jmp 18f\n"
          "13:\n" CRYPT AUTHENTICATE "18:\n"
          "dec 4(r1)\n"
          "jnz 2b\n"
          "add #8, r1\n"
          "pop r10\n"
          "pop r9\n"
          "pop r8\n"
          "pop r7\n"
          "pop r6\n"
          "pop r5\n"
          "pop r4\n"
          "20:\n"
          "ret\n");
}

#undef EVALUATE
#undef TAPS
#undef CLOCKS
#undef CRYPT
#undef AUTHENTICATE

#endif
