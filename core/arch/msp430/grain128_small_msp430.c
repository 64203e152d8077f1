/* SPDX-License-Identifier: Apache-2.0 */
#include "arch/msp430/grain128_msp430.h"

#include "aead/grain128aead_work.h"
#include <stddef.h>

#if SAMARA_ARCH_MSP430_GRAIN == SAMARA_MSP430_GRAIN_SMALL

/* Grain-128 in the least code: the functions of grain128_msp430.c, and seal and
 * open as a whole.
 *
 * The idea: an interpreter reads the three functions from a list of taps, 16
 * clocks at a time.
 *
 * A tap is one byte, bit % 8 * 32 + bit / 8, of its bit in the NFSR, or 128 +
 * its bit in the LFSR, which follows in memory. A function is a sum of
 * products. Within a product these bytes rise, and one that is below the one
 * before begins the next product. One that is equal ends the function.
 *
 * Those named samara_..._msp430_ pass and process have the state at r10. They
 * leave secrets on the stack and in registers, and so do the functions of
 * grain128aead_work.h: who calls them wipes both. Seal and open, which wipe
 * both themselves, leave nothing. r4 to r10 are the caller's. */

#define PUSH_REGISTERS                                                         \
  "push r4\n push r5\n push r6\n push r7\n push r8\n push r9\n push r10\n"
#define POP_REGISTERS                                                          \
  "pop r10\n pop r9\n pop r8\n pop r7\n pop r6\n pop r5\n pop r4\n"

/* Pre-output, feedback of the LFSR and feedback of the NFSR. */
#define TAPS                                                                   \
  ".irp bit, 15, 221, 45, 188, 207, 148, 141, 36, 12, 222, 95, 170, 95, 2, "   \
  "89, 73, 136, 12, 64, 64, "                                                  \
  "135, 198, 166, 209, 224, 128, 128, "                                        \
  "68, 84, 91, 27, 59, 11, 13, 3, 67, 82, 70, 78, 26, 65, 61, 17, 18, 128, "   \
  "96, 88, 92, 93, 95, 56, 40, 48, 24, 25, 22, 0, 0\n"                         \
  ".byte \\bit % 8 * 32 + \\bit / 8\n"                                         \
  ".endr\n"

/* 16 clocks; the pre-output is in r14. r4, r5 and r13 are kept. */
void samara_grain128_msp430_pass(void);
__attribute__((naked, used)) void samara_grain128_msp430_pass(void) {
  __asm__("mov #8f, r12\n"
          /* A function: the sum of its products is r11. */
          "1:\n"
          "clr r11\n"
          /* A product, r15. */
          "2:\n"
          "mov #-1, r15\n"
          /* A tap: three bytes, shifted by its bit. */
          "3:\n"
          "mov.b @r12+, r9\n"
          "mov r9, r8\n"
          "mov r9, r7\n"
          "and #31, r7\n"
          "add r10, r7\n"
          "mov.b @r7+, r14\n"
          "mov.b @r7+, r6\n"
          "swpb r6\n"
          "bis r6, r14\n"
          "mov.b @r7, r6\n"
          "jmp 5f\n"
          "4:\n"
          "rra r6\n"
          "rrc r14\n"
          "5:\n"
          "sub #32, r8\n"
          "jc 4b\n"
          "and r14, r15\n"
          "cmp.b @r12, r9\n"
          "jlo 3b\n"
          "xor r15, r11\n"
          "cmp.b @r12, r9\n"
          "jne 2b\n"
          "push r11\n"
          "inc r12\n"
          /* The last tap of all, and it alone, is 0: r7 is the state's second
           * word, and r8 is -32. */
          "tst r9\n"
          "jnz 1b\n"
          /* Both registers move on by a word. */
          "6:\n"
          "mov @r7, -2(r7)\n"
          "incd r7\n"
          "incd r8\n"
          "jnz 6b\n"
          "pop r15\n"
          "mov r15, 14(r10)\n"
          "pop r15\n"
          "mov r15, 30(r10)\n"
          "pop r14\n"
          "ret\n"
          "8:\n" TAPS);
}

/* r12 state, r13 words, r14 their number. */
__attribute__((naked)) void
samara_grain128_msp430_clocks(samara_grain128 *generator, uint16_t *words,
                              unsigned count) {
  __asm__(PUSH_REGISTERS "mov r12, r10\n"
                         "mov r13, r5\n"
                         "mov r14, r4\n"
                         "1:\n"
                         "call #samara_grain128_msp430_pass\n"
                         "mov r14, 0(r5)\n"
                         "incd r5\n"
                         "dec r4\n"
                         "jnz 1b\n" POP_REGISTERS "ret\n");
}

