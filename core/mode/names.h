/* SPDX-License-Identifier: Apache-2.0 */

/* The templates of this folder are included once for each cipher, with
 * SAMARA_CIPHER defined to its name: so every mode calls its cipher directly,
 * and a device links no table of functions. NAME(ctr_encrypt) is then
 * samara_aes128_ctr_encrypt, KEY its samara_aes128_key, and LOCAL(f) a static
 * function of that copy.
 *
 * The file that includes them provides LOCAL(bare_encrypt) and
 * LOCAL(encrypt_blocks), LOCAL(decrypt_blocks), which may work on several
 * blocks at once; BLOCKS_ONE_BY_ONE writes plain ones, of LOCAL(bare_encrypt)
 * and LOCAL(bare_decrypt). All of them leave the stack as it is; CIPHER_STACK
 * is how much of it they take (common/stack.h). */

#ifndef SAMARA_MODE_NAMES_H
#define SAMARA_MODE_NAMES_H

#include "common/machine.h"

#define SAMARA_JOIN_(a, b, c) a##b##c
#define SAMARA_JOIN(a, b, c) SAMARA_JOIN_(a, b, c)
#define NAME(word) SAMARA_JOIN(samara_, SAMARA_CIPHER, _##word)
#define LOCAL(word) SAMARA_JOIN(SAMARA_CIPHER, _, word)

#define KEY NAME(key)

#define BLOCK_SIZE 16

#define BLOCKS_ONE_BY_ONE_(blocks, block)                                      \
  SAMARA_INLINE void LOCAL(blocks)(const KEY *key, uint8_t *output,            \
                                   const uint8_t *input, size_t count) {       \
    for (size_t i = 0; i < count; i++) {                                       \
      LOCAL(bare_##block)                                                      \
      (key, output + BLOCK_SIZE * i, input + BLOCK_SIZE * i);                  \
    }                                                                          \
  }

#define BLOCKS_ONE_BY_ONE                                                      \
  BLOCKS_ONE_BY_ONE_(encrypt_blocks, encrypt)                                  \
  BLOCKS_ONE_BY_ONE_(decrypt_blocks, decrypt)

#endif
