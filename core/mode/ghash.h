/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_MODE_GHASH_H
#define SAMARA_MODE_GHASH_H

/* GHASH (SP 800-38D, 6.4). A block is a polynomial whose coefficient of x^0 is
 * the first bit. */

#include "common/machine.h"

#if SAMARA_FLASH_TABLES
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
} samara_ghash;
#endif

void samara_ghash_init(samara_ghash *ghash, const uint8_t key[16]);

/* Adds bytes, and zeros up to a whole block. */
void samara_ghash_update(samara_ghash *ghash, const uint8_t *bytes,
                         size_t size);

/* Adds both lengths and gives the hash. The state is the caller's to wipe. */
void samara_ghash_finish(samara_ghash *ghash, uint8_t hash[16],
                         size_t associated_data_size, size_t message_size);

#if SAMARA_ARCH_X86_64
/* Whole blocks, on processors with PCLMULQDQ and SSSE3. */
void samara_ghash_x86_64_blocks(samara_ghash *ghash, const uint8_t *blocks,
                                size_t count);
#endif

#endif
