/* SPDX-License-Identifier: Apache-2.0 */
#include "arch/x86_64/aes_modes.h"
#include "mode/ghash.h"

#if SAMARA_ARCH_X86_64

/* Blocks that the kernels of GCM take at a time. */
enum { modes_gcm_blocks = 16 };

size_t samara_aes_x86_64_gcm_seal(const uint32_t *round_keys, unsigned rounds,
                                  samara_ghash *ghash, uint8_t *output,
                                  uint8_t counter[16], const uint8_t *input,
                                  size_t size) {
  const size_t blocks = size / (16 * modes_gcm_blocks) * modes_gcm_blocks;
  if (blocks == 0 || !samara_x86_64_has(SAMARA_X86_64_AES)) {
    return 0;
  }
  samara_ghash_x86_64_prepare(ghash);
  uint8_t *value = (uint8_t *)ghash->value;
  if (samara_x86_64_has(SAMARA_X86_64_VAES512)) {
    samara_aes_vaes512_gcm_seal(round_keys, rounds, value, ghash->powers,
                                output, counter, input, blocks);
  } else if (samara_x86_64_has(SAMARA_X86_64_VAES256)) {
    samara_aes_vaes256_gcm_seal(round_keys, rounds, value, ghash->powers,
                                output, counter, input, blocks);
  } else {
    samara_aes_aesni_gcm_seal(round_keys, rounds, value, ghash->powers, output,
                              counter, input, blocks);
  }
  return 16 * blocks;
}

#endif
