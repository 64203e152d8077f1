/* SPDX-License-Identifier: Apache-2.0 */
#include "aead/ascon_permutation.h"

#if SAMARA_ARCH_MSP430

/* Ascon's permutation: about 600 cycles a round.
 *
 * Substitution: 16 bits of each of the five words are in registers, and their
 * S-boxes side by side, four times.
 *
 * Diffusion: one word is in registers, and the sum beside it. A rotation by 16
 * bits is another order of registers. A rotation by 8 bits is not made in
 * place: each register's byte and that of the next one go into the sum. So
 * bits that are left to rotate one by one are at most six.
 *
 * r12 state, r13 constant of the round. Substitution: r4 to r8 are x0 to x4,
 * r9, r10 and r15 are for sums. Diffusion: r4 to r7 are the word, r8 to r11 the
 * sum, r14 points to the next word, r15 is for bits. r4 to r11 are saved and
 * restored; no secret is left in a register or on the stack. */

/* The S-boxes of the 16 bits at a distance from each word's start (SP 800-232,
 * 3.3). */
#define SUBSTITUTION                                                           \
  ".macro substitution at\n"                                                   \
  "mov \\at(r12), r4\n"                                                        \
  "mov \\at+8(r12), r5\n"                                                      \
  "mov \\at+16(r12), r6\n"                                                     \
  "mov \\at+24(r12), r7\n"                                                     \
  "mov \\at+32(r12), r8\n"                                                     \
  ".if \\at == 0\n"                                                            \
  "xor r13, r6\n"                                                              \
  ".endif\n"                                                                   \
  "xor r8, r4\n"                                                               \
  "xor r7, r8\n"                                                               \
  "xor r5, r6\n"                                                               \
  "mov r4, r9\n"                                                               \
  "mov r5, r10\n"                                                              \
  "unless r6, r5, r4\n"                                                        \
  "unless r7, r6, r5\n"                                                        \
  "unless r8, r7, r6\n"                                                        \
  "unless r9, r8, r7\n"                                                        \
  "bic r9, r10\n"                                                              \
  "xor r10, r8\n"                                                              \
  "xor r4, r5\n"                                                               \
  "xor r8, r4\n"                                                               \
  "xor r6, r7\n"                                                               \
  "inv r6\n"                                                                   \
  "mov r4, \\at(r12)\n"                                                        \
  "mov r5, \\at+8(r12)\n"                                                      \
  "mov r6, \\at+16(r12)\n"                                                     \
  "mov r7, \\at+24(r12)\n"                                                     \
  "mov r8, \\at+32(r12)\n"                                                     \
  ".endm\n"                                                                    \
  ".macro unless which, not, to\n" /* to ^= which & ~not */                    \
  "mov \\which, r15\n"                                                         \
  "bic \\not, r15\n"                                                           \
  "xor r15, \\to\n"                                                            \
  ".endm\n"

/* The next word into registers and into the sum; the sum into a word. */
#define WORDS                                                                  \
  ".macro next_word\n"                                                         \
  ".irp i, 4, 5, 6, 7\n"                                                       \
  "mov @r14+, r\\i\n"                                                          \
  ".endr\n"                                                                    \
  "mov r4, r8\n"                                                               \
  "mov r5, r9\n"                                                               \
  "mov r6, r10\n"                                                              \
  "mov r7, r11\n"                                                              \
  ".endm\n"                                                                    \
  ".macro put_word at\n"                                                       \
  "mov r8, \\at(r12)\n"                                                        \
  "mov r9, \\at+2(r12)\n"                                                      \
  "mov r10, \\at+4(r12)\n"                                                     \
  "mov r11, \\at+6(r12)\n"                                                     \
  ".endm\n"

/* Rotations of the word by some bits. right: r15 has the bits that leave it to
 * the right; right_more goes on with those behind them. */
#define ROTATIONS                                                              \
  ".macro left count\n"                                                        \
  ".rept \\count\n"                                                            \
  "rla r4\n"                                                                   \
  "rlc r5\n"                                                                   \
  "rlc r6\n"                                                                   \
  "rlc r7\n"                                                                   \
  "adc r4\n"                                                                   \
  ".endr\n"                                                                    \
  ".endm\n"                                                                    \
  ".macro right count\n"                                                       \
  "mov r4, r15\n"                                                              \
  "right_more \\count\n"                                                       \
  ".endm\n"                                                                    \
  ".macro right_more count\n"                                                  \
  ".rept \\count\n"                                                            \
  "rrc r15\n"                                                                  \
  "rrc r7\n"                                                                   \
  "rrc r6\n"                                                                   \
  "rrc r5\n"                                                                   \
  "rrc r4\n"                                                                   \
  ".endr\n"                                                                    \
  ".endm\n"

