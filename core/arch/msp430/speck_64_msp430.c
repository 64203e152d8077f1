/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/speck.h>

#include "arch/msp430/words_macros.h"
#include "common/machine.h"

#if SAMARA_ARCH_MSP430

/* Speck64/96 and Speck64/128: all that a key does, with nothing to be wiped
 * behind it: no secret is left in a register or on the stack, but the
 * ciphertext. Bytes may lie at odd addresses.
 *
 * Registers: r12 round key, r13 output, r14 input and then where the rounds
 * end. y is in r11 (low) and r10, x in r9 and r15; r8 is for rotations. r8 to
 * r10 are saved and restored. */

/* How many rounds have code of their own; a multiple of 2, because a rotation
 * to the right leaves x with its halves exchanged. The loop is entered behind
 * the first rounds where their number is not a multiple of it. */
#ifdef __OPTIMIZE_SIZE__
#define ROUNDS "2"
#else
#define ROUNDS "4"
#endif

/* 23 cycles. */
#define ENCRYPTION_ROUND                                                       \
  ".macro encryption_round lo, hi\n"                                           \
  "by_8 \\lo, \\hi, r8\n"                                                      \
  "add r11, \\hi\n"                                                            \
  "addc r10, \\lo\n"                                                           \
  "xor @r12+, \\hi\n"                                                          \
  "xor @r12+, \\lo\n"                                                          \
  ".rept 3\n"                                                                  \
  "left r11, r10\n"                                                            \
  ".endr\n"                                                                    \
  "xor \\hi, r11\n"                                                            \
  "xor \\lo, r10\n"                                                            \
  ".endm\n"

/* Skips `first` of the rounds in the loop, which are `count` in all. */
#define ENCRYPTION                                                             \
  ".macro encryption count\n"                                                  \
  ".set first, (" ROUNDS " - \\count % " ROUNDS ") % " ROUNDS "\n"             \
  "push r10\n push r9\n push r8\n"                                             \
  ".if first % 2\n"                                                            \
  "read_block r11, r10, r15, r9, r15\n"                                        \
  ".else\n"                                                                    \
  "read_block r11, r10, r9, r15, r15\n"                                        \
  ".endif\n"                                                                   \
  "mov r12, r14\n"                                                             \
  "add #4 * \\count, r14\n"                                                    \
  ".if first\n"                                                                \
  "jmp 2f\n"                                                                   \
  ".endif\n"                                                                   \
  "1:\n"                                                                       \
  ".set round, 0\n"                                                            \
  ".rept " ROUNDS " / 2\n"                                                     \
  ".if round == first\n"                                                       \
  "2:\n"                                                                       \
  ".endif\n"                                                                   \
  "encryption_round r9, r15\n"                                                 \
  ".set round, round + 1\n"                                                    \
  ".if round == first\n"                                                       \
  "2:\n"                                                                       \
  ".endif\n"                                                                   \
  "encryption_round r15, r9\n"                                                 \
  ".set round, round + 1\n"                                                    \
  ".endr\n"                                                                    \
  "cmp r14, r12\n"                                                             \
  "jne 1b\n"                                                                   \
  "write_block r11, r10, r9, r15, r8\n"                                        \
  "pop r8\n pop r9\n pop r10\n"                                                \
  "ret\n"                                                                      \
  ".if first % 2\n"                                                            \
  "odd_blocks r11, r10, r15, r9, r11, r10, r9, r15, r8\n"                      \
  ".else\n"                                                                    \
  "odd_blocks r11, r10, r9, r15, r11, r10, r9, r15, r8\n"                      \
  ".endif\n"                                                                   \
  ".endm\n"

/* The round keys from the last to the first, which r14 points to. */
#define DECRYPTION                                                             \
  ".macro decryption count\n"                                                  \
  "push r10\n push r9\n push r8\n"                                             \
  "read_block r11, r10, r9, r15, r15\n"                                        \
  "mov r12, r14\n"                                                             \
  "add #4 * \\count, r12\n"                                                    \
  "1:\n"                                                                       \
  "xor r9, r11\n"                                                              \
  "xor r15, r10\n"                                                             \
  "right 3, r11, r10, r8\n"                                                    \
  "sub #4, r12\n"                                                              \
  "xor @r12, r9\n"                                                             \
  "xor 2(r12), r15\n"                                                          \
  "sub r11, r9\n"                                                              \
  "subc r10, r15\n"                                                            \
  "by_8 r9, r15, r8\n"                                                         \
  "cmp r14, r12\n"                                                             \
  "jne 1b\n"                                                                   \
  "write_block r11, r10, r9, r15, r8\n"                                        \
  "clr r11\n clr r15\n"                                                        \
  "pop r8\n pop r9\n pop r10\n"                                                \
  "ret\n"                                                                      \
  "odd_blocks r11, r10, r9, r15, r11, r10, r9, r15, r8\n"                      \
  ".endm\n"

