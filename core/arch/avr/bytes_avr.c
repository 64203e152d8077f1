/* SPDX-License-Identifier: Apache-2.0 */
#include "common/bytes.h"

#if SAMARA_AVR_BYTES

/* output = left ^ right, eight bytes a turn: 7 cycles a byte and 5 for each
 * turn, where the compiler needs 14 a byte, because it counts with 16 bits
 * after each. r25:r24 output, r23:r22 left, r21:r20 right, r19:r18 size. X, Y
 * and Z point to them; Y is saved and restored. r24 and r25, which had data in
 * them, are zeros at the end. */

#define XOR_BYTE "ld r24, Y+\n ld r25, Z+\n eor r24, r25\n st X+, r24\n"

__attribute__((naked)) void samara_avr_xor_bytes(uint8_t *output,
                                                 const uint8_t *left,
                                                 const uint8_t *right,
                                                 size_t size) {
  (void)output;
  (void)left;
  (void)right;
  (void)size;
  __asm__("push r28\n"
          "push r29\n"
          "movw r26, r24\n"
          "movw r28, r22\n"
          "movw r30, r20\n"
          "rjmp 2f\n"
          "1:\n" XOR_BYTE XOR_BYTE XOR_BYTE XOR_BYTE XOR_BYTE XOR_BYTE
              XOR_BYTE XOR_BYTE "2:\n"
          "subi r18, 8\n"
          "sbci r19, 0\n"
          "brcc 1b\n"
          "subi r18, -8\n"
          "rjmp 4f\n"
          "3:\n" XOR_BYTE "4:\n"
          "subi r18, 1\n"
          "brcc 3b\n"
          "ldi r24, 0\n"
          "ldi r25, 0\n"
          "pop r29\n"
          "pop r28\n"
          "ret\n");
}

/* Zeros, eight a turn. r25:r24 memory, r23:r22 size. X points, r1 is zero. */

#define WIPE_BYTE "st X+, r1\n"

__attribute__((naked)) void samara_avr_wipe(void *memory, size_t size) {
  (void)memory;
  (void)size;
  __asm__("movw r26, r24\n"
          "rjmp 2f\n"
          "1:\n" WIPE_BYTE WIPE_BYTE WIPE_BYTE WIPE_BYTE WIPE_BYTE WIPE_BYTE
              WIPE_BYTE WIPE_BYTE "2:\n"
          "subi r22, 8\n"
          "sbci r23, 0\n"
          "brcc 1b\n"
          "subi r22, -8\n"
          "rjmp 4f\n"
          "3:\n" WIPE_BYTE "4:\n"
          "subi r22, 1\n"
          "brcc 3b\n"
          "ret\n");
}

#endif
