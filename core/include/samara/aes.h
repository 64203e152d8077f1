/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_AES_H
#define SAMARA_AES_H

/* AES (FIPS 197) with keys of 128, 192 and 256 bits: aes128, aes192, aes256,
 * with the calls of block.h and the modes CBC, CTR, CCM and GCM.
 *
 * Implementations, chosen when the library is compiled and, on x86-64, once
 * more when it runs:
 *   x86_64     the AES instructions, on processors that have them: AES-NI, or
 *              VAES on vectors of 256 or 512 bits; aarch64: those of ARMv8
 *   ssse3, neon  look-ups in vector registers, on x86-64 and AArch64 without
 *              these instructions
 *   bitsliced  logic on words of 64 bits (four blocks at a time, or sixteen in
 *              counter mode) or 32 (two): no table, no address and no branch
 *              from a secret
 *   flash      S-boxes in program memory, for AVR and MSP430 only: machines
 *              without a cache that could betray which entry was read
 *   avr        assembly with these S-boxes for encryption, and for the round
 *              keys of 128-bit keys, unless SAMARA_ARCH_AVR=0
 *   armv7m     assembly of the bitsliced logic for encryption on Cortex-M3 and
 *              larger, two blocks at a time, unless SAMARA_ARCH_ARMV7M=0
 *   engine     the AES engine of the ATmega128RFA1 or of an ATxmega for keys of
 *              128 bits, when compiled with SAMARA_ARCH_AVR_AES_ENGINE=1, or
 *              that of the MSP430FR59xx and FR69xx for all keys, with
 *              SAMARA_ARCH_MSP430_AES_ENGINE=1
 *
 * On an MSP430FR whose FRAM has wait states, above 8 MHz, a cache is in front
 * of the S-boxes: take the engine there, which reads none, or on a chip without
 * one SAMARA_AES_WITHOUT_TABLES=1, which is slow (Ascon has no tables). */

#include <samara/block.h>
#include <samara/gcm.h>

#ifdef __cplusplus
extern "C" {
#endif

/* (rounds + 1) round keys of four words. */
typedef struct samara_aes128_key {
  uint32_t round_keys[4 * 11];
} samara_aes128_key;

typedef struct samara_aes192_key {
  uint32_t round_keys[4 * 13];
} samara_aes192_key;

typedef struct samara_aes256_key {
  uint32_t round_keys[4 * 15];
} samara_aes256_key;

SAMARA_DECLARE_BLOCK_CIPHER(aes128, 16, 16)
SAMARA_DECLARE_BLOCK_CIPHER(aes192, 24, 16)
SAMARA_DECLARE_BLOCK_CIPHER(aes256, 32, 16)

SAMARA_DECLARE_BLOCK_MODES(aes128)
SAMARA_DECLARE_BLOCK_MODES(aes192)
SAMARA_DECLARE_BLOCK_MODES(aes256)

SAMARA_DECLARE_GCM(aes128)
SAMARA_DECLARE_GCM(aes192)
SAMARA_DECLARE_GCM(aes256)

SAMARA_DECLARE_GCM_AEAD(aes128)
SAMARA_DECLARE_GCM_AEAD(aes192)
SAMARA_DECLARE_GCM_AEAD(aes256)

SAMARA_DECLARE_GCM_BATCH(aes128)
SAMARA_DECLARE_GCM_BATCH(aes192)
SAMARA_DECLARE_GCM_BATCH(aes256)

SAMARA_DECLARE_CBC_BATCH(aes128)
SAMARA_DECLARE_CBC_BATCH(aes192)
SAMARA_DECLARE_CBC_BATCH(aes256)

#ifdef __cplusplus
}
#endif

#endif
