/* SPDX-License-Identifier: Apache-2.0 */
#include "aead/grain128aead_work.h"

#include "aead/define.h"
#include "arch/avr/grain128aead_avr.h"
#include "common/bytes.h"
#include "common/overlap.h"
#include "common/secret.h"
#include "common/stack.h"
#include "common/wiped.h"
#include <samara/memory.h>

#if SAMARA_ARCH_RV32
enum { grain128aead_stack = 160 };
#else
enum {
  grain128aead_stack =
      SAMARA_STACK_BYTES(SAMARA_ARCH_AVR_GRAIN ? 128 : 144, 256,
                         SAMARA_ARCH_ARMV7M ? 128 : 320, 512)
};
#endif

enum {
  grain128aead_stage_none = 0,
  grain128aead_stage_sealing = 1,
  grain128aead_stage_opening = 2
};

static void grain128aead_start(
    samara_grain128aead *state, const uint8_t key[samara_grain128aead_key_size],
    const uint8_t nonce[samara_grain128aead_nonce_size],
    const uint8_t *associated_data, size_t associated_data_size) {
  samara_grain128aead_begin(state, key, nonce, associated_data_size);
  samara_grain128aead_absorb(state, associated_data, associated_data_size);
}

void samara_grain128aead_wipe(samara_grain128aead *state) {
  samara_wipe(state, sizeof *state);
}

void samara_grain128aead_seal_init(
    samara_grain128aead *state, const uint8_t key[samara_grain128aead_key_size],
    const uint8_t nonce[samara_grain128aead_nonce_size],
    const uint8_t *associated_data, size_t associated_data_size) {
  grain128aead_start(state, key, nonce, associated_data, associated_data_size);
  state->stage = grain128aead_stage_sealing;
  samara_wipe_stack(grain128aead_stack);
}

samara_result samara_grain128aead_seal_update(samara_grain128aead *state,
                                              uint8_t *ciphertext,
                                              const uint8_t *message,
                                              size_t size) {
  if (state->stage != grain128aead_stage_sealing) {
    return SAMARA_ERROR_STATE;
  }
  if (samara_overlaps(ciphertext, size, message, size)) {
    return SAMARA_ERROR_OVERLAP;
  }
  samara_grain128aead_encrypt(state, ciphertext, message, size);
  return samara_leave(SAMARA_OK, grain128aead_stack);
}

samara_result
samara_grain128aead_seal_finish(samara_grain128aead *state,
                                uint8_t tag[samara_grain128aead_tag_size]) {
  if (state->stage != grain128aead_stage_sealing) {
    return SAMARA_ERROR_STATE;
  }
  samara_grain128aead_finish(state, tag);
  samara_grain128aead_wipe(state);
  return samara_leave(SAMARA_OK, grain128aead_stack);
}

void samara_grain128aead_unverified_open_init(
    samara_grain128aead *state, const uint8_t key[samara_grain128aead_key_size],
    const uint8_t nonce[samara_grain128aead_nonce_size],
    const uint8_t *associated_data, size_t associated_data_size) {
  grain128aead_start(state, key, nonce, associated_data, associated_data_size);
  state->stage = grain128aead_stage_opening;
  samara_wipe_stack(grain128aead_stack);
}

samara_result samara_grain128aead_unverified_open_update(
    samara_grain128aead *state, uint8_t *message, const uint8_t *ciphertext,
    size_t size) {
  if (state->stage != grain128aead_stage_opening) {
    return SAMARA_ERROR_STATE;
  }
  if (samara_overlaps(message, size, ciphertext, size)) {
    return SAMARA_ERROR_OVERLAP;
  }
  samara_grain128aead_decrypt(state, message, ciphertext, size);
  return samara_leave(SAMARA_OK, grain128aead_stack);
}

