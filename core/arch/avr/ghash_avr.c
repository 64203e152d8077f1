/* SPDX-License-Identifier: Apache-2.0 */
#include "mode/ghash.h"

#if SAMARA_ARCH_AVR

/* A product of GHASH, value = value * key (SP 800-38D, 6.3): about 85 cycles a
 * bit. Words of ghash.c are read big-endian and lie in memory with the lowest
 * byte first: byte 4 i + j of a block is byte 4 i + 3 - j of a word array.
 *
 * The sum is in r2 to r17 in that order, so that the first byte of the block is
 * in r5 and the last one in r14. For each bit of the value, from the last one
 * on, the sum times x is a shift to the right, and what falls out comes back as
 * x^7 + x^2 + x + 1; then the key is added under a mask of the bit.
 *
 * Y points to the key, and the value is behind it; X points to a byte of the
 * value. r18 is that byte, r20 and r21 are masks, r22 counts bits, r19 bytes
 * and r23 words. r2 to r17 and Y are saved and restored; nothing secret is left
 * in a register or on the stack. */
__attribute__((naked)) void samara_ghash_avr_multiply(samara_ghash *ghash) {
  (void)ghash;
  __asm__(".irp i, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17\n"
          "push r\\i\n"
          "clr r\\i\n"
          ".endr\n"
          "push r28\n"
          "push r29\n"
          "movw r28, r24\n"
          "movw r26, r24\n"
          "adiw r26, 28\n"
          "ldi r23, 4\n"
          "1:\n"
          "ldi r19, 4\n"
          "2:\n"
          "ld r18, X+\n"
          "ldi r22, 8\n"
          "3:\n"
          "lsr r5\n"
          ".irp i, 4, 3, 2, 9, 8, 7, 6, 13, 12, 11, 10, 17, 16, 15, 14\n"
          "ror r\\i\n"
          ".endr\n"
          "sbc r20, r20\n"
          "andi r20, 0xe1\n"
          "eor r5, r20\n"
          "lsr r18\n"
          "sbc r21, r21\n"
          ".irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
          "ldd r0, Y+\\i\n"
          "and r0, r21\n"
          "eor 2+\\i, r0\n"
          ".endr\n"
          "dec r22\n"
          "breq 4f\n"
          "rjmp 3b\n"
          "4:\n"
          "dec r19\n"
          "breq 5f\n"
          "rjmp 2b\n"
          "5:\n"
          "sbiw r26, 8\n"
          "dec r23\n"
          "breq 6f\n"
          "rjmp 1b\n"
          "6:\n"
          ".irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
          "std Y+16+\\i, 2+\\i\n"
          ".endr\n"
          "pop r29\n"
          "pop r28\n"
          ".irp i, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2\n"
          "pop r\\i\n"
          ".endr\n"
          "sub r0, r0\n"
          "clr r18\n"
          "clr r20\n"
          "clr r21\n"
          "ret\n");
}

#endif
