/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_ARCH_X86_64_LANES_PLAIN_H
#define SAMARA_ARCH_X86_64_LANES_PLAIN_H

/* What lanes of CTR and of encryption by CBC do by themselves. CTR makes its
 * first keystream block in a step of its own; CBC pads its last block. */

#include "arch/x86_64/lanes.h"
#include "common/overlap.h"
#include "mode/padding.h"
#include <samara/cbc.h>
#include <samara/ctr.h>

#if SAMARA_ARCH_X86_64

static samara_result plain_lane_check(const samara_batch_message *message,
                                      const samara_lanes_call *call) {
  size_t size = message->input_size;
  if (message->nonce_size != 16) {
    return SAMARA_ERROR_NONCE_SIZE;
  }
  if (message->associated_data_size != 0) {
    return SAMARA_ERROR_ASSOCIATED_DATA_SIZE;
  }
  if (call->mode == samara_lanes_cbc) {
    size = samara_cbc_ciphertext_size(size);
    if (size == 0) {
      return SAMARA_ERROR_MESSAGE_SIZE;
    }
  }
  return samara_overlaps(message->output, size, message->input,
                         message->input_size)
             ? SAMARA_ERROR_OVERLAP
             : SAMARA_OK;
}

/* Whether counting carries out of the lower half of the counter, where lanes
 * count. */
SAMARA_INLINE bool ctr_lane_carries(const samara_batch_message *message) {
  const uint64_t room =
      UINT64_MAX - lane_low_word(lane_load_block(message->nonce));
  return message->input_size / 16 >= room;
}

SAMARA_INLINE void ctr_lane_begin(const lane_message *lane,
                                  const lane_blocks *blocks) {
  const __m128i counter = lane_load_block(lane->message->nonce);
  lane_store_block(blocks->number,
                   _mm_set_epi64x((int64_t)lane_high_word(counter),
                                  (int64_t)lane_low_word(counter)));
}

SAMARA_INLINE void ctr_lane_prepare(lane_message *lane,
                                    const lane_blocks *blocks) {
  if (lane->stage == lane_payload) {
    (void)lane_crypt(lane, blocks, false);
  } else if (lane->stage != lane_first) {
    return;
  }
  lane->stage = lane->size != 0 ? lane_payload : lane_last;
}

SAMARA_INLINE void cbc_lane_begin(const lane_message *lane,
                                  const lane_blocks *blocks) {
  lane_store_block(blocks->chain, lane_load_block(lane->message->nonce));
}

SAMARA_INLINE void cbc_lane_prepare(lane_message *lane,
                                    const lane_blocks *blocks) {
  if (lane->stage == lane_idle) {
    return;
  }
  if (lane->size >= 16) {
    lane_store_block(blocks->block, lane_load_block(*blocks->input));
    *blocks->input += 16;
    lane->size -= 16;
    lane->stage = lane_payload;
  } else {
    samara_pad_block(blocks->block, *blocks->input, (unsigned)lane->size);
    lane->stage = lane_last;
  }
}

/* What a step has encrypted. */
SAMARA_INLINE void cbc_lane_write(const lane_message *lane,
                                  const lane_blocks *blocks) {
  if (lane->stage != lane_idle) {
    lane_store_block(*blocks->output, lane_load_block(blocks->chain));
    *blocks->output += 16;
  }
}

#endif

#endif
