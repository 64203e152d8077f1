/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_AEAD_CALLS_H
#define SAMARA_AEAD_CALLS_H

/* The public calls of an AEAD, made of what its cipher does.
 *
 * A cipher that works through a message once has a type NAME_state and
 *
 *   NAME_start(state, key, nonce, data, data_size)     up to the message
 *   NAME_crypt(state, output, input, size, opening)    the whole message
 *   NAME_finish(state, key, tag)                       the whole tag
 *
 * of which SAMARA_DEFINE_AEAD_WORK makes NAME_bare_seal and NAME_bare_open.
 * Another cipher writes those two itself. SAMARA_DEFINE_AEAD_CALLS makes the
 * calls of samara/aead.h of them: it checks sizes and overlaps, and wipes
 * `stack` bytes behind the work (common/stack.h). NAME_takes(message_size)
 * says whether a message may be as long as that. */

#include "aead/define.h"
#include "common/overlap.h"
#include "common/stack.h"
#include "common/wiped.h"
#include <samara/memory.h>

#define SAMARA_DEFINE_AEAD_WORK(name)                                          \
  SAMARA_INLINE bool name##_takes(size_t message_size) {                       \
    (void)message_size;                                                        \
    return true;                                                               \
  }                                                                            \
  SAMARA_NOT_INLINED static void name##_bare_seal(                             \
      const uint8_t *key, uint8_t *ciphertext, uint8_t *tag, size_t tag_size,  \
      const uint8_t *nonce, const uint8_t *associated_data,                    \
      size_t associated_data_size, const uint8_t *message,                     \
      size_t message_size) {                                                   \
    uint8_t whole[samara_aead_tag_size_max];                                   \
    SAMARA_WIPED(whole);                                                       \
    name##_state state;                                                        \
    SAMARA_WIPED(state);                                                       \
    name##_start(&state, key, nonce, associated_data, associated_data_size);   \
    name##_crypt(&state, ciphertext, message, message_size, false);            \
    name##_finish(&state, key, whole);                                         \
    samara_copy_bytes(tag, whole, tag_size);                                   \
  }                                                                            \
  SAMARA_NOT_INLINED static bool name##_bare_open(                             \
      const uint8_t *key, uint8_t *message, const uint8_t *tag,                \
      size_t tag_size, const uint8_t *nonce, const uint8_t *associated_data,   \
      size_t associated_data_size, const uint8_t *ciphertext,                  \
      size_t ciphertext_size) {                                                \
    uint8_t whole[samara_aead_tag_size_max];                                   \
    SAMARA_WIPED(whole);                                                       \
    name##_state state;                                                        \
    SAMARA_WIPED(state);                                                       \
    name##_start(&state, key, nonce, associated_data, associated_data_size);   \
    name##_crypt(&state, message, ciphertext, ciphertext_size, true);          \
    name##_finish(&state, key, whole);                                         \
    const bool genuine = samara_equal(whole, tag, tag_size);                   \
    if (!genuine) {                                                            \
      samara_wipe(message, ciphertext_size);                                   \
    }                                                                          \
    return genuine;                                                            \
  }

#define SAMARA_DEFINE_AEAD_CALLS(name, stack)                                  \
  static samara_result name##_check(size_t tag_size, const uint8_t *output,    \
                                    const uint8_t *input, size_t size) {       \
    if (tag_size != 0 && (tag_size < samara_##name##_tag_size_min ||           \
                          tag_size > samara_##name##_tag_size)) {              \
      return SAMARA_ERROR_TAG_SIZE;                                            \
    }                                                                          \
    if (!name##_takes(size)) {                                                 \
      return SAMARA_ERROR_MESSAGE_SIZE;                                        \
    }                                                                          \
    return samara_overlaps(output, size, input, size) ? SAMARA_ERROR_OVERLAP   \
                                                      : SAMARA_OK;             \
  }                                                                            \
  samara_result samara_##name##_seal_truncated(                                \
      const uint8_t key[samara_##name##_key_size], uint8_t *ciphertext,        \
      uint8_t *tag, size_t tag_size,                                           \
      const uint8_t nonce[samara_##name##_nonce_size],                         \
      const uint8_t *associated_data, size_t associated_data_size,             \
      const uint8_t *message, size_t message_size) {                           \
    const samara_result result =                                               \
        name##_check(tag_size, ciphertext, message, message_size);             \
    if (result != SAMARA_OK) {                                                 \
      return result;                                                           \
    }                                                                          \
    name##_bare_seal(key, ciphertext, tag, tag_size, nonce, associated_data,   \
                     associated_data_size, message, message_size);             \
    return samara_leave(SAMARA_OK, stack);                                     \
  }                                                                            \
  samara_result samara_##name##_open_truncated(                                \
      const uint8_t key[samara_##name##_key_size], uint8_t *message,           \
      const uint8_t *tag, size_t tag_size,                                     \
      const uint8_t nonce[samara_##name##_nonce_size],                         \
      const uint8_t *associated_data, size_t associated_data_size,             \
      const uint8_t *ciphertext, size_t ciphertext_size) {                     \
    const samara_result result =                                               \
        name##_check(tag_size, message, ciphertext, ciphertext_size);          \
    if (result != SAMARA_OK) {                                                 \
      return result;                                                           \
    }                                                                          \
    const bool genuine =                                                       \
        name##_bare_open(key, message, tag, tag_size, nonce, associated_data,  \
                         associated_data_size, ciphertext, ciphertext_size);   \
    return samara_leave(genuine ? SAMARA_OK : SAMARA_ERROR_AUTHENTICATION,     \
                        stack);                                                \
  }                                                                            \
  samara_result samara_##name##_seal(                                          \
      const uint8_t key[samara_##name##_key_size], uint8_t *ciphertext,        \
      uint8_t tag[samara_##name##_tag_size],                                   \
      const uint8_t nonce[samara_##name##_nonce_size],                         \
      const uint8_t *associated_data, size_t associated_data_size,             \
      const uint8_t *message, size_t message_size) {                           \
    return samara_##name##_seal_truncated(                                     \
        key, ciphertext, tag, samara_##name##_tag_size, nonce,                 \
        associated_data, associated_data_size, message, message_size);         \
  }                                                                            \
  samara_result samara_##name##_open(                                          \
      const uint8_t key[samara_##name##_key_size], uint8_t *message,           \
      const uint8_t tag[samara_##name##_tag_size],                             \
      const uint8_t nonce[samara_##name##_nonce_size],                         \
      const uint8_t *associated_data, size_t associated_data_size,             \
      const uint8_t *ciphertext, size_t ciphertext_size) {                     \
    return samara_##name##_open_truncated(                                     \
        key, message, tag, samara_##name##_tag_size, nonce, associated_data,   \
        associated_data_size, ciphertext, ciphertext_size);                    \
  }

#endif
