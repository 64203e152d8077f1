/* SPDX-License-Identifier: Apache-2.0 */
#include "aead/chacha20_rounds.h"

#if SAMARA_ARCH_AVR

/* The rounds of ChaCha20 (RFC 8439, section 2.3): about 145 cycles a quarter
 * round, of which 64 move words between memory and registers.
 *
 * Y points to the state, whose last byte is within its reach; in the rounds of
 * columns it moves on by a word each. a is in r2 to r5, b in r6 to r9, c in r10
 * to r13, d in r14 to r17, the lowest byte first; r18 to r21 are for rotations,
 * r22 and r23 count. r2 to r17 and Y are saved and restored; nothing secret is
 * left in a register or on the stack. */

/* Words between memory and registers: at the offsets a, b, c and d. */
#define MOVES                                                                  \
  ".macro take a, b, c, d\n"                                                   \
  ".irp i, 0, 1, 2, 3\n"                                                       \
  "ldd 2+\\i, Y+\\a+\\i\n"                                                     \
  "ldd 6+\\i, Y+\\b+\\i\n"                                                     \
  "ldd 10+\\i, Y+\\c+\\i\n"                                                    \
  "ldd 14+\\i, Y+\\d+\\i\n"                                                    \
  ".endr\n"                                                                    \
  ".endm\n"                                                                    \
  ".macro give a, b, c, d\n"                                                   \
  ".irp i, 0, 1, 2, 3\n"                                                       \
  "std Y+\\a+\\i, 2+\\i\n"                                                     \
  "std Y+\\b+\\i, 6+\\i\n"                                                     \
  "std Y+\\c+\\i, 10+\\i\n"                                                    \
  "std Y+\\d+\\i, 14+\\i\n"                                                    \
  ".endr\n"                                                                    \
  ".endm\n"                                                                    \
  ".macro quarter a, b, c, d\n"                                                \
  "take \\a, \\b, \\c, \\d\n"                                                  \
  "rcall 9f\n"                                                                 \
  "give \\a, \\b, \\c, \\d\n"                                                  \
  ".endm\n"

/* Sums of words of four bytes, which are named by their first register. */
#define SUMS                                                                   \
  ".macro plus to, from\n"                                                     \
  "add \\to, \\from\n"                                                         \
  "adc \\to+1, \\from+1\n"                                                     \
  "adc \\to+2, \\from+2\n"                                                     \
  "adc \\to+3, \\from+3\n"                                                     \
  ".endm\n"                                                                    \
  ".macro xor to, from\n"                                                      \
  ".irp i, 0, 1, 2, 3\n"                                                       \
  "eor \\to+\\i, \\from+\\i\n"                                                 \
  ".endr\n"                                                                    \
  ".endm\n"

/* The quarter round (2.1). */
#define QUARTER                                                                \
  "9:\n"                                                                       \
  "plus 2, 6\n"                                                                \
  "xor 14, 2\n"                                                                \
  "movw r18, r14\n" /* d <<< 16 */                                             \
  "movw r14, r16\n"                                                            \
  "movw r16, r18\n"                                                            \
  "plus 10, 14\n"                                                              \
  "xor 6, 10\n"                                                                \
  ".irp i, 6, 7, 8, 9\n" /* b <<< 4: the low nibbles of bytes exchanged */     \
  "swap r\\i\n"                                                                \
  ".endr\n"                                                                    \
  "movw r18, r6\n"                                                             \
  "movw r20, r8\n"                                                             \
  "eor r18, r9\n"                                                              \
  "eor r19, r6\n"                                                              \
  "eor r20, r7\n"                                                              \
  "eor r21, r8\n"                                                              \
  ".irp i, 18, 19, 20, 21\n"                                                   \
  "andi r\\i, 0x0f\n"                                                          \
  ".endr\n"                                                                    \
  "xor 18, 6\n"                                                                \
  "mov r6, r21\n" /* b <<< 8 */                                                \
  "mov r7, r18\n"                                                              \
  "mov r8, r19\n"                                                              \
  "mov r9, r20\n"                                                              \
  "plus 2, 6\n"                                                                \
  "xor 14, 2\n"                                                                \
  "mov r18, r17\n" /* d <<< 8 */                                               \
  "mov r17, r16\n"                                                             \
  "mov r16, r15\n"                                                             \
  "mov r15, r14\n"                                                             \
  "mov r14, r18\n"                                                             \
  "plus 10, 14\n"                                                              \
  "xor 6, 10\n"                                                                \
  "mov r18, r9\n" /* b <<< 7: by 8 to the left, by 1 to the right */           \
  "lsr r18\n"                                                                  \
  "ror r8\n"                                                                   \
  "ror r7\n"                                                                   \
  "ror r6\n"                                                                   \
  "ror r9\n"                                                                   \
  "mov r18, r9\n"                                                              \
  "mov r9, r8\n"                                                               \
  "mov r8, r7\n"                                                               \
  "mov r7, r6\n"                                                               \
  "mov r6, r18\n"                                                              \
  "ret\n"

__attribute__((naked)) void samara_chacha20_avr_rounds(uint32_t words[16]) {
  (void)words;
  __asm__(MOVES SUMS /* */
          ".irp i, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17\n"
          "push r\\i\n"
          ".endr\n"
          "push r28\n"
          "push r29\n"
          "movw r28, r24\n"
          "ldi r22, 10\n"
          "1:\n"
          "ldi r23, 4\n"
          "2:\n" /* columns */
          "quarter 0, 16, 32, 48\n"
          "adiw r28, 4\n"
          "dec r23\n"
          "breq 3f\n"
          "rjmp 2b\n"
          "3:\n"
          "sbiw r28, 16\n" /* diagonals */
          "quarter 0, 20, 40, 60\n"
          "quarter 4, 24, 44, 48\n"
          "quarter 8, 28, 32, 52\n"
          "quarter 12, 16, 36, 56\n"
          "dec r22\n"
          "breq 4f\n"
          "rjmp 1b\n"
          "4:\n"
          "pop r29\n"
          "pop r28\n"
          ".irp i, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2\n"
          "pop r\\i\n"
          ".endr\n"
          "clr r18\n"
          "clr r19\n"
          "movw r20, r18\n"
          "ret\n" QUARTER
          ".purgem take\n .purgem give\n .purgem quarter\n .purgem plus\n"
          ".purgem xor\n");
}

#undef MOVES
#undef SUMS
#undef QUARTER

#endif
