/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CRYPTO_BLOCK_H
#define CRYPTO_BLOCK_H

/* The interface of block ciphers that `samara bench add` measures. NIST's
 * project has none for them, so this one is samara's. api.h gives the sizes, as
 * numbers of bytes:
 *
 *   CRYPTO_KEYBYTES    the key
 *   CRYPTO_BLOCKBYTES  a block
 *   CRYPTO_STATEBYTES  what set_key makes of the key, such as round keys
 *
 * The caller owns that state: CRYPTO_STATEBYTES bytes, aligned to 8. Encryption
 * and decryption take it as it is, any number of times and in any order, and
 * replace the block where it lies. */

void crypto_block_set_key(void *state, const unsigned char *key);

void crypto_block_encrypt(const void *state, unsigned char *block);

void crypto_block_decrypt(const void *state, unsigned char *block);

#endif
