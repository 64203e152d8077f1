/* SPDX-License-Identifier: Apache-2.0 */
#include "common/machine.h"

#if SAMARA_ARCH_AVR && defined(__AVR_HAVE_MUL__)

/* A block of Poly1305: h = (h + block + 2^128) r, modulo 2^130 - 5. See
 * aead/poly1305_bytes.h for the state and its limits.
 *
 * r is in r2 to r17. A byte of h times r is added to the product, whose bytes
 * are in memory, in 16 steps of 11 cycles; the product has 32 bytes, because h
 * is below 8 2^128 with the block, and r below 2^124. What is above 2^130 comes
 * back five times: four times as it is, without the two bits below, and once
 * moved down by two bits.
 *
 * Y points to the state, X to a byte of h, Z to the block and then to the
 * product. r18 is a byte of h, r19 what is carried, r20 is zero, r21 a byte of
 * the product, r22 counts. r2 to r17 and Y are saved and restored; nothing
 * secret is left in a register or on the stack. */

__attribute__((naked)) void samara_poly1305_avr_block(uint8_t *state,
                                                      const uint8_t block[16]) {
  (void)state;
  (void)block;
  __asm__(
      ".irp i, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17\n"
      "push r\\i\n"
      ".endr\n"
      "push r28\n"
      "push r29\n"
      "movw r28, r24\n"
      "movw r30, r22\n"
      "clr r20\n"
      /* h + block + 2^128. */
      "clc\n"
      ".irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
      "ld r18, Z+\n"
      "ldd r19, Y+\\i\n"
      "adc r19, r18\n"
      "std Y+\\i, r19\n"
      ".endr\n"
      "ldd r19, Y+16\n"
      "adc r19, r20\n"
      "inc r19\n"
      "std Y+16, r19\n"
      /* r, and a product of zero. */
      ".irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
      "ldd 2+\\i, Y+17+\\i\n"
      "std Y+33+\\i, r20\n"
      ".endr\n"
      "movw r26, r28\n"
      "movw r30, r28\n"
      "adiw r30, 33\n"
      "ldi r22, 17\n"
      "1:\n"
      "ld r18, X+\n"
      "clr r19\n"
      ".irp i, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17\n"
      "mul r18, r\\i\n"
      "add r0, r19\n"
      "adc r1, r20\n"
      "ld r21, Z\n"
      "add r0, r21\n"
      "adc r1, r20\n"
      "st Z+, r0\n"
      "mov r19, r1\n"
      ".endr\n"
      "st Z, r19\n"
      "sbiw r30, 15\n"
      "dec r22\n"
      "breq 2f\n"
      "rjmp 1b\n"
      "2:\n"
      /* What is above 2^130, times 4, to r2 to r17; Z is at product + 17. */
      "sbiw r30, 1\n"
      ".irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
      "ldd 2+\\i, Z+\\i\n"
      ".endr\n"
      "mov r18, r2\n"
      "andi r18, 3\n"
      "eor r2, r18\n"
      "sbiw r30, 16\n"
      "clc\n"
      ".irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
      "ldd r19, Z+\\i\n"
      "adc r19, 2+\\i\n"
      "std Y+\\i, r19\n"
      ".endr\n"
      "adc r18, r20\n"
      ".rept 2\n"
      "lsr r17\n"
      ".irp i, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2\n"
      "ror r\\i\n"
      ".endr\n"
      ".endr\n"
      "clc\n"
      ".irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
      "ldd r19, Y+\\i\n"
      "adc r19, 2+\\i\n"
      "std Y+\\i, r19\n"
      ".endr\n"
      "adc r18, r20\n"
      "std Y+16, r18\n"
      "pop r29\n"
      "pop r28\n"
      ".irp i, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2\n"
      "pop r\\i\n"
      ".endr\n"
      "clr r0\n"
      "clr r1\n"
      "clr r18\n"
      "clr r19\n"
      "clr r21\n"
      "ret\n");
}

#endif
