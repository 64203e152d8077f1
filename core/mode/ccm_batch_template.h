/* SPDX-License-Identifier: Apache-2.0 */
/* Template: see mode/names.h. Contract: samara/ccm.h. Needs the CCM template
 * before it. One message after the other, unless SAMARA_CIPHER_CCM_BATCH takes
 * them all. */

#include "common/batch.h"
#include "common/wiped.h"
#include "mode/names.h"

static samara_result SAMARA_LOCAL(ccm_seal_one)(const void *context,
                                                samara_batch_message *message) {
  const size_t *tag_size = context;
  SAMARA_KEY key;
  SAMARA_WIPED(key);
  SAMARA_NAME(set_key)(&key, message->key);
  message->output_size = message->input_size;
  return SAMARA_NAME(ccm_seal)(
      &key, message->output, message->tag, *tag_size, message->nonce,
      message->nonce_size, message->associated_data,
      message->associated_data_size, message->input, message->input_size);
}

static samara_result SAMARA_LOCAL(ccm_open_one)(const void *context,
                                                samara_batch_message *message) {
  const size_t *tag_size = context;
  SAMARA_KEY key;
  SAMARA_WIPED(key);
  SAMARA_NAME(set_key)(&key, message->key);
  message->output_size = message->input_size;
  return SAMARA_NAME(ccm_open)(
      &key, message->output, message->tag, *tag_size, message->nonce,
      message->nonce_size, message->associated_data,
      message->associated_data_size, message->input, message->input_size);
}

#ifdef SAMARA_CIPHER_CCM_BATCH
#define SAMARA_CCM_BATCH_TAKES SAMARA_CIPHER_CCM_BATCH
#else
#define SAMARA_CCM_BATCH_TAKES(messages, count, tag_size, opening) false
#endif

samara_result SAMARA_NAME(ccm_seal_batch)(samara_batch_message *messages,
                                          size_t count, size_t tag_size) {
  if (SAMARA_CCM_BATCH_TAKES(messages, count, tag_size, false)) {
    return samara_leave(samara_batch_result(messages, count),
                        samara_ccm_batch_stack);
  }
  return samara_batch_run(SAMARA_LOCAL(ccm_seal_one), &tag_size, messages,
                          count);
}

samara_result SAMARA_NAME(ccm_open_batch)(samara_batch_message *messages,
                                          size_t count, size_t tag_size) {
  if (SAMARA_CCM_BATCH_TAKES(messages, count, tag_size, true)) {
    return samara_leave(samara_batch_result(messages, count),
                        samara_ccm_batch_stack);
  }
  return samara_batch_run(SAMARA_LOCAL(ccm_open_one), &tag_size, messages,
                          count);
}

#undef SAMARA_CCM_BATCH_TAKES
