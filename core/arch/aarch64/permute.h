/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_ARCH_AARCH64_PERMUTE_H
#define SAMARA_ARCH_AARCH64_PERMUTE_H

/* Vectors of 16 bytes and look-ups in them by TBL, for the templates of
 * processors without FEAT_AES, such as that of a Raspberry Pi 3 or 4. The
 * functions are those of arch/x86_64/permute.h. */

#include "common/machine.h"

#if SAMARA_ARCH_AARCH64

#include <arm_neon.h>

#define PERMUTE_VECTOR uint8x16_t
#define PERMUTE_KERNEL
#define PERMUTE_INLINE static inline __attribute__((always_inline, unused))
#define PERMUTE_NAME(word) samara_aes_neon_##word
#ifdef __clang__
#define PERMUTE_UNROLL _Pragma("clang loop unroll(full)")
#else
#define PERMUTE_UNROLL _Pragma("GCC unroll 16")
#endif

enum { PERMUTE_LANES = 4 };

PERMUTE_INLINE uint8x16_t permute_load(const uint8_t bytes[16]) {
  return vld1q_u8(bytes);
}

PERMUTE_INLINE void permute_store(uint8_t bytes[16], uint8x16_t x) {
  vst1q_u8(bytes, x);
}

PERMUTE_INLINE uint8x16_t permute_xor(uint8x16_t a, uint8x16_t b) {
  return veorq_u8(a, b);
}

PERMUTE_INLINE uint8x16_t permute_byte(uint8_t byte) {
  return vdupq_n_u8(byte);
}

PERMUTE_INLINE uint8x16_t permute_low(uint8x16_t x) {
  return vandq_u8(x, vdupq_n_u8(0x0f));
}

PERMUTE_INLINE uint8x16_t permute_high(uint8x16_t x) {
  return vshrq_n_u8(x, 4);
}

PERMUTE_INLINE uint8x16_t permute_raise(uint8x16_t x) {
  return vshlq_n_u8(x, 4);
}

/* 0 for all indices from 16 on. */
PERMUTE_INLINE uint8x16_t permute_look(uint8x16_t table, uint8x16_t index) {
  return vqtbl1q_u8(table, index);
}

PERMUTE_INLINE uint8x16_t permute_along(uint8x16_t x) {
  return vextq_u8(vdupq_n_u8(0), x, 15);
}

PERMUTE_INLINE uint8x16_t permute_carry(uint8x16_t above, uint8x16_t x) {
  return vextq_u8(x, above, 15);
}

PERMUTE_INLINE uint8x16_t permute_zip_low(uint8x16_t a, uint8x16_t b) {
  return vzip1q_u8(a, b);
}

PERMUTE_INLINE uint8x16_t permute_zip_high(uint8x16_t a, uint8x16_t b) {
  return vzip2q_u8(a, b);
}

#endif

#endif