/* r12 round keys, r13 key and then where the last round key is, r14 number of
 * the round. The words of the key are in r10 and r11 (low, high), r4 and r5, r6
 * and r7, r8 and r9; they move down by one each round. r15 is for rotations. */
#define EXPANSION                                                              \
  ".macro expansion count, key_words\n"                                        \
  ".irp i, 4, 5, 6, 7, 8, 9, 10\n"                                             \
  "push r\\i\n"                                                                \
  ".endr\n"                                                                    \
  ".irp i, 10, 11, 4, 5, 6, 7\n"                                               \
  "read_half r13, r\\i, r15\n"                                                 \
  ".endr\n"                                                                    \
  ".if \\key_words == 4\n"                                                     \
  "read_half r13, r8, r15\n"                                                   \
  "read_half r13, r9, r15\n"                                                   \
  ".endif\n"                                                                   \
  "mov r12, r13\n"                                                             \
  "add #4 * (\\count - 1), r13\n"                                              \
  "clr r14\n"                                                                  \
  "1:\n"                                                                       \
  "mov r10, 0(r12)\n"                                                          \
  "mov r11, 2(r12)\n"                                                          \
  "add #4, r12\n"                                                              \
  "by_8 r4, r5, r15\n"                                                         \
  "add r10, r5\n"                                                              \
  "addc r11, r4\n"                                                             \
  "xor r14, r5\n"                                                              \
  ".rept 3\n"                                                                  \
  "left r10, r11\n"                                                            \
  ".endr\n"                                                                    \
  "xor r5, r10\n"                                                              \
  "xor r4, r11\n"                                                              \
  "mov r5, r15\n"                                                              \
  "mov r7, r5\n"                                                               \
  ".if \\key_words == 4\n"                                                     \
  "mov r9, r7\n"                                                               \
  "mov r4, r9\n"                                                               \
  "mov r6, r4\n"                                                               \
  "mov r8, r6\n"                                                               \
  "mov r15, r8\n"                                                              \
  ".else\n"                                                                    \
  "mov r4, r7\n"                                                               \
  "mov r6, r4\n"                                                               \
  "mov r15, r6\n"                                                              \
  ".endif\n"                                                                   \
  "inc r14\n"                                                                  \
  "cmp r13, r12\n"                                                             \
  "jne 1b\n"                                                                   \
  "mov r10, 0(r12)\n"                                                          \
  "mov r11, 2(r12)\n"                                                          \
  "clr r11\n clr r15\n"                                                        \
  ".irp i, 10, 9, 8, 7, 6, 5, 4\n"                                             \
  "pop r\\i\n"                                                                 \
  ".endr\n"                                                                    \
  "ret\n"                                                                      \
  ".endm\n"

#define MACROS                                                                 \
  SAMARA_MSP430_WORD_MACROS ENCRYPTION_ROUND ENCRYPTION DECRYPTION EXPANSION
#define PURGE_MACROS                                                           \
  ".purgem encryption_round\n .purgem encryption\n .purgem decryption\n"       \
  ".purgem expansion\n" SAMARA_MSP430_PURGE_WORD_MACROS

#define SPECK_64(cipher, key_bytes, rounds, key_words)                         \
  __attribute__((naked)) void samara_##cipher##_set_key(                       \
      samara_##cipher##_key *key, const uint8_t bytes[key_bytes]) {            \
    __asm__(MACROS "expansion " #rounds ", " #key_words "\n" PURGE_MACROS);    \
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

SPECK_64(speck64_96, 12, 26, 3)
SPECK_64(speck64_128, 16, 27, 4)

#undef ROUNDS
#undef ENCRYPTION_ROUND
#undef ENCRYPTION
#undef DECRYPTION
#undef EXPANSION
#undef MACROS
#undef PURGE_MACROS
#undef SPECK_64

#endif
