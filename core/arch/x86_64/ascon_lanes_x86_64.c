/* SPDX-License-Identifier: Apache-2.0 */
#include "arch/x86_64/ascon.h"
#include "arch/x86_64/lanes.h"
#include "common/bytes.h"
#include "common/overlap.h"
#include "common/stack.h"
#include <samara/ascon_aead128.h>

#if SAMARA_ARCH_X86_64

/* Messages fewer than these are faster one by one. */
enum { ascon_lanes_few = 2 };

/* Bytes of stack that a kernel uses beside its state. */
enum { ascon_lanes_spilled = 1280 };

typedef enum ascon_lane_stage {
  ascon_lane_idle,
  ascon_lane_first,
  ascon_lane_data,
  ascon_lane_data_ends, /* with this step */
  ascon_lane_payload,
  ascon_lane_last
} ascon_lane_stage;

typedef struct ascon_lane {
  samara_batch_message *message;
  const uint8_t *data;
  size_t data_size; /* left */
  size_t size;      /* left of the payload */
  ascon_lane_stage stage;
} ascon_lane;

/* The 1 bit behind `size` bytes, 0 to 15, that ends a string. */
SAMARA_INLINE __m128i ascon_end_mark(size_t size) {
  static const uint8_t one_and_zeros[31] = {[15] = 1};
  return lane_load_block(one_and_zeros + 15 - size);
}

#define WIDE avx2_ascon
#define WIDE_BLOCKS 2
#define WIDE_WITHOUT_AES
#include "arch/x86_64/wide_template.h"

#include "arch/x86_64/wide_words_template.h"

#include "arch/x86_64/ascon_lanes_template.h"

#include "arch/x86_64/wide_end_template.h"

#if SAMARA_X86_64_SETS & SAMARA_X86_64_AVX512
#define WIDE avx512_ascon
#define WIDE_BLOCKS 4
#include "arch/x86_64/wide_template.h"

#include "arch/x86_64/wide_words_template.h"

#include "arch/x86_64/ascon_lanes_template.h"

#include "arch/x86_64/wide_end_template.h"
#else /* never called */
#define avx512_ascon_batch avx2_ascon_batch
#define avx512_ascon_lanes_state avx2_ascon_lanes_state
#endif

#undef WIDE_WITHOUT_AES

/* What the lanes do not check. */
static samara_result ascon_lanes_check(const samara_batch_message *message) {
  if (message->nonce_size != samara_ascon_aead128_nonce_size) {
    return SAMARA_ERROR_NONCE_SIZE;
  }
  return samara_overlaps(message->output, message->input_size, message->input,
                         message->input_size)
             ? SAMARA_ERROR_OVERLAP
             : SAMARA_OK;
}

bool samara_ascon_x86_64_batch(samara_batch_message *messages, size_t count,
                               bool opening) {
  if (count < ascon_lanes_few || !samara_x86_64_has(SAMARA_X86_64_AVX2)) {
    return false;
  }
  for (size_t i = 0; i < count; i++) {
    messages[i].output_size = 0;
    messages[i].result = ascon_lanes_check(&messages[i]);
  }
  if (samara_x86_64_has(SAMARA_X86_64_AVX512)) {
    avx512_ascon_batch(messages, count, opening);
    samara_wipe_stack(sizeof(avx512_ascon_lanes_state) + ascon_lanes_spilled);
  } else {
    avx2_ascon_batch(messages, count, opening);
    samara_wipe_stack(sizeof(avx2_ascon_lanes_state) + ascon_lanes_spilled);
  }
  return true;
}

#endif
