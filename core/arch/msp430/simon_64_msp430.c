/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/simon.h>

#include "arch/msp430/words_macros.h"
#include "block/simon_sequences.h"
#include "common/machine.h"

#if SAMARA_ARCH_MSP430

/* Simon64/96 and Simon64/128: all that a key does, with nothing to be wiped
 * behind it: no secret is left in a register or on the stack, but the
 * ciphertext. Bytes may lie at odd addresses.
 *
 * Registers: r12 round key, r13 output, r14 input and then where the rounds
 * end. y is in r11 (low) and r10, x in r9 and r15; r5 to r8 are for the round.
 * r5 to r10 are saved and restored. */

/* How many rounds have code of their own, an even number, because the words
 * change places each round. The loop is entered behind the first two where the
 * number of rounds is not a multiple of it. */
#ifdef __OPTIMIZE_SIZE__
#define ROUNDS "2"
#else
#define ROUNDS "4"
#endif

/* Adds to y what the round function makes of x: 22 cycles, without the key. */
#define MIX                                                                    \
  ".macro mix x_lo, x_hi, y_lo, y_hi\n"                                        \
  "mov \\x_lo, r6\n"                                                           \
  "mov \\x_hi, r5\n"                                                           \
  "by_8 r6, r5, r8\n"                                                          \
  "mov \\x_lo, r8\n"                                                           \
  "mov \\x_hi, r7\n"                                                           \
  "left r8, r7\n"                                                              \
  "and r8, r6\n"                                                               \
  "and r7, r5\n"                                                               \
  "xor r6, \\y_lo\n"                                                           \
  "xor r5, \\y_hi\n"                                                           \
  "left r8, r7\n"                                                              \
  "xor r8, \\y_lo\n"                                                           \
  "xor r7, \\y_hi\n"                                                           \
  ".endm\n"

#define BEGIN_AND_END                                                          \
  ".macro begin\n"                                                             \
  ".irp i, 5, 6, 7, 8, 9, 10\n"                                                \
  "push r\\i\n"                                                                \
  ".endr\n"                                                                    \
  "read_block r11, r10, r9, r15, r15\n"                                        \
  "mov r12, r14\n"                                                             \
  ".endm\n"                                                                    \
  ".macro end\n"                                                               \
  ".irp i, 10, 9, 8, 7, 6, 5\n"                                                \
  "pop r\\i\n"                                                                 \
  ".endr\n"                                                                    \
  "ret\n"                                                                      \
  "odd_blocks r11, r10, r9, r15, r11, r10, r9, r15, r8\n"                      \
  ".endm\n"

#define ENCRYPTION                                                             \
  ".macro encryption_round x_lo, x_hi, y_lo, y_hi\n"                           \
  "mix \\x_lo, \\x_hi, \\y_lo, \\y_hi\n"                                       \
  "xor @r12+, \\y_lo\n"                                                        \
  "xor @r12+, \\y_hi\n"                                                        \
  ".endm\n"                                                                    \
  ".macro encryption count\n"                                                  \
  "begin\n"                                                                    \
  "add #4 * \\count, r14\n"                                                    \
  ".if \\count % " ROUNDS "\n"                                                 \
  "jmp 2f\n"                                                                   \
  ".endif\n"                                                                   \
  "1:\n"                                                                       \
  ".rept " ROUNDS " / 2 - 1\n"                                                 \
  "encryption_round r9, r15, r11, r10\n"                                       \
  "encryption_round r11, r10, r9, r15\n"                                       \
  ".endr\n"                                                                    \
  "2:\n"                                                                       \
  "encryption_round r9, r15, r11, r10\n"                                       \
  "encryption_round r11, r10, r9, r15\n"                                       \
  "cmp r14, r12\n"                                                             \
  "jne 1b\n"                                                                   \
  "write_block r11, r10, r9, r15, r8\n"                                        \
  "end\n"                                                                      \
  ".endm\n"

/* The round keys from the last to the first, which r14 points to. */
#define DECRYPTION                                                             \
  ".macro decryption_round x_lo, x_hi, y_lo, y_hi\n"                           \
  "mix \\y_lo, \\y_hi, \\x_lo, \\x_hi\n"                                       \
  "sub #4, r12\n"                                                              \
  "xor @r12, \\x_lo\n"                                                         \
  "xor 2(r12), \\x_hi\n"                                                       \
  ".endm\n"                                                                    \
  ".macro decryption count\n"                                                  \
  "begin\n"                                                                    \
  "add #4 * \\count, r12\n"                                                    \
  "1:\n"                                                                       \
  "decryption_round r9, r15, r11, r10\n"                                       \
  "decryption_round r11, r10, r9, r15\n"                                       \
  "cmp r14, r12\n"                                                             \
  "jne 1b\n"                                                                   \
  "write_block r11, r10, r9, r15, r8\n"                                        \
  "clr r11\n clr r15\n"                                                        \
  "end\n"                                                                      \
  ".endm\n"

