/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_SIMON_H
#define SAMARA_SIMON_H

/* Simon (Beaulieu et al., "The SIMON and SPECK Families of Lightweight Block
 * Ciphers", IACR ePrint 2013/404): all ten sizes, named simonBLOCK_KEY in
 * bits, with the calls of block.h. Those of 128-bit blocks have the modes CBC,
 * CTR and CCM.
 *
 * RESEARCH ONLY. Simon is in ISO/IEC 29167-21 for RFID, and was refused for
 * ISO/IEC 29192-2. What speck.h says of short blocks holds here too.
 *
 * Byte order as in speck.h: little-endian words, low word first. The paper's
 * Simon64/96 vector
 *
 *   key 13121110 0b0a0908 03020100, 6f722067 6e696c63 -> 5ca2e27f 111a8fc8
 *
 * is here, byte by byte,
 *
 *   key 00010203 08090a0b 10111213, 636c696e 6720726f -> c88f1a11 7fe2a25c */

#include <samara/block.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SAMARA_DECLARE_SIMON(cipher, word, rounds, key_bytes, block_bytes)     \
  typedef struct samara_##cipher##_key {                                       \
    word round_keys[rounds];                                                   \
  } samara_##cipher##_key;                                                     \
  SAMARA_DECLARE_BLOCK_CIPHER(cipher, key_bytes, block_bytes)

SAMARA_DECLARE_SIMON(simon32_64, uint16_t, 32, 8, 4)
SAMARA_DECLARE_SIMON(simon48_72, uint32_t, 36, 9, 6)
SAMARA_DECLARE_SIMON(simon48_96, uint32_t, 36, 12, 6)
SAMARA_DECLARE_SIMON(simon64_96, uint32_t, 42, 12, 8)
SAMARA_DECLARE_SIMON(simon64_128, uint32_t, 44, 16, 8)
SAMARA_DECLARE_SIMON(simon96_96, uint64_t, 52, 12, 12)
SAMARA_DECLARE_SIMON(simon96_144, uint64_t, 54, 18, 12)
SAMARA_DECLARE_SIMON(simon128_128, uint64_t, 68, 16, 16)
SAMARA_DECLARE_SIMON(simon128_192, uint64_t, 69, 24, 16)
SAMARA_DECLARE_SIMON(simon128_256, uint64_t, 72, 32, 16)

SAMARA_DECLARE_BLOCK_MODES(simon128_128)
SAMARA_DECLARE_BLOCK_MODES(simon128_192)
SAMARA_DECLARE_BLOCK_MODES(simon128_256)

#ifdef __cplusplus
}
#endif

#endif
