/* SPDX-License-Identifier: Apache-2.0 */
#ifndef AES_BLOCK_H
#define AES_BLOCK_H

#include <stddef.h>
#include <stdint.h>

/* One block with a key of 16, 24 or 32 bytes (FIPS 197). */
void aes_block_encrypt(uint8_t state[16], const uint8_t *key, size_t key_size);
void aes_block_decrypt(uint8_t state[16], const uint8_t *key, size_t key_size);

#endif
