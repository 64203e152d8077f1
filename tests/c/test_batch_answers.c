/* SPDX-License-Identifier: Apache-2.0 */

/* The passing answers of all files given, those of a suite in one batch, where
 * lanes have messages of every length side by side; and every second of them,
 * every third and so on, where others lie side by side. */

#include "check.h"
#include "registers.h"
#include "vector_file.h"
#include <samara/suite.h>
#include <stdlib.h>
#include <string.h>

enum { answers_max = 8192, size_max = 4096, fewest = 20 };

/* An answer, and where a batch writes its own. */
typedef struct answer {
  const samara_suite *suite;
  uint8_t *key, *nonce, *data, *message, *sealed, *tag, *output, *tag_output;
  size_t nonce_size, data_size, size, sealed_size;
} answer;

static answer answers[answers_max];
static size_t answer_count;
static samara_batch_message batch[answers_max];

static uint8_t *copy_of(const vector_field *field) {
  uint8_t *bytes = malloc(field->size + 1);
  if (bytes == NULL) {
    abort();
  }
  memcpy(bytes, field->bytes, field->size);
  return bytes;
}

static uint8_t *room_for(size_t size) {
  uint8_t *bytes = malloc(size + 1);
  if (bytes == NULL) {
    abort();
  }
  return bytes;
}

static void keep(const samara_suite *suite, const vector_record *record) {
  if (!CHECK(answer_count < answers_max, "too many answers")) {
    return;
  }
  const vector_field *nonce = vector_hex(record, "nonce");
  const vector_field *data = vector_hex(record, "ad");
  const vector_field *message = vector_hex(record, "message");
  const vector_field *sealed = vector_hex(record, "ciphertext");
  answers[answer_count++] = (answer){.suite = suite,
                                     .key = copy_of(vector_hex(record, "key")),
                                     .nonce = copy_of(nonce),
                                     .data = copy_of(data),
                                     .message = copy_of(message),
                                     .sealed = copy_of(sealed),
                                     .tag = copy_of(vector_hex(record, "tag")),
                                     .output = room_for(sealed->size),
                                     .tag_output = room_for(suite->tag_size),
                                     .nonce_size = nonce->size,
                                     .data_size = data->size,
                                     .size = message->size,
                                     .sealed_size = sealed->size};
}

static void read_file(const char *path) {
  FILE *file = fopen(path, "r");
  vector_record record = {.line = 0};
  if (!CHECK(file != NULL, "%s cannot be read", path)) {
    return;
  }
  while (vector_next(file, path, &record)) {
    const samara_suite *suite = samara_suite_find(record.slug);
    const vector_field *result = vector_find(&record, "result");
    if (suite != NULL && result != NULL && strcmp(result->text, "pass") == 0 &&
        vector_find(&record, "keystream") == NULL) {
      keep(suite, &record);
    }
  }
  vector_free(&record);
  (void)fclose(file);
}

static samara_batch_message message_of(const answer *a, bool opening) {
  memset(a->output, 0xa5, a->sealed_size + 1);
  if (opening) {
    memcpy(a->tag_output, a->tag, a->suite->tag_size);
  } else {
    memset(a->tag_output, 0xa5, a->suite->tag_size + 1);
  }
  return (samara_batch_message){.key = a->key,
                                .nonce = a->nonce,
                                .nonce_size = a->nonce_size,
                                .associated_data = a->data,
                                .associated_data_size = a->data_size,
                                .input = opening ? a->sealed : a->message,
                                .input_size =
                                    opening ? a->sealed_size : a->size,
                                .output = a->output,
                                .output_size = 12345,
                                .tag = a->tag_output,
                                .result = SAMARA_ERROR_STATE};
}

/* Every `step`th answer of a suite; how many these are. */
static size_t check_suite(const samara_suite *suite, size_t step,
                          bool opening) {
  const answer *of[answers_max];
  size_t count = 0;
  bool usual = true;
  for (size_t i = 0; i < answer_count; i++) {
    if (answers[i].suite == suite && i % step == 0) {
      of[count] = &answers[i];
      usual = usual && answers[i].nonce_size == suite->nonce_size;
      batch[count++] = message_of(&answers[i], opening);
    }
  }
  clear_registers();
  const samara_result result =
      opening ? samara_suite_open_batch(suite, batch, count)
              : samara_suite_seal_batch(suite, batch, count);
  const bool clear = registers_are_clear();
  CHECK_RESULT(result, SAMARA_OK, suite->slug);
  /* Messages that go one by one pass registers of the C library's, which are
   * not cleared. */
  const bool alone = !usual || suite->seal_batch == NULL || count < fewest ||
                     (opening && suite->padding_size != 0);
  CHECK(clear || alone, "%s leaves registers", suite->slug);
  for (size_t i = 0; i < count; i++) {
    const answer *a = of[i];
    const size_t size = opening ? a->size : a->sealed_size;
    CHECK_RESULT(batch[i].result, SAMARA_OK, suite->slug);
    CHECK(batch[i].output_size == size, "%s: size in a batch", suite->slug);
    CHECK_BYTES(a->output, opening ? a->message : a->sealed, size, suite->slug);
    CHECK(a->output[a->sealed_size] == 0xa5, "%s: a byte behind the output",
          suite->slug);
    if (!opening) {
      CHECK_BYTES(a->tag_output, a->tag, suite->tag_size, suite->slug);
      CHECK(a->tag_output[suite->tag_size] == 0xa5, "%s: a byte behind the tag",
            suite->slug);
    }
  }
  return count;
}

int main(int argument_count, char **arguments) {
  size_t seen = 0;
  for (int i = 1; i < argument_count; i++) {
    read_file(arguments[i]);
  }
  for (size_t i = 0; samara_suite_at(i) != NULL; i++) {
    for (size_t step = 1; step <= 5; step++) {
      const size_t count = check_suite(samara_suite_at(i), step, false);
      (void)check_suite(samara_suite_at(i), step, true);
      seen += step == 1 ? count : 0;
    }
  }
  CHECK(seen == answer_count && seen >= fewest, "%zu answers seen", seen);
  return check_report();
}
