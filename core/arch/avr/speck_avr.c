/* SPDX-License-Identifier: Apache-2.0 */
#include "arch/avr/words_macros.h"
#include "block/words_avr.h"

#if SAMARA_ARCH_AVR

/* Speck by the instructions of an AVR, for words of 16, 24, 32, 48 and 64 bits,
 * and the key derivation of ModSpeck.
 *
 * The idea: a block stays in registers. The rotation of x by 8 bits moves
 * nothing, because each round of an unrolled loop names x's registers from one
 * byte further on; the loop puts them back once in a turn. The rotation of y is
 * a shift by one bit of the whole word, three times, whose carry comes in again
 * below: 3 (n + 1) cycles for n bytes, where products with 8 need 3.5 n. The
 * rounds of the cipher that are not a multiple of the loop's are skipped at its
 * beginning, with x moved as if they had been carried out.
 *
 * The key schedule has no memory of its own: the word l[i] waits where round
 * key i + 1 goes, which is computed from it.
 *
 * Registers: Z is the round keys, X input and output, r0 a byte of the round
 * key. y is in r10 and the following, x in r18 and the following. Those of the
 * caller are saved and restored; r0 and r18 to r25 are zeros at the end, and
 * the stack has no secrets of a call.
 *
 * The macros have the bytes of a word as n, those of a round key in memory as
 * slot, the rounds of a turn as turn, the bits that y is rotated by as beta,
 * and those that x's rotation is short of 8 as back. */

/* x >>> 8 by: registers are moved, one byte or two at a time, each to where the
 * byte `by` above it is read, until the first one's turn comes again. */
#define MOVE                                                                   \
  ".macro move_cycle move, first, by, n, steps\n"                              \
  "\\move r0, 18+\\first\n"                                                    \
  ".irp k, 0, 1, 2, 3, 4, 5, 6\n"                                              \
  ".if \\k + 1 < \\steps\n"                                                    \
  "\\move 18+(\\first+\\k*(\\by))%\\n, 18+(\\first+(\\k+1)*(\\by))%\\n\n"      \
  ".endif\n"                                                                   \
  ".endr\n"                                                                    \
  "\\move 18+(\\first+(\\steps-1)*(\\by))%\\n, r0\n"                           \
  ".endm\n"                                                                    \
  ".macro move_right n, by\n"                                                  \
  ".if (\\by) % \\n\n"                                                         \
  ".if ((\\by) | \\n) % 2\n"                                                   \
  "move_cycle mov, 0, \\by, \\n, \\n\n"                                        \
  ".else\n"                                                                    \
  ".if (\\by) == 4\n"                                                          \
  "move_cycle movw, 0, \\by, \\n, 2\n"                                         \
  "move_cycle movw, 2, \\by, \\n, 2\n"                                         \
  ".else\n"                                                                    \
  "move_cycle movw, 0, \\by, \\n, \\n/2\n"                                     \
  ".endif\n"                                                                   \
  "clr r1\n"                                                                   \
  ".endif\n"                                                                   \
  ".endif\n"                                                                   \
  ".endm\n"

/* Round `place` of a turn, before which x is rotated by that many bytes:
 * x = ((x >>> 8 << back) + y) ^ round key, y = y <<< beta ^ x. */
#define ROUND                                                                  \
  ".macro speck_round place, n, slot, beta, back\n"                            \
  "speck_sum \\place+1, \\n, \\back\n"                                         \
  "add_key 18, \\n, \\slot, \\place+1\n"                                       \
  "speck_turn_y \\place+1, \\n, \\beta\n"                                      \
  ".endm\n"                                                                    \
  ".macro speck_sum moved, n, back\n"                                          \
  ".rept \\back\n"                                                             \
  "rotate_left 18, \\n, \\moved\n"                                             \
  ".endr\n"                                                                    \
  "add 18+(\\moved)%\\n, 10\n"                                                 \
  "above \\n, adc 18+(\\i+\\moved)%\\n, 10+\\i\n"                              \
  ".endm\n"                                                                    \
  ".macro speck_turn_y moved, n, beta\n"                                       \
  ".rept \\beta\n"                                                             \
  "rotate_left 10, \\n\n"                                                      \
  ".endr\n"                                                                    \
  "up \\n, eor 10+\\i, 18+(\\i+\\moved)%\\n\n"                                 \
  ".endm\n"

