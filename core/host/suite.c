/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/suite.h>

#include "host/registry.h"
#include <string.h>

const char *samara_standing_text(samara_standing standing) {
  switch (standing) {
  case SAMARA_STANDARD:
    return "standard";
  case SAMARA_FINALIST:
    return "finalist";
  case SAMARA_RESEARCH:
    return "research";
  }
  return "unknown";
}

const samara_block_cipher *samara_block_cipher_at(size_t index) {
  return index < samara_block_cipher_count ? &samara_block_ciphers[index]
                                           : NULL;
}

const samara_suite *samara_suite_at(size_t index) {
  return index < samara_suite_count ? &samara_suites[index] : NULL;
}

const samara_block_cipher *samara_block_cipher_find(const char *slug) {
  for (size_t i = 0; i < samara_block_cipher_count; i++) {
    if (strcmp(samara_block_ciphers[i].slug, slug) == 0) {
      return &samara_block_ciphers[i];
    }
  }
  return NULL;
}

const samara_suite *samara_suite_find(const char *slug) {
  for (size_t i = 0; i < samara_suite_count; i++) {
    if (strcmp(samara_suites[i].slug, slug) == 0) {
      return &samara_suites[i];
    }
  }
  return NULL;
}

size_t samara_suite_ciphertext_size(const samara_suite *suite,
                                    size_t message_size) {
  if (suite->padding_size == 0) {
    return message_size;
  }
  if (message_size > SIZE_MAX - suite->padding_size) {
    return 0;
  }
  return (message_size / suite->padding_size + 1) * suite->padding_size;
}

static samara_result check(const samara_suite *suite,
                           const samara_batch_message *message) {
  if (message->nonce_size < suite->nonce_size_min ||
      message->nonce_size > suite->nonce_size_max) {
    return SAMARA_ERROR_NONCE_SIZE;
  }
  if (suite->tag_size == 0 && message->associated_data_size != 0) {
    return SAMARA_ERROR_ASSOCIATED_DATA_SIZE;
  }
  return SAMARA_OK;
}

typedef samara_result one_message(const samara_suite *suite,
                                  samara_batch_message *message);

static samara_result run(const samara_suite *suite, one_message *call,
                         samara_batch_message *message) {
  message->result = check(suite, message);
  if (message->result == SAMARA_OK) {
    message->result = call(suite, message);
  }
  if (message->result != SAMARA_OK) {
    message->output_size = 0;
  }
  return message->result;
}

static samara_result run_all(const samara_suite *suite, one_message *call,
                             samara_batch_message *messages, size_t count) {
  samara_result first_failure = SAMARA_OK;
  for (size_t i = 0; i < count; i++) {
    const samara_result result = run(suite, call, &messages[i]);
    if (first_failure == SAMARA_OK) {
      first_failure = result;
    }
  }
  return first_failure;
}

samara_result samara_suite_seal(const samara_suite *suite, const uint8_t *key,
                                uint8_t *ciphertext, uint8_t *tag,
                                const uint8_t *nonce, size_t nonce_size,
                                const uint8_t *associated_data,
                                size_t associated_data_size,
                                const uint8_t *message, size_t message_size) {
  samara_batch_message call = {.key = key,
                               .nonce = nonce,
                               .nonce_size = nonce_size,
                               .associated_data = associated_data,
                               .associated_data_size = associated_data_size,
                               .input = message,
                               .input_size = message_size,
                               .output = ciphertext,
                               .tag = tag};
  return run(suite, suite->seal, &call);
}

samara_result
samara_suite_open(const samara_suite *suite, const uint8_t *key,
                  uint8_t *message, size_t *message_size, const uint8_t *tag,
                  const uint8_t *nonce, size_t nonce_size,
                  const uint8_t *associated_data, size_t associated_data_size,
                  const uint8_t *ciphertext, size_t ciphertext_size) {
  samara_batch_message call = {.key = key,
                               .nonce = nonce,
                               .nonce_size = nonce_size,
                               .associated_data = associated_data,
                               .associated_data_size = associated_data_size,
                               .input = ciphertext,
                               .input_size = ciphertext_size,
                               .output = message,
                               /* Opening only reads the tag. */
                               .tag = (uint8_t *)(uintptr_t)tag};
  const samara_result result = run(suite, suite->open, &call);
  *message_size = call.output_size;
  return result;
}

samara_result samara_suite_seal_batch(const samara_suite *suite,
                                      samara_batch_message *messages,
                                      size_t count) {
  if (suite->seal_batch != NULL) {
    return suite->seal_batch(messages, count);
  }
  return run_all(suite, suite->seal, messages, count);
}

samara_result samara_suite_open_batch(const samara_suite *suite,
                                      samara_batch_message *messages,
                                      size_t count) {
  if (suite->open_batch != NULL) {
    return suite->open_batch(messages, count);
  }
  return run_all(suite, suite->open, messages, count);
}
