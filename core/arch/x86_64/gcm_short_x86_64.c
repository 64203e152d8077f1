/* SPDX-License-Identifier: Apache-2.0 */
#include "arch/x86_64/gcm_short.h"
#include "arch/x86_64/lanes.h"
#include "common/wiped.h"

#if SAMARA_ARCH_X86_64

/* The arithmetic of GHASH is explained in aes_modes_template.h. Here as many
 * powers of the key are made as pay for themselves, and so many blocks need one
 * reduction. All blocks of AES go through the rounds together: what they wait
 * for is the latency of one. */

#include <smmintrin.h>
#include <wmmintrin.h>

#define SHORT_TARGET __attribute__((target("aes,pclmul,ssse3,sse4.1")))
#define SHORT_INLINE SHORT_TARGET static inline __attribute__((always_inline))

#ifdef __clang__
#define SHORT_UNROLL _Pragma("clang loop unroll(full)")
#else
#define SHORT_UNROLL _Pragma("GCC unroll 16")
#endif

/* Blocks that are encrypted: two before the keystream. */
enum {
  short_hash_key,
  short_mask,
  short_stream,
  short_encrypted = short_stream + samara_gcm_short_message / 16
};

/* Blocks that are hashed: the lengths are the last. */
enum {
  short_hashed = (samara_gcm_short_data + samara_gcm_short_message) / 16 + 1,
  short_powers = 4 /* made for one message */
};

typedef struct short_blocks {
  __m128i encrypted[short_encrypted];
  __m128i powers[short_powers]; /* 4 to 1 */
} short_blocks;

SHORT_INLINE __m128i short_reversed(__m128i block) {
  const __m128i reverse =
      _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  return _mm_shuffle_epi8(block, reverse);
}

/* The zero block, and the counters from 1 on (SP 800-38D, 7.1). */
SHORT_INLINE __m128i short_plain(const uint8_t *nonce, unsigned i) {
  if (i == short_hash_key) {
    return _mm_setzero_si128();
  }
  return _mm_insert_epi32(lane_load_some(nonce, samara_gcm_nonce_size),
                          (int)(i << 24), 3);
}

/* The first `count` blocks, known to the compiler. */
SHORT_INLINE void short_encrypt(const samara_gcm_short *call, __m128i *to,
                                const unsigned count) {
  __m128i s[short_encrypted];
  const __m128i *keys = (const __m128i *)call->round_keys;
  __m128i key = _mm_loadu_si128(keys);
  SHORT_UNROLL
  for (unsigned b = 0; b < count; b++) {
    s[b] = _mm_xor_si128(short_plain(call->nonce, b), key);
  }
  for (unsigned i = 1; i < call->rounds; i++) {
    key = _mm_loadu_si128(keys + i);
    SHORT_UNROLL
    for (unsigned b = 0; b < count; b++) {
      s[b] = _mm_aesenc_si128(s[b], key);
    }
  }
  key = _mm_loadu_si128(keys + call->rounds);
  SHORT_UNROLL
  for (unsigned b = 0; b < count; b++) {
    to[b] = _mm_aesenclast_si128(s[b], key);
  }
}

/* A sum of products that is not yet reduced. */
typedef struct short_sum {
  __m128i low;
  __m128i middle;
  __m128i high;
} short_sum;

SHORT_INLINE void short_add(short_sum *sum, __m128i a, __m128i b) {
  sum->low = _mm_xor_si128(sum->low, _mm_clmulepi64_si128(a, b, 0x00));
  sum->high = _mm_xor_si128(sum->high, _mm_clmulepi64_si128(a, b, 0x11));
  sum->middle = _mm_xor_si128(sum->middle, _mm_clmulepi64_si128(a, b, 0x01));
  sum->middle = _mm_xor_si128(sum->middle, _mm_clmulepi64_si128(a, b, 0x10));
}

SHORT_INLINE __m128i short_reduced(const short_sum *sum) {
  const __m128i reducer = _mm_set_epi64x((int64_t)0xc200000000000000, 1);
  __m128i middle =
      _mm_xor_si128(sum->middle, _mm_clmulepi64_si128(sum->low, reducer, 0x10));
  middle = _mm_xor_si128(middle, _mm_shuffle_epi32(sum->low, 0x4e));
  const __m128i high =
      _mm_xor_si128(sum->high, _mm_clmulepi64_si128(middle, reducer, 0x10));
  return _mm_xor_si128(high, _mm_shuffle_epi32(middle, 0x4e));
}

SHORT_INLINE __m128i short_product(__m128i a, __m128i b) {
  short_sum sum = {_mm_setzero_si128(), _mm_setzero_si128(),
                   _mm_setzero_si128()};
  short_add(&sum, a, b);
  return short_reduced(&sum);
}

