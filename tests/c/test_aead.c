/* SPDX-License-Identifier: Apache-2.0 */

/* A samara_aead answers what the suite of the same cipher answers. */

#include "check.h"
#include <samara/suite.h>
#include <string.h>

enum { size_max = 70, key_words = 80 };

static void check_suite(const samara_suite *suite) {
  const samara_aead *aead = suite->aead;
  uint64_t state[key_words];
  uint8_t key[32], nonce[32], data[20], message[size_max];
  uint8_t want[size_max], got[size_max], want_tag[16], got_tag[16];
  /* 12 bytes where the suite takes them, otherwise with zeros behind them. */
  const size_t nonce_size =
      suite->nonce_size_min <= 12 ? 12 : suite->nonce_size;
  fill_random(key, sizeof key);
  fill_random(nonce, sizeof nonce);
  memset(nonce + 12, 0, sizeof nonce - 12);
  fill_random(data, sizeof data);
  fill_random(message, sizeof message);
  CHECK(aead->key_size == suite->key_size && aead->state_size <= sizeof state,
        "%s: sizes", suite->slug);
  CHECK((aead->tag_sizes >> suite->tag_size & 1) != 0, "%s: tag", suite->slug);
  aead->set_key(state, key);
  CHECK_RESULT(samara_suite_seal(suite, key, want, want_tag, nonce, nonce_size,
                                 data, sizeof data, message, size_max),
               SAMARA_OK, suite->slug);
  CHECK_RESULT(aead->seal(state, got, got_tag, suite->tag_size, nonce, data,
                          sizeof data, message, size_max),
               SAMARA_OK, suite->slug);
  CHECK_BYTES(got, want, size_max, suite->slug);
  CHECK_BYTES(got_tag, want_tag, suite->tag_size, suite->slug);
  CHECK_RESULT(aead->open(state, got, got_tag, suite->tag_size, nonce, data,
                          sizeof data, got, size_max),
               SAMARA_OK, suite->slug);
  CHECK_BYTES(got, message, size_max, suite->slug);
  got_tag[suite->tag_size - 1] ^= 1;
  CHECK_RESULT(aead->open(state, got, got_tag, suite->tag_size, nonce, data,
                          sizeof data, want, size_max),
               SAMARA_ERROR_AUTHENTICATION, suite->slug);
  CHECK(all_zero(got, size_max), "%s: released", suite->slug);
}

/* The tag sizes that are listed, and no others, work both ways: above all not
 * that of 0 bytes, with which anything would be genuine. */
static void check_tag_sizes(const samara_suite *suite) {
  const samara_aead *aead = suite->aead;
  uint64_t state[key_words];
  uint8_t key[32] = {1}, nonce[12] = {2}, text[9] = {3}, tag[32] = {0};
  aead->set_key(state, key);
  for (size_t size = 0; size < 20; size++) {
    const bool listed = (aead->tag_sizes >> size & 1) != 0;
    const samara_result want = listed ? SAMARA_OK : SAMARA_ERROR_TAG_SIZE;
    CHECK_RESULT(
        aead->seal(state, text, tag, size, nonce, NULL, 0, text, sizeof text),
        want, suite->slug);
    CHECK_RESULT(
        aead->open(state, text, tag, size, nonce, NULL, 0, text, sizeof text),
        want, suite->slug);
  }
}

int main(void) {
  for (size_t i = 0; samara_suite_at(i) != NULL; i++) {
    const samara_suite *suite = samara_suite_at(i);
    /* Its nonces have 12 bytes, or zeros behind them. */
    const bool fits =
        suite->tag_size != 0 && suite->nonce_size_max >= samara_aead_nonce_size;
    CHECK((suite->aead != NULL) == fits, "%s", suite->slug);
    if (suite->aead != NULL) {
      check_suite(suite);
      check_tag_sizes(suite);
    }
  }
  return check_report();
}
