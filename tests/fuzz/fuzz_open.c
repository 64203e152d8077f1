/* SPDX-License-Identifier: Apache-2.0 */

/* Opens any bytes with any suite. What opens must seal to the same bytes again;
 * what is refused must leave zeros. Every suite is tried once before the first
 * input, so none depends on the corpus or on luck. */

#include "input.h"
#include <samara/suite.h>

enum { sealed_first = 1, changed = 128, proper_nonce = 64 };

/* Messages that were opened. */
static unsigned long opened;

static size_t count_suites(void) {
  size_t count = 0;
  while (samara_suite_at(count) != NULL) {
    count++;
  }
  fuzz_require(count != 0);
  return count;
}

static void require_zeros(const uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) {
    fuzz_require(bytes[i] == 0);
  }
}

static void seal_again(const samara_suite *suite, const uint8_t *key,
                       const uint8_t *nonce, size_t nonce_size,
                       const uint8_t *data, size_t data_size,
                       const uint8_t *message, size_t message_size,
                       const uint8_t *ciphertext, size_t ciphertext_size,
                       const uint8_t *tag) {
  const size_t size = samara_suite_ciphertext_size(suite, message_size);
  fuzz_require(size == ciphertext_size);
  uint8_t *again = fuzz_allocate(size);
  uint8_t *again_tag = fuzz_allocate(suite->tag_size);
  fuzz_require(samara_suite_seal(suite, key, again, again_tag, nonce,
                                 nonce_size, data, data_size, message,
                                 message_size) == SAMARA_OK);
  fuzz_require(memcmp(again, ciphertext, size) == 0);
  fuzz_require(memcmp(again_tag, tag, suite->tag_size) == 0);
  free(again);
  free(again_tag);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  fuzz_input input = {bytes, size};
  const samara_suite *suite =
      samara_suite_at(fuzz_byte(&input) % count_suites());
  const uint8_t choice = fuzz_byte(&input);
  const size_t nonce_size =
      choice < proper_nonce ? choice % 20 : suite->nonce_size;
  const size_t data_size = fuzz_byte(&input) % 64;
  /* The genuine tag is out of a fuzzer's reach: half of the inputs are sealed
   * first and then opened with one byte changed, or none. */
  const uint8_t change = fuzz_byte(&input);
  uint8_t *key = fuzz_take(&input, suite->key_size);
  uint8_t *nonce = fuzz_take(&input, nonce_size);
  uint8_t *data = fuzz_take(&input, data_size);
  uint8_t *tag = fuzz_take(&input, suite->tag_size);
  const size_t rest = input.size;
  uint8_t *given = fuzz_take(&input, rest);

  size_t ciphertext_size = rest;
  uint8_t *ciphertext = given;
  if (change & sealed_first) {
    ciphertext_size = samara_suite_ciphertext_size(suite, rest);
    ciphertext = fuzz_allocate(ciphertext_size);
    if (samara_suite_seal(suite, key, ciphertext, tag, nonce, nonce_size, data,
                          data_size, given, rest) != SAMARA_OK) {
      memset(ciphertext, 0, ciphertext_size);
    }
    if (change >= changed && ciphertext_size != 0) {
      ciphertext[change % ciphertext_size] ^= change;
    }
  }

  uint8_t *message = fuzz_allocate(ciphertext_size);
  memset(message, 0xa5, ciphertext_size);
  size_t message_size = 0;
  const samara_result result = samara_suite_open(
      suite, key, message, &message_size, tag, nonce, nonce_size, data,
      data_size, ciphertext, ciphertext_size);
  if (result == SAMARA_OK) {
    opened++;
    seal_again(suite, key, nonce, nonce_size, data, data_size, message,
               message_size, ciphertext, ciphertext_size, tag);
  } else {
    fuzz_require(message_size == 0);
  }
  if (result == SAMARA_ERROR_AUTHENTICATION) {
    require_zeros(message, ciphertext_size);
  }
  if (ciphertext != given) {
    free(ciphertext);
  }
  free(key);
  free(nonce);
  free(data);
  free(tag);
  free(given);
  free(message);
  return 0;
}

/* A suite opens what it sealed, and refuses it with one byte changed. */
static void try_suite(size_t index, size_t message_size) {
  const samara_suite *suite = samara_suite_at(index);
  const int has_tag = suite->tag_size != 0;
  const uint8_t data_size = has_tag ? 9 : 0;
  const size_t size = 4 + suite->key_size + suite->nonce_size + data_size +
                      suite->tag_size + message_size;
  uint8_t *input = fuzz_allocate(size);
  memset(input, (int)(index + message_size), size);
  input[0] = (uint8_t)index;
  input[1] = proper_nonce;
  input[2] = data_size;
  input[3] = sealed_first;
  const unsigned long before = opened;
  (void)LLVMFuzzerTestOneInput(input, size);
  fuzz_require(opened == before + 1);
  input[3] |= changed;
  (void)LLVMFuzzerTestOneInput(input, size);
  fuzz_require(!has_tag || message_size == 0 || opened == before + 1);
  free(input);
}

int LLVMFuzzerInitialize(int *count, char ***arguments) {
  static const size_t message_sizes[] = {0, 1, 16, 63, 64, 250};
  (void)count;
  (void)arguments;
  const size_t suites = count_suites();
  fuzz_require(suites <= UINT8_MAX + 1);
  for (size_t i = 0; i < suites; i++) {
    for (size_t j = 0; j < sizeof message_sizes / sizeof *message_sizes; j++) {
      try_suite(i, message_sizes[j]);
    }
  }
  return 0;
}
