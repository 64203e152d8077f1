/* SPDX-License-Identifier: Apache-2.0 */
#include "block/aes_rounds.h"
#include "block/aes_words.h"

#if SAMARA_ARCH_X86_64

/* AES with the instructions of Intel's AES-NI (2010 on) and AMD's (2011 on).
 * The functions are compiled for such a processor and called on no other:
 * SAMARA_AES asks first. The round keys are the bytes of FIPS 197. */

#include <wmmintrin.h>

#define WITH_AES __attribute__((target("aes,sse2")))

/* As many blocks at once as hide the latency of the instructions. */
enum { aesni_lanes = 8 };

WITH_AES static inline __m128i aesni_load(const void *bytes) {
  return _mm_loadu_si128((const __m128i *)bytes);
}

WITH_AES static inline void aesni_store(void *bytes, __m128i block) {
  _mm_storeu_si128((__m128i *)bytes, block);
}

/* SubWord: AESKEYGENASSIST leaves the substituted second word in the first. */
WITH_AES static uint32_t aesni_sub_word(uint32_t word) {
  const __m128i block = _mm_set_epi32(0, 0, (int)word, 0);
  return (uint32_t)_mm_cvtsi128_si32(_mm_aeskeygenassist_si128(block, 0));
}

WITH_AES void samara_aes_x86_64_expand_key(uint32_t *round_keys,
                                           const uint8_t *key,
                                           unsigned key_words) {
  samara_aes_expand_words(round_keys, key, key_words, aesni_sub_word);
}

/* `count` blocks, 1 to `lanes`, known to the compiler where it is 1 or all. */
WITH_AES static inline __attribute__((always_inline)) void
aesni_encrypt_some(const uint32_t *round_keys, unsigned rounds, uint8_t *output,
                   const uint8_t *input, size_t count) {
  __m128i s[aesni_lanes];
  __m128i key = aesni_load(round_keys);
  for (size_t b = 0; b < count; b++) {
    s[b] = _mm_xor_si128(aesni_load(input + 16 * b), key);
  }
  for (unsigned i = 1; i < rounds; i++) {
    key = aesni_load(round_keys + 4 * (size_t)i);
    for (size_t b = 0; b < count; b++) {
      s[b] = _mm_aesenc_si128(s[b], key);
    }
  }
  key = aesni_load(round_keys + 4 * (size_t)rounds);
  for (size_t b = 0; b < count; b++) {
    aesni_store(output + 16 * b, _mm_aesenclast_si128(s[b], key));
  }
}

WITH_AES static inline __attribute__((always_inline)) void
aesni_decrypt_some(const uint32_t *round_keys, unsigned rounds, uint8_t *output,
                   const uint8_t *input, size_t count) {
  __m128i s[aesni_lanes];
  __m128i key = aesni_load(round_keys + 4 * (size_t)rounds);
  for (size_t b = 0; b < count; b++) {
    s[b] = _mm_xor_si128(aesni_load(input + 16 * b), key);
  }
  for (unsigned i = rounds - 1; i > 0; i--) {
    /* The equivalent inverse cipher (FIPS 197, 5.3.5). */
    key = _mm_aesimc_si128(aesni_load(round_keys + 4 * (size_t)i));
    for (size_t b = 0; b < count; b++) {
      s[b] = _mm_aesdec_si128(s[b], key);
    }
  }
  key = aesni_load(round_keys);
  for (size_t b = 0; b < count; b++) {
    aesni_store(output + 16 * b, _mm_aesdeclast_si128(s[b], key));
  }
}

WITH_AES void samara_aes_x86_64_encrypt(const uint32_t *round_keys,
                                        unsigned rounds, uint8_t *output,
                                        const uint8_t *input, size_t count) {
  for (; count >= aesni_lanes; count -= aesni_lanes) {
    aesni_encrypt_some(round_keys, rounds, output, input, aesni_lanes);
    output += 16 * aesni_lanes;
    input += 16 * aesni_lanes;
  }
  if (count == 1) {
    aesni_encrypt_some(round_keys, rounds, output, input, 1);
  } else if (count != 0) {
    aesni_encrypt_some(round_keys, rounds, output, input, count);
  }
}

WITH_AES void samara_aes_x86_64_decrypt(const uint32_t *round_keys,
                                        unsigned rounds, uint8_t *output,
                                        const uint8_t *input, size_t count) {
  for (; count >= aesni_lanes; count -= aesni_lanes) {
    aesni_decrypt_some(round_keys, rounds, output, input, aesni_lanes);
    output += 16 * aesni_lanes;
    input += 16 * aesni_lanes;
  }
  if (count != 0) {
    aesni_decrypt_some(round_keys, rounds, output, input, count);
  }
}

#endif
