/* SPDX-License-Identifier: Apache-2.0 */
#include "block/aes_rounds.h"
#include "block/aes_words.h"
#include "mode/counter.h"

#if SAMARA_ARCH_AARCH64

/* AES with the instructions of ARMv8 (FEAT_AES). AESE adds a round key first
 * and then does SubBytes and ShiftRows; AESMC is MixColumns, which processors
 * join with the AESE before it. The round keys are the bytes of FIPS 197. The
 * functions are called on no processor without the instructions: SAMARA_AES
 * asks first. */

#include <arm_neon.h>

#if defined(__clang__) && __clang_major__ < 16 && !defined(__ARM_FEATURE_AES)
/* Its header has these only where the instructions may be used everywhere. */
#define AES_AARCH64_WITH_KEY(name, instruction)                                \
  static inline uint8x16_t name(uint8x16_t block, uint8x16_t key) {            \
    __asm__(".arch_extension aes\n" instruction " %0.16b, %1.16b"              \
            : "+w"(block)                                                      \
            : "w"(key));                                                       \
    return block;                                                              \
  }
#define AES_AARCH64_WITHOUT_KEY(name, instruction)                             \
  static inline uint8x16_t name(uint8x16_t block) {                            \
    __asm__(".arch_extension aes\n" instruction " %0.16b, %0.16b"              \
            : "+w"(block));                                                    \
    return block;                                                              \
  }
AES_AARCH64_WITH_KEY(vaeseq_u8, "aese")
AES_AARCH64_WITH_KEY(vaesdq_u8, "aesd")
AES_AARCH64_WITHOUT_KEY(vaesmcq_u8, "aesmc")
AES_AARCH64_WITHOUT_KEY(vaesimcq_u8, "aesimc")
#undef AES_AARCH64_WITH_KEY
#undef AES_AARCH64_WITHOUT_KEY
#endif

#define WITH_AES SAMARA_AARCH64_WITH_AES
#define INLINE_WITH_AES WITH_AES static inline __attribute__((always_inline))

/* As many blocks at once as hide the latency of the instructions. */
enum { aes_aarch64_lanes = 8 };

INLINE_WITH_AES uint8x16_t aes_aarch64_key(const uint32_t *round_keys,
                                           size_t i) {
  return vld1q_u8((const uint8_t *)(round_keys + 4 * i));
}

/* SubWord: in a block of four equal columns, ShiftRows changes nothing. */
WITH_AES static uint32_t aes_aarch64_sub_word(uint32_t word) {
  const uint8x16_t block = vreinterpretq_u8_u32(vdupq_n_u32(word));
  return vgetq_lane_u32(vreinterpretq_u32_u8(vaeseq_u8(block, vdupq_n_u8(0))),
                        0);
}

WITH_AES void samara_aes_aarch64_expand_key(uint32_t *round_keys,
                                            const uint8_t *key,
                                            unsigned key_words) {
  samara_aes_expand_words(round_keys, key, key_words, aes_aarch64_sub_word);
}

/* `count` blocks, 1 to `lanes`, known to the compiler where it is 1 or all. */
INLINE_WITH_AES void aes_aarch64_encrypt_some(const uint32_t *round_keys,
                                              unsigned rounds, uint8_t *output,
                                              const uint8_t *input,
                                              size_t count) {
  uint8x16_t s[aes_aarch64_lanes];
  for (size_t b = 0; b < count; b++) {
    s[b] = vld1q_u8(input + 16 * b);
  }
  for (unsigned i = 0; i < rounds - 1; i++) {
    const uint8x16_t key = aes_aarch64_key(round_keys, i);
    for (size_t b = 0; b < count; b++) {
      s[b] = vaesmcq_u8(vaeseq_u8(s[b], key));
    }
  }
  const uint8x16_t key = aes_aarch64_key(round_keys, rounds - 1);
  const uint8x16_t last = aes_aarch64_key(round_keys, rounds);
  for (size_t b = 0; b < count; b++) {
    vst1q_u8(output + 16 * b, veorq_u8(vaeseq_u8(s[b], key), last));
  }
}

