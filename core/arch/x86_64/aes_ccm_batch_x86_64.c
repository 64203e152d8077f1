/* SPDX-License-Identifier: Apache-2.0 */
#include "arch/x86_64/aes_modes.h"
#include "block/aes_rounds.h"
#include "common/bytes.h"
#include "common/overlap.h"
#include "common/secret.h"
#include "common/wiped.h"
#include "mode/ccm_format.h"
#include "mode/names.h"

#if SAMARA_ARCH_X86_64

#include <immintrin.h>

/* What a lane of aes_ccm_batch_template.h does by itself. */

/* Steps of a run for which lanes without a message have room. */
enum { ccm_idle_steps = 16 };

/* Messages fewer than these are faster one by one. */
enum { ccm_batch_few = 3 };

/* Bytes of stack that a kernel uses beside its state. */
enum { ccm_batch_spilled = 1280 };

typedef struct ccm_batch_call {
  size_t tag_size;
  unsigned key_words;
  bool opening;
} ccm_batch_call;

typedef enum ccm_stage {
  ccm_idle,
  ccm_first,
  ccm_data,
  ccm_payload,
  ccm_last /* both blocks of the step are the message's last */
} ccm_stage;

typedef struct ccm_lane {
  samara_batch_message *message;
  const uint8_t *data;
  size_t data_size; /* left */
  size_t size;      /* left of the payload */
  uint64_t zero;    /* lower half of counter 0, as a number */
  ccm_stage stage;
} ccm_lane;

static const uint8_t ccm_no_key[32] = {0};

/* Blocks of which only the first `size` bytes, 0 to 16, count. They go through
 * words that overlap: a block that is written to memory in pieces cannot be
 * read back before they have reached the cache. */

SAMARA_INLINE uint64_t ccm_word(const uint8_t *bytes, size_t size) {
  uint64_t word = 0;
  __builtin_memcpy(&word, bytes, size);
  return word;
}

SAMARA_INLINE uint64_t ccm_load_short(const uint8_t *bytes, size_t size) {
  if (size >= 4) {
    return ccm_word(bytes, 4) | ccm_word(bytes + size - 4, 4)
                                    << (8 * (size - 4));
  }
  uint64_t word = 0;
  for (size_t i = size; i-- > 0;) {
    word = word << 8 | bytes[i];
  }
  return word;
}

/* The bytes, and zeros. */
SAMARA_INLINE __m128i ccm_load_some(const uint8_t *bytes, size_t size) {
  if (size < 8) {
    return _mm_set_epi64x(0, (int64_t)ccm_load_short(bytes, size));
  }
  const uint64_t high =
      size == 8 ? 0 : ccm_word(bytes + size - 8, 8) >> (8 * (16 - size));
  return _mm_set_epi64x((int64_t)high, (int64_t)ccm_word(bytes, 8));
}