samara_result samara_grain128aead_unverified_open_finish(
    samara_grain128aead *state,
    const uint8_t tag[samara_grain128aead_tag_size]) {
  if (state->stage != grain128aead_stage_opening) {
    return SAMARA_ERROR_STATE;
  }
  uint8_t expected[samara_grain128aead_tag_size];
  SAMARA_WIPED(expected);
  samara_grain128aead_finish(state, expected);
  samara_grain128aead_wipe(state);
  const bool genuine = samara_equal(expected, tag, sizeof expected);
  return samara_leave(genuine ? SAMARA_OK : SAMARA_ERROR_AUTHENTICATION,
                      grain128aead_stack);
}

#if !SAMARA_ARCH_GRAIN128AEAD_CALLS /* these two, in core/arch */

samara_result samara_grain128aead_seal(
    const uint8_t key[samara_grain128aead_key_size], uint8_t *ciphertext,
    uint8_t tag[samara_grain128aead_tag_size],
    const uint8_t nonce[samara_grain128aead_nonce_size],
    const uint8_t *associated_data, size_t associated_data_size,
    const uint8_t *message, size_t message_size) {
  if (samara_overlaps(ciphertext, message_size, message, message_size)) {
    return SAMARA_ERROR_OVERLAP;
  }
  samara_grain128aead state;
  SAMARA_WIPED(state);
  grain128aead_start(&state, key, nonce, associated_data, associated_data_size);
  samara_grain128aead_encrypt(&state, ciphertext, message, message_size);
  samara_grain128aead_finish(&state, tag);
  return samara_leave(SAMARA_OK, grain128aead_stack);
}

samara_result samara_grain128aead_open(
    const uint8_t key[samara_grain128aead_key_size], uint8_t *message,
    const uint8_t tag[samara_grain128aead_tag_size],
    const uint8_t nonce[samara_grain128aead_nonce_size],
    const uint8_t *associated_data, size_t associated_data_size,
    const uint8_t *ciphertext, size_t ciphertext_size) {
  return samara_grain128aead_open_truncated(
      key, message, tag, samara_grain128aead_tag_size, nonce, associated_data,
      associated_data_size, ciphertext, ciphertext_size);
}

#endif

/* Whether a tag may have this size: 0 for encryption alone. */
static bool grain128aead_has_tag_size(size_t tag_size) {
  return tag_size == 0 || (tag_size >= samara_grain128aead_tag_size_min &&
                           tag_size <= samara_grain128aead_tag_size);
}

/* All but the checks and the start, which differ. */
static samara_result grain128aead_seal_started(samara_grain128aead *state,
                                               uint8_t *ciphertext,
                                               uint8_t *tag, size_t tag_size,
                                               const uint8_t *message,
                                               size_t message_size) {
  uint8_t whole[samara_grain128aead_tag_size];
  SAMARA_WIPED(whole);
  samara_grain128aead_encrypt(state, ciphertext, message, message_size);
  samara_grain128aead_finish(state, whole);
  for (size_t i = 0; i < tag_size && i < sizeof whole; i++) {
    tag[i] = whole[i];
  }
  return samara_leave(SAMARA_OK, grain128aead_stack);
}

static samara_result
grain128aead_open_started(samara_grain128aead *state, uint8_t *message,
                          const uint8_t *tag, size_t tag_size,
                          const uint8_t *ciphertext, size_t ciphertext_size) {
  uint8_t expected[samara_grain128aead_tag_size];
  SAMARA_WIPED(expected);
  samara_grain128aead_decrypt(state, message, ciphertext, ciphertext_size);
  samara_grain128aead_finish(state, expected);
  const bool genuine = samara_equal(expected, tag, tag_size);
  if (!genuine) {
    samara_wipe(message, ciphertext_size);
  }
  return samara_leave(genuine ? SAMARA_OK : SAMARA_ERROR_AUTHENTICATION,
                      grain128aead_stack);
}

