/* SPDX-License-Identifier: Apache-2.0 */
/* Template: see mode/names.h. Contracts: samara/ccm.h and ctr.h; with
 * SAMARA_BATCH_ALL_MODES gcm.h and cbc.h, too. Needs the templates of these
 * modes before it. One message after the other, unless SAMARA_CIPHER_BATCH
 * takes them all. */

#include "common/batch.h"
#include "common/bytes.h"
#include "common/wiped.h"
#include "mode/ccm_format.h"
#include "mode/names.h"

#define batch_call SAMARA_LOCAL(batch_call)
#define batch_one SAMARA_LOCAL(batch_one)
#define batch_ccm SAMARA_LOCAL(batch_ccm)
#define batch_gcm SAMARA_LOCAL(batch_gcm)
#define batch_ctr SAMARA_LOCAL(batch_ctr)
#define batch_cbc SAMARA_LOCAL(batch_cbc)
#define batch_plain_check SAMARA_LOCAL(batch_plain_check)

/* What is done with each message of a call, once its key is expanded. */
typedef struct batch_call {
  samara_result (*one)(const struct batch_call *call, const SAMARA_KEY *key,
                       samara_batch_message *message);
  size_t tag_size; /* of CCM */
  bool opening;
} batch_call;

static samara_result batch_one(const void *context,
                               samara_batch_message *message) {
  const batch_call *call = context;
  SAMARA_KEY key;
  SAMARA_WIPED(key);
  SAMARA_NAME(set_key)(&key, message->key);
  message->output_size = message->input_size;
  return call->one(call, &key, message);
}

/* The arguments that sealing and opening have in common. */
#define BATCH_NONCE_AND_DATA                                                   \
  message->nonce, message->nonce_size, message->associated_data,               \
      message->associated_data_size, message->input, message->input_size

static samara_result batch_ccm(const batch_call *call, const SAMARA_KEY *key,
                               samara_batch_message *message) {
  return call->opening
             ? SAMARA_NAME(ccm_open)(key, message->output, message->tag,
                                     call->tag_size, BATCH_NONCE_AND_DATA)
             : SAMARA_NAME(ccm_seal)(key, message->output, message->tag,
                                     call->tag_size, BATCH_NONCE_AND_DATA);
}

#ifdef SAMARA_BATCH_ALL_MODES
static samara_result batch_gcm(const batch_call *call, const SAMARA_KEY *key,
                               samara_batch_message *message) {
  return call->opening
             ? SAMARA_NAME(gcm_open)(key, message->output, message->tag,
                                     BATCH_NONCE_AND_DATA)
             : SAMARA_NAME(gcm_seal)(key, message->output, message->tag,
                                     BATCH_NONCE_AND_DATA);
}
#endif

#undef BATCH_NONCE_AND_DATA

static samara_result batch_plain_check(const samara_batch_message *message) {
  if (message->nonce_size != SAMARA_BLOCK_SIZE) {
    return SAMARA_ERROR_NONCE_SIZE;
  }
  return message->associated_data_size == 0 ? SAMARA_OK
                                            : SAMARA_ERROR_ASSOCIATED_DATA_SIZE;
}

static samara_result batch_ctr(const batch_call *call, const SAMARA_KEY *key,
                               samara_batch_message *message) {
  (void)call;
  const samara_result result = batch_plain_check(message);
  if (result != SAMARA_OK) {
    return result;
  }
  uint8_t counter[samara_ctr_counter_size];
  samara_copy_bytes(counter, message->nonce, sizeof counter);
  return SAMARA_NAME(ctr_encrypt)(key, message->output, counter, message->input,
                                  message->input_size);
}

#ifdef SAMARA_BATCH_ALL_MODES
static samara_result batch_cbc(const batch_call *call, const SAMARA_KEY *key,
                               samara_batch_message *message) {
  const samara_result result = batch_plain_check(message);
  if (result != SAMARA_OK) {
    return result;
  }
  if (call->opening) {
    return SAMARA_NAME(cbc_decrypt)(key, message->output, &message->output_size,
                                    message->nonce, message->input,
                                    message->input_size);
  }
  message->output_size = samara_cbc_ciphertext_size(message->input_size);
  return SAMARA_NAME(cbc_encrypt)(key, message->output, message->nonce,
                                  message->input, message->input_size);
}
#endif

#ifndef SAMARA_CIPHER_BATCH
#define SAMARA_CIPHER_BATCH(mode, messages, count, tag_size, opening) false
#define SAMARA_CIPHER_BATCH_NONE
#endif

#define BATCH_RUN(mode, size, opens)                                           \
  do {                                                                         \
    if (SAMARA_CIPHER_BATCH(mode, messages, count, size, opens)) {             \
      return samara_leave(samara_batch_result(messages, count),                \
                          samara_batch_stack);                                 \
    }                                                                          \
    const batch_call call = {batch_##mode, size, opens};                       \
    return samara_batch_run(batch_one, &call, messages, count);                \
  } while (0)

samara_result SAMARA_NAME(ccm_seal_batch)(samara_batch_message *messages,
                                          size_t count, size_t tag_size) {
  BATCH_RUN(ccm, tag_size, false);
}

samara_result SAMARA_NAME(ccm_open_batch)(samara_batch_message *messages,
                                          size_t count, size_t tag_size) {
  BATCH_RUN(ccm, tag_size, true);
}

samara_result SAMARA_NAME(ctr_encrypt_batch)(samara_batch_message *messages,
                                             size_t count) {
  BATCH_RUN(ctr, 0, false);
}

#ifdef SAMARA_BATCH_ALL_MODES

samara_result SAMARA_NAME(gcm_seal_batch)(samara_batch_message *messages,
                                          size_t count) {
  BATCH_RUN(gcm, 0, false);
}

samara_result SAMARA_NAME(gcm_open_batch)(samara_batch_message *messages,
                                          size_t count) {
  BATCH_RUN(gcm, 0, true);
}

samara_result SAMARA_NAME(cbc_encrypt_batch)(samara_batch_message *messages,
                                             size_t count) {
  BATCH_RUN(cbc, 0, false);
}

samara_result SAMARA_NAME(cbc_decrypt_batch)(samara_batch_message *messages,
                                             size_t count) {
  /* Blocks of one message are decrypted side by side already. */
  const batch_call call = {batch_cbc, 0, true};
  return samara_batch_run(batch_one, &call, messages, count);
}

#endif

#ifdef SAMARA_CIPHER_BATCH_NONE
#undef SAMARA_CIPHER_BATCH
#undef SAMARA_CIPHER_BATCH_NONE
#endif

#undef BATCH_RUN
#undef batch_call
#undef batch_one
#undef batch_ccm
#undef batch_gcm
#undef batch_ctr
#undef batch_cbc
#undef batch_plain_check
