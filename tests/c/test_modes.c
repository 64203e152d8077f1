/* SPDX-License-Identifier: Apache-2.0 */

/* CTR, CCM and GCM beside the texts of their standards, written here once more:
 * block by block and bit by bit, of the block cipher alone. Every length from 0
 * to 300, where kernels begin, end and fall back; from any address, in place,
 * with counters that wrap within the message. The build runs this for each set
 * of instructions (SAMARA_MACHINE). */

#include "check.h"
#include "ends.h"
#include "registers.h"
#include <samara/aes.h>
#include <samara/ascon_aead128.h>
#include <samara/modspeck.h>
#include <samara/simon.h>
#include <samara/suite.h>
#include <stdio.h>
#include <string.h>

enum { length_max = 300, long_size = 5000, room = long_size + 64 };

/* A cipher with an expanded key. */
static const samara_block_cipher *cipher;
static uint64_t state[72];
static uint8_t key[32];

static void draw_key(void) {
  fill_random(key, sizeof key);
  cipher->set_key(state, key);
}

static void encrypt(uint8_t output[16], const uint8_t input[16]) {
  cipher->encrypt(state, output, input);
}

static void add_block(uint8_t block[16], const uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) {
    block[i] ^= bytes[i];
  }
}

static void count_up(uint8_t block[16], unsigned first) {
  for (unsigned i = 16; i-- > first && ++block[i] == 0;) {
  }
}

static void text_ctr(uint8_t *output, const uint8_t counter[16], unsigned first,
                     const uint8_t *input, size_t size) {
  uint8_t block[16], keystream[16];
  memcpy(block, counter, 16);
  for (size_t i = 0; i < size; i++) {
    if (i % 16 == 0) {
      encrypt(keystream, block);
      count_up(block, first);
    }
    output[i] = input[i] ^ keystream[i % 16];
  }
}

/* Adds bytes to a CBC-MAC, with zeros up to a whole block. */
static void text_mac(uint8_t mac[16], const uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; i += 16) {
    add_block(mac, bytes + i, size - i < 16 ? size - i : 16);
    encrypt(mac, mac);
  }
}

/* Bytes of associated data. */
enum { data_max = 80 };

static void text_ccm(uint8_t *output, uint8_t *tag, size_t tag_size,
                     const uint8_t *nonce, size_t nonce_size,
                     const uint8_t *data, size_t data_size,
                     const uint8_t *input, size_t size) {
  uint8_t mac[16] = {0}, counter[16] = {0}, padded[2 + data_max], hidden[16];
  counter[0] = (uint8_t)(14 - nonce_size);
  memcpy(counter + 1, nonce, nonce_size);
  memcpy(mac, counter, 16);
  mac[0] |= (uint8_t)((data_size != 0 ? 0x40U : 0U) | (tag_size - 2) / 2 << 3);
  mac[14] = (uint8_t)(size >> 8);
  mac[15] = (uint8_t)size;
  encrypt(mac, mac);
  if (data_size != 0) {
    padded[0] = 0;
    padded[1] = (uint8_t)data_size;
    memcpy(padded + 2, data, data_size);
    text_mac(mac, padded, 2 + data_size);
  }
  text_mac(mac, input, size);
  encrypt(hidden, counter);
  for (size_t i = 0; i < tag_size; i++) {
    tag[i] = mac[i] ^ hidden[i];
  }
  counter[15] = 1;
  text_ctr(output, counter, (unsigned)nonce_size + 1, input, size);
}

/* value = value * h in the field of GHASH, whose first bit is x^0. */
static void text_multiply(uint8_t value[16], const uint8_t h[16]) {
  uint8_t sum[16] = {0}, v[16];
  memcpy(v, h, 16);
  for (unsigned i = 0; i < 128; i++) {
    if ((value[i / 8] >> (7 - i % 8) & 1) != 0) {
      add_block(sum, v, 16);
    }
    const unsigned out = v[15] & 1;
    for (unsigned j = 16; j-- > 0;) {
      v[j] = (uint8_t)(v[j] >> 1 | (j == 0 ? 0 : v[j - 1] << 7));
    }
    v[0] ^= (uint8_t)(out * 0xe1);
  }
  memcpy(value, sum, 16);
}

