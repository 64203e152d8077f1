/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_AEAD_DEFINE_H
#define SAMARA_AEAD_DEFINE_H

/* What every AEAD by itself has, made of samara_NAME_seal, _open,
 * _seal_truncated and _open_truncated: written once, at the end of its source.
 */

#include "common/batch.h"
#include "common/bytes.h"
#include <samara/aead.h>
#include <samara/ieee802154_cipher.h>

/* samara_NAME_seal_batch or samara_NAME_open_batch: `together`, a function of
 * the messages and their number, may take them all; else one by one. */
#define SAMARA_DEFINE_AEAD_BATCH(name, verb, together)                         \
  static samara_result name##_##verb##_one(const void *unused,                 \
                                           samara_batch_message *message) {    \
    (void)unused;                                                              \
    if (message->nonce_size != samara_##name##_nonce_size) {                   \
      return SAMARA_ERROR_NONCE_SIZE;                                          \
    }                                                                          \
    message->output_size = message->input_size;                                \
    return samara_##name##_##verb(message->key, message->output, message->tag, \
                                  message->nonce, message->associated_data,    \
                                  message->associated_data_size,               \
                                  message->input, message->input_size);        \
  }                                                                            \
  samara_result samara_##name##_##verb##_batch(samara_batch_message *messages, \
                                               size_t count) {                 \
    if (together(messages, count)) {                                           \
      return samara_leave(samara_batch_result(messages, count),                \
                          samara_batch_stack);                                 \
    }                                                                          \
    return samara_batch_run(name##_##verb##_one, NULL, messages, count);       \
  }

/* A call of samara_NAME_aead, which lists no tag of 0 bytes: with that,
 * anything would be genuine. */
#define SAMARA_DEFINE_AEAD_CALL(name, verb, tag_type, output, input)           \
  static samara_result name##_aead_##verb(                                     \
      const void *state, uint8_t *output, tag_type *tag, size_t tag_size,      \
      const uint8_t nonce[samara_aead_nonce_size],                             \
      const uint8_t *associated_data, size_t associated_data_size,             \
      const uint8_t *input, size_t input##_size) {                             \
    if (tag_size == 0) {                                                       \
      return SAMARA_ERROR_TAG_SIZE;                                            \
    }                                                                          \
    uint8_t wide[samara_##name##_nonce_size];                                  \
    samara_zero_bytes(wide, sizeof wide);                                      \
    samara_copy_bytes(wide, nonce, samara_aead_nonce_size);                    \
    return samara_##name##_##verb##_truncated(                                 \
        state, output, tag, tag_size, wide, associated_data,                   \
        associated_data_size, input, input##_size);                            \
  }

/* For who has nothing that takes messages together. */
#define SAMARA_AEAD_ONE_BY_ONE(messages, count) false

/* All that samara/aead.h declares, beside the four calls. */
#define SAMARA_DEFINE_AEAD(name)                                               \
  SAMARA_DEFINE_AEAD_BATCHES(name)                                             \
  SAMARA_DEFINE_AEAD_TABLE(name)

/* Without samara_NAME_aead, for a nonce of fewer than 12 bytes. */
#define SAMARA_DEFINE_AEAD_BATCHES(name)                                       \
  SAMARA_DEFINE_AEAD_BATCH(name, seal, SAMARA_AEAD_ONE_BY_ONE)                 \
  SAMARA_DEFINE_AEAD_BATCH(name, open, SAMARA_AEAD_ONE_BY_ONE)

/* Without the batch calls, for who writes them otherwise. */
#define SAMARA_DEFINE_AEAD_TABLE(name)                                         \
  _Static_assert((int)samara_##name##_nonce_size >=                            \
                     (int)samara_aead_nonce_size,                              \
                 "samara_aead needs a nonce of 12 bytes: " #name);             \
  _Static_assert((int)samara_##name##_tag_size <=                              \
                     (int)samara_aead_tag_size_max,                            \
                 "samara_aead has tags of 16 bytes at most: " #name);          \
  static void name##_aead_set_key(void *state, const uint8_t *key) {           \
    samara_copy_bytes(state, key, samara_##name##_key_size);                   \
  }                                                                            \
  SAMARA_DEFINE_AEAD_CALL(name, seal, uint8_t, ciphertext, message)            \
  SAMARA_DEFINE_AEAD_CALL(name, open, const uint8_t, message, ciphertext)      \
  const samara_aead samara_##name##_aead = {                                   \
      ((uint32_t)2 << samara_##name##_tag_size) -                              \
          ((uint32_t)1 << samara_##name##_tag_size_min),                       \
      samara_##name##_key_size,                                                \
      samara_##name##_key_size,                                                \
      name##_aead_set_key,                                                     \
      name##_aead_seal,                                                        \
      name##_aead_open};

/* A call of samara_ieee802154_NAME. */
#define SAMARA_DEFINE_FRAME_CALL(name, verb, mic_type)                         \
  static samara_result name##_frame_##verb(                                    \
      const uint8_t *key, mic_type *mic, size_t mic_size,                      \
      const uint8_t *nonce, const uint8_t *associated_data,                    \
      size_t associated_data_size, uint8_t *text, size_t text_size) {          \
    uint8_t wide[samara_##name##_nonce_size];                                  \
    samara_zero_bytes(wide, sizeof wide);                                      \
    samara_copy_bytes(wide, nonce, samara_ieee802154_nonce_size);              \
    return samara_##name##_##verb##_truncated(                                 \
        key, text, mic, mic_size, wide, associated_data, associated_data_size, \
        text, text_size);                                                      \
  }

/* The cipher for frames, where its nonce has room for theirs. */
#define SAMARA_DEFINE_FRAME_CIPHER(name)                                       \
  _Static_assert((int)samara_##name##_nonce_size >=                            \
                     (int)samara_ieee802154_nonce_size,                        \
                 "frames have a nonce of 13 bytes: " #name);                   \
  SAMARA_DEFINE_FRAME_CALL(name, seal, uint8_t)                                \
  SAMARA_DEFINE_FRAME_CALL(name, open, const uint8_t)                          \
  const samara_ieee802154_cipher samara_ieee802154_##name = {                  \
      samara_##name##_key_size, samara_##name##_tag_size, true,                \
      name##_frame_seal, name##_frame_open};

#endif
