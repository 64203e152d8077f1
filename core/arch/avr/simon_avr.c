/* SPDX-License-Identifier: Apache-2.0 */
#include "arch/avr/words_macros.h"
#include "block/words_avr.h"

#if SAMARA_ARCH_AVR

/* Simon by the instructions of an AVR, for words of 16, 24, 32, 48 and 64 bits.
 *
 * The idea: both words stay in registers. A round changes one of them by the
 * other; two rounds with the words exchanged make a turn of the loop, so that
 * nothing moves. With an odd number of rounds, the loop begins in the middle,
 * with the words read in the other order. The rotation by 8 bits only names
 * other registers. Those by 1 and by 2 are one copy, shifted as a whole word by
 * one bit and later by another. Decryption is the same with the words
 * exchanged, and the round keys from the last one on. In the key schedule, the
 * last round key stays in registers.
 *
 * Registers: Z is the round keys, X input and output, then a pair of bytes, r0
 * a byte of a round key, r28 counts. The words are in r2 and the following and
 * in r10 and the following, the copy in r18 and the following. Those of the
 * caller are saved and restored; r0, r18 to r25 and X are zeros or addresses at
 * the end, and the stack has no secrets of a call.
 *
 * The macros have the bytes of a word as n, and those of a round key in memory
 * as slot. */

/* to ^= (from <<< 1 & from <<< 8) ^ from <<< 2 ^ round key. */
#define ROUND                                                                  \
  ".macro simon_round from, to, n, slot, forward\n"                            \
  "copy 18, \\from, \\n\n"                                                     \
  "rotate_left 18, \\n\n"                                                      \
  "; Two bytes at a time. Rotated by 8 bits, byte i is byte i - 1.\n"          \
  ".irp k, 0, 2, 4, 6\n"                                                       \
  ".if \\k + 1 < \\n\n"                                                        \
  "movw r26, 18+\\k\n"                                                         \
  "and r26, \\from+(\\k+\\n-1)%\\n\n"                                          \
  "and r27, \\from+\\k\n"                                                      \
  "eor \\to+\\k, r26\n"                                                        \
  "eor \\to+\\k+1, r27\n"                                                      \
  ".elseif \\k < \\n\n"                                                        \
  "mov r26, 18+\\k\n"                                                          \
  "and r26, \\from+\\k-1\n"                                                    \
  "eor \\to+\\k, r26\n"                                                        \
  ".endif\n"                                                                   \
  ".endr\n"                                                                    \
  "rotate_left 18, \\n\n"                                                      \
  "up \\n, eor \\to+\\i, 18+\\i\n"                                             \
  ".if \\forward\n"                                                            \
  "add_key \\to, \\n, \\slot\n"                                                \
  ".else\n"                                                                    \
  ".if \\slot - \\n\n"                                                         \
  "sbiw r30, \\slot - \\n\n"                                                   \
  ".endif\n"                                                                   \
  "down \\n, key_byte -Z, \\to+\\i\n"                                          \
  ".endif\n"                                                                   \
  ".endm\n"

/* A block: r25:r24 round keys (decryption: their end), r22 rounds, r21:r20
 * output, r19:r18 input. */