static void text_hash(uint8_t value[16], const uint8_t h[16],
                      const uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; i += 16) {
    add_block(value, bytes + i, size - i < 16 ? size - i : 16);
    text_multiply(value, h);
  }
}

static void text_lengths(uint8_t block[16], size_t first, size_t second) {
  memset(block, 0, 16);
  block[6] = (uint8_t)(first >> 5);
  block[7] = (uint8_t)(first << 3);
  block[13] = (uint8_t)(second >> 13);
  block[14] = (uint8_t)(second >> 5);
  block[15] = (uint8_t)(second << 3);
}

static void text_gcm(uint8_t *output, uint8_t tag[16], const uint8_t *nonce,
                     size_t nonce_size, const uint8_t *data, size_t data_size,
                     const uint8_t *input, size_t size) {
  uint8_t h[16] = {0}, counter[16] = {0}, hash[16] = {0}, lengths[16];
  encrypt(h, h);
  if (nonce_size == 12) {
    memcpy(counter, nonce, 12);
    counter[15] = 1;
  } else {
    text_hash(counter, h, nonce, nonce_size);
    text_lengths(lengths, 0, nonce_size);
    text_hash(counter, h, lengths, 16);
  }
  encrypt(tag, counter);
  count_up(counter, 12);
  text_ctr(output, counter, 12, input, size);
  text_hash(hash, h, data, data_size);
  text_hash(hash, h, output, size);
  text_lengths(lengths, data_size, size);
  text_hash(hash, h, lengths, 16);
  add_block(tag, hash, 16);
}

/* What one message is made of, and where it lies. */
typedef struct sample {
  const samara_suite *suite;
  uint8_t nonce[16], data[data_max], message[room], want[room], tag[16];
  size_t nonce_size, data_size, size;
} sample;

static sample drawn;

static void draw(const samara_suite *suite, size_t size) {
  drawn.suite = suite;
  fill_random(drawn.nonce, sizeof drawn.nonce);
  fill_random(drawn.data, sizeof drawn.data);
  fill_random(drawn.message, size);
  drawn.nonce_size = suite->nonce_size;
  drawn.data_size =
      suite->tag_size == 0 ? 0 : random_below(sizeof drawn.data + 1);
  drawn.size = size;
}

/* Sealed and opened at addresses of any alignment, apart and in place. */
static void check_at(size_t to, size_t from, bool in_place) {
  static uint8_t source[room], target[room];
  const sample *s = &drawn;
  const samara_suite *suite = s->suite;
  uint8_t *input = source + from;
  uint8_t *output = in_place ? input : target + to;
  uint8_t tag[16];
  size_t size;
  memset(target, 0xa5, sizeof target);
  memcpy(input, s->message, s->size);
  clear_registers();
  const samara_result sealed =
      samara_suite_seal(suite, key, output, tag, s->nonce, s->nonce_size,
                        s->data, s->data_size, input, s->size);
  const bool clear = registers_are_clear();
  CHECK_RESULT(sealed, SAMARA_OK, suite->slug);
  CHECK(clear, "%s: %zu bytes: leaves registers", suite->slug, s->size);
  CHECK_BYTES(output, s->want, s->size, suite->slug);
  CHECK_BYTES(tag, s->tag, suite->tag_size, suite->slug);
  CHECK(in_place ||
            (output[s->size] == 0xa5 && (to == 0 || output[-1] == 0xa5)),
        "%s: %zu bytes: writes beside its output", suite->slug, s->size);
  memcpy(input, s->want, s->size);
  CHECK_RESULT(samara_suite_open(suite, key, output, &size, s->tag, s->nonce,
                                 s->nonce_size, s->data, s->data_size, input,
                                 s->size),
               SAMARA_OK, suite->slug);
  CHECK_BYTES(output, s->message, s->size, suite->slug);
  if (suite->tag_size != 0) {
    memcpy(input, s->want, s->size);
    tag[random_below(suite->tag_size)] ^= (uint8_t)(1 << random_below(8));
    CHECK_RESULT(samara_suite_open(suite, key, output, &size, tag, s->nonce,
                                   s->nonce_size, s->data, s->data_size, input,
                                   s->size),
                 SAMARA_ERROR_AUTHENTICATION, suite->slug);
    CHECK(all_zero(output, s->size), "%s releases a forgery", suite->slug);
  }
}

