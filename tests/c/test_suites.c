/* SPDX-License-Identifier: Apache-2.0 */

/* The contract that every row of the registry keeps. */

#include "check.h"
#include <samara/grain128ple.h>
#include <samara/suite.h>
#include <stdlib.h>
#include <string.h>

enum { message_max = 200, data_max = 40 };

/* One message of a suite, with room for its ciphertext. */
typedef struct sample {
  uint8_t key[32], nonce[32], data[data_max], message[message_max];
  uint8_t ciphertext[message_max + 16], opened[message_max + 16], tag[16];
  size_t message_size, ciphertext_size, data_size;
} sample;

static void draw_sample(sample *s, const samara_suite *suite) {
  fill_random((uint8_t *)s, offsetof(sample, message_size));
  s->message_size = random_below(message_max + 1);
  s->data_size = suite->tag_size == 0 ? 0 : random_below(data_max + 1);
  s->ciphertext_size = samara_suite_ciphertext_size(suite, s->message_size);
}

static samara_result seal_sample(const samara_suite *suite, sample *s) {
  return samara_suite_seal(suite, s->key, s->ciphertext, s->tag, s->nonce,
                           suite->nonce_size, s->data, s->data_size, s->message,
                           s->message_size);
}

static samara_result open_sample(const samara_suite *suite, sample *s,
                                 size_t *size) {
  return samara_suite_open(suite, s->key, s->opened, size, s->tag, s->nonce,
                           suite->nonce_size, s->data, s->data_size,
                           s->ciphertext, s->ciphertext_size);
}

static void check_round_trip(const samara_suite *suite, sample *s) {
  size_t size = 0;
  CHECK_RESULT(seal_sample(suite, s), SAMARA_OK, suite->slug);
  CHECK_RESULT(open_sample(suite, s, &size), SAMARA_OK, suite->slug);
  if (CHECK(size == s->message_size, "%s: message size", suite->slug)) {
    CHECK_BYTES(s->opened, s->message, size, suite->slug);
  }
}

/* One flipped bit in any part is refused and releases nothing. */
static void check_flipped(const samara_suite *suite, sample *s, uint8_t *part,
                          size_t part_size) {
  if (part_size == 0) {
    return;
  }
  uint8_t *byte = part + random_below(part_size);
  const uint8_t bit = (uint8_t)(1 << random_below(8));
  size_t size = 99;
  *byte ^= bit;
  memset(s->opened, 0xa5, sizeof s->opened);
  CHECK_RESULT(open_sample(suite, s, &size), SAMARA_ERROR_AUTHENTICATION,
               suite->slug);
  CHECK(size == 0 && all_zero(s->opened, s->ciphertext_size),
        "%s released a forged message", suite->slug);
  *byte ^= bit;
}

static void check_forgeries(const samara_suite *suite, sample *s) {
  CHECK_RESULT(seal_sample(suite, s), SAMARA_OK, suite->slug);
  check_flipped(suite, s, s->key, suite->key_size);
  check_flipped(suite, s, s->nonce, suite->nonce_size);
  check_flipped(suite, s, s->data, s->data_size);
  check_flipped(suite, s, s->ciphertext, s->ciphertext_size);
  check_flipped(suite, s, s->tag, suite->tag_size);
}

static void check_refusals(const samara_suite *suite, sample *s) {
  for (size_t size = 0; size <= 16; size++) {
    const bool right =
        size >= suite->nonce_size_min && size <= suite->nonce_size_max;
    CHECK_RESULT(samara_suite_seal(suite, s->key, s->ciphertext, s->tag,
                                   s->nonce, size, NULL, 0, s->message, 5),
                 right ? SAMARA_OK : SAMARA_ERROR_NONCE_SIZE, suite->slug);
  }
  if (suite->tag_size == 0) {
    CHECK_RESULT(samara_suite_seal(suite, s->key, s->ciphertext, s->tag,
                                   s->nonce, suite->nonce_size, s->data, 1,
                                   s->message, 5),
                 SAMARA_ERROR_ASSOCIATED_DATA_SIZE, suite->slug);
  }
}

