/* SPDX-License-Identifier: Apache-2.0 */
/* What clang calls for arithmetic that the MSP430 has no instructions for
 * (EABI, SLAA534, section 6.3), and the C library's memory functions, which it
 * calls even without one. Secrets may be operands: time depends on the distance
 * of a shift, which no cipher here takes from one, and on nothing else. */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The hardware multiplier: 16 x 16 -> 32 bits, unsigned (SLAU049, chapter 7;
 * SLAU367, MPY32). What clang calls has the kind of multiplier in its name;
 * the family's flags say which it is. */
#if SAMARA_MSP430_MULTIPLIER == 5
#define MULTIPLY(operands) __mspabi_##operands##_f5hw
#define MPY (*(volatile uint16_t *)0x04c0)
#define OP2 (*(volatile uint16_t *)0x04c8)
#define RESULT_LOW (*(volatile uint16_t *)0x04ca)
#define RESULT_HIGH (*(volatile uint16_t *)0x04cc)
#else
#define MULTIPLY(operands) __mspabi_##operands##_hw
#define MPY (*(volatile uint16_t *)0x0130)
#define OP2 (*(volatile uint16_t *)0x0138)
#define RESULT_LOW (*(volatile uint16_t *)0x013a)
#define RESULT_HIGH (*(volatile uint16_t *)0x013c)
#endif

uint16_t MULTIPLY(mpyi)(uint16_t a, uint16_t b);
uint32_t MULTIPLY(mpyl)(uint32_t a, uint32_t b);
uint64_t MULTIPLY(mpyll)(uint64_t a, uint64_t b);
uint32_t __mspabi_slll(uint32_t value, uint16_t distance);
uint32_t __mspabi_srll(uint32_t value, uint16_t distance);
uint64_t __ashldi3(uint64_t value, int distance);
uint64_t __lshrdi3(uint64_t value, int distance);
uint16_t __mspabi_slli(uint16_t value, uint16_t distance);
uint16_t __mspabi_srli(uint16_t value, uint16_t distance);
uint16_t __mspabi_divu(uint16_t a, uint16_t b);
uint16_t __mspabi_remu(uint16_t a, uint16_t b);

uint16_t MULTIPLY(mpyi)(uint16_t a, uint16_t b) {
  MPY = a;
  OP2 = b;
  return RESULT_LOW;
}

uint32_t MULTIPLY(mpyl)(uint32_t a, uint32_t b) {
  MPY = (uint16_t)a;
  OP2 = (uint16_t)(b >> 16);
  uint16_t high = RESULT_LOW;
  MPY = (uint16_t)(a >> 16);
  OP2 = (uint16_t)b;
  high += RESULT_LOW;
  MPY = (uint16_t)a;
  const uint16_t low_b = (uint16_t)b;
  OP2 = low_b;
  const uint16_t low = RESULT_LOW;
  high += RESULT_HIGH;
  return (uint32_t)high << 16 | low;
}

uint64_t MULTIPLY(mpyll)(uint64_t a, uint64_t b) {
  const uint16_t left[4] = {(uint16_t)a, (uint16_t)(a >> 16),
                            (uint16_t)(a >> 32), (uint16_t)(a >> 48)};
  const uint16_t right[4] = {(uint16_t)b, (uint16_t)(b >> 16),
                             (uint16_t)(b >> 32), (uint16_t)(b >> 48)};
  uint64_t sum = 0;
  for (unsigned i = 0; i < 4; i++) {
    for (unsigned j = 0; i + j < 4; j++) {
      MPY = left[i];
      OP2 = right[j];
      const uint32_t product = (uint32_t)RESULT_HIGH << 16 | RESULT_LOW;
      sum += (uint64_t)product << (16 * (i + j));
    }
  }
  return sum;
}

uint16_t __mspabi_slli(uint16_t value, uint16_t distance) {
  for (; distance != 0; distance--) {
    value += value;
  }
  return value;
}

uint16_t __mspabi_srli(uint16_t value, uint16_t distance) {
  for (; distance != 0; distance--) {
    value >>= 1;
  }
  return value;
}

