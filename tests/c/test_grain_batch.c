/* SPDX-License-Identifier: Apache-2.0 */

/* Grain in batches, through every width that this processor can run, beside the
 * calls of one message: official answers, lengths, forgeries, refusals.
 * Arguments: files of known answers. */

#include "aead/grain128aead_batch.h"
#include "check.h"
#include "registers.h"
#include "stream/grain128ple_batch.h"
#include "vector_file.h"
#include <samara/grain128aead.h>
#include <samara/grain128ple.h>
#include <stdlib.h>
#include <string.h>

enum {
  messages_max = 1200,
  size_max = 700,
  data_max = 300,
  guard = 0xa5,
  official_answers = 1089
};

/* A message and what sealing it gives. */
typedef struct sample {
  uint8_t key[16], nonce[12], data[data_max], message[size_max];
  uint8_t ciphertext[size_max], tag[8];
  uint8_t output[size_max + 1], tag_output[8];
  size_t data_size, size, keystream_bits;
} sample;

static sample samples[messages_max];
static samara_batch_message batch[messages_max];
static samara_batch_keystream streams[messages_max];

/* Widths, and one more for the public calls, which choose themselves. */
static unsigned way_count(void) {
  unsigned count = 0;
#if SAMARA_WORD_BITS == 64
  while (samara_grain128_width(count) != NULL) {
    count++;
  }
#endif
  return count + 1;
}

static samara_result run(unsigned way, size_t count, bool opening) {
#if SAMARA_WORD_BITS == 64
  const grain128_width *width = samara_grain128_width(way);
  if (width != NULL) {
    return samara_grain128aead_batch_width(width, batch, count, opening);
  }
#else
  (void)way;
#endif
  return opening ? samara_grain128aead_open_batch(batch, count)
                 : samara_grain128aead_seal_batch(batch, count);
}

static void run_keystreams(unsigned way, size_t count) {
#if SAMARA_WORD_BITS == 64
  const grain128_width *width = samara_grain128_width(way);
  if (width != NULL) {
    samara_grain128ple_batch_width(width, streams, count);
    return;
  }
#else
  (void)way;
#endif
  samara_grain128ple_keystream_batch(streams, count);
}

static samara_batch_message sealing(sample *s, bool in_place) {
  memset(s->output, guard, sizeof s->output);
  memset(s->tag_output, guard, sizeof s->tag_output);
  if (in_place) {
    memcpy(s->output, s->message, s->size);
  }
  return (samara_batch_message){.key = s->key,
                                .nonce = s->nonce,
                                .nonce_size = sizeof s->nonce,
                                .associated_data = s->data,
                                .associated_data_size = s->data_size,
                                .input = in_place ? s->output : s->message,
                                .input_size = s->size,
                                .output = s->output,
                                .output_size = 12345,
                                .tag = s->tag_output,
                                .result = SAMARA_ERROR_STATE};
}

static samara_batch_message opening(sample *s, bool in_place) {
  samara_batch_message message = sealing(s, false);
  message.input = s->ciphertext;
  if (in_place) {
    memcpy(s->output, s->ciphertext, s->size);
    message.input = s->output;
  }
  memcpy(s->tag_output, s->tag, sizeof s->tag);
  return message;
}

static void check_sealed(const sample *s, const samara_batch_message *message) {
  CHECK_RESULT(message->result, SAMARA_OK, "sealed");
  CHECK(message->output_size == s->size, "sealed size");
  CHECK_BYTES(s->output, s->ciphertext, s->size, "ciphertext");
  CHECK_BYTES(s->tag_output, s->tag, sizeof s->tag, "tag");
  CHECK(s->output[s->size] == guard, "a byte behind the ciphertext");
}

static void check_opened(const sample *s, const samara_batch_message *message) {
  CHECK_RESULT(message->result, SAMARA_OK, "opened");
  CHECK(message->output_size == s->size, "opened size");
  CHECK_BYTES(s->output, s->message, s->size, "message");
  CHECK(s->output[s->size] == guard, "a byte behind the message");
}