SAMARA_INLINE void ccm_store_short(uint8_t *bytes, uint64_t word, size_t size) {
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

SAMARA_INLINE void ccm_store_some(uint8_t *bytes, __m128i block, size_t size) {
  const uint64_t low = (uint64_t)_mm_cvtsi128_si64(block);
  const uint64_t high =
      (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(block, block));
  if (size < 8) {
    ccm_store_short(bytes, low, size);
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
SAMARA_INLINE __m128i ccm_keep_some(__m128i block, size_t size) {
  static const uint8_t ones_and_zeros[32] = {255, 255, 255, 255, 255, 255,
                                             255, 255, 255, 255, 255, 255,
                                             255, 255, 255, 255};
  return _mm_and_si128(
      block, _mm_loadu_si128((const __m128i *)(ones_and_zeros + 16 - size)));
}

SAMARA_INLINE samara_ccm_input ccm_input_of(const samara_batch_message *message,
                                            size_t tag_size) {
  return (samara_ccm_input){
      message->nonce,           message->nonce_size,
      message->associated_data, message->associated_data_size,
      message->input_size,      tag_size};
}

/* Blocks of associated data, with its length in front. */
SAMARA_INLINE size_t ccm_data_blocks(const samara_batch_message *message) {
  const size_t size = message->associated_data_size;
  uint8_t length[samara_ccm_length_size_max];
  if (size == 0) {
    return 0;
  }
  /* Without a sum that overflows. */
  const size_t coded = samara_ccm_encode_length(length, size);
  return size / 16 + (size % 16 + coded + 15) / 16;
}

/* Two words as a block, of which they are the big-endian halves. */
SAMARA_INLINE void ccm_store_words(uint8_t block[16], uint64_t high,
                                   uint64_t low) {
  _mm_storeu_si128((__m128i *)block,
                   _mm_set_epi64x((int64_t)__builtin_bswap64(low),
                                  (int64_t)__builtin_bswap64(high)));
}

/* `block` is B_0 (SP 800-38C, A.2.1), whose length does not reach the nonce,
 * and `number` the counter of the lane's first step. */
SAMARA_INLINE void ccm_begin_lane(ccm_lane *lane, uint8_t number[16],
                                  uint8_t block[16],
                                  samara_batch_message *message,
                                  const ccm_batch_call *call) {
  /* Counter 0: flags, nonce, zeros. */
  const __m128i counter = _mm_or_si128(
      _mm_slli_si128(ccm_load_some(message->nonce, message->nonce_size), 1),
      _mm_cvtsi64_si128(14 - (int64_t)message->nonce_size));
  const uint64_t high = __builtin_bswap64((uint64_t)_mm_cvtsi128_si64(counter));
  const uint64_t low = __builtin_bswap64(
      (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(counter, counter)));
  const uint64_t has_data = message->associated_data_size != 0;
  const uint64_t flags = has_data << 6 | (call->tag_size - 2) / 2 << 3;
  ccm_store_words(block, high | flags << 56, low | message->input_size);
  _mm_storeu_si128(
      (__m128i *)number,
      _mm_set_epi64x((int64_t)high,
                     (int64_t)(low + 1 - ccm_data_blocks(message))));
  lane->message = message;
  lane->data = message->associated_data;
  lane->data_size = message->associated_data_size;
  lane->size = message->input_size;
  lane->zero = low;
  lane->stage = ccm_first;
}

/* The next block of associated data; the first begins with its length. */
SAMARA_INLINE __m128i ccm_data_block(ccm_lane *lane) {
  size_t part = lane->data_size < 16 ? lane->data_size : 16;
  __m128i block;
  if (lane->data == lane->message->associated_data) {
    uint8_t bytes[16] = {0};
    const size_t coded = samara_ccm_encode_length(bytes, lane->data_size);
    part = part < 16 - coded ? part : 16 - coded;
    samara_copy_bytes(bytes + coded, lane->data, part);
    block = _mm_loadu_si128((const __m128i *)bytes);
  } else {
    block = ccm_load_some(lane->data, part);
  }
  lane->data += part;
  lane->data_size -= part;
  return block;
}

/* Encrypts or decrypts the next 1 to 16 bytes; the plaintext, and zeros. */
SAMARA_INLINE __m128i ccm_payload_block(ccm_lane *lane, __m128i keystream,
                                        const uint8_t **input, uint8_t **output,
                                        bool opening) {
  const size_t part = lane->size < 16 ? lane->size : 16;
  const __m128i from = ccm_load_some(*input, part);
  const __m128i to = _mm_xor_si128(from, keystream);
  ccm_store_some(*output, to, part);
  *input += part;
  *output += part;
  lane->size -= part;
  return opening ? ccm_keep_some(to, part) : from;
}

/* The block that a lane's MAC takes in this step, and 0 as its counter if the
 * step is its last. */
SAMARA_INLINE void ccm_prepare_lane(ccm_lane *lane, uint8_t block[16],
                                    uint8_t number[16],
                                    const uint8_t keystream[16],
                                    const uint8_t **input, uint8_t **output,
                                    bool opening) {
  switch (lane->stage) {
  case ccm_first: /* ccm_begin_lane has made B_0 */
    break;
  case ccm_data:
    _mm_storeu_si128((__m128i *)block, ccm_data_block(lane));
    break;
  case ccm_payload:
    _mm_storeu_si128(
        (__m128i *)block,
        ccm_payload_block(lane, _mm_loadu_si128((const __m128i *)keystream),
                          input, output, opening));
    break;
  case ccm_idle:
  case ccm_last:
    return;
  }
  if (lane->data_size != 0) {
    lane->stage = ccm_data;
  } else if (lane->size != 0) {
    lane->stage = ccm_payload;
  } else {
    lane->stage = ccm_last;
    __builtin_memcpy(number, &lane->zero, sizeof lane->zero);
  }
}

/* How many whole blocks a lane can take one after the other, the last of its
 * message not among them. */
SAMARA_INLINE size_t ccm_lane_steps(const ccm_lane *lane) {
  if (lane->stage == ccm_payload) {
    return (lane->size - 1) / 16;
  }
  return lane->stage == ccm_idle ? ccm_idle_steps : 0;
}

/* Whether two tags are equal, in the same time for all. */
SAMARA_INLINE bool ccm_tag_is(__m128i tag, const uint8_t *bytes, size_t size) {
  const __m128i both =
      ccm_keep_some(_mm_xor_si128(tag, ccm_load_some(bytes, size)), size);
  const uint64_t difference = samara_hide64(
      (uint64_t)_mm_cvtsi128_si64(both) |
      (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(both, both)));
  return samara_declassify32((uint32_t)(difference | difference >> 32)) == 0;
}

SAMARA_INLINE void ccm_end_lane(const ccm_lane *lane, const uint8_t mac[16],
                                const uint8_t mask[16],
                                const ccm_batch_call *call, bool opening) {
  samara_batch_message *message = lane->message;
  const __m128i tag = _mm_xor_si128(_mm_loadu_si128((const __m128i *)mac),
                                    _mm_loadu_si128((const __m128i *)mask));
  message->output_size = message->input_size;
  if (!opening) {
    ccm_store_some(message->tag, tag, call->tag_size);
  } else if (!ccm_tag_is(tag, message->tag, call->tag_size)) {
    samara_wipe(message->output, message->input_size);
    message->output_size = 0;
    message->result = SAMARA_ERROR_AUTHENTICATION;
  }
}

#define WIDE aesni_lanes
#define WIDE_BLOCKS 1
#include "arch/x86_64/wide_template.h"

#include "arch/x86_64/aes_ccm_batch_template.h"

#include "arch/x86_64/wide_end_template.h"

#if SAMARA_X86_64_SETS & SAMARA_X86_64_VAES256
#define WIDE vaes256_lanes
#define WIDE_BLOCKS 2
#include "arch/x86_64/wide_template.h"

#include "arch/x86_64/aes_ccm_batch_template.h"

#include "arch/x86_64/wide_end_template.h"
#else /* never called */
#define vaes256_lanes_ccm_batch aesni_lanes_ccm_batch
#define vaes256_lanes_batch_state aesni_lanes_batch_state
#endif

#if SAMARA_X86_64_SETS & SAMARA_X86_64_VAES512
#define WIDE vaes512_lanes
#define WIDE_BLOCKS 4
#include "arch/x86_64/wide_template.h"

#include "arch/x86_64/aes_ccm_batch_template.h"

#include "arch/x86_64/wide_end_template.h"
#else /* never called */
#define vaes512_lanes_ccm_batch aesni_lanes_ccm_batch
#define vaes512_lanes_batch_state aesni_lanes_batch_state
#endif

/* Whether the lanes take the message: what they do not check. */
static samara_result ccm_check_message(const samara_batch_message *message,
                                       const ccm_batch_call *call) {
  const samara_ccm_input input = ccm_input_of(message, call->tag_size);
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

bool samara_aes_x86_64_ccm_batch(unsigned key_words, size_t tag_size,
                                 bool opening, samara_batch_message *messages,
                                 size_t count) {
  const ccm_batch_call call = {tag_size, key_words, opening};
  if (count < ccm_batch_few || !samara_x86_64_has(SAMARA_X86_64_AES)) {
    return false;
  }
  for (size_t i = 0; i < count; i++) {
    messages[i].output_size = 0;
    messages[i].result = ccm_check_message(&messages[i], &call);
  }
  if (samara_x86_64_has(SAMARA_X86_64_VAES512)) {
    vaes512_lanes_ccm_batch(&call, messages, count);
    samara_wipe_stack(sizeof(vaes512_lanes_batch_state) + ccm_batch_spilled);
  } else if (samara_x86_64_has(SAMARA_X86_64_VAES256)) {
    vaes256_lanes_ccm_batch(&call, messages, count);
    samara_wipe_stack(sizeof(vaes256_lanes_batch_state) + ccm_batch_spilled);
  } else {
    aesni_lanes_ccm_batch(&call, messages, count);
    samara_wipe_stack(sizeof(aesni_lanes_batch_state) + ccm_batch_spilled);
  }
  return true;
}

#endif
