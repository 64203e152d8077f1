/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_COMMON_CARRYLESS_H
#define SAMARA_COMMON_CARRYLESS_H

/* Products of polynomials over GF(2), bit i being the coefficient of x^i, by
 * the integer multiplication of the machine, if that takes one time, or else by
 * masks: no table, no branch.
 *
 * Each factor is cut into four, of which each keeps every fourth bit. In the
 * product of two such cuts at most W / 4 ones are added at a place (16 of 64
 * bits, 8 of 32), so carries stay in the three zero bits between and are
 * masked away. This gives the low half; the high half is the low half of the
 * product of the factors with their bits reversed. */

#include "common/machine.h"
#include "common/secret.h"

SAMARA_INLINE uint32_t samara_reverse32(uint32_t word) {
  word = (word & 0x55555555) << 1 | (word >> 1 & 0x55555555);
  word = (word & 0x33333333) << 2 | (word >> 2 & 0x33333333);
  word = (word & 0x0f0f0f0f) << 4 | (word >> 4 & 0x0f0f0f0f);
  word = (word & 0x00ff00ff) << 8 | (word >> 8 & 0x00ff00ff);
  return word << 16 | word >> 16;
}

#if SAMARA_WORD_BITS == 64

SAMARA_INLINE uint64_t samara_reverse64(uint64_t word) {
  word = (word & 0x5555555555555555) << 1 | (word >> 1 & 0x5555555555555555);
  word = (word & 0x3333333333333333) << 2 | (word >> 2 & 0x3333333333333333);
  word = (word & 0x0f0f0f0f0f0f0f0f) << 4 | (word >> 4 & 0x0f0f0f0f0f0f0f0f);
  return __builtin_bswap64(word);
}

#if SAMARA_MULTIPLIES

SAMARA_INLINE uint64_t samara_carryless_low64(uint64_t a, uint64_t b) {
  const uint64_t every4th = 0x1111111111111111;
  uint64_t product = 0;
  for (unsigned i = 0; i < 4; i++) {
    uint64_t sum = 0;
    for (unsigned j = 0; j < 4; j++) {
      sum ^= (a & every4th << j) * (b & every4th << ((i - j) % 4));
    }
    product |= sum & every4th << i;
  }
  return product;
}

#else

SAMARA_INLINE uint64_t samara_carryless_low64(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  for (unsigned i = 0; i < 64; i++) {
    product ^= a << i & ((uint64_t)0 - (samara_hide64(b >> i) & 1));
  }
  return product;
}

#endif

#if SAMARA_MULTIPLIES

__extension__ typedef unsigned __int128 samara_uint128;

/* Both halves of a product at once, as machines of 64 bits multiply. In the
 * whole product of two cuts 16 ones can be added at a place, whose carry would
 * leave the three zero bits. So the upper four bits of one factor are left to
 * masks. That factor is prepared, because it is multiplied many times: `cuts`
 * are without the upper four bits, and each of these makes a mask. */
typedef struct samara_carryless_factor {
  uint64_t cuts[4];
  uint64_t masks[4];
} samara_carryless_factor;

SAMARA_INLINE void samara_carryless_cut(uint64_t cuts[4], uint64_t word) {
  _Pragma("GCC unroll 4") for (unsigned i = 0; i < 4; i++) {
    cuts[i] = word & (uint64_t)0x1111111111111111 << i;
  }
}

SAMARA_INLINE void samara_carryless_prepare(samara_carryless_factor *factor,
                                            uint64_t word) {
  samara_carryless_cut(factor->cuts, word & 0x0fffffffffffffff);
  _Pragma("GCC unroll 4") for (unsigned i = 0; i < 4; i++) {
    factor->masks[i] = (uint64_t)0 - (samara_hide64(word >> (60 + i)) & 1);
  }
}

/* The sum of the products of `count` words, 1 to 4, and as many factors. One
 * cut of the sum after the other, so that few words are in use at a time. */
SAMARA_INLINE void samara_carryless_sum(uint64_t product[2],
                                        const uint64_t *words,
                                        const samara_carryless_factor *factors,
                                        unsigned count) {
  uint64_t cuts[4][4];
  for (unsigned k = 0; k < count; k++) {
    samara_carryless_cut(cuts[k], words[k]);
  }
  product[0] = 0;
  product[1] = 0;
  _Pragma("GCC unroll 4") for (unsigned i = 0; i < 4; i++) {
    const uint64_t every4th = (uint64_t)0x1111111111111111 << i;
    samara_uint128 sum = 0;
    uint64_t top = 0; /* times x^(60 + i) */
    _Pragma("GCC unroll 4") for (unsigned k = 0; k < count; k++) {
      _Pragma("GCC unroll 4") for (unsigned j = 0; j < 4; j++) {
        sum ^= (samara_uint128)cuts[k][j] * factors[k].cuts[(i - j) % 4];
      }
      top ^= words[k] & factors[k].masks[i];
    }
    product[0] ^= ((uint64_t)sum & every4th) ^ top << (60 + i);
    product[1] ^= ((uint64_t)(sum >> 64) & every4th) ^ top >> (4 - i);
  }
}

#endif

/* Without products, GHASH works bit by bit, and nothing else needs these. */
#elif SAMARA_MULTIPLIES && !SAMARA_FLASH_TABLES

SAMARA_INLINE uint32_t samara_carryless_low32(uint32_t a, uint32_t b) {
  const uint32_t every4th = 0x11111111;
  uint32_t product = 0;
  for (unsigned i = 0; i < 4; i++) {
    uint32_t sum = 0;
    for (unsigned j = 0; j < 4; j++) {
      sum ^= (a & every4th << j) * (b & every4th << ((i - j) % 4));
    }
    product |= sum & every4th << i;
  }
  return product;
}

static inline uint64_t samara_carryless32(uint32_t a, uint32_t b) {
  const uint32_t reversed =
      samara_carryless_low32(samara_reverse32(a), samara_reverse32(b));
  return samara_carryless_low32(a, b) |
         (uint64_t)(samara_reverse32(reversed) >> 1) << 32;
}

/* Karatsuba: three products of 32 bits instead of four. */
static inline void samara_carryless64(uint64_t product[2], uint64_t a,
                                      uint64_t b) {
  const uint32_t a0 = (uint32_t)a;
  const uint32_t a1 = (uint32_t)(a >> 32);
  const uint32_t b0 = (uint32_t)b;
  const uint32_t b1 = (uint32_t)(b >> 32);
  const uint64_t low = samara_carryless32(a0, b0);
  const uint64_t high = samara_carryless32(a1, b1);
  const uint64_t middle = samara_carryless32(a0 ^ a1, b0 ^ b1) ^ low ^ high;
  product[0] = low ^ middle << 32;
  product[1] = high ^ middle >> 32;
}

#endif

#endif