/* The beginning and the end of a block: r25:r24 round keys (decryption: their
 * end), r22 rounds, r21:r20 output, r19:r18 input. r26 counts rounds. */
#define ENDS                                                                   \
  ".macro block_in n\n"                                                        \
  "up \\n, push 10+\\i\n"                                                      \
  "push r20\n"                                                                 \
  "push r21\n"                                                                 \
  "movw r26, r18\n"                                                            \
  "movw r30, r24\n"                                                            \
  "mov r0, r22\n"                                                              \
  "up \\n, ld 10+\\i, X+\n"                                                    \
  "up \\n, ld 18+\\i, X+\n"                                                    \
  "mov r26, r0\n"                                                              \
  ".endm\n"                                                                    \
  ".macro block_out n\n"                                                       \
  "pop r27\n"                                                                  \
  "pop r26\n"                                                                  \
  "up \\n, st X+, 10+\\i\n"                                                    \
  "up \\n, st X+, 18+\\i\n"                                                    \
  "wipe\n"                                                                     \
  "down \\n, pop 10+\\i\n"                                                     \
  "ret\n"                                                                      \
  ".endm\n"

/* Into a turn of two or four rounds, behind those that are not carried out. A
 * turn's round k has the label 1k. */
#define ENTER                                                                  \
  ".macro enter_2 n\n"                                                         \
  "sbrs r26, 0\n"                                                              \
  "rjmp 1f\n"                                                                  \
  "inc r26\n"                                                                  \
  "move_right \\n, \\n-1\n"                                                    \
  "rjmp 11f\n"                                                                 \
  ".endm\n"                                                                    \
  ".macro enter_4 n\n"                                                         \
  "; r27: rounds to leave out. 1 and 3 move x by 7 bytes, 2 and 3 by 6.\n"     \
  "mov r27, r26\n"                                                             \
  "neg r27\n"                                                                  \
  "andi r27, 3\n"                                                              \
  "add r26, r27\n"                                                             \
  "sbrs r27, 0\n"                                                              \
  "rjmp 7f\n"                                                                  \
  "move_right \\n, \\n-1\n"                                                    \
  "7:\n"                                                                       \
  "sbrs r27, 1\n"                                                              \
  "rjmp 8f\n"                                                                  \
  "move_right \\n, \\n-2\n"                                                    \
  "sbrs r27, 0\n"                                                              \
  "rjmp 12f\n"                                                                 \
  "rjmp 13f\n"                                                                 \
  "8:\n"                                                                       \
  "sbrc r27, 0\n"                                                              \
  "rjmp 11f\n"                                                                 \
  ".endm\n"

#define ENCRYPT                                                                \
  ".macro speck_encrypt n, slot, turn, beta, back\n"                           \
  "block_in \\n\n"                                                             \
  ".if \\turn == 2\n"                                                          \
  "enter_2 \\n\n"                                                              \
  ".elseif \\turn == 4\n"                                                      \
  "enter_4 \\n\n"                                                              \
  ".endif\n"                                                                   \
  "1:\n"                                                                       \
  "speck_round 0, \\n, \\slot, \\beta, \\back\n"                               \
  ".irp place, 1, 2, 3\n"                                                      \
  ".if \\place < \\turn\n"                                                     \
  "1\\place:\n"                                                                \
  "speck_round \\place, \\n, \\slot, \\beta, \\back\n"                         \
  ".endif\n"                                                                   \
  ".endr\n"                                                                    \
  "; x back to where the next turn reads it.\n"                                \
  "move_right \\n, \\turn\n"                                                   \
  "subi r26, \\turn\n"                                                         \
  "breq 3f\n"                                                                  \
  "rjmp 1b\n"                                                                  \
  "3:\n"                                                                       \
  "block_out \\n\n"                                                            \
  ".endm\n"

/* Each round backwards: y = (y ^ x) >>> beta, x = ((x ^ round key) - y) <<< 8,
 * less back bits. */
