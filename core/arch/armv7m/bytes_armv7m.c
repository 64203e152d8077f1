/* SPDX-License-Identifier: Apache-2.0 */
#include "common/bytes.h"

#if SAMARA_ARCH_ARMV7M

/* Zeros from r0 on, r1 bytes: four words at a time, then as the bits of the
 * rest say. Any address; a compiler makes the loop in C a call of memset, which
 * takes twice as long or more for the sizes of keys and states. */
__attribute__((naked)) void samara_armv7m_wipe(void *memory, size_t size) {
  (void)memory;
  (void)size;
  __asm__("mov r2, #0\n"
          "subs r1, #16\n"
          "blo 2f\n"
          "1:\n"
          "str r2, [r0], #4\n"
          "str r2, [r0], #4\n"
          "str r2, [r0], #4\n"
          "str r2, [r0], #4\n"
          "subs r1, #16\n"
          "bhs 1b\n"
          "2:\n"
          /* Bit 3 to the carry, bit 2 to the sign. */
          "lsls r1, #29\n"
          "itt cs\n"
          "strcs r2, [r0], #4\n"
          "strcs r2, [r0], #4\n"
          "it mi\n"
          "strmi r2, [r0], #4\n"
          /* Bit 1 to the carry, bit 0 to the sign. */
          "lsls r1, #2\n"
          "it cs\n"
          "strhcs r2, [r0], #2\n"
          "it mi\n"
          "strbmi r2, [r0], #1\n"
          "bx lr\n");
}

#endif
