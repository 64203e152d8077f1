/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_MODE_GHASH_H
#define SAMARA_MODE_GHASH_H

/* GHASH (SP 800-38D, 6.4). A block is a polynomial whose coefficient of x^0 is
 * the first bit. */

#include "arch/aarch64/cpu.h"
#include "arch/x86_64/aes_modes.h"
#include "common/machine.h"
#include <stdbool.h>

enum { samara_ghash_powers = 16 };

/* Bit by bit: where words must not be multiplied, and on AVR and MSP430, which
 * multiply slowly. */
#define SAMARA_GHASH_BY_BITS (SAMARA_FLASH_TABLES || !SAMARA_MULTIPLIES)

#if SAMARA_GHASH_BY_BITS
/* Four words, the first with the first bytes, each read big-endian. */
typedef struct samara_ghash {
  uint32_t key[4];
  uint32_t value[4];
} samara_ghash;
#else
/* A pair of words: [0] holds the second half of the block and [1] the first,
 * each read big-endian. */
typedef struct samara_ghash {
  uint64_t key[2];
  uint64_t value[2];
#if SAMARA_ARCH_X86_64 || SAMARA_ARCH_AARCH64
  /* Once there is much to hash: powers of the key, 16 to 1, or the table of
   * ghash_permute_template.h. */
  uint8_t powers[16 * samara_ghash_powers];
  bool has_powers;
#endif
} samara_ghash;
#endif

void samara_ghash_init(samara_ghash *ghash, const uint8_t key[16]);

/* For a key with which there will be much to hash: computes ahead what the
 * implementation at hand needs of it. */
void samara_ghash_prepare(samara_ghash *ghash);

/* Begins another hash with the same key. */
void samara_ghash_restart(samara_ghash *ghash);

/* Adds bytes, and zeros up to a whole block. */
void samara_ghash_update(samara_ghash *ghash, const uint8_t *bytes,
                         size_t size);

/* Adds both lengths and gives the hash. The state is the caller's to wipe. */
void samara_ghash_finish(samara_ghash *ghash, uint8_t hash[16],
                         size_t associated_data_size, size_t message_size);

#if SAMARA_ARCH_AVR
/* value = value * key, in assembly, which leaves nothing of its own on the
 * stack or in registers. */
void samara_ghash_avr_multiply(samara_ghash *ghash);
#endif

#if SAMARA_ARCH_X86_64 || SAMARA_ARCH_AARCH64
/* The table of a key, and whole blocks with it, by look-ups in vectors. */
#if SAMARA_ARCH_X86_64
#define SAMARA_GHASH_PERMUTE(call) samara_aes_ssse3_##call
#else
#define SAMARA_GHASH_PERMUTE(call) samara_aes_neon_##call
#endif
void SAMARA_GHASH_PERMUTE(ghash_prepare)(uint8_t table[256],
                                         const uint8_t key[16]);
void SAMARA_GHASH_PERMUTE(ghash)(uint8_t value[16], const uint8_t table[256],
                                 const uint8_t *blocks, size_t count);
#endif

#if SAMARA_ARCH_AARCH64
/* Whole blocks, on processors with FEAT_PMULL. */
void samara_ghash_aarch64_blocks(samara_ghash *ghash, const uint8_t *blocks,
                                 size_t count);
#endif

#if SAMARA_ARCH_X86_64
/* Whole blocks, on processors with AES-NI and PCLMULQDQ. */
void samara_ghash_x86_64_blocks(samara_ghash *ghash, const uint8_t *blocks,
                                size_t count);

/* Makes the powers of the key, unless they are there. */
void samara_ghash_x86_64_prepare(samara_ghash *ghash);

/* Whole blocks with these powers, by the widest kernel. */
void samara_ghash_x86_64_hash(uint8_t value[16], const uint8_t *powers,
                              const uint8_t *blocks, size_t count);

/* Encrypts and hashes as many bytes as its kernels take, and returns how many:
 * a multiple of 16, or 0. */
size_t samara_aes_x86_64_gcm_seal(const uint32_t *round_keys, unsigned rounds,
                                  samara_ghash *ghash, uint8_t *output,
                                  uint8_t counter[16], const uint8_t *input,
                                  size_t size);
#endif

#endif