static void check_sample(void) {
  check_at(0, 0, false);
  check_at(random_below(17), random_below(17), false);
  check_at(0, random_below(17), true);
}

static const samara_suite *suite_of(const char *mode) {
  char slug[40];
  (void)snprintf(slug, sizeof slug, "%s-%s", cipher->slug, mode);
  return samara_suite_find(slug);
}

static void check_ctr(size_t size) {
  draw(suite_of("ctr"), size);
  /* The lower half wraps somewhere in the message, or all of it. */
  if (size % 3 != 0) {
    memset(drawn.nonce + (size % 3 == 1 ? 8 : 0), 0xff, size % 3 == 1 ? 8 : 16);
    drawn.nonce[15] = (uint8_t)(0x100 - random_below(size / 16 + 2));
  }
  text_ctr(drawn.want, drawn.nonce, 0, drawn.message, size);
  check_sample();
}

static void check_ccm(size_t size) {
  char mode[12];
  const size_t tag_size = 4 + 2 * random_below(7);
  /* Not every C library of devices knows %zu. */
  (void)snprintf(mode, sizeof mode, "ccm-%u", (unsigned)tag_size);
  draw(suite_of(mode), size);
  drawn.nonce_size = 7 + random_below(7);
  text_ccm(drawn.want, drawn.tag, tag_size, drawn.nonce, drawn.nonce_size,
           drawn.data, drawn.data_size, drawn.message, size);
  check_sample();
}

/* A nonce of 16 bytes with which the first counter is the one given: GHASH run
 * backwards, 1/h being h to the power 2^128 - 2. */
static void nonce_for_counter(uint8_t nonce[16], const uint8_t counter[16]) {
  uint8_t h[16] = {0}, inverse[16] = {0x80}, lengths[16], square[16];
  encrypt(h, h);
  memcpy(square, h, 16);
  for (unsigned i = 1; i < 128; i++) {
    uint8_t copy[16];
    memcpy(copy, square, 16);
    text_multiply(square, copy);
    text_multiply(inverse, square);
  }
  text_lengths(lengths, 0, 16);
  memcpy(nonce, counter, 16);
  text_multiply(nonce, inverse);
  add_block(nonce, lengths, 16);
  text_multiply(nonce, inverse);
}

static void check_gcm(size_t size) {
  if (suite_of("gcm") == NULL) {
    return;
  }
  draw(suite_of("gcm"), size);
  if (size % 4 == 1) {
    drawn.nonce_size = 1 + random_below(16);
  } else if (size % 4 == 2) {
    uint8_t counter[16];
    fill_random(counter, sizeof counter);
    memset(counter + 12, 0xff, 4);
    counter[15] = (uint8_t)(0x100 - 1 - random_below(size / 16 + 2));
    drawn.nonce_size = 16;
    nonce_for_counter(drawn.nonce, counter);
  }
  text_gcm(drawn.want, drawn.tag, drawn.nonce, drawn.nonce_size, drawn.data,
           drawn.data_size, drawn.message, size);
  check_sample();
}

/* Around the sizes that take other ways through GCM, all sizes of data. */
static void check_gcm_frames(void) {
  static const size_t sizes[] = {0, 1, 7, 8, 15, 16, 17, 64, 65, 127, 128, 129};
  if (suite_of("gcm") == NULL) {
    return;
  }
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    for (size_t data_size = 0; data_size <= sizeof drawn.data; data_size++) {
      draw(suite_of("gcm"), sizes[i]);
      drawn.data_size = data_size;
      text_gcm(drawn.want, drawn.tag, drawn.nonce, drawn.nonce_size, drawn.data,
               drawn.data_size, drawn.message, drawn.size);
      check_sample();
    }
  }
}