#define DECRYPT                                                                \
  ".macro speck_decrypt n, slot, beta, back\n"                                 \
  "block_in \\n\n"                                                             \
  "1:\n"                                                                       \
  "up \\n, eor 10+\\i, 18+\\i\n"                                               \
  "sbiw r30, \\slot\n"                                                         \
  ".rept \\beta\n"                                                             \
  "rotate_right 10, \\n\n"                                                     \
  ".endr\n"                                                                    \
  "up \\n, key_byte_at \\i, 18+\\i\n"                                          \
  "sub r18, r10\n"                                                             \
  "above \\n, sbc 18+\\i, 10+\\i\n"                                            \
  ".rept \\back\n"                                                             \
  "rotate_right 18, \\n\n"                                                     \
  ".endr\n"                                                                    \
  "move_right \\n, \\n-1\n"                                                    \
  "dec r26\n"                                                                  \
  "breq 3f\n"                                                                  \
  "rjmp 1b\n"                                                                  \
  "3:\n"                                                                       \
  "block_out \\n\n"                                                            \
  ".endm\n"                                                                    \
  ".macro key_byte_at place, to\n"                                             \
  "ldd r0, Z+\\place\n"                                                        \
  "eor \\to, r0\n"                                                             \
  ".endm\n"

/* The key schedule: r25:r24 round keys, r23:r22 key, r20 rounds, r18 words of
 * the key. The round keys k are y and the words l[i] x; Y is round key i + 1,
 * and Z where l[i + m - 1] goes, for a key of m words. r26 is i. */
#define EXPAND                                                                 \
  ".macro speck_expand bits, n, slot, beta, back\n"                            \
  "; The key's words to the first round keys.\n"                               \
  "movw r26, r22\n"                                                            \
  "movw r30, r24\n"                                                            \
  "mov r21, r18\n"                                                             \
  "1:\n"                                                                       \
  ".rept \\n\n"                                                                \
  "ld r0, X+\n"                                                                \
  "st Z+, r0\n"                                                                \
  ".endr\n"                                                                    \
  "skip r30, \\n, \\slot\n"                                                    \
  "dec r21\n"                                                                  \
  "brne 1b\n"                                                                  \
  ".global samara_speck_avr_schedule\\bits\n"                                  \
  "samara_speck_avr_schedule\\bits:\n"                                         \
  "push r9\n"                                                                  \
  "up \\n, push 10+\\i\n"                                                      \
  "push r28\n"                                                                 \
  "push r29\n"                                                                 \
  "movw r28, r24\n"                                                            \
  "mov r9, r18\n"                                                              \
  "mov r27, r20\n"                                                             \
  "clr r26\n"                                                                  \
  "up \\n, ld 10+\\i, Y+\n"                                                    \
  "skip r28, \\n, \\slot\n"                                                    \
  "; Z to m - 1 words further: r18 is free until x is read.\n"                 \
  "movw r30, r28\n"                                                            \
  "rjmp 3f\n"                                                                  \
  "2:\n"                                                                       \
  "adiw r30, \\slot\n"                                                         \
  "3:\n"                                                                       \
  "dec r18\n"                                                                  \
  "brne 2b\n"                                                                  \
  "rjmp 6f\n"                                                                  \
  "; A round with i for the round key; the last ones need no l.\n"             \
  "4:\n"                                                                       \
  "up \\n, ldd 18+\\i, Y+\\i\n"                                                \
  "speck_sum 1, \\n, \\back\n"                                                 \
  "eor 18+1%\\n, r26\n"                                                        \
  "cp r27, r9\n"                                                               \
  "brlo 5f\n"                                                                  \
  "up \\n, st Z+, 18+(\\i+1)%\\n\n"                                            \
  "skip r30, \\n, \\slot\n"                                                    \
  "5:\n"                                                                       \
  "speck_turn_y 1, \\n, \\beta\n"                                              \
  "up \\n, st Y+, 10+\\i\n"                                                    \
  "skip r28, \\n, \\slot\n"                                                    \
  "inc r26\n"                                                                  \
  "6:\n"                                                                       \
  "dec r27\n"                                                                  \
  "breq 7f\n"                                                                  \
  "rjmp 4b\n"                                                                  \
  "7:\n"                                                                       \
  "wipe\n"                                                                     \
  "pop r29\n"                                                                  \
  "pop r28\n"                                                                  \
  "down \\n, pop 10+\\i\n"                                                     \
  "pop r9\n"                                                                   \
  "ret\n"                                                                      \
  ".endm\n"

#define BODY(call)                                                             \
  __asm__(                                                                     \
      SAMARA_AVR_WORD_MACROS MOVE ROUND ENDS ENTER ENCRYPT DECRYPT EXPAND call \
      "\n"                                                                     \
      ".purgem move_cycle\n .purgem move_right\n .purgem speck_round\n"        \
      ".purgem speck_sum\n .purgem speck_turn_y\n .purgem block_in\n"          \
      ".purgem block_out\n .purgem enter_2\n .purgem enter_4\n"                \
      ".purgem speck_encrypt\n .purgem speck_decrypt\n"                        \
      ".purgem key_byte_at\n .purgem "                                         \
      "speck_expand\n" SAMARA_AVR_PURGE_WORD_MACROS)

