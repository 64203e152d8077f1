/* SPDX-License-Identifier: Apache-2.0 */
#include "stream/grain128_generator.h"

#include "arch/msp430/grain128_msp430.h"
#include "common/bytes.h"

#if SAMARA_ARCH_MSP430_GRAIN

/* What is left of stream/grain128.c in C. The machine is little-endian, so the
 * registers are bytes here. */

enum { start_steps = 384 / 32, key_steps = 64 / 32 };

uint32_t samara_grain128_next(samara_grain128 *generator) {
  uint16_t words[2];
  samara_grain128_msp430_clocks(generator, words, 2);
  return words[0] | (uint32_t)words[1] << 16;
}

void samara_grain128_init(samara_grain128 *generator,
                          const uint8_t key[samara_grain128_key_size],
                          const uint8_t nonce[samara_grain128_nonce_size]) {
  uint8_t *nfsr = (uint8_t *)generator->nfsr;
  uint8_t *lfsr = (uint8_t *)generator->lfsr;
  for (unsigned i = 0; i < 16; i++) {
    nfsr[i] = key[i];
    lfsr[i] = i < samara_grain128_nonce_size ? nonce[i] : 0xff;
  }
  lfsr[15] = 0x7f; /* 31 ones, then a zero */

  /* The clocks do not read what enters the registers beside the feedback. */
  for (unsigned step = 0; step < start_steps; step++) {
    _Alignas(uint16_t) uint8_t y[4];
    samara_grain128_msp430_clocks(generator, (uint16_t *)(void *)y, 2);
    for (unsigned i = 0; i < 4; i++) {
      nfsr[12 + i] ^= y[i];
      lfsr[12 + i] ^= y[i];
      if (step >= start_steps - key_steps) {
        nfsr[12 + i] ^= *key;
        lfsr[12 + i] ^= key[8];
        key++;
      }
    }
  }
}

#endif