static void check_cipher(const char *slug) {
  cipher = samara_block_cipher_find(slug);
  if (!CHECK(cipher != NULL, "no cipher %s", slug)) {
    return;
  }
  for (size_t size = 0; size <= length_max; size++) {
    draw_key();
    check_ctr(size);
    check_ccm(size);
    check_gcm(size);
  }
  /* In C, sixteen blocks are encrypted at a time from 32 blocks on. */
  for (size_t size = 506; size <= 530; size++) {
    draw_key();
    check_ctr(size);
    check_gcm(size);
  }
  for (size_t i = 0; i < 12; i++) {
    const size_t size = long_size - random_below(1100);
    draw_key();
    check_ctr(size);
    check_ccm(size);
    check_gcm(size);
  }
  check_gcm_frames();
}

/* A samara_aead of GCM keeps what it derives from its key. */
static void check_prepared(void) {
  const samara_suite *suite = samara_suite_find("aes256-gcm");
  uint64_t prepared[128];
  uint8_t sealed[length_max], opened[length_max], tag[16];
  cipher = samara_block_cipher_find("aes256");
  draw_key();
  if (!CHECK(suite->aead->state_size <= sizeof prepared, "room")) {
    return;
  }
  suite->aead->set_key(prepared, key);
  for (size_t size = 0; size <= length_max; size++) {
    draw(suite, size);
    text_gcm(drawn.want, drawn.tag, drawn.nonce, 12, drawn.data,
             drawn.data_size, drawn.message, size);
    clear_registers();
    const samara_result result =
        suite->aead->seal(prepared, sealed, tag, 16, drawn.nonce, drawn.data,
                          drawn.data_size, drawn.message, size);
    const bool clear = upper_registers_are_clear(); /* 0 has the tag */
    CHECK_RESULT(result, SAMARA_OK, "prepared");
    CHECK(clear, "prepared leaves registers");
    CHECK_BYTES(sealed, drawn.want, size, "prepared");
    CHECK_BYTES(tag, drawn.tag, 16, "prepared");
    CHECK_RESULT(suite->aead->open(prepared, opened, tag, 16, drawn.nonce,
                                   drawn.data, drawn.data_size, sealed, size),
                 SAMARA_OK, "prepared");
    CHECK_BYTES(opened, drawn.message, size, "prepared");
  }
}

/* Batches: each message as if it were alone. */

enum { batch_max = 70, batch_room = 720 };

typedef struct batch_item {
  uint8_t key[32], nonce[16], data[400], tag[16], want_tag[16];
  uint8_t input[batch_room], output[batch_room], want[batch_room];
  uint8_t *to;
  size_t size, sealed_size, data_size, nonce_size;
  samara_result want_result;
} batch_item;

static batch_item items[batch_max];

/* What is drawn for all messages of a batch. */
typedef struct batch_kind {
  size_t same; /* the length of all, as frames have; 0: any */
  bool any_nonce;
  bool last_numbers; /* counters just before a carry into the upper half */
} batch_kind;

static batch_kind kind_of(const samara_suite *suite, size_t count) {
  const bool is_gcm = strstr(suite->slug, "-gcm") != NULL;
  const bool is_ctr = strstr(suite->slug, "-ctr") != NULL;
  return (batch_kind){.same = count % 3 == 2 ? 1 + random_below(200) : 0,
                      .any_nonce = !is_gcm || count % 4 == 1,
                      .last_numbers = is_ctr && count % 4 == 2};
}