uint32_t __mspabi_slll(uint32_t value, uint16_t distance) {
  for (; distance != 0; distance--) {
    value += value;
  }
  return value;
}

uint32_t __mspabi_srll(uint32_t value, uint16_t distance) {
  for (; distance != 0; distance--) {
    value >>= 1;
  }
  return value;
}

/* In words: clang would make a shift of 64 bits a call of these very
 * functions. */
typedef union words64 {
  uint64_t whole;
  uint16_t part[4];
} words64;

uint64_t __ashldi3(uint64_t value, int distance) {
  words64 w = {value};
  for (; distance >= 16; distance -= 16) {
    w.part[3] = w.part[2];
    w.part[2] = w.part[1];
    w.part[1] = w.part[0];
    w.part[0] = 0;
  }
  for (; distance > 0; distance--) {
    w.whole += w.whole;
  }
  return w.whole;
}

uint64_t __lshrdi3(uint64_t value, int distance) {
  words64 w = {value};
  for (; distance >= 16; distance -= 16) {
    w.part[0] = w.part[1];
    w.part[1] = w.part[2];
    w.part[2] = w.part[3];
    w.part[3] = 0;
  }
  for (; distance > 0; distance--) {
    w.part[0] = (uint16_t)(w.part[0] >> 1 | w.part[1] << 15);
    w.part[1] = (uint16_t)(w.part[1] >> 1 | w.part[2] << 15);
    w.part[2] = (uint16_t)(w.part[2] >> 1 | w.part[3] << 15);
    w.part[3] >>= 1;
  }
  return w.whole;
}

/* R12 / R13 bit by bit: quotient in R12, remainder in R14. R11 is all ones
 * where the divisor does not fit: no branch but the loop's. */
#define DIVIDE                                                                 \
  "push r10\n"                                                                 \
  "clr r14\n"                                                                  \
  "mov #16, r15\n"                                                             \
  "1:\n"                                                                       \
  "rla r12\n"                                                                  \
  "rlc r14\n"                                                                  \
  "subc r11, r11\n" /* all ones unless a bit was shifted out */                \
  "sub r13, r14\n"                                                             \
  "subc r10, r10\n" /* all ones when the subtraction borrowed */               \
  "and r10, r11\n"                                                             \
  "mov r11, r10\n"                                                             \
  "and r13, r10\n"                                                             \
  "add r10, r14\n"                                                             \
  "inv r11\n"                                                                  \
  "and #1, r11\n"                                                              \
  "bis r11, r12\n"                                                             \
  "dec r15\n"                                                                  \
  "jnz 1b\n"                                                                   \
  "pop r10\n"

__attribute__((naked)) uint16_t __mspabi_divu(uint16_t a, uint16_t b) {
  __asm__(DIVIDE "ret");
}

__attribute__((naked)) uint16_t __mspabi_remu(uint16_t a, uint16_t b) {
  __asm__(DIVIDE "mov r14, r12\nret");
}

void *memset(void *memory, int value, size_t size) {
  uint8_t *bytes = memory;
  for (size_t i = 0; i < size; i++) {
    bytes[i] = (uint8_t)value;
  }
  return memory;
}

void *memcpy(void *to, const void *from, size_t size) {
  uint8_t *output = to;
  const uint8_t *input = from;
  for (size_t i = 0; i < size; i++) {
    output[i] = input[i];
  }
  return to;
}

void *memmove(void *to, const void *from, size_t size) {
  uint8_t *output = to;
  const uint8_t *input = from;
  if (output <= input) {
    return memcpy(to, from, size);
  }
  for (size_t i = size; i > 0; i--) {
    output[i - 1] = input[i - 1];
  }
  return to;
}

/* Ends at the first difference, as C libraries do: not for secrets. */
int memcmp(const void *left, const void *right, size_t size) {
  const unsigned char *a = left;
  const unsigned char *b = right;
  for (; size != 0; size--, a++, b++) {
    if (*a != *b) {
      return *a < *b ? -1 : 1;
    }
  }
  return 0;
}