static void check_released_nothing(const sample *s,
                                   const samara_batch_message *message) {
  CHECK_RESULT(message->result, SAMARA_ERROR_AUTHENTICATION, "forged");
  CHECK(message->output_size == 0, "size of a forged message");
  CHECK(all_zero(s->output, s->size), "a forged message was released");
  CHECK(s->output[s->size] == guard, "a byte behind a forged message");
}

/* Both ways, in place and not, of samples whose answers are known. */
static void check_known(unsigned way, size_t count) {
  for (int in_place = 0; in_place < 2; in_place++) {
    for (size_t i = 0; i < count; i++) {
      batch[i] = sealing(&samples[i], in_place);
    }
    CHECK_RESULT(run(way, count, false), SAMARA_OK, "seal");
    for (size_t i = 0; i < count; i++) {
      check_sealed(&samples[i], &batch[i]);
      batch[i] = opening(&samples[i], in_place);
    }
    CHECK_RESULT(run(way, count, true), SAMARA_OK, "open");
    for (size_t i = 0; i < count; i++) {
      check_opened(&samples[i], &batch[i]);
    }
  }
}

/* A message, by the calls of one. */
static void draw(sample *s, size_t data_limit, size_t size_limit) {
  fill_random(s->key, sizeof s->key);
  fill_random(s->nonce, sizeof s->nonce);
  fill_random(s->data, sizeof s->data);
  fill_random(s->message, sizeof s->message);
  s->data_size = random_below(data_limit);
  s->size = random_below(size_limit);
  CHECK_RESULT(samara_grain128aead_seal(s->key, s->ciphertext, s->tag, s->nonce,
                                        s->data, s->data_size, s->message,
                                        s->size),
               SAMARA_OK, "seal one");
}

/* Short and long messages together, so that lanes end and start at any time. */
static void draw_many(size_t count) {
  for (size_t i = 0; i < count; i++) {
    const bool is_long = random_below(8) == 0;
    draw(&samples[i], is_long ? data_max : 20, is_long ? size_max : 80);
  }
}

/* Every third is forged, in its tag, text or data; others are refused. */
static void check_forged(unsigned way, size_t count) {
  bool any = false;
  for (size_t i = 0; i < count; i++) {
    sample *s = &samples[i];
    batch[i] = opening(s, i % 2 == 0);
    if (i % 3 == 1) {
      any = true;
      switch (random_below(3)) {
      case 0:
        s->tag_output[random_below(8)] ^= (uint8_t)(1U << random_below(8));
        break;
      case 1:
        batch[i].associated_data_size = s->data_size / 2 * 2 + 1;
        batch[i].associated_data_size += s->data_size % 2;
        break;
      default:
        batch[i].key = s->message;
      }
    }
  }
  CHECK_RESULT(run(way, count, true),
               any ? SAMARA_ERROR_AUTHENTICATION : SAMARA_OK, "forged batch");
  for (size_t i = 0; i < count; i++) {
    if (i % 3 == 1) {
      check_released_nothing(&samples[i], &batch[i]);
    } else {
      check_opened(&samples[i], &batch[i]);
    }
  }
}

/* The first failure is the answer; the others are done all the same. */
static void check_refused(unsigned way, size_t count) {
  for (size_t i = 0; i < count; i++) {
    batch[i] = sealing(&samples[i], false);
    if (i % 5 == 2) {
      batch[i].nonce_size = 13;
    } else if (i % 5 == 4) {
      samples[i].size = 20;
      batch[i] = sealing(&samples[i], true);
      batch[i].input++;
    }
  }
  CHECK_RESULT(run(way, count, false),
               count > 2 ? SAMARA_ERROR_NONCE_SIZE : SAMARA_OK, "refused");
  for (size_t i = 0; i < count; i++) {
    const samara_result want = i % 5 == 2   ? SAMARA_ERROR_NONCE_SIZE
                               : i % 5 == 4 ? SAMARA_ERROR_OVERLAP
                                            : SAMARA_OK;
    CHECK_RESULT(batch[i].result, want, "one of many");
    if (want == SAMARA_OK) {
      check_sealed(&samples[i], &batch[i]);
    } else {
      CHECK(batch[i].output_size == 0, "size of a refused message");
      CHECK(samples[i].tag_output[0] == guard, "tag of a refused message");
    }
  }
}