/* The r13 bytes at r4: encrypts or decrypts to r5, unless that is 0, and
 * authenticates. The word behind the authenticator says whether to decrypt. At
 * the end r5 is behind the output. */
void samara_grain128aead_msp430_process(void);
__attribute__((naked, used)) void samara_grain128aead_msp430_process(void) {
  __asm__("1:\n"
          "dec r13\n"
          "jnc 8f\n"
          "call #samara_grain128_msp430_pass\n"
          /* Even bits, r6, and odd ones, r15. */
          "mov #8, r11\n"
          "2:\n"
          "rra r14\n"
          "rrc.b r6\n"
          "rra r14\n"
          "rrc.b r15\n"
          "dec r11\n"
          "jnz 2b\n"
          /* The message's byte is r9. */
          "mov.b @r4+, r9\n"
          "xor.b r9, r6\n"
          "tst r5\n"
          "jz 3f\n"
          "mov.b r6, 0(r5)\n"
          "inc r5\n"
          "tst 48(r10)\n"
          "jz 3f\n"
          "mov r6, r9\n"
          /* For each bit, adds the authenticator's register to the accumulator
           * if it is 1, and moves the register on by an odd bit: from the
           * highest word down, with the carry kept in r6. */
          "3:\n"
          "mov #8, r11\n"
          "4:\n"
          "mov r10, r12\n"
          "mov #4, r7\n"
          "rra r9\n"
          "subc r14, r14\n"
          "rra r15\n"
          "rrc r6\n"
          "5:\n"
          "mov 46(r12), r8\n"
          "rlc r6\n"
          "rrc 46(r12)\n"
          "rrc r6\n"
          "bic r14, r8\n"
          "xor r8, 38(r12)\n"
          "decd r12\n"
          "dec r7\n"
          "jnz 5b\n"
          "dec r11\n"
          "jnz 4b\n"
          "jmp 1b\n"
          "8:\n"
          "ret\n");
}

/* r12 state; encrypt and decrypt: r13 output, r14 input, r15 size; absorb: r13
 * data, r14 size. */
__attribute__((naked)) void
samara_grain128aead_encrypt(samara_grain128aead *state, uint8_t *output,
                            const uint8_t *input, size_t size) {
  __asm__("clr 48(r12)\n"
          "jmp 1f\n"
          ".global samara_grain128aead_decrypt\n"
          "samara_grain128aead_decrypt:\n"
          "mov #1, 48(r12)\n"
          "jmp 1f\n"
          ".global samara_grain128aead_absorb\n"
          "samara_grain128aead_absorb:\n"
          "mov r14, r15\n"
          "mov r13, r14\n"
          "clr r13\n"
          "1:\n" PUSH_REGISTERS "mov r12, r10\n"
          "mov r13, r5\n"
          "mov r14, r4\n"
          "mov r15, r13\n"
          "call #samara_grain128aead_msp430_process\n" POP_REGISTERS "ret\n");
}

/* Seal and open: r12 key, r13 output, r14 tag, r15 nonce; on the stack
 * associated data and its size, input and its size. The result is in r12.
 *
 * The stack, from r10 on: 48 bytes of state, whether to open, output, tag, r10
 * to r4, the return address, and from 70 on the arguments. */
