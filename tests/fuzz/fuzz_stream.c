/* SPDX-License-Identifier: Apache-2.0 */

/* A message in any pieces has the ciphertext and tag of one call. */

#include "input.h"
#include <samara/suite.h>

static const samara_suite *pick_suite(uint8_t number) {
  size_t streams = 0;
  for (size_t i = 0; samara_suite_at(i) != NULL; i++) {
    streams += samara_suite_at(i)->stream != NULL;
  }
  fuzz_require(streams != 0);
  size_t skip = number % streams;
  size_t i = 0;
  while (samara_suite_at(i)->stream == NULL || skip-- != 0) {
    i++;
  }
  return samara_suite_at(i);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  fuzz_input input = {bytes, size};
  const samara_suite *suite = pick_suite(fuzz_byte(&input));
  uint8_t *key = fuzz_take(&input, suite->key_size);
  uint8_t *nonce = fuzz_take(&input, suite->nonce_size);
  uint8_t *cuts = fuzz_take(&input, 16);
  const size_t message_size = input.size;
  uint8_t *message = fuzz_take(&input, message_size);
  const size_t sealed_size = samara_suite_ciphertext_size(suite, message_size);
  uint8_t *whole = fuzz_allocate(sealed_size);
  uint8_t *pieces = fuzz_allocate(sealed_size + 16);
  uint8_t whole_tag[16] = {0};
  uint8_t tag[16] = {0};
  fuzz_require(samara_suite_seal(suite, key, whole, whole_tag, nonce,
                                 suite->nonce_size, NULL, 0, message,
                                 message_size) == SAMARA_OK);

  uint64_t *state = malloc(suite->stream->state_size);
  fuzz_require(state != NULL);
  fuzz_require(suite->stream->init(suite, state, false, key, nonce,
                                   suite->nonce_size, NULL, 0) == SAMARA_OK);
  size_t written = 0;
  size_t part_written;
  size_t done = 0;
  for (size_t i = 0; done < message_size; i++) {
    const size_t room = message_size - done;
    const size_t wanted = i < 16 ? cuts[i] : room;
    const size_t part = wanted < room ? wanted : room;
    fuzz_require(suite->stream->update(state, pieces + written, &part_written,
                                       message + done, part) == SAMARA_OK);
    written += part_written;
    done += part;
  }
  fuzz_require(suite->stream->finish(state, pieces + written, &part_written,
                                     tag) == SAMARA_OK);
  fuzz_require(written + part_written == sealed_size);
  fuzz_require(memcmp(pieces, whole, sealed_size) == 0);
  fuzz_require(memcmp(tag, whole_tag, suite->tag_size) == 0);
  free(state);
  free(key);
  free(nonce);
  free(cuts);
  free(message);
  free(whole);
  free(pieces);
  return 0;
}