#define CRYPT                                                                  \
  ".macro simon_crypt n, slot, forward\n"                                      \
  "up \\n, push 2+\\i\n"                                                       \
  "up \\n, push 10+\\i\n"                                                      \
  "push r28\n"                                                                 \
  "push r20\n"                                                                 \
  "push r21\n"                                                                 \
  "movw r30, r24\n"                                                            \
  "mov r28, r22\n"                                                             \
  "; Which half is read into which word depends on the rounds.\n"              \
  "movw r26, r18\n"                                                            \
  ".if \\forward\n"                                                            \
  "sbrc r28, 0\n"                                                              \
  ".else\n"                                                                    \
  "sbrs r28, 0\n"                                                              \
  ".endif\n"                                                                   \
  "adiw r26, \\n\n"                                                            \
  "up \\n, ld 2+\\i, X+\n"                                                     \
  "movw r26, r18\n"                                                            \
  ".if \\forward\n"                                                            \
  "sbrs r28, 0\n"                                                              \
  ".else\n"                                                                    \
  "sbrc r28, 0\n"                                                              \
  ".endif\n"                                                                   \
  "adiw r26, \\n\n"                                                            \
  "up \\n, ld 10+\\i, X+\n"                                                    \
  "; An odd number begins in the middle of a turn.\n"                          \
  "sbrs r28, 0\n"                                                              \
  "rjmp 1f\n"                                                                  \
  "inc r28\n"                                                                  \
  "rjmp 2f\n"                                                                  \
  "; A turn: two rounds.\n"                                                    \
  "1:\n"                                                                       \
  "simon_round 10, 2, \\n, \\slot, \\forward\n"                                \
  "2:\n"                                                                       \
  "simon_round 2, 10, \\n, \\slot, \\forward\n"                                \
  "subi r28, 2\n"                                                              \
  "breq 3f\n"                                                                  \
  "rjmp 1b\n"                                                                  \
  "3:\n"                                                                       \
  "pop r27\n"                                                                  \
  "pop r26\n"                                                                  \
  ".if \\forward\n"                                                            \
  "up \\n, st X+, 2+\\i\n"                                                     \
  "up \\n, st X+, 10+\\i\n"                                                    \
  ".else\n"                                                                    \
  "up \\n, st X+, 10+\\i\n"                                                    \
  "up \\n, st X+, 2+\\i\n"                                                     \
  ".endif\n"                                                                   \
  "wipe\n"                                                                     \
  "pop r28\n"                                                                  \
  "down \\n, pop 10+\\i\n"                                                     \
  "down \\n, pop 2+\\i\n"                                                      \
  "ret\n"                                                                      \
  ".endm\n"

/* The key schedule: r25 to r18 sequence of 62 bits, r17:r16 round keys, r15:r14
 * key, r12 rounds, r10 words of the key. The sequence moves to r2 to r9; the
 * last round key is in r18 and the following, a copy in r10 and the following.
 * Z is the round key m words before Y, the one that is made. */