/* The encrypted zero block as a number, times x. */
SHORT_INLINE __m128i short_first_power(__m128i hash_key) {
  const __m128i number = short_reversed(hash_key);
  const __m128i out = _mm_srai_epi32(_mm_shuffle_epi32(number, 0xff), 31);
  const __m128i reducer = _mm_set_epi64x((int64_t)0xc200000000000000, 1);
  const __m128i carries = _mm_slli_si128(_mm_srli_epi64(number, 63), 8);
  return _mm_xor_si128(_mm_or_si128(_mm_slli_epi64(number, 1), carries),
                       _mm_and_si128(out, reducer));
}

/* Only those that `count` blocks need. */
SHORT_INLINE void short_make_powers(__m128i *powers, __m128i hash_key,
                                    size_t count) {
  const __m128i first = short_first_power(hash_key);
  powers[3] = first;
  if (count > 1) {
    powers[2] = short_product(first, first);
    powers[1] = short_product(powers[2], first);
    powers[0] = short_product(powers[2], powers[2]);
  }
}

/* `end` is behind the powers, of which there are `powers`. */
SHORT_INLINE __m128i short_hash(const __m128i *blocks, size_t count,
                                const __m128i *end, size_t powers) {
  __m128i value = _mm_setzero_si128();
  while (count != 0) {
    const size_t part = count < powers ? count : powers;
    short_sum sum = {_mm_setzero_si128(), _mm_setzero_si128(),
                     _mm_setzero_si128()};
    short_add(&sum, _mm_xor_si128(value, short_reversed(blocks[0])),
              _mm_loadu_si128(end - part));
    for (size_t i = 1; i < part; i++) {
      short_add(&sum, short_reversed(blocks[i]),
                _mm_loadu_si128(end - part + i));
    }
    value = short_reduced(&sum);
    blocks += part;
    count -= part;
  }
  return short_reversed(value);
}

/* Bytes, and zeros up to a whole block. Returns the block behind. */
SHORT_INLINE __m128i *short_put(__m128i *to, const uint8_t *bytes,
                                size_t size) {
  for (; size >= 16; size -= 16, bytes += 16) {
    *to++ = lane_load_block(bytes);
  }
  if (size != 0) {
    *to++ = lane_load_some(bytes, size);
  }
  return to;
}

/* Half of the counters, where that is enough, take half of the time. */
SHORT_INLINE void short_begin(const samara_gcm_short *call,
                              short_blocks *blocks) {
  if (call->size <= samara_gcm_short_message / 2) {
    short_encrypt(call, blocks->encrypted,
                  short_stream + samara_gcm_short_message / 32);
  } else {
    short_encrypt(call, blocks->encrypted, short_encrypted);
  }
}

SHORT_INLINE __m128i short_tag(const samara_gcm_short *call,
                               short_blocks *blocks,
                               const uint8_t *ciphertext) {
  __m128i hashed[short_hashed];
  __m128i *to =
      short_put(hashed, call->associated_data, call->associated_data_size);
  to = short_put(to, ciphertext, call->size);
  *to++ = lane_of_words((uint64_t)call->associated_data_size * 8,
                        (uint64_t)call->size * 8);
  const size_t count = (size_t)(to - hashed);
  const __m128i mask = blocks->encrypted[short_mask];
  if (call->prepared != NULL) {
    const __m128i *powers = (const __m128i *)call->prepared->powers;
    return _mm_xor_si128(mask,
                         short_hash(hashed, count, powers + samara_ghash_powers,
                                    samara_ghash_powers));
  }
  short_make_powers(blocks->powers, blocks->encrypted[short_hash_key], count);
  return _mm_xor_si128(
      mask,
      short_hash(hashed, count, blocks->powers + short_powers, short_powers));
}

SHORT_INLINE void short_crypt(const samara_gcm_short *call,
                              const short_blocks *blocks) {
  const __m128i *stream = blocks->encrypted + short_stream;
  const uint8_t *input = call->input;
  uint8_t *output = call->output;
  size_t size = call->size;
  for (; size >= 16; size -= 16, input += 16, output += 16) {
    lane_store_block(output, _mm_xor_si128(lane_load_block(input), *stream++));
  }
  if (size != 0) {
    lane_store_some(output, _mm_xor_si128(lane_load_some(input, size), *stream),
                    size);
  }
}

SHORT_TARGET void
samara_aes_x86_64_gcm_seal_short(const samara_gcm_short *call,
                                 uint8_t tag[samara_gcm_tag_size]) {
  short_blocks blocks;
  SAMARA_WIPED(blocks);
  short_begin(call, &blocks);
  short_crypt(call, &blocks);
  lane_store_block(tag, short_tag(call, &blocks, call->output));
}

SHORT_TARGET bool samara_aes_x86_64_gcm_open_short(const samara_gcm_short *call,
                                                   const uint8_t *tag,
                                                   size_t tag_size) {
  short_blocks blocks;
  SAMARA_WIPED(blocks);
  short_begin(call, &blocks);
  const bool genuine =
      lane_tag_is(short_tag(call, &blocks, call->input), tag, tag_size);
  if (genuine) {
    short_crypt(call, &blocks);
  } else {
    samara_wipe(call->output, call->size);
  }
  return genuine;
}

#endif
