/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_ARCH_AVR_WORDS_MACROS_H
#define SAMARA_ARCH_AVR_WORDS_MACROS_H

/* Macros of the assembler for words of any number of bytes.
 *
 * A word is named by the number of its first register, which has the low byte:
 * `10` with 4 bytes is r10 to r13. An instruction that has \i in it is written
 * once for each byte, with \i = 0, 1 and so on: `up 3, ld 10+\i, X+` is
 * `ld r10, X+`, `ld r11, X+`, `ld r12, X+`.
 *
 * A function defines the macros that it uses and takes them back at its end
 * (.purgem), so that it does not depend on what the compiler puts before it. */

/* The instruction for bytes 0 to n - 1, from the last to the first, and for
 * bytes 1 to n - 1. */
#define SAMARA_AVR_EACH_BYTE                                                   \
  ".macro up n, line:vararg\n"                                                 \
  ".irp i, 0, 1, 2, 3, 4, 5, 6, 7\n"                                           \
  ".if \\i < \\n\n"                                                            \
  "\\line\n"                                                                   \
  ".endif\n"                                                                   \
  ".endr\n"                                                                    \
  ".endm\n"                                                                    \
  ".macro down n, line:vararg\n"                                               \
  ".irp i, 7, 6, 5, 4, 3, 2, 1, 0\n"                                           \
  ".if \\i < \\n\n"                                                            \
  "\\line\n"                                                                   \
  ".endif\n"                                                                   \
  ".endr\n"                                                                    \
  ".endm\n"                                                                    \
  ".macro above n, line:vararg\n"                                              \
  ".irp i, 1, 2, 3, 4, 5, 6, 7\n"                                              \
  ".if \\i < \\n\n"                                                            \
  "\\line\n"                                                                   \
  ".endif\n"                                                                   \
  ".endr\n"                                                                    \
  ".endm\n"

/* copy: to = from; both begin with an even register. skip: adds the bytes of
 * memory behind a word of n bytes that takes `slot` bytes to a pointer.
 * wipe: clears the flags (T is of rotations), r0 and r18 to r25. */
#define SAMARA_AVR_WORD_MOVES                                                  \
  ".macro copy to, from, n\n"                                                  \
  ".irp i, 0, 2, 4, 6\n"                                                       \
  ".if \\i + 1 < \\n\n"                                                        \
  "movw \\to+\\i, \\from+\\i\n"                                                \
  ".elseif \\i < \\n\n"                                                        \
  "mov \\to+\\i, \\from+\\i\n"                                                 \
  ".endif\n"                                                                   \
  ".endr\n"                                                                    \
  ".endm\n"                                                                    \
  ".macro skip pointer, n, slot\n"                                             \
  ".if \\slot - \\n\n"                                                         \
  "adiw \\pointer, \\slot - \\n\n"                                             \
  ".endif\n"                                                                   \
  ".endm\n"                                                                    \
  ".macro wipe\n"                                                              \
  "clt\n"                                                                      \
  "sub r0, r0\n"                                                               \
  "clr r18\n"                                                                  \
  "clr r19\n"                                                                  \
  ".irp i, 20, 22, 24\n"                                                       \
  "movw \\i, r18\n"                                                            \
  ".endr\n"                                                                    \
  ".endm\n"

/* add_key: adds the round key at Z to a word and moves Z behind it. key_byte:
 * the same for a byte at `place`. Byte i of the word is in register first + (i
 * + moved) mod n, here and below. */
#define SAMARA_AVR_ADD_KEY                                                     \
  ".macro key_byte place, to\n"                                                \
  "ld r0, \\place\n"                                                           \
  "eor \\to, r0\n"                                                             \
  ".endm\n"                                                                    \
  ".macro add_key first, n, slot, moved=0\n"                                   \
  "up \\n, key_byte Z+, \\first+(\\i+\\moved)%\\n\n"                           \
  "skip r30, \\n, \\slot\n"                                                    \
  ".endm\n"

/* Rotations of a word by one bit. A rotation by 8 bits only adds to `moved`. */
#define SAMARA_AVR_ROTATIONS                                                   \
  ".macro rotate_left first, n, moved=0\n"                                     \
  "lsl \\first+(\\moved)%\\n\n"                                                \
  "above \\n, rol \\first+(\\i+\\moved)%\\n\n"                                 \
  "adc \\first+(\\moved)%\\n, r1\n"                                            \
  ".endm\n"                                                                    \
  ".macro rotate_right first, n, moved=0\n"                                    \
  "bst \\first+(\\moved)%\\n, 0\n"                                             \
  "lsr \\first+(\\n-1+\\moved)%\\n\n"                                          \
  "down \\n-1, ror \\first+(\\i+\\moved)%\\n\n"                                \
  "bld \\first+(\\n-1+\\moved)%\\n, 7\n"                                       \
  ".endm\n"

#define SAMARA_AVR_WORD_MACROS                                                 \
  SAMARA_AVR_EACH_BYTE SAMARA_AVR_WORD_MOVES SAMARA_AVR_ADD_KEY                \
      SAMARA_AVR_ROTATIONS

#define SAMARA_AVR_PURGE_WORD_MACROS                                           \
  ".purgem up\n .purgem down\n .purgem above\n .purgem copy\n"                 \
  ".purgem skip\n .purgem wipe\n .purgem key_byte\n .purgem add_key\n"         \
  ".purgem rotate_left\n .purgem rotate_right\n"

#endif
