/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/memory.h>

#include "common/bytes.h"
#include "common/secret.h"

void samara_wipe(void *memory, size_t size) {
#if SAMARA_AVR_BYTES
  samara_avr_wipe(memory, size);
#elif SAMARA_ARCH_ARMV7M
  samara_armv7m_wipe(memory, size);
#elif SAMARA_ARCH_RV32
  samara_rv32_wipe(memory, size);
#elif defined(__GNUC__)
  uint8_t *bytes = memory;
  for (size_t i = 0; i < size; i++) {
    bytes[i] = 0;
  }
  /* Claims to read the memory, so that the compiler must have written it. */
  __asm__ __volatile__("" : : "r"(memory) : "memory");
#else
  /* A volatile store is a side effect, which the compiler must keep. */
  volatile uint8_t *bytes = memory;
  for (size_t i = 0; i < size; i++) {
    bytes[i] = 0;
  }
#endif
}

bool samara_equal(const void *left, const void *right, size_t size) {
  const uint8_t *left_bytes = left;
  const uint8_t *right_bytes = right;
  uint8_t difference = 0;
  for (size_t i = 0; i < size; i++) {
    /* Hidden, so that the loop cannot end early once a bit is set. */
    difference = samara_hide8(difference | (left_bytes[i] ^ right_bytes[i]));
  }
  return samara_declassify32(difference) == 0;
}
