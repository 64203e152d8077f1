/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/grain128.h>

#include "common/bytes.h"

/* No tap of Grain lies above bit 96, so the 32 clocks of one step read only
 * what was there before the step: bits 0 to 96 + 31. Words of 32 bits, bit i
 * of a word belonging to the i-th of these clocks. */

/* Bits `first` to `first` + 31 of a register. */
SAMARA_INLINE uint32_t window(const uint32_t words[4], unsigned first) {
  const unsigned index = first / 32;
  const unsigned shift = first % 32;
  if (shift == 0) {
    return words[index];
  }
#if SAMARA_WORD_BITS == 64
  /* One shift of a pair that the compiler forms once for many taps. */
  const uint64_t pair = words[index] | (uint64_t)words[index + 1] << 32;
  return (uint32_t)(pair >> shift);
#else
  return words[index] >> shift | words[index + 1] << (32 - shift);
#endif
}

/* The pre-output y (specification, section 2.1). */
SAMARA_INLINE uint32_t pre_output(const samara_grain128 *generator) {
  const uint32_t *b = generator->nfsr;
  const uint32_t *s = generator->lfsr;
  const uint32_t b12 = window(b, 12);
  const uint32_t b95 = window(b, 95);
  const uint32_t h = (b12 & window(s, 8)) ^ (window(s, 13) & window(s, 20)) ^
                     (b95 & window(s, 42)) ^ (window(s, 60) & window(s, 79)) ^
                     (b12 & b95 & window(s, 94));
  return h ^ window(s, 93) ^ window(b, 2) ^ window(b, 15) ^ window(b, 36) ^
         window(b, 45) ^ window(b, 64) ^ window(b, 73) ^ window(b, 89);
}

/* L and F: the bits that enter the LFSR and the NFSR. */
SAMARA_INLINE uint32_t lfsr_feedback(const samara_grain128 *generator) {
  const uint32_t *s = generator->lfsr;
  return window(s, 0) ^ window(s, 7) ^ window(s, 38) ^ window(s, 70) ^
         window(s, 81) ^ window(s, 96);
}

SAMARA_INLINE uint32_t nfsr_feedback(const samara_grain128 *generator) {
  const uint32_t *b = generator->nfsr;
  const uint32_t linear = window(b, 0) ^ window(b, 26) ^ window(b, 56) ^
                          window(b, 91) ^ window(b, 96) ^
                          window(generator->lfsr, 0);
  const uint32_t pairs =
      (window(b, 3) & window(b, 67)) ^ (window(b, 11) & window(b, 13)) ^
      (window(b, 17) & window(b, 18)) ^ (window(b, 27) & window(b, 59)) ^
      (window(b, 40) & window(b, 48)) ^ (window(b, 61) & window(b, 65)) ^
      (window(b, 68) & window(b, 84));
  const uint32_t longer =
      (window(b, 22) & window(b, 24) & window(b, 25)) ^
      (window(b, 70) & window(b, 78) & window(b, 82)) ^
      (window(b, 88) & window(b, 92) & window(b, 93) & window(b, 95));
  return linear ^ pairs ^ longer;
}

/* 32 clocks in which the two words also enter the registers. */
SAMARA_INLINE void clock32(samara_grain128 *generator, uint32_t into_nfsr,
                           uint32_t into_lfsr) {
  const uint32_t nfsr_in = nfsr_feedback(generator) ^ into_nfsr;
  const uint32_t lfsr_in = lfsr_feedback(generator) ^ into_lfsr;
  for (unsigned i = 0; i < 3; i++) {
    generator->nfsr[i] = generator->nfsr[i + 1];
    generator->lfsr[i] = generator->lfsr[i + 1];
  }
  generator->nfsr[3] = nfsr_in;
  generator->lfsr[3] = lfsr_in;
}

void samara_grain128_init(samara_grain128 *generator,
                          const uint8_t key[samara_grain128_key_size],
                          const uint8_t nonce[samara_grain128_nonce_size]) {
  for (unsigned i = 0; i < 4; i++) {
    generator->nfsr[i] = samara_load32_le(key + 4 * i);
  }
  for (unsigned i = 0; i < 3; i++) {
    generator->lfsr[i] = samara_load32_le(nonce + 4 * i);
  }
  generator->lfsr[3] = 0x7fffffff; /* 31 ones, then a zero */

  for (unsigned i = 0; i < 320 / 32; i++) {
    const uint32_t y = pre_output(generator);
    clock32(generator, y, y);
  }
  for (unsigned i = 0; i < 64 / 32; i++) {
    const uint32_t y = pre_output(generator);
    clock32(generator, y ^ samara_load32_le(key + 4 * i),
            y ^ samara_load32_le(key + 8 + 4 * i));
  }
}

uint32_t samara_grain128_next(samara_grain128 *generator) {
  const uint32_t y = pre_output(generator);
  clock32(generator, 0, 0);
  return y;
}
