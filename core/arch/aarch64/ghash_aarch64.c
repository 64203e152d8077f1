/* SPDX-License-Identifier: Apache-2.0 */
#include "mode/ghash.h"

#if SAMARA_ARCH_AARCH64

/* GHASH by the products of polynomials of ARMv8 (FEAT_PMULL). The arithmetic is
 * explained in arch/x86_64/aes_modes_template.h: the key is kept times x, so
 * that a product needs no shift, and is reduced from its low end. Four blocks
 * times four powers of the key need one reduction. */

#include <arm_neon.h>

#define WITH_PMULL SAMARA_AARCH64_WITH_AES
#define INLINE_WITH_PMULL                                                      \
  WITH_PMULL static inline __attribute__((always_inline))

enum { ghash_aarch64_lanes = 4 };

typedef struct ghash_product {
  uint64x2_t low;
  uint64x2_t middle;
  uint64x2_t high;
} ghash_product;

INLINE_WITH_PMULL uint64x2_t ghash_times(uint64_t a, uint64_t b) {
  return vreinterpretq_u64_p128(vmull_p64((poly64_t)a, (poly64_t)b));
}

INLINE_WITH_PMULL uint64x2_t ghash_exchanged(uint64x2_t a) {
  return vextq_u64(a, a, 1);
}

INLINE_WITH_PMULL void ghash_add_product(ghash_product *sum, uint64x2_t a,
                                         uint64x2_t b) {
  const uint64_t a0 = vgetq_lane_u64(a, 0);
  const uint64_t a1 = vgetq_lane_u64(a, 1);
  const uint64_t b0 = vgetq_lane_u64(b, 0);
  const uint64_t b1 = vgetq_lane_u64(b, 1);
  sum->low = veorq_u64(sum->low, ghash_times(a0, b0));
  sum->high = veorq_u64(sum->high, ghash_times(a1, b1));
  sum->middle = veorq_u64(sum->middle, ghash_times(a0, b1));
  sum->middle = veorq_u64(sum->middle, ghash_times(a1, b0));
}

INLINE_WITH_PMULL uint64x2_t ghash_reduced(const ghash_product *sum) {
  const uint64_t reducer = 0xc200000000000000;
  uint64x2_t middle =
      veorq_u64(sum->middle, ghash_times(vgetq_lane_u64(sum->low, 0), reducer));
  middle = veorq_u64(middle, ghash_exchanged(sum->low));
  uint64x2_t high =
      veorq_u64(sum->high, ghash_times(vgetq_lane_u64(middle, 0), reducer));
  return veorq_u64(high, ghash_exchanged(middle));
}

INLINE_WITH_PMULL uint64x2_t ghash_multiplied(uint64x2_t a, uint64x2_t b) {
  ghash_product sum = {vdupq_n_u64(0), vdupq_n_u64(0), vdupq_n_u64(0)};
  ghash_add_product(&sum, a, b);
  return ghash_reduced(&sum);
}

/* The key times x: one place up, and what falls out at the top is x^128 = x^7 +
 * x^2 + x + 1, reflected. */
INLINE_WITH_PMULL uint64x2_t ghash_key(const samara_ghash *ghash) {
  const uint64_t carry = 0 - (ghash->key[1] >> 63);
  const uint64_t high = ghash->key[1] << 1 | ghash->key[0] >> 63;
  const uint64_t low = ghash->key[0] << 1;
  const uint64x2_t key = {low ^ (carry & 1),
                          high ^ (carry & 0xc200000000000000)};
  return key;
}

/* A block with its bytes reversed. */
INLINE_WITH_PMULL uint64x2_t ghash_block(const uint8_t *bytes) {
  const uint8x16_t halves = vrev64q_u8(vld1q_u8(bytes));
  return ghash_exchanged(vreinterpretq_u64_u8(halves));
}

WITH_PMULL void samara_ghash_aarch64_blocks(samara_ghash *ghash,
                                            const uint8_t *blocks,
                                            size_t count) {
  uint64x2_t powers[ghash_aarch64_lanes]; /* 4 to 1 */
  uint64x2_t value = vld1q_u64(ghash->value);
  powers[3] = ghash_key(ghash);
  if (count >= ghash_aarch64_lanes) {
    for (unsigned i = 3; i > 0; i--) {
      powers[i - 1] = ghash_multiplied(powers[i], powers[3]);
    }
  }
  for (; count >= ghash_aarch64_lanes; count -= ghash_aarch64_lanes) {
    ghash_product sum = {vdupq_n_u64(0), vdupq_n_u64(0), vdupq_n_u64(0)};
    ghash_add_product(&sum, veorq_u64(value, ghash_block(blocks)), powers[0]);
    for (unsigned i = 1; i < ghash_aarch64_lanes; i++) {
      ghash_add_product(&sum, ghash_block(blocks + 16 * (size_t)i), powers[i]);
    }
    value = ghash_reduced(&sum);
    blocks += 16 * ghash_aarch64_lanes;
  }
  for (; count != 0; count--, blocks += 16) {
    value = ghash_multiplied(veorq_u64(value, ghash_block(blocks)), powers[3]);
  }
  vst1q_u64(ghash->value, value);
}

#endif