/* Runs the stream over `input` in pieces of any size; the output's size. */
static size_t stream_all(const samara_suite *suite, bool opening, sample *s,
                         uint8_t *output, const uint8_t *input, size_t size,
                         samara_result want) {
  uint64_t *state = malloc(suite->stream->state_size);
  if (state == NULL) {
    abort();
  }
  size_t written = 0;
  size_t part_written;
  CHECK_RESULT(suite->stream->init(suite, state, opening, s->key, s->nonce,
                                   suite->nonce_size, s->data, s->data_size),
               SAMARA_OK, suite->slug);
  for (size_t done = 0; done < size;) {
    const size_t part = 1 + random_below(size - done);
    CHECK_RESULT(suite->stream->update(state, output + written, &part_written,
                                       input + done, part),
                 SAMARA_OK, suite->slug);
    written += part_written;
    done += part;
  }
  CHECK_RESULT(
      suite->stream->finish(state, output + written, &part_written, s->tag),
      want, suite->slug);
  CHECK(all_zero((const uint8_t *)state, suite->stream->state_size),
        "%s leaves its state behind", suite->slug);
  size_t after;
  CHECK_RESULT(suite->stream->update(state, output, &after, input, 0),
               SAMARA_ERROR_STATE, suite->slug);
  CHECK_RESULT(suite->stream->finish(state, output, &after, s->tag),
               SAMARA_ERROR_STATE, suite->slug);
  free(state);
  return written + part_written;
}

static void check_stream(const samara_suite *suite, sample *s) {
  uint8_t pieces[message_max + 16];
  uint8_t tag[16];
  CHECK_RESULT(seal_sample(suite, s), SAMARA_OK, suite->slug);
  memcpy(tag, s->tag, sizeof tag);
  size_t size = stream_all(suite, false, s, pieces, s->message, s->message_size,
                           SAMARA_OK);
  CHECK(size == s->ciphertext_size, "%s: streamed size", suite->slug);
  CHECK_BYTES(pieces, s->ciphertext, s->ciphertext_size, suite->slug);
  CHECK_BYTES(s->tag, tag, suite->tag_size, suite->slug);
  size = stream_all(suite, true, s, pieces, s->ciphertext, s->ciphertext_size,
                    SAMARA_OK);
  CHECK(size == s->message_size, "%s: streamed size", suite->slug);
  CHECK_BYTES(pieces, s->message, s->message_size, suite->slug);
  if (suite->tag_size != 0) {
    s->tag[random_below(suite->tag_size)] ^= 0x10;
    (void)stream_all(suite, true, s, pieces, s->ciphertext, s->ciphertext_size,
                     SAMARA_ERROR_AUTHENTICATION);
  }
}

static samara_batch_message batch_message(const samara_suite *suite, sample *s,
                                          bool opening) {
  return (samara_batch_message){.key = s->key,
                                .nonce = s->nonce,
                                .nonce_size = suite->nonce_size,
                                .associated_data = s->data,
                                .associated_data_size = s->data_size,
                                .input = opening ? s->ciphertext : s->message,
                                .input_size = opening ? s->ciphertext_size
                                                      : s->message_size,
                                .output = opening ? s->opened : s->ciphertext,
                                .tag = s->tag};
}

