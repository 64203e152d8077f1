/* SPDX-License-Identifier: Apache-2.0 */
#include "host/block128.h"

#include <samara/ctr.h>
#include <samara/memory.h>
#include <string.h>

/* One call of a mode: the key is expanded, used and forgotten. */

samara_result samara_ctr_suite_seal(const samara_suite *suite,
                                    samara_batch_message *message) {
  const samara_block128 *cipher = suite->implementation;
  samara_any_key key;
  uint8_t counter[samara_ctr_counter_size];
  memcpy(counter, message->nonce, sizeof counter);
  cipher->set_key(&key, message->key);
  message->output_size = message->input_size;
  const samara_result result = cipher->ctr(&key, message->output, counter,
                                           message->input, message->input_size);
  samara_wipe(&key, sizeof key);
  return result;
}

samara_result samara_cbc_suite_seal(const samara_suite *suite,
                                    samara_batch_message *message) {
  const samara_block128 *cipher = suite->implementation;
  samara_any_key key;
  cipher->set_key(&key, message->key);
  message->output_size =
      samara_suite_ciphertext_size(suite, message->input_size);
  const samara_result result =
      cipher->cbc_encrypt(&key, message->output, message->nonce, message->input,
                          message->input_size);
  samara_wipe(&key, sizeof key);
  return result;
}

samara_result samara_cbc_suite_open(const samara_suite *suite,
                                    samara_batch_message *message) {
  const samara_block128 *cipher = suite->implementation;
  samara_any_key key;
  cipher->set_key(&key, message->key);
  const samara_result result =
      cipher->cbc_decrypt(&key, message->output, &message->output_size,
                          message->nonce, message->input, message->input_size);
  samara_wipe(&key, sizeof key);
  return result;
}

samara_result samara_ccm_suite_seal(const samara_suite *suite,
                                    samara_batch_message *message) {
  const samara_block128 *cipher = suite->implementation;
  samara_any_key key;
  cipher->set_key(&key, message->key);
  message->output_size = message->input_size;
  const samara_result result = cipher->ccm_seal(&key, message, suite->tag_size);
  samara_wipe(&key, sizeof key);
  return result;
}

samara_result samara_ccm_suite_open(const samara_suite *suite,
                                    samara_batch_message *message) {
  const samara_block128 *cipher = suite->implementation;
  samara_any_key key;
  cipher->set_key(&key, message->key);
  message->output_size = message->input_size;
  const samara_result result = cipher->ccm_open(&key, message, suite->tag_size);
  samara_wipe(&key, sizeof key);
  return result;
}

samara_result samara_gcm_suite_seal(const samara_suite *suite,
                                    samara_batch_message *message) {
  const samara_block128 *cipher = suite->implementation;
  samara_any_key key;
  cipher->set_key(&key, message->key);
  message->output_size = message->input_size;
  const samara_result result = cipher->gcm_seal(&key, message);
  samara_wipe(&key, sizeof key);
  return result;
}

samara_result samara_gcm_suite_open(const samara_suite *suite,
                                    samara_batch_message *message) {
  const samara_block128 *cipher = suite->implementation;
  samara_any_key key;
  cipher->set_key(&key, message->key);
  message->output_size = message->input_size;
  const samara_result result = cipher->gcm_open(&key, message);
  samara_wipe(&key, sizeof key);
  return result;
}
