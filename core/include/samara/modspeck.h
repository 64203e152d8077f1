/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_MODSPECK_H
#define SAMARA_MODSPECK_H

/* ModSpeck, called k-SPECK by its designers (Lustro, Sison, Labiano, Medina,
 * "A Lightweight Block Cipher Implementation in the Resource-Constrained
 * Internet of Things", Fig. 1): Speck with 128-bit blocks behind a linear
 * derivation of the key. The calls of block.h, the modes CBC, CTR and CCM.
 *
 * RESEARCH ONLY, kept to be compared. The derivation is linear and adds no
 * proven security to Speck. The published pseudo-code leaves names undefined
 * and comes without test vectors; this is a reading of it, the only one in
 * which the derivation is a bijection and no part of the key is lost:
 *
 *   The key is four equal parts P1..P4 in byte order, each a little-endian
 *   integer. In place, in this order: P1 ^= P2, P2 ^= P3, P3 ^= P4, P4 ^= P1
 *   (the new P1: the prime in "P4 xor P1'"). Part a = 0..3 is then rotated
 *   right by 7 a bits within its own width. The parts, joined in the same
 *   order, are the Speck key. */

#include <samara/speck.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef samara_speck128_128_key samara_modspeck128_128_key;
typedef samara_speck128_192_key samara_modspeck128_192_key;
typedef samara_speck128_256_key samara_modspeck128_256_key;

SAMARA_DECLARE_BLOCK_CIPHER(modspeck128_128, 16, 16)
SAMARA_DECLARE_BLOCK_CIPHER(modspeck128_192, 24, 16)
SAMARA_DECLARE_BLOCK_CIPHER(modspeck128_256, 32, 16)

SAMARA_DECLARE_BLOCK_MODES(modspeck128_128)
SAMARA_DECLARE_BLOCK_MODES(modspeck128_192)
SAMARA_DECLARE_BLOCK_MODES(modspeck128_256)

#ifdef __cplusplus
}
#endif

#endif
