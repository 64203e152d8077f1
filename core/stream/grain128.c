/* SPDX-License-Identifier: Apache-2.0 */
#include "stream/grain128_generator.h"

#include "common/bytes.h"

/* All of it is in arch/msp430 and arch/avr there. */
#if !SAMARA_ARCH_MSP430_GRAIN && !SAMARA_ARCH_AVR_GRAIN

#if SAMARA_ARCH_GRAIN128

/* samara_grain128_next is in arch/. What enters the registers beside the
 * feedback can be added behind the clocks, which do not read it. */

static void grain128_clock_fed_back(samara_grain128 *generator,
                                    uint32_t into_nfsr, uint32_t into_lfsr) {
  const uint32_t y = samara_grain128_next(generator);
  generator->nfsr[3] ^= y ^ into_nfsr;
  generator->lfsr[3] ^= y ^ into_lfsr;
}

#else

/* No tap of Grain lies above bit 96, so the 32 clocks of one step read only
 * what was there before the step: bits 0 to 96 + 31. Words of 32 bits, bit i
 * of a word belonging to the i-th of these clocks. */

/* Bits `first` to `first` + 31 of a register. */
SAMARA_INLINE uint32_t grain128_window(const uint32_t words[4],
                                       unsigned first) {
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
SAMARA_INLINE_IF_LARGE uint32_t
grain128_pre_output(const samara_grain128 *generator) {
  const uint32_t *b = generator->nfsr;
  const uint32_t *s = generator->lfsr;
  const uint32_t b12 = grain128_window(b, 12);
  const uint32_t b95 = grain128_window(b, 95);
  const uint32_t h = (b12 & grain128_window(s, 8)) ^
                     (grain128_window(s, 13) & grain128_window(s, 20)) ^
                     (b95 & grain128_window(s, 42)) ^
                     (grain128_window(s, 60) & grain128_window(s, 79)) ^
                     (b12 & b95 & grain128_window(s, 94));
  return h ^ grain128_window(s, 93) ^ grain128_window(b, 2) ^
         grain128_window(b, 15) ^ grain128_window(b, 36) ^
         grain128_window(b, 45) ^ grain128_window(b, 64) ^
         grain128_window(b, 73) ^ grain128_window(b, 89);
}

/* L and F: the bits that enter the LFSR and the NFSR. */
SAMARA_INLINE uint32_t
grain128_lfsr_feedback(const samara_grain128 *generator) {
  const uint32_t *s = generator->lfsr;
  return grain128_window(s, 0) ^ grain128_window(s, 7) ^
         grain128_window(s, 38) ^ grain128_window(s, 70) ^
         grain128_window(s, 81) ^ grain128_window(s, 96);
}

SAMARA_INLINE uint32_t
grain128_nfsr_feedback(const samara_grain128 *generator) {
  const uint32_t *b = generator->nfsr;
  const uint32_t linear = grain128_window(b, 0) ^ grain128_window(b, 26) ^
                          grain128_window(b, 56) ^ grain128_window(b, 91) ^
                          grain128_window(b, 96) ^
                          grain128_window(generator->lfsr, 0);
  const uint32_t pairs = (grain128_window(b, 3) & grain128_window(b, 67)) ^
                         (grain128_window(b, 11) & grain128_window(b, 13)) ^
                         (grain128_window(b, 17) & grain128_window(b, 18)) ^
                         (grain128_window(b, 27) & grain128_window(b, 59)) ^
                         (grain128_window(b, 40) & grain128_window(b, 48)) ^
                         (grain128_window(b, 61) & grain128_window(b, 65)) ^
                         (grain128_window(b, 68) & grain128_window(b, 84));
  const uint32_t longer = (grain128_window(b, 22) & grain128_window(b, 24) &
                           grain128_window(b, 25)) ^
                          (grain128_window(b, 70) & grain128_window(b, 78) &
                           grain128_window(b, 82)) ^
                          (grain128_window(b, 88) & grain128_window(b, 92) &
                           grain128_window(b, 93) & grain128_window(b, 95));
  return linear ^ pairs ^ longer;
}

/* 32 clocks in which the two words also enter the registers. */
SAMARA_INLINE_IF_LARGE void grain128_clock32(samara_grain128 *generator,
                                             uint32_t into_nfsr,
                                             uint32_t into_lfsr) {
  const uint32_t nfsr_in = grain128_nfsr_feedback(generator) ^ into_nfsr;
  const uint32_t lfsr_in = grain128_lfsr_feedback(generator) ^ into_lfsr;
  /* Not loops, of which compilers make calls of memmove, byte by byte. */
  generator->nfsr[0] = generator->nfsr[1];
  generator->nfsr[1] = generator->nfsr[2];
  generator->nfsr[2] = generator->nfsr[3];
  generator->lfsr[0] = generator->lfsr[1];
  generator->lfsr[1] = generator->lfsr[2];
  generator->lfsr[2] = generator->lfsr[3];
  generator->nfsr[3] = nfsr_in;
  generator->lfsr[3] = lfsr_in;
}

static void grain128_clock_fed_back(samara_grain128 *generator,
                                    uint32_t into_nfsr, uint32_t into_lfsr) {
  const uint32_t y = grain128_pre_output(generator);
  grain128_clock32(generator, y ^ into_nfsr, y ^ into_lfsr);
}

uint32_t samara_grain128_next(samara_grain128 *generator) {
  const uint32_t y = grain128_pre_output(generator);
  grain128_clock32(generator, 0, 0);
  return y;
}

#endif

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
    grain128_clock_fed_back(generator, 0, 0);
  }
  for (unsigned i = 0; i < 64 / 32; i++) {
    grain128_clock_fed_back(generator, samara_load32_le(key + 4 * i),
                            samara_load32_le(key + 8 + 4 * i));
  }
}

#endif
