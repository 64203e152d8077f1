/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_ARCH_X86_64_LANES_MODES_H
#define SAMARA_ARCH_X86_64_LANES_MODES_H

/* All modes that lanes_template.h has, and which messages it takes. */

#include "arch/x86_64/lanes.h"
#include "arch/x86_64/lanes_ccm.h"
#include "arch/x86_64/lanes_gcm.h"
#include "arch/x86_64/lanes_plain.h"

#if SAMARA_ARCH_X86_64

/* Of lanes without a message. */
static const uint8_t lanes_no_key[32] = {0};

/* How many whole blocks a lane can take one after the other, the last of its
 * message not among them. */
SAMARA_INLINE size_t lane_steps(const lane_message *lane,
                                samara_lanes_mode mode) {
  if (lane->stage == lane_idle) {
    return lanes_idle_steps;
  }
  if (mode == samara_lanes_cbc) {
    return lane->size / 16;
  }
  if (lane->stage != lane_payload || lane->size == 0) {
    return 0;
  }
  return (lane->size - 1) / 16;
}

SAMARA_INLINE size_t lane_output_size(const lane_message *lane,
                                      samara_lanes_mode mode) {
  const size_t size = lane->message->input_size;
  return mode == samara_lanes_cbc ? samara_cbc_ciphertext_size(size) : size;
}

/* Whether the mode takes the message: what the lanes do not check. */
SAMARA_INLINE samara_result lanes_check(const samara_batch_message *message,
                                        const samara_lanes_call *call) {
  switch (call->mode) {
  case samara_lanes_ccm:
    return ccm_lane_check(message, call);
  case samara_lanes_gcm:
    return gcm_lane_check(message, call);
  case samara_lanes_ctr:
  case samara_lanes_cbc:
    break;
  }
  return plain_lane_check(message, call);
}

/* Whether the lanes take what the mode does. */
SAMARA_INLINE bool lanes_suits(const samara_batch_message *message,
                               samara_lanes_mode mode) {
  if (mode == samara_lanes_gcm) {
    return message->nonce_size == samara_gcm_nonce_size;
  }
  return mode != samara_lanes_ctr || !ctr_lane_carries(message);
}

/* Fills in results and sizes of messages that are refused. False if the lanes
 * cannot take one of the others: then they take none. */
static bool lanes_check_all(const samara_lanes_call *call,
                            samara_batch_message *messages, size_t count) {
  for (size_t i = 0; i < count; i++) {
    messages[i].output_size = 0;
    messages[i].result = lanes_check(&messages[i], call);
    if (messages[i].result == SAMARA_OK &&
        !lanes_suits(&messages[i], call->mode)) {
      return false;
    }
  }
  return true;
}

#endif

#endif