#define EXPAND                                                                 \
  ".macro simon_expand n, slot\n"                                              \
  ".irp r, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29\n"   \
  "push \\r\n"                                                                 \
  ".endr\n"                                                                    \
  "copy 2, 18, 8\n"                                                            \
  "movw r30, r16\n"                                                            \
  "movw r28, r16\n"                                                            \
  "movw r26, r14\n"                                                            \
  "mov r18, r10\n"                                                             \
  "mov r19, r12\n"                                                             \
  "; The first round keys are the key's words.\n"                              \
  "mov r20, r10\n"                                                             \
  "1:\n"                                                                       \
  ".rept \\n\n"                                                                \
  "ld r0, X+\n"                                                                \
  "st Y+, r0\n"                                                                \
  ".endr\n"                                                                    \
  "skip r28, \\n, \\slot\n"                                                    \
  "dec r20\n"                                                                  \
  "brne 1b\n"                                                                  \
  "; r27 words of the key, r26 round keys still to be made.\n"                 \
  "mov r27, r18\n"                                                             \
  "mov r26, r19\n"                                                             \
  "sub r26, r27\n"                                                             \
  "sbiw r28, \\slot\n"                                                         \
  "up \\n, ldd 18+\\i, Y+\\i\n"                                                \
  "adiw r28, \\slot\n"                                                         \
  "; A round key: t = last >>> 3, and of keys of four words one more.\n"       \
  "2:\n"                                                                       \
  ".rept 3\n"                                                                  \
  "rotate_right 18, \\n\n"                                                     \
  ".endr\n"                                                                    \
  "cpi r27, 4\n"                                                               \
  "brne 3f\n"                                                                  \
  "up \\n, later_byte \\slot+\\i, 18+\\i\n"                                    \
  "; t ^ t >>> 1 ^ the round key m words before.\n"                            \
  "3:\n"                                                                       \
  "copy 10, 18, \\n\n"                                                         \
  "rotate_right 10, \\n\n"                                                     \
  "up \\n, eor 18+\\i, 10+\\i\n"                                               \
  "add_key 18, \\n, \\slot\n"                                                  \
  "; The constant has ones, but for the two lowest bits, 00 or 01.\n"          \
  "up \\n, com 18+\\i\n"                                                       \
  "ldi r16, 3\n"                                                               \
  "sbrc r2, 0\n"                                                               \
  "ldi r16, 2\n"                                                               \
  "eor r18, r16\n"                                                             \
  "; The sequence, rotated by one of its 62 bits.\n"                           \
  "bst r2, 0\n"                                                                \
  "lsr r9\n"                                                                   \
  "down 7, ror 2+\\i\n"                                                        \
  "bld r9, 5\n"                                                                \
  "up \\n, st Y+, 18+\\i\n"                                                    \
  "skip r28, \\n, \\slot\n"                                                    \
  "dec r26\n"                                                                  \
  "breq 4f\n"                                                                  \
  "rjmp 2b\n"                                                                  \
  "4:\n"                                                                       \
  "wipe\n"                                                                     \
  ".irp r, 29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2\n"   \
  "pop \\r\n"                                                                  \
  ".endr\n"                                                                    \
  "ret\n"                                                                      \
  ".endm\n"                                                                    \
  ".macro later_byte place, to\n"                                              \
  "ldd r0, Z+\\place\n"                                                        \
  "eor \\to, r0\n"                                                             \
  ".endm\n"

#define BODY(call)                                                             \
  __asm__(SAMARA_AVR_WORD_MACROS ROUND CRYPT EXPAND call                       \
          "\n"                                                                 \
          ".purgem simon_round\n"                                              \
          ".purgem simon_crypt\n .purgem simon_expand\n .purgem "              \
          "later_byte\n" SAMARA_AVR_PURGE_WORD_MACROS)

/* The functions of block/words_avr.h for words of `bits` bits, n bytes. */
#define SIMON(bits, n, slot)                                                   \
  __attribute__((naked)) void samara_simon_avr_encrypt##bits(                  \
      const void *round_keys, uint8_t rounds, uint8_t *output,                 \
      const uint8_t *input) {                                                  \
    (void)round_keys;                                                          \
    (void)rounds;                                                              \
    (void)output;                                                              \
    (void)input;                                                               \
    BODY("simon_crypt " #n ", " #slot ", 1");                                  \
  }                                                                            \
                                                                               \
  __attribute__((naked)) void samara_simon_avr_decrypt##bits(                  \
      const void *round_keys, uint8_t rounds, uint8_t *output,                 \
      const uint8_t *input) {                                                  \
    (void)round_keys;                                                          \
    (void)rounds;                                                              \
    (void)output;                                                              \
    (void)input;                                                               \
    BODY("simon_crypt " #n ", " #slot ", 0");                                  \
  }                                                                            \
                                                                               \
  __attribute__((naked)) void samara_simon_avr_expand##bits(                   \
      uint64_t sequence, void *round_keys, const uint8_t *key, uint8_t rounds, \
      uint8_t key_words) {                                                     \
    (void)sequence;                                                            \
    (void)round_keys;                                                          \
    (void)key;                                                                 \
    (void)rounds;                                                              \
    (void)key_words;                                                           \
    BODY("simon_expand " #n ", " #slot);                                       \
  }

SIMON(16, 2, 2)
SIMON(24, 3, 4)
SIMON(32, 4, 4)
SIMON(48, 6, 8)
SIMON(64, 8, 8)

#undef ROUND
#undef CRYPT
#undef EXPAND
#undef BODY
#undef SIMON

#endif
