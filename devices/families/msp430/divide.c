/* SPDX-License-Identifier: Apache-2.0 */
/* Division of 32-bit words, which the counter store has of sizes and places. A
 * file of its own: results of programs that do not divide are not about it. Its
 * time depends on the operands. */

#include <stdint.h>

uint32_t __mspabi_divul(uint32_t a, uint32_t b);
uint32_t __mspabi_remul(uint32_t a, uint32_t b);

/* Bit by bit from the highest: *rest is what remains. */
static uint32_t divided(uint32_t a, uint32_t b, uint32_t *rest) {
  uint32_t quotient = 0;
  uint32_t remainder = 0;
  for (uint8_t i = 0; i < 32; i++) {
    const uint8_t carry = (uint8_t)(remainder >> 31);
    remainder = remainder << 1 | a >> 31;
    a <<= 1;
    quotient <<= 1;
    if (carry || remainder >= b) {
      remainder -= b;
      quotient |= 1;
    }
  }
  *rest = remainder;
  return quotient;
}

uint32_t __mspabi_divul(uint32_t a, uint32_t b) {
  uint32_t rest;
  return divided(a, b, &rest);
}

uint32_t __mspabi_remul(uint32_t a, uint32_t b) {
  uint32_t rest;
  (void)divided(a, b, &rest);
  return rest;
}
