/* SPDX-License-Identifier: Apache-2.0 */
#include "block/aes_rounds.h"
#include "block/aes_words.h"
#include "common/stack.h"

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

/* SubWord of a word in all columns: ShiftRows then changes nothing. */
WITH_AES static inline __m128i aesni_sub_columns(__m128i columns,
                                                 __m128i constant) {
  return _mm_aesenclast_si128(columns, constant);
}

WITH_AES static uint32_t aesni_sub_word(uint32_t word) {
  return (uint32_t)_mm_cvtsi128_si32(
      aesni_sub_columns(_mm_set1_epi32((int)word), _mm_setzero_si128()));
}

/* Each column plus those before it. */
WITH_AES static inline __m128i aesni_sums(__m128i key) {
  key = _mm_xor_si128(key, _mm_slli_si128(key, 4));
  return _mm_xor_si128(key, _mm_slli_si128(key, 8));
}

/* A round key from the last column of the one before it, and from the one a key
 * (of 128 or 256 bits) back (FIPS 197, 5.2). */
WITH_AES static inline __m128i aesni_next_key(__m128i back, __m128i before,
                                              int constant) {
  const __m128i last = _mm_shuffle_epi32(before, 0xff);
  __m128i added;
  if (constant == 0) {
    added = aesni_sub_columns(last, _mm_setzero_si128());
  } else { /* with RotWord */
    added = aesni_sub_columns(
        _mm_or_si128(_mm_srli_epi32(last, 8), _mm_slli_epi32(last, 24)),
        _mm_set1_epi32(constant));
  }
  return _mm_xor_si128(aesni_sums(back), added);
}

/* x^i, in the first byte of a word. */
static const uint8_t aesni_constants[] = {0x01, 0x02, 0x04, 0x08, 0x10,
                                          0x20, 0x40, 0x80, 0x1b, 0x36};

WITH_AES static void aesni_expand_128(uint32_t *round_keys,
                                      const uint8_t *bytes) {
  __m128i key = aesni_load(bytes);
  aesni_store(round_keys, key);
  for (size_t i = 0; i < sizeof aesni_constants; i++) {
    key = aesni_next_key(key, key, aesni_constants[i]);
    aesni_store(round_keys + 4 * (i + 1), key);
  }
}

WITH_AES static void aesni_expand_256(uint32_t *round_keys,
                                      const uint8_t *bytes) {
  __m128i even = aesni_load(bytes);
  __m128i odd = aesni_load(bytes + 16);
  aesni_store(round_keys, even);
  aesni_store(round_keys + 4, odd);
  for (size_t i = 0; i < 6; i++) {
    even = aesni_next_key(even, odd, aesni_constants[i]);
    aesni_store(round_keys + 8 * (i + 1), even);
    odd = aesni_next_key(odd, even, 0);
    aesni_store(round_keys + 8 * (i + 1) + 4, odd);
  }
  even = aesni_next_key(even, odd, aesni_constants[6]);
  aesni_store(round_keys + 56, even);
}

WITH_AES void samara_aes_x86_64_expand_key(uint32_t *round_keys,
                                           const uint8_t *key,
                                           unsigned key_words) {
  if (key_words == 4) {
    aesni_expand_128(round_keys, key);
  } else if (key_words == 8) {
    aesni_expand_256(round_keys, key);
  } else {
    samara_aes_expand_words(round_keys, key, key_words, aesni_sub_word);
  }
  /* Compiled with -O1, this takes more than what the public call wipes. */
  samara_wipe_stack(SAMARA_AES_STACK);
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