/* Mostly short. */
static void draw_item(batch_item *item, const samara_suite *suite,
                      const batch_kind *kind) {
  const size_t span = suite->nonce_size_max - suite->nonce_size_min;
  fill_random(item->key, sizeof item->key);
  fill_random(item->nonce, sizeof item->nonce);
  fill_random(item->data, sizeof item->data);
  fill_random(item->input, sizeof item->input);
  item->size = kind->same != 0        ? kind->same
               : random_below(9) == 0 ? random_below(700)
                                      : random_below(140);
  item->sealed_size = samara_suite_ciphertext_size(suite, item->size);
  item->data_size = random_below(4) == 0 ? random_below(400) : random_below(30);
  if (suite->tag_size == 0) {
    item->data_size = 0;
  }
  item->nonce_size = suite->nonce_size;
  if (kind->any_nonce) {
    item->nonce_size =
        suite->nonce_size_min + random_below(span < 16 ? span + 1 : 16);
  }
  if (kind->last_numbers) {
    memset(item->nonce + 8, 0xff, 8);
    /* Blocks before the carry: enough, or too few for some. */
    const size_t enough = item->size / 16 + 1;
    const bool carries = random_below(40) == 0;
    item->nonce[15] -= (uint8_t)(carries ? random_below(enough) : enough);
  }
  item->want_result = SAMARA_OK;
}

/* Messages of a batch, some in place, from any address. */
static void batch_of(samara_batch_message *messages, size_t count) {
  for (size_t i = 0; i < count; i++) {
    batch_item *item = &items[i];
    uint8_t *input = item->input + i % 5;
    item->to = i % 3 == 0 ? input : item->output + i % 7;
    messages[i] =
        (samara_batch_message){.key = item->key,
                               .nonce = item->nonce,
                               .nonce_size = item->nonce_size,
                               .associated_data = item->data,
                               .associated_data_size = item->data_size,
                               .input = input,
                               .input_size = item->size,
                               .output = item->to,
                               .output_size = 99,
                               .tag = item->tag,
                               .result = SAMARA_ERROR_STATE};
  }
}

static samara_result first_of(const samara_batch_message *messages,
                              size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (messages[i].result != SAMARA_OK) {
      return messages[i].result;
    }
  }
  return SAMARA_OK;
}

/* The size of a nonce that a suite does not take. */
static size_t refused_size(const samara_suite *suite, bool is_short) {
  return is_short || suite->nonce_size_max > 16 ? suite->nonce_size_min - 1
                                                : suite->nonce_size_max + 1;
}

/* Every eleventh message cannot be sealed. */
static void check_batch_sealed(const samara_suite *suite, size_t count) {
  samara_batch_message messages[batch_max];
  batch_of(messages, count);
  for (size_t i = 0; i < count; i++) {
    batch_item *item = &items[i];
    if (i % 11 == 10) {
      messages[i].nonce_size = refused_size(suite, i % 2 == 0);
      item->want_result = SAMARA_ERROR_NONCE_SIZE;
    } else {
      CHECK_RESULT(
          samara_suite_seal(suite, item->key, item->want, item->want_tag,
                            item->nonce, item->nonce_size, item->data,
                            item->data_size, messages[i].input, item->size),
          SAMARA_OK, suite->slug);
    }
  }
  const samara_result result = samara_suite_seal_batch(suite, messages, count);
  CHECK_RESULT(result, first_of(messages, count), suite->slug);
  for (size_t i = 0; i < count; i++) {
    const batch_item *item = &items[i];
    CHECK_RESULT(messages[i].result, item->want_result, suite->slug);
    if (item->want_result == SAMARA_OK) {
      CHECK(messages[i].output_size == item->sealed_size, "size in a batch");
      CHECK_BYTES(item->to, item->want, item->sealed_size, suite->slug);
      CHECK_BYTES(item->tag, item->want_tag, suite->tag_size, suite->slug);
    } else {
      CHECK(messages[i].output_size == 0, "size of a refused message");
    }
  }
}

/* Changes the tag, or what is behind the last message byte of CBC. */
static void forge(batch_item *item, const samara_suite *suite, uint8_t *input) {
  const uint8_t bit = (uint8_t)(1 << random_below(8));
  if (suite->tag_size != 0) {
    item->tag[random_below(suite->tag_size)] ^= bit;
  } else if (item->sealed_size >= 32) {
    input[item->sealed_size - 17] ^= bit;
  }
}

