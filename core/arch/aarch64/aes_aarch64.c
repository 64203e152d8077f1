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

#define WITH_AES __attribute__((target("+crypto")))
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

/* CCM in one pass: each block of the MAC waits for the one before it, and the
 * rounds of a counter go into that time. */

typedef struct aes_aarch64_pair {
  uint8x16_t chain;
  uint8x16_t stream;
} aes_aarch64_pair;

INLINE_WITH_AES aes_aarch64_pair aes_aarch64_encrypt_pair(
    const uint32_t *round_keys, unsigned rounds, aes_aarch64_pair pair) {
  for (unsigned i = 0; i < rounds - 1; i++) {
    const uint8x16_t key = aes_aarch64_key(round_keys, i);
    pair.chain = vaesmcq_u8(vaeseq_u8(pair.chain, key));
    pair.stream = vaesmcq_u8(vaeseq_u8(pair.stream, key));
  }
  const uint8x16_t key = aes_aarch64_key(round_keys, rounds - 1);
  const uint8x16_t last = aes_aarch64_key(round_keys, rounds);
  pair.chain = veorq_u8(vaeseq_u8(pair.chain, key), last);
  pair.stream = veorq_u8(vaeseq_u8(pair.stream, key), last);
  return pair;
}

/* The counter's lower half does not carry: eight bytes at least have room for
 * the blocks of a message, or those that count have. */
INLINE_WITH_AES uint8x16_t aes_aarch64_counter(const samara_counter *number) {
  const uint64x2_t words = {__builtin_bswap64(number->high),
                            __builtin_bswap64(number->low)};
  return vreinterpretq_u8_u64(words);
}

INLINE_WITH_AES void aes_aarch64_ccm_blocks(const uint32_t *round_keys,
                                            unsigned rounds, bool opening,
                                            uint8_t *output, uint8_t mac[16],
                                            samara_counter number,
                                            const uint8_t *input,
                                            size_t count) {
  aes_aarch64_pair pair = {vld1q_u8(mac), vdupq_n_u8(0)};
  if (opening) {
    /* The keystream is one block ahead of the MAC, which needs plaintext. */
    pair.stream = aes_aarch64_counter(&number);
    pair.stream = aes_aarch64_encrypt_pair(round_keys, rounds, pair).stream;
  }
  for (; count != 0; count--, input += 16, output += 16) {
    const uint8x16_t block = vld1q_u8(input);
    const uint8x16_t before = pair.stream;
    const uint8x16_t plaintext = opening ? veorq_u8(block, before) : block;
    pair.chain = veorq_u8(pair.chain, plaintext);
    if (opening) {
      number.low++;
    }
    pair.stream = aes_aarch64_counter(&number);
    pair = aes_aarch64_encrypt_pair(round_keys, rounds, pair);
    if (!opening) {
      number.low++;
    }
    vst1q_u8(output, opening ? plaintext : veorq_u8(block, pair.stream));
  }
  vst1q_u8(mac, pair.chain);
}

WITH_AES size_t samara_aes_aarch64_ccm(const uint32_t *round_keys,
                                       unsigned rounds, bool opening,
                                       uint8_t *output, uint8_t mac[16],
                                       uint8_t counter[16],
                                       const uint8_t *input, size_t size) {
  const size_t count = size / 16;
  samara_counter number = samara_counter_load(counter);
  if (count == 0 || !samara_aarch64_has_aes()) {
    return 0;
  }
  if (opening) {
    aes_aarch64_ccm_blocks(round_keys, rounds, true, output, mac, number, input,
                           count);
  } else {
    aes_aarch64_ccm_blocks(round_keys, rounds, false, output, mac, number,
                           input, count);
  }
  number.low += count;
  samara_counter_store(counter, &number);
  return 16 * count;
}

#endif
