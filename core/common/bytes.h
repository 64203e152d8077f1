/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_COMMON_BYTES_H
#define SAMARA_COMMON_BYTES_H

/* Words from bytes and back, in either byte order, from any address. The
 * casts come before the shifts because int has 16 bits on AVR and MSP430. */

#include "common/machine.h"

SAMARA_INLINE uint32_t samara_load32_le(const uint8_t bytes[4]) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 |
         (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

SAMARA_INLINE uint64_t samara_load64_le(const uint8_t bytes[8]) {
  return samara_load32_le(bytes) | (uint64_t)samara_load32_le(bytes + 4) << 32;
}

SAMARA_INLINE uint64_t samara_load64_be(const uint8_t bytes[8]) {
  const uint32_t high = (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 |
                        (uint32_t)bytes[2] << 8 | bytes[3];
  const uint32_t low = (uint32_t)bytes[4] << 24 | (uint32_t)bytes[5] << 16 |
                       (uint32_t)bytes[6] << 8 | bytes[7];
  return (uint64_t)high << 32 | low;
}

SAMARA_INLINE void samara_store32_le(uint8_t bytes[4], uint32_t word) {
  bytes[0] = (uint8_t)word;
  bytes[1] = (uint8_t)(word >> 8);
  bytes[2] = (uint8_t)(word >> 16);
  bytes[3] = (uint8_t)(word >> 24);
}

SAMARA_INLINE void samara_store64_le(uint8_t bytes[8], uint64_t word) {
  samara_store32_le(bytes, (uint32_t)word);
  samara_store32_le(bytes + 4, (uint32_t)(word >> 32));
}

SAMARA_INLINE void samara_store64_be(uint8_t bytes[8], uint64_t word) {
  bytes[0] = (uint8_t)(word >> 56);
  bytes[1] = (uint8_t)(word >> 48);
  bytes[2] = (uint8_t)(word >> 40);
  bytes[3] = (uint8_t)(word >> 32);
  bytes[4] = (uint8_t)(word >> 24);
  bytes[5] = (uint8_t)(word >> 16);
  bytes[6] = (uint8_t)(word >> 8);
  bytes[7] = (uint8_t)word;
}

/* Sum and difference of 64-bit words. clang 14 for MSP430 finds the carries of
 * such an addition by comparing and branching, which betrays the words; there
 * they are made of two halves, and the carry of logic. */
#if defined(__MSP430__)

SAMARA_INLINE uint64_t samara_add64(uint64_t a, uint64_t b) {
  const uint32_t a0 = (uint32_t)a;
  const uint32_t b0 = (uint32_t)b;
  const uint32_t low = a0 + b0;
  const uint32_t carry = ((a0 & b0) | ((a0 | b0) & ~low)) >> 31;
  const uint32_t high = (uint32_t)(a >> 32) + (uint32_t)(b >> 32) + carry;
  return (uint64_t)high << 32 | low;
}

SAMARA_INLINE uint64_t samara_subtract64(uint64_t a, uint64_t b) {
  const uint32_t a0 = (uint32_t)a;
  const uint32_t b0 = (uint32_t)b;
  const uint32_t low = a0 - b0;
  const uint32_t borrow = ((~a0 & b0) | ((~a0 | b0) & low)) >> 31;
  const uint32_t high = (uint32_t)(a >> 32) - (uint32_t)(b >> 32) - borrow;
  return (uint64_t)high << 32 | low;
}

#else

SAMARA_INLINE uint64_t samara_add64(uint64_t a, uint64_t b) { return a + b; }

SAMARA_INLINE uint64_t samara_subtract64(uint64_t a, uint64_t b) {
  return a - b;
}

#endif

#if SAMARA_AVR_BYTES
void samara_avr_xor_bytes(uint8_t *output, const uint8_t *left,
                          const uint8_t *right, size_t size);
void samara_avr_wipe(void *memory, size_t size);
#endif

#if SAMARA_ARCH_ARMV7M
void samara_armv7m_wipe(void *memory, size_t size);
#endif

#if SAMARA_ARCH_RV32
void samara_rv32_wipe(void *memory, size_t size);
void samara_rv32_xor_bytes(uint8_t *output, const uint8_t *left,
                           const uint8_t *right, size_t size);
void samara_rv32_copy_bytes(uint8_t *output, const uint8_t *input, size_t size);
#endif

/* output = left ^ right; any of them may be the same buffer. */
SAMARA_INLINE void samara_xor_bytes(uint8_t *output, const uint8_t *left,
                                    const uint8_t *right, size_t size) {
#if SAMARA_AVR_BYTES
  samara_avr_xor_bytes(output, left, right, size);
  return;
#endif
#if SAMARA_ARCH_RV32
  samara_rv32_xor_bytes(output, left, right, size);
  return;
#endif
#if SAMARA_WORD_BITS == 64 && defined(__GNUC__)
  /* A block in one piece: written in two, it cannot be read back as one by the
   * AES instructions before both have reached the cache. */
  typedef uint64_t block __attribute__((vector_size(16)));
  for (; size >= 16; size -= 16, output += 16, left += 16, right += 16) {
    block a;
    block b;
    __builtin_memcpy(&a, left, sizeof a);
    __builtin_memcpy(&b, right, sizeof b);
    a ^= b;
    __builtin_memcpy(output, &a, sizeof a);
  }
#endif
#if SAMARA_ARCH_ARMV7M
  for (; size >= 4; size -= 4, output += 4, left += 4, right += 4) {
    samara_store32_le(output, samara_load32_le(left) ^ samara_load32_le(right));
  }
#endif
  for (size_t i = 0; i < size; i++) {
    output[i] = left[i] ^ right[i];
  }
}

/* memcpy and memset without a C library; compilers know the loops. */
SAMARA_INLINE void samara_copy_bytes(uint8_t *output, const uint8_t *input,
                                     size_t size) {
#if SAMARA_WORD_BITS == 64 && defined(__GNUC__)
  for (; size >= 16; size -= 16, output += 16, input += 16) {
    __builtin_memcpy(output, input, 16);
  }
#endif
#if SAMARA_ARCH_ARMV7M
  for (; size >= 4; size -= 4, output += 4, input += 4) {
    samara_store32_le(output, samara_load32_le(input));
  }
#endif
#if SAMARA_ARCH_RV32
  samara_rv32_copy_bytes(output, input, size);
  return;
#endif
  for (size_t i = 0; i < size; i++) {
    output[i] = input[i];
  }
}

SAMARA_INLINE void samara_zero_bytes(uint8_t *output, size_t size) {
  for (size_t i = 0; i < size; i++) {
    output[i] = 0;
  }
}

#endif