__attribute__((naked, used)) samara_result samara_grain128aead_seal(
    const uint8_t key[samara_grain128aead_key_size], uint8_t *ciphertext,
    uint8_t tag[samara_grain128aead_tag_size],
    const uint8_t nonce[samara_grain128aead_nonce_size],
    const uint8_t *associated_data, size_t associated_data_size,
    const uint8_t *message, size_t message_size) {
  __asm__("clr r11\n"
          ".global samara_grain128aead_msp430_enter\n"
          "samara_grain128aead_msp430_enter:\n" PUSH_REGISTERS
          /* Whether output and input overlap without being the same. */
          "mov r13, r4\n"
          "sub 20(r1), r4\n"
          "jz 2f\n"
          "jc 1f\n"
          "inv r4\n"
          "inc r4\n"
          "1:\n"
          "cmp 22(r1), r4\n"
          "jhs 2f\n"
          "mov #-7, r12\n"
          "jmp 9f\n"
          "2:\n"
          "push r14\n"
          "push r13\n"
          "push r11\n"
          "sub #48, r1\n"
          "mov r1, r10\n"
          /* The key, also where accumulator and authenticator will be. */
          "mov r10, r13\n"
          "mov #16, r14\n"
          "1:\n"
          "mov.b @r12+, r11\n"
          "mov.b r11, 0(r13)\n"
          "mov.b r11, 32(r13)\n"
          "inc r13\n"
          "dec r14\n"
          "jnz 1b\n"
          /* The nonce, 31 ones and a zero. */
          "mov #12, r14\n"
          "2:\n"
          "mov.b @r15+, r11\n"
          "mov.b r11, 0(r13)\n"
          "inc r13\n"
          "dec r14\n"
          "jnz 2b\n"
          "mov #-1, 28(r10)\n"
          "mov #0x7fff, 30(r10)\n"
          /* 20 passes with the pre-output fed back; 4 with the key, too. */
          "mov r10, r13\n"
          "mov #20, r4\n"
          "3:\n"
          "call #samara_grain128_msp430_pass\n"
          "xor r14, 14(r10)\n"
          "xor r14, 30(r10)\n"
          "dec r4\n"
          "jge 3b\n"
          "xor 32(r13), 14(r10)\n"
          "xor 40(r13), 30(r10)\n"
          "incd r13\n"
          "cmp #-4, r4\n"
          "jne 3b\n"
          /* Accumulator and authenticator. */
          "mov #8, r4\n"
          "4:\n"
          "call #samara_grain128_msp430_pass\n"
          "mov r14, 24(r13)\n"
          "incd r13\n"
          "dec r4\n"
          "jnz 4b\n"
          /* The length of the associated data, as DER encodes lengths: the last
           * 1, 2 or 3 of 4 bytes on the stack. */
          "clr r5\n"
          "mov #1, r13\n"
          "mov 72(r10), r12\n"
          "swpb r12\n"
          "push r12\n"
          "push #0x8200\n"
          "tst.b r12\n"
          "jz 1f\n"
          "incd r13\n"
          "jmp 2f\n"
          "1:\n"
          "mov.b #0x81, 2(r1)\n"
          "rla r12\n"
          "adc r13\n"
          "2:\n"
          "mov r1, r4\n"
          "add #4, r4\n"
          "sub r13, r4\n"
          "call #samara_grain128aead_msp430_process\n"
          "add #4, r1\n"
          /* Associated data, and the message. */
          "mov 70(r10), r4\n"
          "mov 72(r10), r13\n"
          "call #samara_grain128aead_msp430_process\n"
          "mov 50(r10), r5\n"
          "mov 74(r10), r4\n"
          "mov 76(r10), r13\n"
          "call #samara_grain128aead_msp430_process\n"
          /* The tag: a last authenticated bit, a 1, adds the authenticator to
           * the accumulator. Seal writes it and compares nothing then. */
          "mov 52(r10), r8\n"
          "mov r10, r7\n"
          "mov #8, r6\n"
          "clr r12\n"
          "1:\n"
          "mov.b 32(r7), r9\n"
          "xor.b 40(r7), r9\n"
          "inc r7\n"
          "tst 48(r10)\n"
          "jnz 2f\n"
          "mov.b r9, 0(r8)\n"
          "2:\n"
          "xor.b @r8+, r9\n"
          "bis r9, r12\n"
          "dec r6\n"
          "jnz 1b\n"
          "tst r12\n"
          "jz 5f\n"
          /* A forged message: wipes the output. */
          "mov #-1, r12\n"
          "mov 76(r10), r13\n"
          "jmp 4f\n"
          "3:\n"
          "dec r5\n"
          "clr.b 0(r5)\n"
          "4:\n"
          "dec r13\n"
          "jc 3b\n"
          /* Wipes the stack: 14 bytes that were used below the state, and what
           * lies from there up to r10. */
          "5:\n"
          "sub #14, r1\n"
          "mov #34, r14\n"
          "6:\n"
          "clr 0(r1)\n"
          "incd r1\n"
          "dec r14\n"
          "jnz 6b\n"
          "clr r11\n"
          "clr r13\n"
          "clr r15\n"
          "9:\n" POP_REGISTERS "ret\n");
}

__attribute__((naked)) samara_result samara_grain128aead_open(
    const uint8_t key[samara_grain128aead_key_size], uint8_t *message,
    const uint8_t tag[samara_grain128aead_tag_size],
    const uint8_t nonce[samara_grain128aead_nonce_size],
    const uint8_t *associated_data, size_t associated_data_size,
    const uint8_t *ciphertext, size_t ciphertext_size) {
  __asm__("mov #1, r11\n"
          "br #samara_grain128aead_msp430_enter\n");
}

/* What the assembly takes for granted. */
_Static_assert(offsetof(samara_grain128aead, accumulator) == 32 &&
                   offsetof(samara_grain128aead, authenticator) == 40 &&
                   offsetof(samara_grain128aead, text) == 48,
               "the assembly has other offsets of the state");
_Static_assert(SAMARA_ERROR_AUTHENTICATION == -1 && SAMARA_ERROR_OVERLAP == -7,
               "the assembly has other results");

#undef PUSH_REGISTERS
#undef POP_REGISTERS
#undef TAPS

#endif