/* r12 round keys, r13 key and then their end. The last round key is in r10 and
 * r11 (low, high), the sequence in r4 to r6; r8, r9 and r15 are for rotations.
 */
#define EXPANSION                                                              \
  ".macro expansion count, key_words, sequence\n"                              \
  ".irp i, 4, 5, 6, 7, 8, 9, 10\n"                                             \
  "push r\\i\n"                                                                \
  ".endr\n"                                                                    \
  ".rept \\key_words\n"                                                        \
  "read_half r13, r10, r15\n"                                                  \
  "read_half r13, r11, r15\n"                                                  \
  "mov r10, 0(r12)\n"                                                          \
  "mov r11, 2(r12)\n"                                                          \
  "add #4, r12\n"                                                              \
  ".endr\n"                                                                    \
  "mov r12, r13\n"                                                             \
  "add #4 * (\\count - \\key_words), r13\n"                                    \
  "mov #\\sequence & 0xffff, r4\n"                                             \
  "mov #\\sequence >> 16 & 0xffff, r5\n"                                       \
  "mov #\\sequence >> 32 & 0xffff, r6\n"                                       \
  "1:\n"                                                                       \
  "right 3, r10, r11, r15\n"                                                   \
  ".if \\key_words == 4\n"                                                     \
  "xor -12(r12), r10\n"                                                        \
  "xor -10(r12), r11\n"                                                        \
  ".endif\n"                                                                   \
  "mov r10, r8\n"                                                              \
  "mov r11, r9\n"                                                              \
  "right 1, r8, r9, r15\n"                                                     \
  "xor r8, r10\n"                                                              \
  "xor r9, r11\n"                                                              \
  "xor -4 * \\key_words(r12), r10\n"                                           \
  "xor 2 - 4 * \\key_words(r12), r11\n"                                        \
  "rra r6\n"                                                                   \
  "rrc r5\n"                                                                   \
  "rrc r4\n"                                                                   \
  "mov #0x7ffe, r15\n"                                                         \
  "rlc r15\n"                                                                  \
  "xor r15, r10\n"                                                             \
  "inv r11\n"                                                                  \
  "mov r10, 0(r12)\n"                                                          \
  "mov r11, 2(r12)\n"                                                          \
  "add #4, r12\n"                                                              \
  "cmp r13, r12\n"                                                             \
  "jne 1b\n"                                                                   \
  "clr r11\n clr r15\n"                                                        \
  ".irp i, 10, 9, 8, 7, 6, 5, 4\n"                                             \
  "pop r\\i\n"                                                                 \
  ".endr\n"                                                                    \
  "ret\n"                                                                      \
  ".endm\n"

#define MACROS                                                                 \
  SAMARA_MSP430_WORD_MACROS MIX BEGIN_AND_END ENCRYPTION DECRYPTION EXPANSION
#define PURGE_MACROS                                                           \
  ".purgem mix\n .purgem begin\n .purgem end\n .purgem encryption_round\n"     \
  ".purgem encryption\n .purgem decryption_round\n .purgem decryption\n"       \
  ".purgem expansion\n" SAMARA_MSP430_PURGE_WORD_MACROS

#define SIMON_64(cipher, key_bytes, rounds, key_words, sequence)               \
  __attribute__((naked)) void samara_##cipher##_set_key(                       \
      samara_##cipher##_key *key, const uint8_t bytes[key_bytes]) {            \
    __asm__(MACROS "expansion " #rounds ", " #key_words                        \
                   ", " SAMARA_TEXT(sequence) "\n" PURGE_MACROS);              \
  }                                                                            \
  __attribute__((naked)) void samara_##cipher##_encrypt(                       \
      const samara_##cipher##_key *key, uint8_t ciphertext[8],                 \
      const uint8_t plaintext[8]) {                                            \
    __asm__(MACROS "encryption " #rounds "\n" PURGE_MACROS);                   \
  }                                                                            \
  __attribute__((naked)) void samara_##cipher##_decrypt(                       \
      const samara_##cipher##_key *key, uint8_t plaintext[8],                  \
      const uint8_t ciphertext[8]) {                                           \
    __asm__(MACROS "decryption " #rounds "\n" PURGE_MACROS);                   \
  }
#define SAMARA_TEXT(macro) SAMARA_TEXT_OF(macro)
#define SAMARA_TEXT_OF(text) #text

SIMON_64(simon64_96, 12, 42, 3, SAMARA_SIMON_Z2)
SIMON_64(simon64_128, 16, 44, 4, SAMARA_SIMON_Z3)

#undef ROUNDS
#undef MIX
#undef BEGIN_AND_END
#undef ENCRYPTION
#undef DECRYPTION
#undef EXPANSION
#undef MACROS
#undef PURGE_MACROS
#undef SIMON_64
#undef SAMARA_TEXT
#undef SAMARA_TEXT_OF

#endif
