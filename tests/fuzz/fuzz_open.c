/* SPDX-License-Identifier: Apache-2.0 */

/* Opens any bytes with any suite. What opens must seal to the same bytes again;
 * what is refused must leave zeros. */

#include "input.h"
#include <samara/suite.h>

static const samara_suite *pick_suite(uint8_t number) {
  size_t count = 0;
  while (samara_suite_at(count) != NULL) {
    count++;
  }
  fuzz_require(count != 0);
  return samara_suite_at(number % count);
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
  const samara_suite *suite = pick_suite(fuzz_byte(&input));
  const size_t nonce_size = fuzz_byte(&input) % 20;
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
  if (change % 2 != 0) {
    ciphertext_size = samara_suite_ciphertext_size(suite, rest);
    ciphertext = fuzz_allocate(ciphertext_size);
    if (samara_suite_seal(suite, key, ciphertext, tag, nonce, nonce_size, data,
                          data_size, given, rest) != SAMARA_OK) {
      memset(ciphertext, 0, ciphertext_size);
    }
    if (change >= 128 && ciphertext_size != 0) {
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
