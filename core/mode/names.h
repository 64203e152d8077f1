/* SPDX-License-Identifier: Apache-2.0 */

/* The templates of this folder are included once for each cipher, with
 * SAMARA_CIPHER defined to its name: so every mode calls its cipher directly,
 * and a device links no table of functions. SAMARA_NAME(ctr_encrypt) is then
 * samara_aes128_ctr_encrypt, SAMARA_KEY its samara_aes128_key, and
 * SAMARA_LOCAL(f) a static function of that copy.
 *
 * The file that includes them provides SAMARA_LOCAL(bare_encrypt) and
 * SAMARA_LOCAL(encrypt_blocks), SAMARA_LOCAL(decrypt_blocks), which may work on
 * several blocks at once; SAMARA_BLOCKS_ONE_BY_ONE writes plain ones, of
 * SAMARA_LOCAL(bare_encrypt) and SAMARA_LOCAL(bare_decrypt). All of them leave
 * the stack as it is; SAMARA_CIPHER_STACK is how much of it they take,
 * SAMARA_CIPHER_ENCRYPT_STACK how much encryption alone takes
 * (common/stack.h). It may define SAMARA_CIPHER_ABSORB_BLOCKS (CBC-MAC) and
 * SAMARA_CIPHER_COUNT_BLOCKS (counter mode), which work on whole blocks, one or
 * more, and SAMARA_CIPHER_ENCRYPTS_PAIRS if SAMARA_LOCAL(encrypt_blocks) takes
 * no longer for two blocks than for one. */

#ifndef SAMARA_MODE_NAMES_H
#define SAMARA_MODE_NAMES_H

#include "common/machine.h"

#define SAMARA_JOIN_(a, b, c) a##b##c
#define SAMARA_JOIN(a, b, c) SAMARA_JOIN_(a, b, c)
#define SAMARA_NAME(word) SAMARA_JOIN(samara_, SAMARA_CIPHER, _##word)
#define SAMARA_LOCAL(word) SAMARA_JOIN(SAMARA_CIPHER, _, word)

#define SAMARA_KEY SAMARA_NAME(key)

#define SAMARA_BLOCK_SIZE 16

#define SAMARA_BLOCKS_ONE_BY_ONE_(blocks, block)                               \
  SAMARA_INLINE void SAMARA_LOCAL(blocks)(                                     \
      const SAMARA_KEY *key, uint8_t *output, const uint8_t *input,            \
      size_t count) {                                                          \
    for (size_t i = 0; i < count; i++) {                                       \
      SAMARA_LOCAL(bare_##block)                                               \
      (key, output + SAMARA_BLOCK_SIZE * i, input + SAMARA_BLOCK_SIZE * i);    \
    }                                                                          \
  }

#define SAMARA_BLOCKS_ONE_BY_ONE                                               \
  SAMARA_BLOCKS_ONE_BY_ONE_(encrypt_blocks, encrypt)                           \
  SAMARA_BLOCKS_ONE_BY_ONE_(decrypt_blocks, decrypt)

#endif
