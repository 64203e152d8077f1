/* SPDX-License-Identifier: Apache-2.0 */

/* What the streams of suite.h refuse, and that a refusal writes nothing. */

#include "check.h"
#include <samara/suite.h>
#include <stdlib.h>
#include <string.h>

enum { room = 160, key_max = 32, nonce_max = 64 };

static uint8_t key[key_max], nonce[nonce_max], tag[16];

static uint64_t *new_state(const samara_suite *suite) {
  uint64_t *state = calloc(1, suite->stream->state_size + sizeof *state);
  if (state == NULL) {
    abort();
  }
  return state;
}

static void begin(const samara_suite *suite, uint64_t *state, bool opening) {
  CHECK_RESULT(suite->stream->init(suite, state, opening, key, nonce,
                                   suite->nonce_size, NULL, 0),
               SAMARA_OK, suite->slug);
}

/* The size of what sealing `size` bytes in one piece gives. */
static size_t seal_whole(const samara_suite *suite, uint8_t *output,
                         const uint8_t *message, size_t size) {
  uint8_t its_tag[16];
  CHECK_RESULT(samara_suite_seal(suite, key, output, its_tag, nonce,
                                 suite->nonce_size, NULL, 0, message, size),
               SAMARA_OK, suite->slug);
  return samara_suite_ciphertext_size(suite, size);
}

/* After a refused init nothing goes on, whatever the state held before. */
static void check_ended(const samara_suite *suite, uint64_t *state) {
  uint8_t bytes[room] = {0};
  size_t size = 1;
  CHECK_RESULT(suite->stream->update(state, bytes, &size, bytes, 16),
               SAMARA_ERROR_STATE, suite->slug);
  CHECK(all_zero(bytes, sizeof bytes), "%s wrote without a key", suite->slug);
  CHECK_RESULT(suite->stream->finish(state, bytes, &size, tag),
               SAMARA_ERROR_STATE, suite->slug);
  CHECK(size == 0, "%s: size of a refusal", suite->slug);
}

/* What is written behind the state is found by the eight bytes that follow. */
static void check_nonce_sizes(const samara_suite *suite) {
  static const uint8_t guard[sizeof(uint64_t)] = {1, 2, 3, 4, 5, 6, 7, 8};
  for (size_t size = 0; size <= nonce_max; size++) {
    const bool right =
        size >= suite->nonce_size_min && size <= suite->nonce_size_max;
    uint64_t *state = new_state(suite);
    begin(suite, state, false);
    uint8_t *behind = (uint8_t *)state + suite->stream->state_size;
    memcpy(behind, guard, sizeof guard);
    CHECK_RESULT(
        suite->stream->init(suite, state, false, key, nonce, size, NULL, 0),
        right ? SAMARA_OK : SAMARA_ERROR_NONCE_SIZE, suite->slug);
    CHECK_BYTES(behind, guard, sizeof guard, suite->slug);
    if (!right) {
      CHECK(all_zero((const uint8_t *)state, suite->stream->state_size),
            "%s keeps the last key after a refused init", suite->slug);
      check_ended(suite, state);
    }
    free(state);
  }
}

static void check_associated_data(const samara_suite *suite) {
  if (suite->tag_size == 0) {
    uint64_t *state = new_state(suite);
    begin(suite, state, false);
    CHECK_RESULT(suite->stream->init(suite, state, false, key, nonce,
                                     suite->nonce_size, nonce, 1),
                 SAMARA_ERROR_ASSOCIATED_DATA_SIZE, suite->slug);
    check_ended(suite, state);
    free(state);
  }
}

static void check_never_begun(const samara_suite *suite) {
  uint64_t *state = new_state(suite);
  check_ended(suite, state);
  free(state);
}

/* Whether a piece of `size` bytes may be written `shift` bytes behind itself
 * (before itself where that is negative). */
static bool may_lie(const samara_suite *suite, long shift, size_t completed,
                    size_t size) {
  if (completed == 0) {
    return true;
  }
  if (suite->padding_size == 0) {
    return shift == 0 || shift >= (long)size || -shift >= (long)size;
  }
  return shift >= (long)size || -shift >= (long)completed;
}