/* What was sealed, some of it forged, opens to what one call opens it to. */
static void check_batch_opened(const samara_suite *suite, size_t count) {
  samara_batch_message messages[batch_max];
  size_t want_sizes[batch_max];
  for (size_t i = 0; i < count; i++) {
    batch_item *item = &items[i];
    uint8_t *input = item->input + i % 5;
    memcpy(input, item->want, item->sealed_size);
    memcpy(item->tag, item->want_tag, 16);
    if (i % 7 == 3) {
      forge(item, suite, input);
    }
    item->want_result =
        samara_suite_open(suite, item->key, item->want, &want_sizes[i],
                          item->tag, item->nonce, item->nonce_size, item->data,
                          item->data_size, input, item->sealed_size);
    memset(item->output, 0xa5, sizeof item->output);
  }
  batch_of(messages, count);
  for (size_t i = 0; i < count; i++) {
    messages[i].input_size = items[i].sealed_size;
  }
  const samara_result result = samara_suite_open_batch(suite, messages, count);
  CHECK_RESULT(result, first_of(messages, count), suite->slug);
  for (size_t i = 0; i < count; i++) {
    const batch_item *item = &items[i];
    const size_t size = item->sealed_size;
    CHECK_RESULT(messages[i].result, item->want_result, suite->slug);
    CHECK(messages[i].output_size == want_sizes[i], "%s: size in a batch",
          suite->slug);
    CHECK_BYTES(item->to, item->want, size, suite->slug);
    if (i % 3 != 0) {
      CHECK(item->to[size] == 0xa5 && (i % 7 == 0 || item->to[-1] == 0xa5),
            "%s: a batch writes beside its output", suite->slug);
    }
  }
}

/* Messages that lanes take all leave nothing in vector registers. */
static void check_batch_registers(const samara_suite *suite) {
  enum { count = 24 };
  static const batch_kind frames = {.same = 127};
  samara_batch_message messages[count];
  for (size_t i = 0; i < count; i++) {
    draw_item(&items[i], suite, &frames);
  }
  for (int opening = 0; opening < 2 - (suite->padding_size != 0); opening++) {
    batch_of(messages, count);
    for (size_t i = 0; i < count; i++) {
      messages[i].input = opening ? items[i].output : items[i].input;
      messages[i].output = opening ? items[i].input : items[i].output;
    }
    clear_registers();
    const samara_result result =
        opening ? samara_suite_open_batch(suite, messages, count)
                : samara_suite_seal_batch(suite, messages, count);
    const bool clear = registers_are_clear();
    CHECK_RESULT(result, SAMARA_OK, suite->slug);
    CHECK(clear, "%s leaves registers", suite->slug);
  }
}

static void check_batches(void) {
  static const char *const slugs[] = {"aes128-ccm-16",
                                      "aes128-ccm-4",
                                      "aes192-ccm-8",
                                      "aes256-ccm-10",
                                      "aes128-ccm-6",
                                      "aes128-gcm",
                                      "aes192-gcm",
                                      "aes256-gcm",
                                      "aes128-ctr",
                                      "aes256-ctr",
                                      "aes128-cbc",
                                      "aes192-cbc",
                                      "speck128-128-ccm-8",
                                      "speck128-192-ccm-6",
                                      "speck128-256-ccm-16",
                                      "speck128-128-ctr",
                                      "speck128-256-ctr",
                                      "modspeck128-128-ccm-8",
                                      "modspeck128-192-ccm-14",
                                      "modspeck128-256-ccm-4",
                                      "modspeck128-192-ctr",
                                      "simon128-128-ccm-12",
                                      "simon128-192-ccm-8",
                                      "simon128-256-ccm-10",
                                      "simon128-128-ctr",
                                      "simon128-192-ctr",
                                      "ascon-aead128"};
  for (size_t i = 0; i < sizeof slugs / sizeof slugs[0]; i++) {
    const samara_suite *suite = samara_suite_find(slugs[i]);
    for (size_t count = 0; count <= batch_max; count++) {
      const batch_kind kind = kind_of(suite, count);
      for (size_t j = 0; j < count; j++) {
        draw_item(&items[j], suite, &kind);
      }
      check_batch_sealed(suite, count);
      for (size_t j = 10; j < count; j += 11) {
        batch_item *item = &items[j];
        CHECK_RESULT(
            samara_suite_seal(suite, item->key, item->want, item->want_tag,
                              item->nonce, item->nonce_size, item->data,
                              item->data_size, item->input, item->size),
            SAMARA_OK, suite->slug);
      }
      check_batch_opened(suite, count);
    }
    check_batch_registers(suite);
  }
}

