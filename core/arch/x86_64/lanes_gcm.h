/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_ARCH_X86_64_LANES_GCM_H
#define SAMARA_ARCH_X86_64_LANES_GCM_H

/* What a lane of GCM does by itself. Its steps, for d blocks of associated data
 * and m of payload:
 *
 *   step                    GHASH        what is encrypted
 *   0                       (nothing)    zeros: the key of GHASH
 *   1 to d, 1 when d is 0   data         (counter 2 in the last of them)
 *   m steps                 ciphertext   counters 3 to m + 1, one for nothing
 *   the last                lengths      counter 1, which hides the tag
 *
 * Counters are those of nonces of 12 bytes (SP 800-38D, 7.1). Before its key
 * is there a lane hashes with what is in its place, and begins anew then. */

#include "arch/x86_64/lanes.h"
#include "common/overlap.h"
#include "mode/gcm_sizes.h"

#if SAMARA_ARCH_X86_64

static samara_result gcm_lane_check(const samara_batch_message *message,
                                    const samara_lanes_call *call) {
  const samara_result result = samara_gcm_check(
      message->nonce_size, message->associated_data_size, message->input_size);
  if (result == SAMARA_ERROR_MESSAGE_SIZE && call->opening) {
    return SAMARA_ERROR_CIPHERTEXT_SIZE;
  }
  if (result == SAMARA_OK &&
      samara_overlaps(message->output, message->input_size, message->input,
                      message->input_size)) {
    return SAMARA_ERROR_OVERLAP;
  }
  return result;
}

SAMARA_INLINE void gcm_lane_begin(lane_message *lane,
                                  const lane_blocks *blocks) {
  lane_store_block(blocks->block, _mm_setzero_si128());
  lane_store_block(blocks->number, _mm_setzero_si128());
  lane->zero = 0;
}

/* The key of GHASH times x: see clmul_key in ghash_x86_64.c. */
SAMARA_INLINE __m128i gcm_lane_key(__m128i block) {
  const uint64_t first = lane_high_word(block);
  const uint64_t second = lane_low_word(block);
  const uint64_t carry = 0 - (first >> 63);
  const uint64_t high =
      (first << 1 | second >> 63) ^ (carry & 0xc200000000000000);
  const uint64_t low = second << 1 ^ (carry & 1);
  return _mm_set_epi64x((int64_t)high, (int64_t)low);
}

/* The key of GHASH is there: the hash begins, and counting. */
SAMARA_INLINE void gcm_lane_start(lane_message *lane,
                                  const lane_blocks *blocks) {
  const samara_batch_message *message = lane->message;
  const __m128i nonce = lane_load_some(message->nonce, samara_gcm_nonce_size);
  const uint64_t data_blocks =
      lane->data_size / 16 + (lane->data_size % 16 != 0);
  const uint64_t steps = data_blocks == 0 ? 1 : data_blocks;
  lane->zero = lane_low_word(nonce);
  /* 2 in the last of the steps; the numbers before it have no use, and may
   * wrap as inc_32 does. */
  const uint64_t number = lane->zero | (uint32_t)(3 - steps);
  lane_store_block(
      blocks->number,
      _mm_set_epi64x((int64_t)lane_high_word(nonce), (int64_t)number));
  lane_store_block(blocks->hash_key,
                   gcm_lane_key(lane_load_block(blocks->keystream)));
  lane_store_block(blocks->chain, _mm_setzero_si128());
}

/* The next block of associated data, or zeros, which the hash of nothing does
 * not notice. */
SAMARA_INLINE __m128i gcm_lane_data(lane_message *lane) {
  const size_t part = lane->data_size < 16 ? lane->data_size : 16;
  if (part == 0) { /* there may be no address */
    return _mm_setzero_si128();
  }
  const __m128i block = lane_load_some(lane->data, part);
  lane->data += part;
  lane->data_size -= part;
  return block;
}

/* Both lengths in bits; and counter 1. */
SAMARA_INLINE void gcm_lane_lengths(const lane_message *lane,
                                    const lane_blocks *blocks) {
  const samara_batch_message *message = lane->message;
  const uint64_t one = lane->zero | 1;
  lane_store_block(blocks->block,
                   lane_of_words((uint64_t)message->associated_data_size * 8,
                                 (uint64_t)message->input_size * 8));
  __builtin_memcpy(blocks->number, &one, sizeof one);
}

/* The block that a lane's hash takes in this step. */
SAMARA_INLINE void gcm_lane_prepare(lane_message *lane,
                                    const lane_blocks *blocks, bool opening) {
  switch (lane->stage) {
  case lane_first:
    lane->stage = lane_second;
    return;
  case lane_second:
    gcm_lane_start(lane, blocks);
    lane_store_block(blocks->block, gcm_lane_data(lane));
    break;
  case lane_data:
    lane_store_block(blocks->block, gcm_lane_data(lane));
    break;
  case lane_payload:
    if (lane->size == 0) {
      gcm_lane_lengths(lane, blocks);
      lane->stage = lane_last;
      return;
    }
    lane_store_block(blocks->block, lane_crypt(lane, blocks, !opening));
    return;
  case lane_idle:
  case lane_last:
    return;
  }
  lane->stage = lane->data_size != 0 ? lane_data : lane_payload;
}

SAMARA_INLINE __m128i gcm_lane_tag(const lane_blocks *blocks) {
  const __m128i hash = lane_load_block(blocks->chain);
  const __m128i block = _mm_set_epi64x((int64_t)lane_high_word(hash),
                                       (int64_t)lane_low_word(hash));
  return _mm_xor_si128(block, lane_load_block(blocks->keystream));
}

#endif

#endif