/* The equivalent inverse cipher (FIPS 197, 5.3.5). */
INLINE_WITH_AES void aes_aarch64_decrypt_some(const uint32_t *round_keys,
                                              unsigned rounds, uint8_t *output,
                                              const uint8_t *input,
                                              size_t count) {
  uint8x16_t s[aes_aarch64_lanes];
  uint8x16_t key = aes_aarch64_key(round_keys, rounds);
  for (size_t b = 0; b < count; b++) {
    s[b] = vld1q_u8(input + 16 * b);
  }
  for (unsigned i = rounds - 1; i > 0; i--) {
    for (size_t b = 0; b < count; b++) {
      s[b] = vaesimcq_u8(vaesdq_u8(s[b], key));
    }
    key = vaesimcq_u8(aes_aarch64_key(round_keys, i));
  }
  const uint8x16_t last = aes_aarch64_key(round_keys, 0);
  for (size_t b = 0; b < count; b++) {
    vst1q_u8(output + 16 * b, veorq_u8(vaesdq_u8(s[b], key), last));
  }
}

WITH_AES void samara_aes_aarch64_encrypt(const uint32_t *round_keys,
                                         unsigned rounds, uint8_t *output,
                                         const uint8_t *input, size_t count) {
  for (; count >= aes_aarch64_lanes; count -= aes_aarch64_lanes) {
    aes_aarch64_encrypt_some(round_keys, rounds, output, input,
                             aes_aarch64_lanes);
    output += 16 * aes_aarch64_lanes;
    input += 16 * aes_aarch64_lanes;
  }
  if (count == 1) {
    aes_aarch64_encrypt_some(round_keys, rounds, output, input, 1);
  } else if (count != 0) {
    aes_aarch64_encrypt_some(round_keys, rounds, output, input, count);
  }
}

WITH_AES void samara_aes_aarch64_decrypt(const uint32_t *round_keys,
                                         unsigned rounds, uint8_t *output,
                                         const uint8_t *input, size_t count) {
  for (; count >= aes_aarch64_lanes; count -= aes_aarch64_lanes) {
    aes_aarch64_decrypt_some(round_keys, rounds, output, input,
                             aes_aarch64_lanes);
    output += 16 * aes_aarch64_lanes;
    input += 16 * aes_aarch64_lanes;
  }
  if (count != 0) {
    aes_aarch64_decrypt_some(round_keys, rounds, output, input, count);
  }
}

/* Two blocks side by side, for CCM. */

INLINE_WITH_AES uint8x16_t aes_aarch64_load(const uint8_t bytes[16]) {
  return vld1q_u8(bytes);
}

INLINE_WITH_AES void aes_aarch64_store(uint8_t bytes[16], uint8x16_t block) {
  vst1q_u8(bytes, block);
}

INLINE_WITH_AES uint8x16_t aes_aarch64_xor(uint8x16_t a, uint8x16_t b) {
  return veorq_u8(a, b);
}

INLINE_WITH_AES void aes_aarch64_encrypt(const uint32_t *round_keys,
                                         unsigned rounds, uint8x16_t pair[2]) {
  for (unsigned i = 0; i < rounds - 1; i++) {
    const uint8x16_t key = aes_aarch64_key(round_keys, i);
    pair[0] = vaesmcq_u8(vaeseq_u8(pair[0], key));
    pair[1] = vaesmcq_u8(vaeseq_u8(pair[1], key));
  }
  const uint8x16_t key = aes_aarch64_key(round_keys, rounds - 1);
  const uint8x16_t last = aes_aarch64_key(round_keys, rounds);
  pair[0] = veorq_u8(vaeseq_u8(pair[0], key), last);
  pair[1] = veorq_u8(vaeseq_u8(pair[1], key), last);
}

#define PAIRS_VECTOR uint8x16_t
#define PAIRS_INLINE INLINE_WITH_AES
#define PAIRS_KERNEL WITH_AES
#define PAIRS_NAME(word) samara_aes_aarch64_##word
#define PAIRS_LOCAL(word) aes_aarch64_##word
#include "block/aes_pairs_template.h"

#endif
