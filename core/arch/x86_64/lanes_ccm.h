/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_ARCH_X86_64_LANES_CCM_H
#define SAMARA_ARCH_X86_64_LANES_CCM_H

/* What a lane of CCM does by itself. Its steps, for d blocks of associated data
 * and m of payload:
 *
 *   step              CBC-MAC       counter
 *   0                 B_0           (1 when d is 0)
 *   1 to d            data          (1 in step d)
 *   d + 1 to d + m    payload       2 to m
 *   d + m, the last                 0, which hides the tag
 *
 * The first counter is 1 - d: it counts up in every step. */

#include "arch/x86_64/lanes.h"
#include "common/bytes.h"
#include "common/overlap.h"
#include "mode/ccm_format.h"

#if SAMARA_ARCH_X86_64

SAMARA_INLINE samara_ccm_input
ccm_lane_input(const samara_batch_message *message, size_t tag_size) {
  return (samara_ccm_input){
      message->nonce,           message->nonce_size,
      message->associated_data, message->associated_data_size,
      message->input_size,      tag_size};
}

/* Whether the lanes take the message: what they do not check. */
static samara_result ccm_lane_check(const samara_batch_message *message,
                                    const samara_lanes_call *call) {
  const samara_ccm_input input = ccm_lane_input(message, call->tag_size);
  const samara_result result = samara_ccm_check(&input);
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

/* Blocks of associated data, with its length in front. */
SAMARA_INLINE size_t ccm_lane_data_blocks(const samara_batch_message *message) {
  const size_t size = message->associated_data_size;
  uint8_t length[samara_ccm_length_size_max];
  if (size == 0) {
    return 0;
  }
  /* Without a sum that overflows. */
  const size_t coded = samara_ccm_encode_length(length, size);
  return size / 16 + (size % 16 + coded + 15) / 16;
}

/* The block is B_0 (SP 800-38C, A.2.1), whose length does not reach the nonce,
 * and the number the counter of the lane's first step. */
SAMARA_INLINE void ccm_lane_begin(lane_message *lane, const lane_blocks *blocks,
                                  const samara_lanes_call *call) {
  const samara_batch_message *message = lane->message;
  /* Counter 0: flags, nonce, zeros. */
  const __m128i counter = _mm_or_si128(
      _mm_slli_si128(lane_load_some(message->nonce, message->nonce_size), 1),
      _mm_cvtsi64_si128(14 - (int64_t)message->nonce_size));
  const uint64_t high = lane_high_word(counter);
  const uint64_t low = lane_low_word(counter);
  const uint64_t has_data = message->associated_data_size != 0;
  const uint64_t flags = has_data << 6 | (call->tag_size - 2) / 2 << 3;
  lane_store_block(blocks->chain, _mm_setzero_si128());
  lane_store_block(blocks->block, lane_of_words(high | flags << 56,
                                                low | message->input_size));
  lane_store_block(
      blocks->number,
      _mm_set_epi64x((int64_t)high,
                     (int64_t)(low + 1 - ccm_lane_data_blocks(message))));
  lane->zero = low;
}

/* The next block of associated data; the first begins with its length. */
SAMARA_INLINE __m128i ccm_lane_data(lane_message *lane) {
  size_t part = lane->data_size < 16 ? lane->data_size : 16;
  __m128i block;
  if (lane->data == lane->message->associated_data) {
    uint8_t bytes[16] = {0};
    const size_t coded = samara_ccm_encode_length(bytes, lane->data_size);
    part = part < 16 - coded ? part : 16 - coded;
    samara_copy_bytes(bytes + coded, lane->data, part);
    block = lane_load_block(bytes);
  } else {
    block = lane_load_some(lane->data, part);
  }
  lane->data += part;
  lane->data_size -= part;
  return block;
}

/* The block that a lane's MAC takes in this step, and 0 as its counter if the
 * step is its last. */
SAMARA_INLINE void ccm_lane_prepare(lane_message *lane,
                                    const lane_blocks *blocks, bool opening) {
  switch (lane->stage) {
  case lane_first: /* ccm_lane_begin has made B_0 */
    break;
  case lane_data:
    lane_store_block(blocks->block, ccm_lane_data(lane));
    break;
  case lane_payload:
    lane_store_block(blocks->block, lane_crypt(lane, blocks, opening));
    break;
  case lane_idle:
  case lane_second:
  case lane_last:
    return;
  }
  if (lane->data_size != 0) {
    lane->stage = lane_data;
  } else if (lane->size != 0) {
    lane->stage = lane_payload;
  } else {
    lane->stage = lane_last;
    __builtin_memcpy(blocks->number, &lane->zero, sizeof lane->zero);
  }
}

SAMARA_INLINE __m128i ccm_lane_tag(const lane_blocks *blocks) {
  return _mm_xor_si128(lane_load_block(blocks->chain),
                       lane_load_block(blocks->keystream));
}

#endif

#endif
