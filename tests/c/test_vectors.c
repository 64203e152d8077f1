/* SPDX-License-Identifier: Apache-2.0 */

/* Runs every known answer of the files given, one call and in place, and fails
 * for a row of the registry that has none. */

#include "check.h"
#include "vector_file.h"
#include <samara/grain128ple.h>
#include <samara/suite.h>
#include <stdlib.h>
#include <string.h>

enum { rows_max = 512 };

/* Passing answers seen, by the row's index. */
static unsigned long suite_answers[rows_max];
static unsigned long block_answers[rows_max];

/* The fields of a suite's record. */
typedef struct answer {
  const char *label;
  const samara_suite *suite;
  const vector_field *key, *nonce, *ad, *message, *ciphertext, *tag;
} answer;

static uint8_t *allocate(size_t size) {
  uint8_t *memory = malloc(size == 0 ? 1 : size);
  if (memory == NULL) {
    abort();
  }
  memset(memory, 0xa5, size);
  return memory;
}

static samara_result open_answer(const answer *a, uint8_t *message,
                                 size_t *message_size,
                                 const uint8_t *ciphertext) {
  if (a->key->size != a->suite->key_size ||
      a->tag->size != a->suite->tag_size) {
    return SAMARA_ERROR_TAG_SIZE;
  }
  return samara_suite_open(a->suite, a->key->bytes, message, message_size,
                           a->tag->bytes, a->nonce->bytes, a->nonce->size,
                           a->ad->bytes, a->ad->size, ciphertext,
                           a->ciphertext->size);
}

static void check_seals(const answer *a) {
  const size_t size = samara_suite_ciphertext_size(a->suite, a->message->size);
  uint8_t *ciphertext = allocate(size);
  uint8_t *tag = allocate(a->suite->tag_size);
  for (int in_place = 0; in_place < 2; in_place++) {
    const uint8_t *from = a->message->bytes;
    if (in_place) {
      memcpy(ciphertext, from, a->message->size);
      from = ciphertext;
    }
    const samara_result result = samara_suite_seal(
        a->suite, a->key->bytes, ciphertext, tag, a->nonce->bytes,
        a->nonce->size, a->ad->bytes, a->ad->size, from, a->message->size);
    CHECK_RESULT(result, SAMARA_OK, a->label);
    if (CHECK(size == a->ciphertext->size, "%s: ciphertext size", a->label)) {
      CHECK_BYTES(ciphertext, a->ciphertext->bytes, size, a->label);
    }
    CHECK_BYTES(tag, a->tag->bytes, a->suite->tag_size, a->label);
  }
  free(ciphertext);
  free(tag);
}

static void check_opens(const answer *a) {
  uint8_t *message = allocate(a->ciphertext->size);
  for (int in_place = 0; in_place < 2; in_place++) {
    const uint8_t *from = a->ciphertext->bytes;
    size_t size = 12345;
    if (in_place) {
      memcpy(message, from, a->ciphertext->size);
      from = message;
    }
    CHECK_RESULT(open_answer(a, message, &size, from), SAMARA_OK, a->label);
    if (CHECK(size == a->message->size, "%s: message size", a->label)) {
      CHECK_BYTES(message, a->message->bytes, size, a->label);
    }
  }
  free(message);
}

static void check_refused(const answer *a) {
  uint8_t *message = allocate(a->ciphertext->size);
  size_t size = 12345;
  const samara_result result =
      open_answer(a, message, &size, a->ciphertext->bytes);
  CHECK(result != SAMARA_OK, "%s: accepted", a->label);
  if (result == SAMARA_ERROR_AUTHENTICATION) {
    CHECK(size == 0 && all_zero(message, a->ciphertext->size),
          "%s: a refused message was released", a->label);
  }
  free(message);
}

static size_t suite_index(const samara_suite *suite) {
  return (size_t)(suite - samara_suite_at(0));
}

