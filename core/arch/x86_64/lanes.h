/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_ARCH_X86_64_LANES_H
#define SAMARA_ARCH_X86_64_LANES_H

/* What a lane of lanes_template.h is, and what all modes do with one. */

#include "arch/x86_64/lanes_call.h"
#include "common/secret.h"
#include <samara/memory.h>

#if SAMARA_ARCH_X86_64

#include <immintrin.h>

/* Steps of a run for which lanes without a message have room. */
enum { lanes_idle_steps = 16 };

typedef enum lane_stage {
  lane_idle,
  lane_first,
  lane_second, /* of GCM, whose first step makes the key of GHASH */
  lane_data,
  lane_payload,
  lane_last
} lane_stage;

typedef struct lane_message {
  samara_batch_message *message;
  const uint8_t *data;
  size_t data_size; /* left */
  size_t size;      /* left of the payload */
  uint64_t zero;    /* CCM, GCM: lower half of counter 0, as a number */
  lane_stage stage;
} lane_message;

/* What a step works with, of one lane. */
typedef struct lane_blocks {
  uint8_t *chain;           /* CBC; CBC-MAC; GHASH, as a number */
  uint8_t *number;          /* the counter */
  const uint8_t *keystream; /* of the step before */
  uint8_t *hash_key;
  uint8_t *block; /* what the step adds to the chain */
  const uint8_t **input;
  uint8_t **output;
} lane_blocks;

/* Blocks of which only the first `size` bytes, 0 to 16, count. They go through
 * words that overlap: a block that is written to memory in pieces cannot be
 * read back before they have reached the cache. */

SAMARA_INLINE uint64_t lane_word(const uint8_t *bytes, size_t size) {
  uint64_t word = 0;
  __builtin_memcpy(&word, bytes, size);
  return word;
}

SAMARA_INLINE uint64_t lane_load_short(const uint8_t *bytes, size_t size) {
  if (size >= 4) {
    return lane_word(bytes, 4) | lane_word(bytes + size - 4, 4)
                                     << (8 * (size - 4));
  }
  uint64_t word = 0;
  for (size_t i = size; i-- > 0;) {
    word = word << 8 | bytes[i];
  }
  return word;
}

/* The bytes, and zeros. */
SAMARA_INLINE __m128i lane_load_some(const uint8_t *bytes, size_t size) {
  if (size < 8) {
    return _mm_set_epi64x(0, (int64_t)lane_load_short(bytes, size));
  }
  const uint64_t high =
      size == 8 ? 0 : lane_word(bytes + size - 8, 8) >> (8 * (16 - size));
  return _mm_set_epi64x((int64_t)high, (int64_t)lane_word(bytes, 8));
}

SAMARA_INLINE void lane_store_short(uint8_t *bytes, uint64_t word,
                                    size_t size) {
  if (size >= 4) {
    const uint64_t last = word >> (8 * (size - 4));
    __builtin_memcpy(bytes, &word, 4);
    __builtin_memcpy(bytes + size - 4, &last, 4);
    return;
  }
  for (size_t i = 0; i < size; i++) {
    bytes[i] = (uint8_t)(word >> (8 * i));
  }
}

SAMARA_INLINE void lane_store_some(uint8_t *bytes, __m128i block, size_t size) {
  const uint64_t low = (uint64_t)_mm_cvtsi128_si64(block);
  const uint64_t high =
      (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(block, block));
  if (size < 8) {
    lane_store_short(bytes, low, size);
    return;
  }
  __builtin_memcpy(bytes, &low, 8);
  const uint64_t last =
      size == 8    ? low
      : size == 16 ? high
                   : low >> (8 * (size - 8)) | high << (8 * (16 - size));
  __builtin_memcpy(bytes + size - 8, &last, 8);
}

/* The same block with zeros behind the bytes that count. */
SAMARA_INLINE __m128i lane_keep_some(__m128i block, size_t size) {
  static const uint8_t ones_and_zeros[32] = {255, 255, 255, 255, 255, 255,
                                             255, 255, 255, 255, 255, 255,
                                             255, 255, 255, 255};
  return _mm_and_si128(
      block, _mm_loadu_si128((const __m128i *)(ones_and_zeros + 16 - size)));
}

SAMARA_INLINE void lane_store_block(uint8_t to[16], __m128i block) {
  _mm_storeu_si128((__m128i *)to, block);
}

SAMARA_INLINE __m128i lane_load_block(const uint8_t from[16]) {
  return _mm_loadu_si128((const __m128i *)from);
}

/* Two words as a block, of which they are the big-endian halves. */
SAMARA_INLINE __m128i lane_of_words(uint64_t high, uint64_t low) {
  return _mm_set_epi64x((int64_t)__builtin_bswap64(low),
                        (int64_t)__builtin_bswap64(high));
}

SAMARA_INLINE uint64_t lane_high_word(__m128i block) {
  return __builtin_bswap64((uint64_t)_mm_cvtsi128_si64(block));
}

SAMARA_INLINE uint64_t lane_low_word(__m128i block) {
  return lane_high_word(_mm_unpackhi_epi64(block, block));
}

/* A message's next block of up to 16 bytes, encrypted or decrypted; what
 * CBC-MAC or GHASH takes of it, and zeros: what comes out, or what goes in. */
SAMARA_INLINE __m128i lane_crypt(lane_message *lane, const lane_blocks *blocks,
                                 bool takes_output) {
  const size_t part = lane->size < 16 ? lane->size : 16;
  const __m128i from = lane_load_some(*blocks->input, part);
  const __m128i to = _mm_xor_si128(from, lane_load_block(blocks->keystream));
  lane_store_some(*blocks->output, to, part);
  *blocks->input += part;
  *blocks->output += part;
  lane->size -= part;
  return takes_output ? lane_keep_some(to, part) : from;
}

/* Whether two tags are equal, in the same time for all. */
SAMARA_INLINE bool lane_tag_is(__m128i tag, const uint8_t *bytes, size_t size) {
  const __m128i both =
      lane_keep_some(_mm_xor_si128(tag, lane_load_some(bytes, size)), size);
  const uint64_t difference = samara_hide64(
      (uint64_t)_mm_cvtsi128_si64(both) |
      (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(both, both)));
  return samara_declassify32((uint32_t)(difference | difference >> 32)) == 0;
}

/* Writes or checks the tag; the message is zeros when it is wrong. */
SAMARA_INLINE void lane_end(samara_batch_message *message, __m128i tag,
                            size_t tag_size, bool opening) {
  if (!opening) {
    lane_store_some(message->tag, tag, tag_size);
  } else if (!lane_tag_is(tag, message->tag, tag_size)) {
    samara_wipe(message->output, message->input_size);
    message->output_size = 0;
    message->result = SAMARA_ERROR_AUTHENTICATION;
  }
}

#endif

#endif
