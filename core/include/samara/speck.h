/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_SPECK_H
#define SAMARA_SPECK_H

/* Speck (Beaulieu et al., "The SIMON and SPECK Families of Lightweight Block
 * Ciphers", IACR ePrint 2013/404): all ten sizes, named speckBLOCK_KEY in
 * bits, with the calls of block.h. Those of 128-bit blocks have the modes CBC,
 * CTR and CCM.
 *
 * RESEARCH ONLY. Speck is in ISO/IEC 29167-22 for RFID, and was refused for
 * ISO/IEC 29192-2. Blocks of 32, 48 and 64 bits are too short for most links:
 * a key should not encrypt more than 2^(bits / 2 - 4) of them.
 *
 * Byte order, as in the designers' "SIMON and SPECK Implementation Guide"
 * (2019): words are little-endian, low word first. The paper prints the most
 * significant word first; so its Speck64/96 vector
 *
 *   key 13121110 0b0a0908 03020100, 74614620 736e6165 -> 9f7952ec 4175946c
 *
 * is here, byte by byte,
 *
 *   key 00010203 08090a0b 10111213, 65616e73 20466174 -> 6c947541 ec52799f */

#include <samara/block.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SAMARA_DECLARE_SPECK(cipher, word, rounds, key_bytes, block_bytes)     \
  typedef struct samara_##cipher##_key {                                       \
    word round_keys[rounds];                                                   \
  } samara_##cipher##_key;                                                     \
  SAMARA_DECLARE_BLOCK_CIPHER(cipher, key_bytes, block_bytes)

SAMARA_DECLARE_SPECK(speck32_64, uint16_t, 22, 8, 4)
SAMARA_DECLARE_SPECK(speck48_72, uint32_t, 22, 9, 6)
SAMARA_DECLARE_SPECK(speck48_96, uint32_t, 23, 12, 6)
SAMARA_DECLARE_SPECK(speck64_96, uint32_t, 26, 12, 8)
SAMARA_DECLARE_SPECK(speck64_128, uint32_t, 27, 16, 8)
SAMARA_DECLARE_SPECK(speck96_96, uint64_t, 28, 12, 12)
SAMARA_DECLARE_SPECK(speck96_144, uint64_t, 29, 18, 12)
SAMARA_DECLARE_SPECK(speck128_128, uint64_t, 32, 16, 16)
SAMARA_DECLARE_SPECK(speck128_192, uint64_t, 33, 24, 16)
SAMARA_DECLARE_SPECK(speck128_256, uint64_t, 34, 32, 16)

SAMARA_DECLARE_BLOCK_MODES(speck128_128)
SAMARA_DECLARE_BLOCK_MODES(speck128_192)
SAMARA_DECLARE_BLOCK_MODES(speck128_256)

#ifdef __cplusplus
}
#endif

#endif