static void run_suite(const samara_suite *suite, const vector_record *record,
                      const char *label) {
  const answer a = {label,
                    suite,
                    vector_hex(record, "key"),
                    vector_hex(record, "nonce"),
                    vector_hex(record, "ad"),
                    vector_hex(record, "message"),
                    vector_hex(record, "ciphertext"),
                    vector_hex(record, "tag")};
  const vector_field *result = vector_find(record, "result");
  if (result != NULL && strcmp(result->text, "fail") == 0) {
    check_refused(&a);
    return;
  }
  CHECK(result != NULL && strcmp(result->text, "pass") == 0,
        "%s: result must be pass or fail", label);
  suite_answers[suite_index(suite)]++;
  check_seals(&a);
  check_opens(&a);
}

static void run_block(const samara_block_cipher *cipher,
                      const vector_record *record, const char *label) {
  const vector_field *key = vector_hex(record, "key");
  const vector_field *plaintext = vector_hex(record, "plaintext");
  const vector_field *ciphertext = vector_hex(record, "ciphertext");
  uint64_t *state = malloc(cipher->state_size);
  uint8_t block[16];
  if (state == NULL || !CHECK(key->size == cipher->key_size &&
                                  plaintext->size == cipher->block_size &&
                                  ciphertext->size == cipher->block_size,
                              "%s: sizes", label)) {
    free(state);
    return;
  }
  block_answers[cipher - samara_block_cipher_at(0)]++;
  cipher->set_key(state, key->bytes);
  cipher->encrypt(state, block, plaintext->bytes);
  CHECK_BYTES(block, ciphertext->bytes, cipher->block_size, label);
  cipher->decrypt(state, block, block);
  CHECK_BYTES(block, plaintext->bytes, cipher->block_size, label);
  free(state);
}

static void run_keystream(const vector_record *record, const char *label) {
  const vector_field *key = vector_hex(record, "key");
  const vector_field *nonce = vector_hex(record, "nonce");
  const vector_field *keystream = vector_hex(record, "keystream");
  const size_t bits = strtoul(vector_find(record, "bits")->text, NULL, 10);
  if (!CHECK(keystream->size == (bits + 7) / 8, "%s: size", label)) {
    return;
  }
  uint8_t *got = allocate(keystream->size);
  samara_grain128ple state;
  samara_grain128ple_init(&state, key->bytes, nonce->bytes);
  samara_grain128ple_keystream(&state, got, bits);
  CHECK_BYTES(got, keystream->bytes, keystream->size, label);
  suite_answers[suite_index(samara_suite_find("grain128ple"))]++;
  free(got);
}

static void run_record(const vector_record *record, const char *path) {
  const samara_suite *suite = samara_suite_find(record->slug);
  const samara_block_cipher *cipher = samara_block_cipher_find(record->slug);
  const vector_field *name = vector_find(record, "name");
  const vector_field *result = vector_find(record, "result");
  char label[512];
  snprintf(label, sizeof label, "%s:%ld [%s] %s", path, record->line,
           record->slug, name == NULL ? "(no name)" : name->text);
  if (vector_find(record, "keystream") != NULL) {
    run_keystream(record, label);
  } else if (suite != NULL) {
    run_suite(suite, record, label);
  } else if (cipher != NULL) {
    run_block(cipher, record, label);
  } else {
    /* A tag size that no suite has is refused by having no suite. */
    CHECK(result != NULL && strcmp(result->text, "fail") == 0,
          "%s: no such suite", label);
  }
}

static void run_file(const char *path) {
  FILE *file = fopen(path, "r");
  if (!CHECK(file != NULL, "%s cannot be read", path)) {
    return;
  }
  vector_record record = {0};
  size_t records = 0;
  while (vector_next(file, path, &record)) {
    run_record(&record, path);
    records++;
  }
  vector_free(&record);
  CHECK(records != 0, "%s holds no answers", path);
  fclose(file);
}

static void check_coverage(void) {
  for (size_t i = 0; samara_suite_at(i) != NULL; i++) {
    CHECK(suite_answers[i] != 0, "suite %s has no known answer in vectors/",
          samara_suite_at(i)->slug);
  }
  for (size_t i = 0; samara_block_cipher_at(i) != NULL; i++) {
    CHECK(block_answers[i] != 0, "cipher %s has no known answer in vectors/",
          samara_block_cipher_at(i)->slug);
  }
}

int main(int argument_count, char **arguments) {
  for (int i = 1; i < argument_count; i++) {
    run_file(arguments[i]);
  }
  check_coverage();
  return check_report();
}
