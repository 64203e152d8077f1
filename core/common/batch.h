/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_COMMON_BATCH_H
#define SAMARA_COMMON_BATCH_H

#include "common/machine.h"
#include <samara/batch.h>

/* One message after the other: every message is tried, and the first failure
 * is the answer of the whole. */
SAMARA_INLINE samara_result
samara_batch_run(samara_result (*one)(samara_batch_message *message),
                 samara_batch_message *messages, size_t count) {
  samara_result first_failure = SAMARA_OK;
  for (size_t i = 0; i < count; i++) {
    messages[i].result = one(&messages[i]);
    if (messages[i].result != SAMARA_OK) {
      messages[i].output_size = 0;
      if (first_failure == SAMARA_OK) {
        first_failure = messages[i].result;
      }
    }
  }
  return first_failure;
}

/* Defines samara_NAME_seal_batch and samara_NAME_open_batch of an AEAD with a
 * fixed nonce size by calls of samara_NAME_seal and samara_NAME_open. */
#define SAMARA_DEFINE_AEAD_BATCH_OF(name, verb)                                \
  static samara_result name##_##verb##_one(samara_batch_message *message) {    \
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
    return samara_batch_run(name##_##verb##_one, messages, count);             \
  }

#define SAMARA_DEFINE_AEAD_BATCH(name)                                         \
  SAMARA_DEFINE_AEAD_BATCH_OF(name, seal)                                      \
  SAMARA_DEFINE_AEAD_BATCH_OF(name, open)

#endif
