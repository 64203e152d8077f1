/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_COMMON_SECRET_H
#define SAMARA_COMMON_SECRET_H

/* Handling of secret values without telling about them.
 *
 * The constant-time check compiles the library with
 * SAMARA_CONSTANT_TIME_CHECK and runs it under valgrind with every secret
 * marked undefined: a branch or an address that depends on one is reported. */

#include "common/machine.h"

#ifdef SAMARA_CONSTANT_TIME_CHECK
#include <valgrind/memcheck.h>
#endif

/* Each returns its argument, about which the compiler from here on knows
 * nothing: it cannot turn masks made of it back into branches. */
#if defined(__GNUC__)
#define SAMARA_FORGET(value) __asm__("" : "+r"(value))
#else
#define SAMARA_FORGET(value) ((void)(value))
#endif

SAMARA_INLINE uint64_t samara_hide64(uint64_t value) {
  SAMARA_FORGET(value);
  return value;
}

SAMARA_INLINE uint32_t samara_hide32(uint32_t value) {
  SAMARA_FORGET(value);
  return value;
}

SAMARA_INLINE uint16_t samara_hide16(uint16_t value) {
  SAMARA_FORGET(value);
  return value;
}

SAMARA_INLINE uint8_t samara_hide8(uint8_t value) {
  SAMARA_FORGET(value);
  return value;
}

/* All ones when the low bit of `bit` is set, else 0. */
SAMARA_INLINE uint32_t samara_mask32(uint32_t bit) {
  return (uint32_t)0 - (samara_hide32(bit) & 1);
}

SAMARA_INLINE uint16_t samara_mask16(uint16_t bit) {
  return (uint16_t)(0u - (samara_hide16(bit) & 1u));
}

/* Says that a value computed from secrets is public from here on: whether a
 * tag was right, how long a padding was that turned out to be right. */
SAMARA_INLINE uint32_t samara_declassify32(uint32_t value) {
#ifdef SAMARA_CONSTANT_TIME_CHECK
  VALGRIND_MAKE_MEM_DEFINED(&value, sizeof value);
#endif
  return value;
}

/* The same for memory, where it lies. */
SAMARA_INLINE void samara_declassify(void *memory, size_t size) {
#ifdef SAMARA_CONSTANT_TIME_CHECK
  VALGRIND_MAKE_MEM_DEFINED(memory, size);
#else
  (void)memory;
  (void)size;
#endif
}

#endif
