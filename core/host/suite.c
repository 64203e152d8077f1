/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/suite.h>

#include "common/batch.h"
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

/* What is done with each message of a call. */
typedef struct suite_call {
  const samara_suite *suite;
  samara_result (*one)(const samara_suite *suite,
                       samara_batch_message *message);
} suite_call;

static samara_result checked_call(const void *context,
                                  samara_batch_message *message) {
  const suite_call *call = context;
  const samara_result result = check(call->suite, message);
  return result == SAMARA_OK ? call->one(call->suite, message) : result;
}

static samara_result seal_all(const samara_suite *suite,
                              samara_batch_message *messages, size_t count) {
  const suite_call call = {suite, suite->seal};
  return samara_batch_run(checked_call, &call, messages, count);
}

static samara_result open_all(const samara_suite *suite,
                              samara_batch_message *messages, size_t count) {
  const suite_call call = {suite, suite->open};
  return samara_batch_run(checked_call, &call, messages, count);
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
  return seal_all(suite, &call, 1);
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
  const samara_result result = open_all(suite, &call, 1);
  *message_size = call.output_size;
  return result;
}

samara_result samara_suite_seal_batch(const samara_suite *suite,
                                      samara_batch_message *messages,
                                      size_t count) {
  if (suite->seal_batch != NULL) {
    return suite->seal_batch(messages, count);
  }
  return seal_all(suite, messages, count);
}

samara_result samara_suite_open_batch(const samara_suite *suite,
                                      samara_batch_message *messages,
                                      size_t count) {
  if (suite->open_batch != NULL) {
    return suite->open_batch(messages, count);
  }
  return open_all(suite, messages, count);
}