/* The functions of block/words_avr.h for words of `bits` bits, n bytes. */
#define SPECK(bits, n, slot, turn, beta, back)                                 \
  __attribute__((naked)) void samara_speck_avr_encrypt##bits(                  \
      const void *round_keys, uint8_t rounds, uint8_t *output,                 \
      const uint8_t *input) {                                                  \
    (void)round_keys;                                                          \
    (void)rounds;                                                              \
    (void)output;                                                              \
    (void)input;                                                               \
    BODY("speck_encrypt " #n ", " #slot ", " #turn ", " #beta ", " #back);     \
  }                                                                            \
                                                                               \
  __attribute__((naked)) void samara_speck_avr_decrypt##bits(                  \
      const void *round_keys, uint8_t rounds, uint8_t *output,                 \
      const uint8_t *input) {                                                  \
    (void)round_keys;                                                          \
    (void)rounds;                                                              \
    (void)output;                                                              \
    (void)input;                                                               \
    BODY("speck_decrypt " #n ", " #slot ", " #beta ", " #back);                \
  }                                                                            \
                                                                               \
  __attribute__((naked)) void samara_speck_avr_expand##bits(                   \
      void *round_keys, const uint8_t *key, uint8_t rounds,                    \
      uint8_t key_words) {                                                     \
    (void)round_keys;                                                          \
    (void)key;                                                                 \
    (void)rounds;                                                              \
    (void)key_words;                                                           \
    BODY("speck_expand " #bits ", " #n ", " #slot ", " #beta ", " #back);      \
  }

SPECK(16, 2, 2, 2, 2, 1)
SPECK(24, 3, 4, 1, 3, 0)
SPECK(32, 4, 4, 4, 3, 0)
SPECK(48, 6, 8, 2, 3, 0)
SPECK(64, 8, 8, 4, 3, 0)

/* The key derivation of ModSpeck: r25:r24 derived key, r23:r22 key.
 *
 * Each byte of the key is read once: what is added to a part is the next part.
 * To the last part the new part 0 is added, which is read from the output. Part
 * p is then rotated to the right by 7 p bits: by 8 p, of names, and p back.
 *
 * The bytes of two parts are in pairs of registers, a and b in turn: those of
 * the part itself, and those of the next one. The next part has them the other
 * way round. */
#define LISTS                                                                  \
  ".macro load_own at, a, b, rest:vararg\n"                                    \
  "ldd \\a, Z+\\at\n"                                                          \
  ".ifnb \\rest\n"                                                             \
  "load_own \\at+1, \\rest\n"                                                  \
  ".endif\n"                                                                   \
  ".endm\n"                                                                    \
  ".macro load_next at, a, b, rest:vararg\n"                                   \
  "ldd \\b, Z+\\at\n"                                                          \
  ".ifnb \\rest\n"                                                             \
  "load_next \\at+1, \\rest\n"                                                 \
  ".endif\n"                                                                   \
  ".endm\n"                                                                    \
  ".macro add_next a, b, rest:vararg\n"                                        \
  "eor \\a, \\b\n"                                                             \
  ".ifnb \\rest\n"                                                             \
  "add_next \\rest\n"                                                          \
  ".endif\n"                                                                   \
  ".endm\n"                                                                    \
  ".macro add_output spare, at, a, b, rest:vararg\n"                           \
  "ldd \\spare, Y+\\at\n"                                                      \
  "eor \\a, \\spare\n"                                                         \
  ".ifnb \\rest\n"                                                             \
  "add_output \\spare, \\at+1, \\rest\n"                                       \
  ".endif\n"                                                                   \
  ".endm\n"                                                                    \
  ".macro rol_own a, b, rest:vararg\n"                                         \
  "rol \\a\n"                                                                  \
  ".ifnb \\rest\n"                                                             \
  "rol_own \\rest\n"                                                           \
  ".endif\n"                                                                   \
  ".endm\n"                                                                    \
  ".macro rotate_own a, b, rest:vararg\n"                                      \
  "lsl \\a\n"                                                                  \
  "rol_own \\rest\n"                                                           \
  "adc \\a, r1\n"                                                              \
  ".endm\n"                                                                    \
  ".macro store_own at, a, b, rest:vararg\n"                                   \
  "std Y+\\at, \\a\n"                                                          \
  ".ifnb \\rest\n"                                                             \
  "store_own \\at+1, \\rest\n"                                                 \
  ".endif\n"                                                                   \
  ".endm\n"

#define DERIVE                                                                 \
  ".macro part p, n, a, b, rest:vararg\n"                                      \
  ".if \\p < 3\n"                                                              \
  "load_next \\n*(\\p+1), \\a, \\b, \\rest\n"                                  \
  "add_next \\a, \\b, \\rest\n"                                                \
  ".else\n"                                                                    \
  "add_output \\b, 0, \\a, \\b, \\rest\n"                                      \
  ".endif\n"                                                                   \
  "turned \\p, \\p, \\n, \\a, \\b, \\rest\n"                                   \
  ".endm\n"                                                                    \
  "; The first pair behind the others, as often as `left` says.\n"             \
  ".macro turned left, p, n, a, b, rest:vararg\n"                              \
  ".if \\left\n"                                                               \
  "turned \\left-1, \\p, \\n, \\rest, \\a, \\b\n"                              \
  ".else\n"                                                                    \
  ".rept \\p\n"                                                                \
  "rotate_own \\a, \\b, \\rest\n"                                              \
  ".endr\n"                                                                    \
  "store_own \\n*\\p, \\a, \\b, \\rest\n"                                      \
  ".endif\n"                                                                   \
  ".endm\n"

#define PURGE_DERIVE                                                           \
  ".purgem load_own\n .purgem load_next\n .purgem add_next\n"                  \
  ".purgem add_output\n .purgem rol_own\n .purgem rotate_own\n"                \
  ".purgem store_own\n .purgem part\n .purgem turned\n"

/* pairs: those of parts 0 and 2; swapped: of parts 1 and 3. `save` and
 * `restore` are for registers of the caller, and `clear` for X. */
#define MODSPECK(bits, n, pairs, swapped, save, clear, restore)                \
  __attribute__((naked)) void samara_modspeck_avr_derive##bits(                \
      void *derived, const uint8_t *key) {                                     \
    (void)derived;                                                             \
    (void)key;                                                                 \
    __asm__(SAMARA_AVR_WORD_MACROS LISTS DERIVE save                           \
            "push r28\n"                                                       \
            "push r29\n"                                                       \
            "movw r30, r22\n"                                                  \
            "movw r28, r24\n"                                                  \
            "load_own 0, " pairs "\n"                                          \
            "part 0, " #n ", " pairs "\n"                                      \
            "part 1, " #n ", " swapped "\n"                                    \
            "part 2, " #n ", " pairs "\n"                                      \
            "part 3, " #n ", " swapped "\n"                                    \
            "wipe\n" clear "pop r29\n"                                         \
            "pop r28\n" restore                                                \
            "ret\n" PURGE_DERIVE SAMARA_AVR_PURGE_WORD_MACROS);                \
  }