samara_result samara_grain128aead_seal_truncated(
    const uint8_t key[samara_grain128aead_key_size], uint8_t *ciphertext,
    uint8_t *tag, size_t tag_size,
    const uint8_t nonce[samara_grain128aead_nonce_size],
    const uint8_t *associated_data, size_t associated_data_size,
    const uint8_t *message, size_t message_size) {
  if (!grain128aead_has_tag_size(tag_size)) {
    return SAMARA_ERROR_TAG_SIZE;
  }
#if SAMARA_ARCH_AVR_GRAIN
  return samara_grain128aead_avr_call(key, ciphertext, tag, nonce,
                                      associated_data, associated_data_size,
                                      message, message_size, (uint8_t)tag_size);
#else
  if (samara_overlaps(ciphertext, message_size, message, message_size)) {
    return SAMARA_ERROR_OVERLAP;
  }
  samara_grain128aead state;
  SAMARA_WIPED(state);
  grain128aead_start(&state, key, nonce, associated_data, associated_data_size);
  return grain128aead_seal_started(&state, ciphertext, tag, tag_size, message,
                                   message_size);
#endif
}

samara_result samara_grain128aead_open_truncated(
    const uint8_t key[samara_grain128aead_key_size], uint8_t *message,
    const uint8_t *tag, size_t tag_size,
    const uint8_t nonce[samara_grain128aead_nonce_size],
    const uint8_t *associated_data, size_t associated_data_size,
    const uint8_t *ciphertext, size_t ciphertext_size) {
  if (!grain128aead_has_tag_size(tag_size)) {
    return SAMARA_ERROR_TAG_SIZE;
  }
#if SAMARA_ARCH_AVR_GRAIN
  return samara_grain128aead_avr_call(
      key, message, (uint8_t *)tag, nonce, associated_data,
      associated_data_size, ciphertext, ciphertext_size,
      (uint8_t)(tag_size | samara_grain128aead_avr_opening));
#else
  if (samara_overlaps(message, ciphertext_size, ciphertext, ciphertext_size)) {
    return SAMARA_ERROR_OVERLAP;
  }
  samara_grain128aead state;
  SAMARA_WIPED(state);
  grain128aead_start(&state, key, nonce, associated_data, associated_data_size);
  return grain128aead_open_started(&state, message, tag, tag_size, ciphertext,
                                   ciphertext_size);
#endif
}

/* Frames: the level, the last byte of a frame's nonce, goes in front of the
 * associated data. It need not lie there in memory, so a frame is its own
 * associated data and no copy is made. */
static void grain128aead_start_frame(
    samara_grain128aead *state, const uint8_t key[samara_grain128aead_key_size],
    const uint8_t nonce[samara_ieee802154_nonce_size],
    const uint8_t *associated_data, size_t associated_data_size) {
  samara_grain128aead_begin(state, key, nonce, 1 + associated_data_size);
  samara_grain128aead_absorb(state, nonce + samara_grain128aead_nonce_size, 1);
  samara_grain128aead_absorb(state, associated_data, associated_data_size);
}

static samara_result grain128aead_frame_seal(const uint8_t *key, uint8_t *mic,
                                             size_t mic_size,
                                             const uint8_t *nonce,
                                             const uint8_t *associated_data,
                                             size_t associated_data_size,
                                             uint8_t *text, size_t text_size) {
  samara_grain128aead state;
  SAMARA_WIPED(state);
  grain128aead_start_frame(&state, key, nonce, associated_data,
                           associated_data_size);
  return grain128aead_seal_started(&state, text, mic, mic_size, text,
                                   text_size);
}

static samara_result
grain128aead_frame_open(const uint8_t *key, const uint8_t *mic, size_t mic_size,
                        const uint8_t *nonce, const uint8_t *associated_data,
                        size_t associated_data_size, uint8_t *text,
                        size_t text_size) {
  samara_grain128aead state;
  SAMARA_WIPED(state);
  grain128aead_start_frame(&state, key, nonce, associated_data,
                           associated_data_size);
  return grain128aead_open_started(&state, text, mic, mic_size, text,
                                   text_size);
}

const samara_ieee802154_cipher samara_ieee802154_grain128aead = {
    samara_grain128aead_key_size, samara_grain128aead_tag_size, false,
    grain128aead_frame_seal, grain128aead_frame_open};

#if SAMARA_WORD_BITS == 64
/* The batch calls are in grain128aead_batch.c. */
SAMARA_DEFINE_AEAD_TABLE(grain128aead)
#else
SAMARA_DEFINE_AEAD(grain128aead)
#endif
