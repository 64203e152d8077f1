/* SPDX-License-Identifier: Apache-2.0 */
#include "host/block128.h"

#include "common/wiped.h"

#include <samara/ctr.h>
#include <string.h>

typedef samara_result keyed_call(const samara_suite *suite, const void *key,
                                 samara_batch_message *message);

/* One call of a mode: the key is expanded, used and forgotten. */
static samara_result run_keyed(keyed_call *call, const samara_suite *suite,
                               samara_batch_message *message) {
  const samara_block128 *cipher = suite->implementation;
  samara_any_key key;
  SAMARA_WIPED(key);
  cipher->set_key(&key, message->key);
  return call(suite, &key, message);
}

static samara_result ctr_crypt(const samara_suite *suite, const void *key,
                               samara_batch_message *message) {
  const samara_block128 *cipher = suite->implementation;
  uint8_t counter[samara_ctr_counter_size];
  memcpy(counter, message->nonce, sizeof counter);
  message->output_size = message->input_size;
  return cipher->ctr(key, message->output, counter, message->input,
                     message->input_size);
}

static samara_result cbc_encrypt(const samara_suite *suite, const void *key,
                                 samara_batch_message *message) {
  const samara_block128 *cipher = suite->implementation;
  message->output_size =
      samara_suite_ciphertext_size(suite, message->input_size);
  return cipher->cbc_encrypt(key, message->output, message->nonce,
                             message->input, message->input_size);
}

static samara_result cbc_decrypt(const samara_suite *suite, const void *key,
                                 samara_batch_message *message) {
  const samara_block128 *cipher = suite->implementation;
  return cipher->cbc_decrypt(key, message->output, &message->output_size,
                             message->nonce, message->input,
                             message->input_size);
}

static samara_result ccm_seal(const samara_suite *suite, const void *key,
                              samara_batch_message *message) {
  const samara_block128 *cipher = suite->implementation;
  message->output_size = message->input_size;
  return cipher->ccm_seal(key, message, suite->tag_size);
}

static samara_result ccm_open(const samara_suite *suite, const void *key,
                              samara_batch_message *message) {
  const samara_block128 *cipher = suite->implementation;
  message->output_size = message->input_size;
  return cipher->ccm_open(key, message, suite->tag_size);
}

static samara_result gcm_seal(const samara_suite *suite, const void *key,
                              samara_batch_message *message) {
  const samara_block128 *cipher = suite->implementation;
  message->output_size = message->input_size;
  return cipher->gcm_seal(key, message);
}

static samara_result gcm_open(const samara_suite *suite, const void *key,
                              samara_batch_message *message) {
  const samara_block128 *cipher = suite->implementation;
  message->output_size = message->input_size;
  return cipher->gcm_open(key, message);
}

#define DEFINE_SUITE_CALL(name, call)                                          \
  samara_result samara_##name(const samara_suite *suite,                       \
                              samara_batch_message *message) {                 \
    return run_keyed(call, suite, message);                                    \
  }

DEFINE_SUITE_CALL(ctr_suite_seal, ctr_crypt)
DEFINE_SUITE_CALL(cbc_suite_seal, cbc_encrypt)
DEFINE_SUITE_CALL(cbc_suite_open, cbc_decrypt)
DEFINE_SUITE_CALL(ccm_suite_seal, ccm_seal)
DEFINE_SUITE_CALL(ccm_suite_open, ccm_open)
DEFINE_SUITE_CALL(gcm_suite_seal, gcm_seal)
DEFINE_SUITE_CALL(gcm_suite_open, gcm_open)