/* Bytes that a second piece of `size` completes, after one of `before`. */
static size_t completed_by(const samara_suite *suite, bool opening,
                           size_t before, size_t size) {
  if (suite->padding_size == 0) {
    return size;
  }
  const size_t block = suite->padding_size;
  const size_t kept = opening ? 1 : 0;
  const size_t all = before + size < kept ? 0 : before + size - kept;
  const size_t first = before < kept ? 0 : before - kept;
  return all / block * block - first / block * block;
}

/* Two pieces, the second at any distance from its output. A refusal changes
 * neither bytes nor state: the piece goes through when it is made again, apart.
 */
static void check_piece(const samara_suite *suite, bool opening, size_t before,
                        size_t size, long shift) {
  enum { middle = 80 };
  uint8_t message[room], want[room + 16], got[room + 16], bytes[2 * room];
  uint8_t apart[room + 16], untouched[2 * room];
  size_t first = 0, second = 0, last = 0;
  fill_random(message, sizeof message);
  size_t total = before + size;
  if (opening) {
    /* As many bytes of a ciphertext, whatever follows it. */
    (void)seal_whole(suite, got, message, total);
    memcpy(want, message, sizeof message);
    memcpy(message, got, total);
  } else {
    total = seal_whole(suite, want, message, total);
  }
  uint64_t *state = new_state(suite);
  begin(suite, state, opening);
  CHECK_RESULT(suite->stream->update(state, got, &first, message, before),
               SAMARA_OK, suite->slug);
  fill_random(bytes, sizeof bytes);
  memcpy(bytes + middle, message + before, size);
  memcpy(untouched, bytes, sizeof bytes);
  const size_t completed = completed_by(suite, opening, before, size);
  uint8_t *output = bytes + (middle + shift);
  samara_result result =
      suite->stream->update(state, output, &second, bytes + middle, size);
  if (may_lie(suite, shift, completed, size)) {
    CHECK_RESULT(result, SAMARA_OK, suite->slug);
    memcpy(got + first, output, second);
  } else {
    CHECK_RESULT(result, SAMARA_ERROR_OVERLAP, suite->slug);
    CHECK(second == 0, "%s: size of a refusal", suite->slug);
    CHECK_BYTES(bytes, untouched, sizeof bytes, suite->slug);
    CHECK_RESULT(
        suite->stream->update(state, apart, &second, message + before, size),
        SAMARA_OK, suite->slug);
    memcpy(got + first, apart, second);
  }
  CHECK(second == completed, "%s: %zu then %zu bytes", suite->slug, before,
        size);
  if (!opening) {
    CHECK_RESULT(suite->stream->finish(state, got + first + second, &last, tag),
                 SAMARA_OK, suite->slug);
    CHECK(first + second + last == total, "%s: size", suite->slug);
  }
  CHECK_BYTES(got, want, first + second + last, suite->slug);
  free(state);
}

static void check_pieces(const samara_suite *suite) {
  static const size_t befores[] = {0, 1, 15, 16, 17, 31};
  static const size_t sizes[] = {0, 1, 15, 16, 17, 32, 40};
  for (size_t i = 0; i < sizeof befores / sizeof befores[0]; i++) {
    for (size_t j = 0; j < sizeof sizes / sizeof sizes[0]; j++) {
      for (long shift = -64; shift <= 48; shift++) {
        check_piece(suite, false, befores[i], sizes[j], shift);
        check_piece(suite, true, befores[i], sizes[j], shift);
      }
    }
  }
}

int main(void) {
  fill_random(key, sizeof key);
  fill_random(nonce, sizeof nonce);
  for (size_t i = 0; samara_suite_at(i) != NULL; i++) {
    const samara_suite *suite = samara_suite_at(i);
    if (suite->stream == NULL) {
      continue;
    }
    check_never_begun(suite);
    check_nonce_sizes(suite);
    check_associated_data(suite);
    check_pieces(suite);
  }
  return check_report();
}