/* Add the word to the sum: as it is, or rotated to the right by 8 bits, with
 * its registers in this order, the lowest first. Afterwards r15 is lost in
 * add_by_8. */
#define SUMS                                                                   \
  ".macro add a, b, c, d\n"                                                    \
  "xor \\a, r8\n"                                                              \
  "xor \\b, r9\n"                                                              \
  "xor \\c, r10\n"                                                             \
  "xor \\d, r11\n"                                                             \
  ".endm\n"                                                                    \
  ".macro add_bytes of, next, to\n"                                            \
  "mov \\of, r15\n"                                                            \
  "xor.b \\next, r15\n"                                                        \
  "xor \\of, r15\n"                                                            \
  "swpb r15\n"                                                                 \
  "xor r15, \\to\n"                                                            \
  ".endm\n"                                                                    \
  ".macro add_by_8 a, b, c, d\n"                                               \
  "add_bytes \\a, \\b, r8\n"                                                   \
  "add_bytes \\b, \\c, r9\n"                                                   \
  "add_bytes \\c, \\d, r10\n"                                                  \
  "add_bytes \\d, \\a, r11\n"                                                  \
  ".endm\n"

/* 3.4: the two rotations of each word. */
#define DIFFUSION                                                              \
  "mov r12, r14\n"                                                             \
  "next_word\n"                                                                \
  "right 3\n"                                                                  \
  "add r5, r6, r7, r4\n" /* 16 + 3 */                                          \
  "right_more 1\n"                                                             \
  "add_by_8 r5, r6, r7, r4\n" /* 16 + 8 + 4 */                                 \
  "put_word 0\n"                                                               \
  "next_word\n"                                                                \
  "left 1\n"                                                                   \
  "add_by_8 r6, r7, r4, r5\n" /* 32 + 8 - 1 */                                 \
  "left 2\n"                                                                   \
  "add r4, r5, r6, r7\n" /* 64 - 3 */                                          \
  "put_word 8\n"                                                               \
  "next_word\n"                                                                \
  "right 1\n"                                                                  \
  "add r4, r5, r6, r7\n" /* 1 */                                               \
  "right_more 5\n"                                                             \
  "add r4, r5, r6, r7\n" /* 6 */                                               \
  "put_word 16\n"                                                              \
  "next_word\n"                                                                \
  "right 1\n"                                                                  \
  "add r5, r6, r7, r4\n" /* 16 + 1 */                                          \
  "right_more 1\n"                                                             \
  "add_by_8 r4, r5, r6, r7\n" /* 8 + 2 */                                      \
  "put_word 24\n"                                                              \
  "next_word\n"                                                                \
  "left 1\n"                                                                   \
  "add_by_8 r4, r5, r6, r7\n" /* 8 - 1 */                                      \
  "right 2\n"                                                                  \
  "add_by_8 r6, r7, r4, r5\n" /* 32 + 8 + 1 */                                 \
  "put_word 32\n"

#define PURGE_MACROS                                                           \
  ".purgem substitution\n .purgem unless\n .purgem next_word\n"                \
  ".purgem put_word\n .purgem left\n .purgem right\n .purgem right_more\n"     \
  ".purgem add\n .purgem add_bytes\n .purgem add_by_8\n"

__attribute__((naked)) void samara_ascon_msp430_permute(uint64_t state[5],
                                                        uint8_t constant) {
  __asm__(SUBSTITUTION WORDS ROTATIONS SUMS /* */
          ".irp i, 4, 5, 6, 7, 8, 9, 10, 11\n"
          "push r\\i\n"
          ".endr\n"
          "1:\n"
          ".irp at, 0, 2, 4, 6\n"
          "substitution \\at\n"
          ".endr\n" DIFFUSION
          /* Constants go from 0xf0 to 0x4b. */
          "sub #0x0f, r13\n"
          "cmp #0x3c, r13\n"
          "jeq 2f\n"
          "br #1b\n"
          "2:\n"
          ".irp i, 11, 10, 9, 8, 7, 6, 5, 4\n"
          "pop r\\i\n"
          ".endr\n"
          "clr r15\n"
          "ret\n" PURGE_MACROS);
}

#undef SUBSTITUTION
#undef WORDS
#undef ROTATIONS
#undef SUMS
#undef DIFFUSION
#undef PURGE_MACROS

#endif