MODSPECK(128, 4, "r18, r22, r19, r23, r20, r24, r21, r25",
         "r22, r18, r23, r19, r24, r20, r25, r21", "", "", "")

MODSPECK(192, 6, "r18, r24, r19, r25, r20, r0, r21, r26, r22, r27, r23, r17",
         "r24, r18, r25, r19, r0, r20, r26, r21, r27, r22, r17, r23",
         "push r17\n", "clr r26\n clr r27\n", "pop r17\n")

MODSPECK(256, 8,
         "r18, r0, r19, r26, r20, r27, r21, r17, r22, r16, r23, r15, r24, r14, "
         "r25, r13",
         "r0, r18, r26, r19, r27, r20, r17, r21, r16, r22, r15, r23, r14, r24, "
         "r13, r25",
         "push r17\n push r16\n push r15\n push r14\n push r13\n",
         "clr r26\n clr r27\n",
         "pop r13\n pop r14\n pop r15\n pop r16\n pop r17\n")

#undef MOVE
#undef ROUND
#undef ENDS
#undef ENTER
#undef ENCRYPT
#undef DECRYPT
#undef EXPAND
#undef BODY
#undef SPECK
#undef LISTS
#undef DERIVE
#undef PURGE_DERIVE
#undef MODSPECK

#endif
