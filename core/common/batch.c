/* SPDX-License-Identifier: Apache-2.0 */
#include "common/batch.h"

samara_result samara_batch_run(samara_batch_call *one, const void *context,
                               samara_batch_message *messages, size_t count) {
  for (size_t i = 0; i < count; i++) {
    messages[i].result = one(context, &messages[i]);
    if (messages[i].result != SAMARA_OK) {
      messages[i].output_size = 0;
    }
  }
  return samara_batch_result(messages, count);
}
