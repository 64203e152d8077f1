/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_GRAIN128_H
#define SAMARA_GRAIN128_H

/* The generator of Grain-128AEADv2 (Hell, Johansson, Maximov, Meier, Sönnerup,
 * Yoshida, "Grain-128AEADv2", 2021, section 2), which Grain-128AEAD and
 * Grain-128PLE share. Not for messages: see grain128aead.h and grain128ple.h.
 *
 * Bit i of a key, nonce or stream is bit i % 8, from the least significant, of
 * byte i / 8. */

#include <samara/result.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { samara_grain128_key_size = 16, samara_grain128_nonce_size = 12 };

/* Bit i of a register is bit i % 32 of word i / 32. */
typedef struct samara_grain128 {
  uint32_t nfsr[4];
  uint32_t lfsr[4];
} samara_grain128;

/* Loads key and nonce and runs the first 384 clocks: 320 with the pre-output
 * fed back, 64 that also bring the key in once more. */
void samara_grain128_init(samara_grain128 *generator,
                          const uint8_t key[samara_grain128_key_size],
                          const uint8_t nonce[samara_grain128_nonce_size]);

/* 32 clocks; the 32 pre-output bits, the first in bit 0. */
uint32_t samara_grain128_next(samara_grain128 *generator);

#ifdef __cplusplus
}
#endif

#endif
