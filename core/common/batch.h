/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_COMMON_BATCH_H
#define SAMARA_COMMON_BATCH_H

#include "common/machine.h"
#include "common/stack.h"
#include <samara/batch.h>

/* What a batch of a mode of AES leaves below its caller, beside what it wipes
 * itself. */
enum { samara_batch_stack = SAMARA_STACK_BYTES(16, 16, 16, 1024) };

/* Handles one message; `context` is what samara_batch_run was given. */
typedef samara_result samara_batch_call(const void *context,
                                        samara_batch_message *message);

/* One message after the other: every message is tried, and the first failure
 * is the answer of the whole. */
SAMARA_MUST_CHECK samara_result samara_batch_run(samara_batch_call *one,
                                                 const void *context,
                                                 samara_batch_message *messages,
                                                 size_t count);

/* The answer of the whole, where each message has its own. */
SAMARA_INLINE samara_result
samara_batch_result(const samara_batch_message *messages, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (messages[i].result != SAMARA_OK) {
      return messages[i].result;
    }
  }
  return SAMARA_OK;
}

#endif