typedef samara_result ccm_batch(samara_batch_message *messages, size_t count,
                                size_t tag_size);

/* A batch refuses what a single call refuses. */
static void check_batch_refusals(ccm_batch *seal, ccm_batch *open) {
  uint8_t bytes[80] = {0}, nonce[13] = {0}, tag[4][16] = {{0}};
  samara_batch_message messages[4];
  for (size_t i = 0; i < 4; i++) {
    messages[i] = (samara_batch_message){.key = key,
                                         .nonce = nonce,
                                         .nonce_size = 13,
                                         .input = bytes + 16 * i,
                                         .input_size = 16,
                                         .output = bytes + 16 * i,
                                         .tag = tag[i]};
  }
  CHECK_RESULT(seal(messages, 4, 5), SAMARA_ERROR_TAG_SIZE, "an odd tag");
  CHECK(messages[3].result == SAMARA_ERROR_TAG_SIZE && bytes[0] == 0,
        "an odd tag");
  messages[1].input_size = 0x10000;
  messages[2].output = messages[2].input == bytes ? bytes : bytes + 33;
  CHECK_RESULT(seal(messages, 4, 8), SAMARA_ERROR_MESSAGE_SIZE,
               "a long message");
  CHECK_RESULT(messages[0].result, SAMARA_OK, "beside refused ones");
  CHECK_RESULT(messages[2].result, SAMARA_ERROR_OVERLAP, "overlap");
  CHECK_RESULT(messages[3].result, SAMARA_OK, "beside refused ones");
  CHECK_RESULT(open(messages, 4, 8), SAMARA_ERROR_CIPHERTEXT_SIZE,
               "a long ciphertext");
}

/* What batches of modes without a tag refuse, and that of GCM, beside others.
 */
static void check_plain_batch_refusals(void) {
  uint8_t bytes[128] = {0}, nonce[16] = {0}, tag[16];
  samara_batch_message messages[5];
  for (size_t i = 0; i < 5; i++) {
    messages[i] = (samara_batch_message){.key = key,
                                         .nonce = nonce,
                                         .nonce_size = 16,
                                         .input = bytes + 8 * i,
                                         .input_size = 8,
                                         .output = bytes + 64 + 8 * i,
                                         .tag = tag};
  }
  messages[1].nonce_size = 12;
  messages[2].associated_data_size = 1;
  messages[3].output = bytes + 8 * 3 + 1;
  CHECK_RESULT(samara_aes128_ctr_encrypt_batch(messages, 5),
               SAMARA_ERROR_NONCE_SIZE, "ctr");
  CHECK_RESULT(messages[2].result, SAMARA_ERROR_ASSOCIATED_DATA_SIZE, "ctr");
  CHECK_RESULT(messages[3].result, SAMARA_ERROR_OVERLAP, "ctr");
  CHECK_RESULT(messages[4].result, SAMARA_OK, "ctr");
  CHECK_RESULT(samara_simon128_128_ctr_encrypt_batch(messages, 5),
               SAMARA_ERROR_NONCE_SIZE, "ctr");
  CHECK_RESULT(messages[2].result, SAMARA_ERROR_ASSOCIATED_DATA_SIZE, "ctr");
  CHECK_RESULT(messages[3].result, SAMARA_ERROR_OVERLAP, "ctr");
  CHECK_RESULT(messages[4].result, SAMARA_OK, "ctr");
  messages[4].input_size = SIZE_MAX;
  CHECK_RESULT(samara_aes192_cbc_encrypt_batch(messages, 5),
               SAMARA_ERROR_NONCE_SIZE, "cbc");
  CHECK_RESULT(messages[0].result, SAMARA_OK, "cbc");
  CHECK_RESULT(messages[2].result, SAMARA_ERROR_ASSOCIATED_DATA_SIZE, "cbc");
  CHECK_RESULT(messages[3].result, SAMARA_ERROR_OVERLAP, "cbc");
  CHECK_RESULT(messages[4].result, SAMARA_ERROR_MESSAGE_SIZE, "cbc");
  messages[2].nonce_size = 0;
  for (size_t i = 0; i < 2; i++) {
    messages[i].nonce_size = 12;
  }
  messages[3].nonce_size = 12;
  messages[4].nonce_size = 12;
  messages[4].input_size = SIZE_MAX;
  CHECK_RESULT(samara_aes256_gcm_seal_batch(messages, 5),
               SAMARA_ERROR_NONCE_SIZE, "gcm");
  CHECK_RESULT(messages[0].result, SAMARA_OK, "gcm");
  CHECK_RESULT(messages[3].result, SAMARA_ERROR_OVERLAP, "gcm");
  CHECK(messages[4].result == SAMARA_ERROR_MESSAGE_SIZE ||
            SIZE_MAX <= UINT32_MAX,
        "gcm");
}

