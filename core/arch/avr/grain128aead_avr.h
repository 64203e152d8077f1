/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_ARCH_AVR_GRAIN128AEAD_AVR_H
#define SAMARA_ARCH_AVR_GRAIN128AEAD_AVR_H

#include "aead/grain128aead_work.h"
#include <stddef.h>

#if SAMARA_ARCH_AVR_GRAIN

/* To functions in another section. */
#if defined(__AVR_HAVE_JMP_CALL__)
#define CALL "call "
#define JUMP "jmp "
#else
#define CALL "rcall "
#define JUMP "rjmp "
#endif

/* r2 to r29 on the stack, and back: by their addresses in memory, which they do
 * not have on XMEGA and what came after. */
#ifndef SAMARA_AVR_MAPPED_REGISTERS
#if defined(__AVR_XMEGA__)
#define SAMARA_AVR_MAPPED_REGISTERS 0
#else
#define SAMARA_AVR_MAPPED_REGISTERS 1
#endif
#endif

#if SAMARA_AVR_MAPPED_REGISTERS
#define SAVE_ALL                                                               \
  "ldi r30, 2\n ldi r31, 0\n 101: ld r0, Z+\n push r0\n cpi r30, 30\n "        \
  "brne 101b\n "
#define RESTORE_ALL                                                            \
  "ldi r30, 30\n ldi r31, 0\n 101: pop r0\n st -Z, r0\n cpi r30, 2\n "         \
  "brne 101b\n "
#else
#define SAVE_ALL                                                               \
  "push r2\n push r3\n push r4\n push r5\n "                                   \
  "push r6\n push r7\n push r8\n push r9\n "                                   \
  "push r10\n push r11\n push r12\n push r13\n "                               \
  "push r14\n push r15\n push r16\n push r17\n "                               \
  "push r18\n push r19\n push r20\n push r21\n "                               \
  "push r22\n push r23\n push r24\n push r25\n "                               \
  "push r26\n push r27\n push r28\n push r29\n "
#define RESTORE_ALL                                                            \
  "pop r29\n pop r28\n pop r27\n pop r26\n "                                   \
  "pop r25\n pop r24\n pop r23\n pop r22\n "                                   \
  "pop r21\n pop r20\n pop r19\n pop r18\n "                                   \
  "pop r17\n pop r16\n pop r15\n pop r14\n "                                   \
  "pop r13\n pop r12\n pop r11\n pop r10\n "                                   \
  "pop r9\n pop r8\n pop r7\n pop r6\n "                                       \
  "pop r5\n pop r4\n pop r3\n pop r2\n "                                       \
  "eor r0, r0\n "
#endif

/* seal with a tag of `tag_size` bytes, which must be a right size; or open,
 * with this added to it. */
enum { samara_grain128aead_avr_opening = 0x80 };
samara_result samara_grain128aead_avr_call(const uint8_t *key, uint8_t *output,
                                           uint8_t *tag, const uint8_t *nonce,
                                           const uint8_t *associated_data,
                                           size_t associated_data_size,
                                           const uint8_t *input,
                                           size_t input_size, uint8_t tag_size);

/* What the generator takes for granted. */
_Static_assert(offsetof(samara_grain128aead, used) == 32 &&
                   offsetof(samara_grain128aead, accumulator) == 34 &&
                   offsetof(samara_grain128aead, authenticator) == 42 &&
                   sizeof(samara_grain128aead) == 66,
               "the assembly has other offsets of the state");
_Static_assert(SAMARA_ERROR_AUTHENTICATION == -1 && SAMARA_ERROR_OVERLAP == -7,
               "the assembly has other results");

#endif
#endif