static void check_keystreams(unsigned way, size_t count) {
  for (size_t i = 0; i < count; i++) {
    sample *s = &samples[i];
    const size_t limit = i % 7 == 0 ? 8 * size_max : 600;
    s->keystream_bits = i % 11 == 3 ? 0 : random_below(limit + 1);
    memset(s->output, guard, sizeof s->output);
    streams[i] = (samara_batch_keystream){s->key, s->nonce, s->output,
                                          s->keystream_bits};
  }
  run_keystreams(way, count);
  for (size_t i = 0; i < count; i++) {
    const sample *s = &samples[i];
    const size_t size = (s->keystream_bits + 7) / 8;
    uint8_t want[size_max];
    samara_grain128ple one;
    samara_grain128ple_init(&one, s->key, s->nonce);
    samara_grain128ple_keystream(&one, want, s->keystream_bits);
    CHECK_BYTES(s->output, want, size, "keystream");
    CHECK(s->output[size] == guard, "a byte behind the keystream");
  }
}

#if SAMARA_ARCH_X86_64 || SAMARA_ARCH_AARCH64
/* Nothing of a batch stays in the registers that no call clears by itself. */
static void check_registers(unsigned way, size_t count) {
  for (size_t i = 0; i < count; i++) {
    samples[i].size = size_max;
    batch[i] = sealing(&samples[i], false);
  }
  const samara_result result = run(way, count, false);
  const bool clear = registers_are_clear();
  CHECK_RESULT(result, SAMARA_OK, "registers");
  CHECK(clear, "way %u leaves registers", way);
}
#endif

/* The passing answers of a file, in a batch together. */
static size_t read_answers(const char *path) {
  FILE *file = fopen(path, "r");
  vector_record record = {.line = 0};
  size_t count = 0;
  if (!CHECK(file != NULL, "%s cannot be read", path)) {
    return 0;
  }
  while (vector_next(file, path, &record)) {
    const vector_field *message = vector_hex(&record, "message");
    const vector_field *data = vector_hex(&record, "ad");
    if (message->size > size_max || data->size > data_max) {
      continue; /* test_vectors has them */
    }
    sample *s = &samples[count++];
    memcpy(s->key, vector_hex(&record, "key")->bytes, sizeof s->key);
    memcpy(s->nonce, vector_hex(&record, "nonce")->bytes, sizeof s->nonce);
    memcpy(s->data, data->bytes, data->size);
    memcpy(s->message, message->bytes, message->size);
    memcpy(s->ciphertext, vector_hex(&record, "ciphertext")->bytes,
           message->size);
    memcpy(s->tag, vector_hex(&record, "tag")->bytes, sizeof s->tag);
    s->data_size = data->size;
    s->size = message->size;
  }
  vector_free(&record);
  (void)fclose(file);
  return count;
}

int main(int argc, char **argv) {
  static const size_t counts[] = {1, 2, 15, 16, 63, 64, 65, 300, 513, 1100};
  const unsigned ways = way_count();
  for (int file = 1; file < argc; file++) {
    const size_t count = read_answers(argv[file]);
    CHECK(count == official_answers, "%s: %zu answers", argv[file], count);
    for (unsigned way = 0; way < ways; way++) {
      check_known(way, count);
    }
  }
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
    for (unsigned way = 0; way < ways; way++) {
      draw_many(counts[i]);
      check_known(way, counts[i]);
      check_forged(way, counts[i]);
      check_keystreams(way, counts[i]);
      check_refused(way, counts[i]);
    }
  }
#if SAMARA_ARCH_X86_64 || SAMARA_ARCH_AARCH64
  draw_many(300);
  /* A library compiled for another machine knows of no such registers. Code
   * that is not optimised, and sanitizers, copy structures through them. */
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
  const bool wide = samara_grain128_width(0)->lanes > 64;
#else
  const bool wide = false;
#endif
  for (unsigned way = 0; wide && way + 1 < ways; way++) {
    check_registers(way, 300);
  }
  if (wide) {
    check_registers(ways - 1, 2); /* one after the other */
  }
#endif
  return check_report();
}