/* What a batch of Ascon refuses, beside others. */
static void check_ascon_batch_refusals(void) {
  uint8_t bytes[128] = {0}, nonce[16] = {0}, tags[5][16] = {{0}};
  samara_batch_message messages[5];
  for (size_t i = 0; i < 5; i++) {
    messages[i] = (samara_batch_message){.key = key,
                                         .nonce = nonce,
                                         .nonce_size = 16,
                                         .input = bytes + 8 * i,
                                         .input_size = 8,
                                         .output = bytes + 64 + 8 * i,
                                         .tag = tags[i]};
  }
  messages[1].nonce_size = 12;
  messages[2].output = bytes + 8 * 2 + 7;
  CHECK_RESULT(samara_ascon_aead128_seal_batch(messages, 5),
               SAMARA_ERROR_NONCE_SIZE, "ascon");
  CHECK_RESULT(messages[0].result, SAMARA_OK, "beside refused ones");
  CHECK_RESULT(messages[2].result, SAMARA_ERROR_OVERLAP, "overlap");
  CHECK_RESULT(messages[4].result, SAMARA_OK, "beside refused ones");
  CHECK(messages[1].output_size == 0 && all_zero(tags[1], 16) &&
            all_zero(bytes + 72, 8) && all_zero(bytes, 40),
        "a refused message is written");
  CHECK_RESULT(samara_ascon_aead128_open_batch(messages, 3),
               SAMARA_ERROR_AUTHENTICATION, "zeros under a tag of their own");
  CHECK_RESULT(messages[1].result, SAMARA_ERROR_NONCE_SIZE, "ascon");
  CHECK_RESULT(messages[2].result, SAMARA_ERROR_OVERLAP, "overlap");
}

int main(void) {
  static const char *const ciphers[] = {
      "aes128",       "aes192",       "aes256",          "speck128-128",
      "speck128-192", "speck128-256", "modspeck128-128", "simon128-128"};
  for (size_t i = 0; i < sizeof ciphers / sizeof ciphers[0]; i++) {
    check_cipher(ciphers[i]);
  }
  check_prepared();
  check_batches();
  check_batch_refusals(samara_aes128_ccm_seal_batch,
                       samara_aes128_ccm_open_batch);
  check_batch_refusals(samara_speck128_192_ccm_seal_batch,
                       samara_speck128_192_ccm_open_batch);
  check_batch_refusals(samara_modspeck128_128_ccm_seal_batch,
                       samara_modspeck128_128_ccm_open_batch);
  check_batch_refusals(samara_simon128_256_ccm_seal_batch,
                       samara_simon128_256_ccm_open_batch);
  check_plain_batch_refusals();
  check_ascon_batch_refusals();
  return check_report();
}
