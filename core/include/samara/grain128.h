/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_GRAIN128_H
#define SAMARA_GRAIN128_H

/* The generator of Grain-128AEADv2 (Hell, Johansson, Maximov, Meier, Sönnerup,
 * Yoshida, "Grain-128AEADv2", 2021, section 2), which Grain-128AEAD and
 * Grain-128PLE share: see grain128aead.h and grain128ple.h.
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

#ifdef __cplusplus
}
#endif

#endif
