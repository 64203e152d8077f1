/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_ARCH_MSP430_WORDS_MACROS_H
#define SAMARA_ARCH_MSP430_WORDS_MACROS_H

/* Macros of the assembler for Speck and Simon with words of 32 bits. A word is
 * two registers: `lo` has its lower 16 bits, `hi` the upper ones.
 *
 * A function defines the macros that it uses and takes them back at its end
 * (.purgem), so that it does not depend on what the compiler puts before it. */

/* by_8: a rotation by 8 bits, 6 cycles. To the left, the result is in lo and
 * hi; to the right, its lower half is in hi and its upper half in lo. `t`
 * is overwritten. The bytes of both registers are exchanged, and then their
 * lower bytes with each other: instructions on bytes clear the upper one. */
#define SAMARA_MSP430_BY_8                                                     \
  ".macro by_8 lo, hi, t\n"                                                    \
  "swpb \\lo\n"                                                                \
  "swpb \\hi\n"                                                                \
  "mov \\lo, \\t\n"                                                            \
  "xor.b \\hi, \\t\n"                                                          \
  "xor \\t, \\lo\n"                                                            \
  "xor \\t, \\hi\n"                                                            \
  ".endm\n"

/* left: a rotation by one bit. right: one by `count` bits; `t` is
 * overwritten. */
#define SAMARA_MSP430_ROTATIONS                                                \
  ".macro left lo, hi\n"                                                       \
  "rla \\lo\n"                                                                 \
  "rlc \\hi\n"                                                                 \
  "adc \\lo\n"                                                                 \
  ".endm\n"                                                                    \
  ".macro right count, lo, hi, t\n"                                            \
  "mov \\lo, \\t\n"                                                            \
  ".rept \\count\n"                                                            \
  "rrc \\t\n"                                                                  \
  "rrc \\hi\n"                                                                 \
  "rrc \\lo\n"                                                                 \
  ".endr\n"                                                                    \
  ".endm\n"

/* Reading and writing through a register that may be odd: 16 bits (`half`),
 * read from where `from` points to and moves, written at a distance; the
 * register is not kept. */
#define SAMARA_MSP430_BYTES                                                    \
  ".macro read_half from, to, t\n"                                             \
  "mov.b @\\from+, \\to\n"                                                     \
  "mov.b @\\from+, \\t\n"                                                      \
  "swpb \\t\n"                                                                 \
  "bis \\t, \\to\n"                                                            \
  ".endm\n"                                                                    \
  ".macro write_half half, to, at\n"                                           \
  "mov.b \\half, \\at(\\to)\n"                                                 \
  "swpb \\half\n"                                                              \
  "mov.b \\half, \\at+1(\\to)\n"                                               \
  ".endm\n"

/* A block between memory and four registers, fast where the pointer is even.
 * read_block moves the pointer r14; `t` is overwritten. write_block writes to
 * where r13 points. What is for odd pointers follows the function's end. */
#define SAMARA_MSP430_BLOCKS                                                   \
  ".macro read_block a, b, c, d, t\n"                                          \
  "mov r14, \\t\n"                                                             \
  "rra \\t\n"                                                                  \
  "jc 81f\n"                                                                   \
  "mov @r14+, \\a\n"                                                           \
  "mov @r14+, \\b\n"                                                           \
  "mov @r14+, \\c\n"                                                           \
  "mov @r14+, \\d\n"                                                           \
  "82:\n"                                                                      \
  ".endm\n"                                                                    \
  ".macro write_block a, b, c, d, t\n"                                         \
  "mov r13, \\t\n"                                                             \
  "rra \\t\n"                                                                  \
  "jc 83f\n"                                                                   \
  "mov \\a, 0(r13)\n"                                                          \
  "mov \\b, 2(r13)\n"                                                          \
  "mov \\c, 4(r13)\n"                                                          \
  "mov \\d, 6(r13)\n"                                                          \
  "84:\n"                                                                      \
  ".endm\n"                                                                    \
  ".macro odd_blocks a, b, c, d, e, f, g, h, t\n"                              \
  "81:\n"                                                                      \
  "read_half r14, \\a, \\t\n"                                                  \
  "read_half r14, \\b, \\t\n"                                                  \
  "read_half r14, \\c, \\t\n"                                                  \
  "read_half r14, \\d, \\t\n"                                                  \
  "jmp 82b\n"                                                                  \
  "83:\n"                                                                      \
  "write_half \\e, r13, 0\n"                                                   \
  "write_half \\f, r13, 2\n"                                                   \
  "write_half \\g, r13, 4\n"                                                   \
  "write_half \\h, r13, 6\n"                                                   \
  "jmp 84b\n"                                                                  \
  ".endm\n"

#define SAMARA_MSP430_WORD_MACROS                                              \
  SAMARA_MSP430_BY_8 SAMARA_MSP430_ROTATIONS SAMARA_MSP430_BYTES               \
      SAMARA_MSP430_BLOCKS

#define SAMARA_MSP430_PURGE_WORD_MACROS                                        \
  ".purgem by_8\n .purgem left\n .purgem right\n .purgem read_half\n"          \
  ".purgem write_half\n .purgem read_block\n .purgem write_block\n"            \
  ".purgem odd_blocks\n"

#endif