/* A batch answers what single calls do; one refusal does not stop the rest. */
static void check_batch(const samara_suite *suite) {
  enum { count = 5, forged = 2 };
  static sample samples[count];
  static sample single;
  samara_batch_message messages[count];
  for (int i = 0; i < count; i++) {
    draw_sample(&samples[i], suite);
    messages[i] = batch_message(suite, &samples[i], false);
  }
  CHECK_RESULT(samara_suite_seal_batch(suite, messages, count), SAMARA_OK,
               suite->slug);
  for (int i = 0; i < count; i++) {
    single = samples[i];
    CHECK_RESULT(seal_sample(suite, &single), SAMARA_OK, suite->slug);
    CHECK(messages[i].output_size == single.ciphertext_size, "batch size");
    CHECK_BYTES(samples[i].ciphertext, single.ciphertext,
                single.ciphertext_size, suite->slug);
    CHECK_BYTES(samples[i].tag, single.tag, suite->tag_size, suite->slug);
    messages[i] = batch_message(suite, &samples[i], true);
  }
  samples[forged].tag[0] ^= 1;
  messages[count - 1].nonce_size = 99;
  const bool takes_any = suite->nonce_size_max >= 99;
  const samara_result want = suite->tag_size != 0 ? SAMARA_ERROR_AUTHENTICATION
                                                  : SAMARA_ERROR_NONCE_SIZE;
  messages[count - 1].nonce_size = takes_any ? 0 : 99;
  CHECK_RESULT(samara_suite_open_batch(suite, messages, count), want,
               suite->slug);
  for (int i = 0; i < count; i++) {
    const samara_result one = i == count - 1 ? SAMARA_ERROR_NONCE_SIZE
                              : i == forged && suite->tag_size != 0
                                  ? SAMARA_ERROR_AUTHENTICATION
                                  : SAMARA_OK;
    CHECK_RESULT(messages[i].result, one, suite->slug);
    CHECK(messages[i].output_size ==
              (one == SAMARA_OK ? samples[i].message_size : 0),
          "%s: size in a batch", suite->slug);
  }
}

static void check_suite(const samara_suite *suite) {
  static sample s;
  CHECK(samara_suite_find(suite->slug) == suite, "%s is there twice",
        suite->slug);
  for (int i = 0; i < 20; i++) {
    draw_sample(&s, suite);
    check_round_trip(suite, &s);
    if (suite->tag_size != 0) {
      check_forgeries(suite, &s);
    }
    if (suite->stream != NULL) {
      check_stream(suite, &s);
    }
  }
  check_refusals(suite, &s);
  check_batch(suite);
}

/* decrypt undoes encrypt, in place, and a key of one bit more is another. */
static void check_block_cipher(const samara_block_cipher *cipher) {
  uint8_t key[32], block[16], out[16], other[16];
  uint64_t *state = malloc(cipher->state_size);
  if (state == NULL) {
    abort();
  }
  CHECK(samara_block_cipher_find(cipher->slug) == cipher, "%s is there twice",
        cipher->slug);
  for (int i = 0; i < 50; i++) {
    fill_random(key, sizeof key);
    fill_random(block, sizeof block);
    cipher->set_key(state, key);
    cipher->encrypt(state, out, block);
    memcpy(other, block, sizeof other);
    cipher->encrypt(state, other, other);
    CHECK_BYTES(other, out, cipher->block_size, cipher->slug);
    cipher->decrypt(state, other, other);
    CHECK_BYTES(other, block, cipher->block_size, cipher->slug);
    key[random_below(cipher->key_size)] ^= (uint8_t)(1 << random_below(8));
    cipher->set_key(state, key);
    cipher->encrypt(state, other, block);
    CHECK(memcmp(other, out, cipher->block_size) != 0, "%s ignores a key bit",
          cipher->slug);
  }
  free(state);
}

static void check_keystream_batch(void) {
  enum { count = 7 };
  uint8_t keys[count][16], nonces[count][12], got[count][40], want[40];
  samara_batch_keystream streams[count];
  for (size_t i = 0; i < count; i++) {
    fill_random(keys[i], 16);
    fill_random(nonces[i], 12);
    streams[i] = (samara_batch_keystream){keys[i], nonces[i], got[i], 45 * i};
  }
  samara_grain128ple_keystream_batch(streams, count);
  for (size_t i = 0; i < count; i++) {
    samara_grain128ple state;
    samara_grain128ple_init(&state, keys[i], nonces[i]);
    samara_grain128ple_keystream(&state, want, 45 * i);
    CHECK_BYTES(got[i], want, (45 * i + 7) / 8, "keystream batch");
  }
}

int main(void) {
  for (size_t i = 0; samara_suite_at(i) != NULL; i++) {
    check_suite(samara_suite_at(i));
  }
  for (size_t i = 0; samara_block_cipher_at(i) != NULL; i++) {
    check_block_cipher(samara_block_cipher_at(i));
  }
  check_keystream_batch();
  CHECK(samara_suite_find("aes128-ccm-3") == NULL, "an unknown suite");
  CHECK(samara_block_cipher_find("aes") == NULL, "an unknown cipher");
  return check_report();
}
