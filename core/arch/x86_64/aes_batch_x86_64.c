/* SPDX-License-Identifier: Apache-2.0 */
#include "arch/x86_64/lanes.h"
#include "arch/x86_64/lanes_ccm.h"
#include "arch/x86_64/lanes_gcm.h"
#include "arch/x86_64/lanes_plain.h"
#include "block/aes_rounds.h"
#include "common/wiped.h"
#include "mode/names.h"

#if SAMARA_ARCH_X86_64

/* Messages fewer than these are faster one by one. */
enum { aes_batch_few = 3 };

/* Bytes of stack that a kernel uses beside its state. */
enum { aes_batch_spilled = 1280 };

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

#define WIDE aesni_lanes
#define WIDE_BLOCKS 1
#include "arch/x86_64/wide_template.h"

#include "arch/x86_64/lanes_template.h"

#include "arch/x86_64/wide_end_template.h"

#if SAMARA_X86_64_SETS & SAMARA_X86_64_VAES256
#define WIDE vaes256_lanes
#define WIDE_BLOCKS 2
#include "arch/x86_64/wide_template.h"

#include "arch/x86_64/lanes_template.h"

#include "arch/x86_64/wide_end_template.h"
#else /* never called */
#define vaes256_lanes_batch aesni_lanes_batch
#define vaes256_lanes_batch_state aesni_lanes_batch_state
#endif

#if SAMARA_X86_64_SETS & SAMARA_X86_64_VAES512
#define WIDE vaes512_lanes
#define WIDE_BLOCKS 4
#include "arch/x86_64/wide_template.h"

#include "arch/x86_64/lanes_template.h"

#include "arch/x86_64/wide_end_template.h"
#else /* never called */
#define vaes512_lanes_batch aesni_lanes_batch
#define vaes512_lanes_batch_state aesni_lanes_batch_state
#endif

/* Whether the mode takes the message: what the lanes do not check. */
static samara_result lanes_check(const samara_batch_message *message,
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
static bool lanes_suits(const samara_batch_message *message,
                        samara_lanes_mode mode) {
  if (mode == samara_lanes_gcm) {
    return message->nonce_size == samara_gcm_nonce_size;
  }
  return mode != samara_lanes_ctr || !ctr_lane_carries(message);
}

bool samara_aes_x86_64_batch(const samara_lanes_call *call,
                             samara_batch_message *messages, size_t count) {
  if (count < aes_batch_few || !samara_x86_64_has(SAMARA_X86_64_AES)) {
    return false;
  }
  for (size_t i = 0; i < count; i++) {
    messages[i].output_size = 0;
    messages[i].result = lanes_check(&messages[i], call);
    if (messages[i].result == SAMARA_OK &&
        !lanes_suits(&messages[i], call->mode)) {
      return false;
    }
  }
  if (samara_x86_64_has(SAMARA_X86_64_VAES512)) {
    vaes512_lanes_batch(call, messages, count);
    samara_wipe_stack(sizeof(vaes512_lanes_batch_state) + aes_batch_spilled);
  } else if (samara_x86_64_has(SAMARA_X86_64_VAES256)) {
    vaes256_lanes_batch(call, messages, count);
    samara_wipe_stack(sizeof(vaes256_lanes_batch_state) + aes_batch_spilled);
  } else {
    aesni_lanes_batch(call, messages, count);
    samara_wipe_stack(sizeof(aesni_lanes_batch_state) + aes_batch_spilled);
  }
  return true;
}

#endif
