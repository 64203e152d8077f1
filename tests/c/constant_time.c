/* SPDX-License-Identifier: Apache-2.0 */

/* Runs every public call under valgrind with its secrets marked undefined: a
 * branch or an address that depends on one is an error of memcheck.
 *
 *   constant_time            every case but `leak`; prints N passed, N failed
 *   constant_time CASE       one case
 *   constant_time --list     the cases
 *
 * `leak` branches on a secret: it must fail, or the check is worth nothing. */

#include "aead/grain128aead_batch.h"
#include "aead/grain128aead_bulk.h"
#include "aead/grain128aead_work.h"
#include "ends.h"
#include "node_record.h"
#include "stream/grain128ple_batch.h"
#include "stream/ple_frame.h"
#include <samara/ieee802154_names.h>
#include <samara/ieee802154_window.h>
#include <samara/samara.h>
#include <samara/store_life.h>
#include <samara/suite.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/memcheck.h>

enum { size_max = 650, key_words = 80 };

static uint8_t key[32], nonce[32], data[20], message[size_max];
static uint8_t sealed[size_max + 16], opened[size_max + 16], tag[16];

static void secret(const void *memory, size_t size) {
  (void)VALGRIND_MAKE_MEM_UNDEFINED(memory, size);
}

static void public(const void *memory, size_t size) {
  (void)VALGRIND_MAKE_MEM_DEFINED(memory, size);
}

/* Fresh values: key and message secret, nonce and data public. */
static void draw(void) {
  public(key, sizeof key);
  public(message, sizeof message);
  fill_random(key, sizeof key);
  fill_random(nonce, sizeof nonce);
  fill_random(data, sizeof data);
  fill_random(message, sizeof message);
  secret(key, sizeof key);
  secret(message, sizeof message);
}

/* What goes over the air is public. */
static void send(void) {
  public(sealed, sizeof sealed);
  public(tag, sizeof tag);
}

static void check_suite(const samara_suite *suite) {
  static const size_t sizes[] = {0, 1, 15, 16, 17, 64, 100, size_max};
  const size_t data_size = suite->tag_size == 0 ? 0 : sizeof data;
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    size_t opened_size;
    draw();
    CHECK_RESULT(samara_suite_seal(suite, key, sealed, tag, nonce,
                                   suite->nonce_size, data, data_size, message,
                                   sizes[i]),
                 SAMARA_OK, suite->slug);
    send();
    const size_t size = samara_suite_ciphertext_size(suite, sizes[i]);
    CHECK_RESULT(samara_suite_open(suite, key, opened, &opened_size, tag, nonce,
                                   suite->nonce_size, data, data_size, sealed,
                                   size),
                 SAMARA_OK, suite->slug);
    if (suite->tag_size != 0) {
      tag[0] ^= 1;
      CHECK_RESULT(samara_suite_open(suite, key, opened, &opened_size, tag,
                                     nonce, suite->nonce_size, data, data_size,
                                     sealed, size),
                   SAMARA_ERROR_AUTHENTICATION, suite->slug);
    }
  }
}

/* A first counter block that GCM derives from the key is secret too. */
static void check_gcm_nonce(void) {
  samara_aes128_key expanded;
  draw();
  samara_aes128_set_key(&expanded, key);
  CHECK_RESULT(samara_aes128_gcm_seal(&expanded, sealed, tag, nonce, 16, data,
                                      sizeof data, message, 60),
               SAMARA_OK, "GCM with a long nonce");
  samara_aes128_wipe(&expanded);
}

static void check_stream(const samara_suite *suite) {
  uint64_t *state = malloc(suite->stream->state_size);
  size_t written;
  size_t total = 0;
  draw();
  CHECK_RESULT(suite->stream->init(suite, state, false, key, nonce,
                                   suite->nonce_size, data, 0),
               SAMARA_OK, suite->slug);
  for (size_t done = 0; done < size_max; done += 25) {
    CHECK_RESULT(suite->stream->update(state, sealed + total, &written,
                                       message + done, 25),
                 SAMARA_OK, suite->slug);
    total += written;
  }
  CHECK_RESULT(suite->stream->finish(state, sealed + total, &written, tag),
               SAMARA_OK, suite->slug);
  total += written;
  send();
  CHECK_RESULT(suite->stream->init(suite, state, true, key, nonce,
                                   suite->nonce_size, data, 0),
               SAMARA_OK, suite->slug);
  CHECK_RESULT(suite->stream->update(state, opened, &written, sealed, total),
               SAMARA_OK, suite->slug);
  CHECK_RESULT(suite->stream->finish(state, opened + written, &written, tag),
               SAMARA_OK, suite->slug);
  free(state);
}

static void check_suites(void) {
  for (size_t i = 0; samara_suite_at(i) != NULL; i++) {
    check_suite(samara_suite_at(i));
  }
  check_gcm_nonce();
}

static void check_streams(void) {
  for (size_t i = 0; samara_suite_at(i) != NULL; i++) {
    if (samara_suite_at(i)->stream != NULL) {
      check_stream(samara_suite_at(i));
    }
  }
}

/* Many blocks in one call too, where implementations work on several. */
static void check_block_ciphers(void) {
  for (size_t i = 0; samara_block_cipher_at(i) != NULL; i++) {
    const samara_block_cipher *cipher = samara_block_cipher_at(i);
    uint64_t *state = malloc(cipher->state_size);
    draw();
    cipher->set_key(state, key);
    cipher->encrypt(state, sealed, message);
    cipher->decrypt(state, opened, message);
    public(state, cipher->state_size);
    free(state);
    CHECK(true, "%s", cipher->slug);
  }
}

/* The calls of one cipher that no suite makes. */
#define CHECK_CIPHER(name)                                                     \
  do {                                                                         \
    samara_##name##_key expanded;                                              \
    uint8_t iv[16] = {0};                                                      \
    size_t size;                                                               \
    draw();                                                                    \
    samara_##name##_set_key(&expanded, key);                                   \
    CHECK_RESULT(                                                              \
        samara_##name##_cbc_encrypt_blocks(&expanded, sealed, iv, message, 6), \
        SAMARA_OK, #name);                                                     \
    send();                                                                    \
    CHECK_RESULT(                                                              \
        samara_##name##_cbc_decrypt_blocks(&expanded, opened, iv, sealed, 6),  \
        SAMARA_OK, #name);                                                     \
    CHECK_RESULT(                                                              \
        samara_##name##_cbc_encrypt(&expanded, sealed, nonce, message, 33),    \
        SAMARA_OK, #name);                                                     \
    send();                                                                    \
    CHECK_RESULT(samara_##name##_cbc_decrypt(&expanded, opened, &size, nonce,  \
                                             sealed, 48),                      \
                 SAMARA_OK, #name);                                            \
    sealed[47] ^= 0x55;                                                        \
    CHECK_RESULT(samara_##name##_cbc_decrypt(&expanded, opened, &size, nonce,  \
                                             sealed, 48),                      \
                 SAMARA_ERROR_AUTHENTICATION, #name);                          \
    CHECK_RESULT(samara_##name##_ccm_star_seal(&expanded, sealed, tag, 8,      \
                                               nonce, data, 5, message, 30),   \
                 SAMARA_OK, #name);                                            \
    send();                                                                    \
    CHECK_RESULT(samara_##name##_ccm_star_open(&expanded, opened, tag, 8,      \
                                               nonce, data, 5, sealed, 30),    \
                 SAMARA_OK, #name);                                            \
    samara_##name##_wipe(&expanded);                                           \
  } while (0)

#define CHECK_WIPE(name)                                                       \
  do {                                                                         \
    samara_##name##_key expanded;                                              \
    draw();                                                                    \
    samara_##name##_set_key(&expanded, key);                                   \
    samara_##name##_wipe(&expanded);                                           \
    CHECK(all_zero((const uint8_t *)&expanded, sizeof expanded), #name);       \
  } while (0)

#define CHECK_AEAD(name)                                                       \
  do {                                                                         \
    draw();                                                                    \
    CHECK_RESULT(                                                              \
        samara_##name##_seal(key, sealed, tag, nonce, data, 5, message, 33),   \
        SAMARA_OK, #name);                                                     \
    send();                                                                    \
    CHECK_RESULT(                                                              \
        samara_##name##_open(key, opened, tag, nonce, data, 5, sealed, 33),    \
        SAMARA_OK, #name);                                                     \
    draw();                                                                    \
    CHECK_RESULT(samara_##name##_seal_truncated(key, sealed, tag, 4, nonce,    \
                                                data, 5, message, 33),         \
                 SAMARA_OK, #name);                                            \
    send();                                                                    \
    CHECK_RESULT(samara_##name##_open_truncated(key, opened, tag, 4, nonce,    \
                                                data, 5, sealed, 33),          \
                 SAMARA_OK, #name);                                            \
    tag[3] ^= 1;                                                               \
    CHECK_RESULT(samara_##name##_open_truncated(key, opened, tag, 4, nonce,    \
                                                data, 5, sealed, 33),          \
                 SAMARA_ERROR_AUTHENTICATION, #name);                          \
  } while (0)

/* The rows of the registry, called without its tables. */
static void check_rows(void) {
#define BLOCK_CIPHER(name, slug, standing, source, note) CHECK_WIPE(name);
#define BLOCK_CIPHER_128(name, slug, standing, source, note) CHECK_CIPHER(name);
#define BLOCK_CIPHER_AES BLOCK_CIPHER_128
#define AEAD(name, slug, standing, source, note, stream) CHECK_AEAD(name);
#define STREAM_CIPHER(name, slug, standing, source, note, stream)
#include "host/registry.def"
}

/* Soft values come from the air; the keystream makes them secret. */
static void check_ple(void) {
  int8_t small[50] = {-128, 127, 0};
  int16_t large[50] = {INT16_MIN, INT16_MAX, 0};
  float real[50] = {1.0F, -2.0F};
  samara_grain128ple state;
  draw();
  samara_grain128ple_init(&state, key, nonce);
  samara_grain128ple_skip(&state, 77);
  samara_grain128ple_xor(&state, message, 3, 700);
  samara_grain128ple_keystream(&state, sealed, 99);
  samara_grain128ple_flip_int8(&state, small, 50);
  samara_grain128ple_flip_int16(&state, large, 50);
  samara_grain128ple_flip_float32(&state, real, 50);
  samara_grain128ple_wipe(&state);
  const samara_batch_keystream stream = {key, nonce, sealed, 99};
  samara_grain128ple_keystream_batch(&stream, 1);
  CHECK(true, "PLE");
}

/* What a search decides is public; the key and the keystream are not. */
static void check_ple_sync(void) {
  static uint64_t scores[ple_score_bits * ple_lanes_max / 64];
  int8_t soft[2 * (8 * 20 + ple_memory)];
  samara_ple_link link = {.direction = 0, .link_id = 7};
  samara_ple_sync sync;
  samara_ple_sync_found found;
  ple_frame frame;
  draw();
  memcpy(link.key, key, sizeof link.key);
  for (size_t i = 0; i < sizeof soft; i++) {
    soft[i] = (int8_t)(i * 37 % 120 - 60);
  }
  uint64_t first;
  samara_ple_sync_init(&sync, 5);
  CHECK(samara_ple_sync_window(&sync, 0, &first) != 0, "a window");
  CHECK(!samara_ple_sync_search(&sync, &found, &link, soft, sizeof soft),
        "random soft values");
  CHECK(!samara_ple_sync_scan(&found, &link, 0, 8, 0, soft, sizeof soft),
        "random soft values");
  samara_ple_frame_init(&frame, soft, sizeof soft);
  samara_ple_score_64(scores, &frame, &link, 0);
  samara_ple_sync_miss(&sync);
  CHECK_RESULT(samara_ple_sync_accept(&sync, 9), SAMARA_OK, "accept");
}

static void check_batches(void) {
  for (size_t i = 0; samara_suite_at(i) != NULL; i++) {
    const samara_suite *suite = samara_suite_at(i);
    draw();
    samara_batch_message one = {.key = key,
                                .nonce = nonce,
                                .nonce_size = suite->nonce_size,
                                .input = message,
                                .input_size = 40,
                                .output = sealed,
                                .tag = tag};
    CHECK_RESULT(samara_suite_seal_batch(suite, &one, 1), SAMARA_OK,
                 suite->slug);
    send();
    one.input = sealed;
    one.input_size = one.output_size;
    one.output = opened;
    CHECK_RESULT(samara_suite_open_batch(suite, &one, 1), SAMARA_OK,
                 suite->slug);
  }
}

/* Grain's batches through every width; in none of the wider ones are the
 * messages few. */
static void check_grain_batches(void) {
  enum { count = 70 };
  static uint8_t texts[count][64], results[count][64], tags[count][8];
  samara_batch_message messages[count];
  samara_batch_keystream streams[count];
#if SAMARA_WORD_BITS == 64
  const grain128_width *width;
  for (unsigned way = 0; (width = samara_grain128_width(way)) != NULL; way++) {
#else
  {
#endif
    draw();
    for (size_t i = 0; i < count; i++) {
      memcpy(texts[i], message, sizeof texts[i]);
      messages[i] = (samara_batch_message){.key = key,
                                           .nonce = nonce,
                                           .nonce_size = 12,
                                           .associated_data = data,
                                           .associated_data_size = i % 15,
                                           .input = texts[i],
                                           .input_size = i % 60,
                                           .output = results[i],
                                           .tag = tags[i]};
      streams[i] = (samara_batch_keystream){key, nonce, texts[i], 7 * i};
    }
#if SAMARA_WORD_BITS == 64
    CHECK_RESULT(samara_grain128aead_batch_width(width, messages, count, false),
                 SAMARA_OK, "batch");
#else
    CHECK_RESULT(samara_grain128aead_seal_batch(messages, count), SAMARA_OK,
                 "batch");
#endif
    for (size_t i = 0; i < count; i++) {
      public(results[i], sizeof results[i]);
      public(tags[i], sizeof tags[i]);
      messages[i].input = results[i];
      tags[i][0] ^= (uint8_t)(i % 3 == 1);
    }
#if SAMARA_WORD_BITS == 64
    CHECK_RESULT(samara_grain128aead_batch_width(width, messages, count, true),
                 SAMARA_ERROR_AUTHENTICATION, "batch");
    samara_grain128ple_batch_width(width, streams, count);
#else
    CHECK_RESULT(samara_grain128aead_open_batch(messages, count),
                 SAMARA_ERROR_AUTHENTICATION, "batch");
    samara_grain128ple_keystream_batch(streams, count);
#endif
  }
}

enum { batch_count = 20, batch_room = 32 };

static uint8_t batch_tags[batch_count][16];

static void batch_messages(samara_batch_message *many,
                           const samara_suite *suite, bool opening) {
  for (size_t i = 0; i < batch_count; i++) {
    const size_t size = 31 - i;
    many[i] = (samara_batch_message){
        .key = key,
        .nonce = nonce,
        .nonce_size = suite->nonce_size,
        .associated_data = data,
        .associated_data_size = suite->tag_size == 0 ? 0 : i,
        .input = (opening ? sealed : message) + batch_room * i,
        .input_size =
            opening ? samara_suite_ciphertext_size(suite, size) : size,
        .output = (opening ? opened : sealed) + batch_room * i,
        .tag = batch_tags[i]};
  }
}

/* Several messages, which kernels work on side by side. */
static void check_batch_of(const char *slug) {
  const samara_suite *suite = samara_suite_find(slug);
  samara_batch_message many[batch_count];
  draw();
  batch_messages(many, suite, false);
  CHECK_RESULT(samara_suite_seal_batch(suite, many, batch_count), SAMARA_OK,
               slug);
  public(batch_tags, sizeof batch_tags);
  send();
  batch_messages(many, suite, true);
  CHECK_RESULT(samara_suite_open_batch(suite, many, batch_count), SAMARA_OK,
               slug);
  if (suite->tag_size != 0) {
    batch_tags[3][1] ^= 4;
    CHECK_RESULT(samara_suite_open_batch(suite, many, batch_count),
                 SAMARA_ERROR_AUTHENTICATION, slug);
  }
}

static void check_lane_batches(void) {
  static const char *const slugs[] = {
      "aes128-ccm-8",        "aes192-ccm-8",       "aes256-ccm-8",
      "aes128-gcm",          "aes192-gcm",         "aes256-gcm",
      "aes128-ctr",          "aes192-ctr",         "aes256-ctr",
      "aes128-cbc",          "aes192-cbc",         "aes256-cbc",
      "speck128-128-ccm-8",  "speck128-192-ctr",   "modspeck128-192-ccm-8",
      "modspeck128-128-ctr", "simon128-128-ccm-8", "simon128-192-ctr",
      "simon128-256-ccm-8",  "ascon-aead128"};
  for (size_t i = 0; i < sizeof slugs / sizeof slugs[0]; i++) {
    check_batch_of(slugs[i]);
  }
}

#if SAMARA_WORD_BITS == 64
/* Whole pieces of long messages in every way that valgrind can run. */
static void check_grain_bulk(void) {
  grain128aead_bulk_call *bulk;
  for (unsigned i = 0; (bulk = samara_grain128aead_bulk(i)) != NULL; i++) {
    samara_grain128aead state;
    draw();
    samara_grain128aead_begin(&state, key, nonce, 0);
    state.used = 0;
    CHECK(bulk(&state, sealed, message, size_max, grain128aead_sealing) != 0,
          "bulk");
    CHECK(bulk(&state, opened, message, size_max, grain128aead_opening) != 0,
          "bulk");
    CHECK(bulk(&state, opened, message, size_max, grain128aead_absorbing) != 0,
          "bulk");
  }
}
#else
static void check_grain_bulk(void) { CHECK(true, "no such thing"); }
#endif

static void check_grain_pieces(void) {
  samara_grain128aead state;
  draw();
  samara_grain128aead_seal_init(&state, key, nonce, data, sizeof data);
  CHECK_RESULT(samara_grain128aead_seal_update(&state, sealed, message, 33),
               SAMARA_OK, "seal");
  CHECK_RESULT(samara_grain128aead_seal_finish(&state, tag), SAMARA_OK, "seal");
  send();
  samara_grain128aead_wipe(&state);
}

static void check_memory(void) {
  draw();
  CHECK(samara_equal(key, key, sizeof key), "a key equals itself");
  CHECK(!samara_equal(key, message, sizeof key), "a key equals no message");
  samara_wipe(key, sizeof key);
}

/* Every cipher behind its samara_aead, through both ends of a serial link: what
 * a receiver tries depends on what it received, and not on the key. */
static void check_rfserial(void) {
  uint64_t state[key_words];
  uint8_t wire[size_max], room[size_max];
  for (size_t i = 0; samara_suite_at(i) != NULL; i++) {
    const samara_aead *aead = samara_suite_at(i)->aead;
    const samara_rfserial_link link = {
        .aead = aead, .key = state, .packet_size = 12, .tag_size = 12};
    if (aead == NULL || !samara_rfserial_is_valid(&link)) {
      continue;
    }
    samara_rfserial_sender sender = {&link, 1};
    samara_rfserial_receiver receiver;
    samara_rfserial_event event;
    size_t size;
    draw();
    aead->set_key(state, key);
    CHECK_RESULT(samara_rfserial_receiver_init(&receiver, &link, 0, room,
                                               sizeof room, opened, 33, 900),
                 SAMARA_OK, "receiver");
    CHECK_RESULT(samara_rfserial_seal(&sender, wire, &size, message, 33),
                 SAMARA_OK, "seal");
    public(wire, sizeof wire);
    wire[20] ^= 1;
    CHECK(samara_rfserial_receive(&receiver, &event, wire, size) == size &&
              event.kind == SAMARA_RFSERIAL_NOTHING,
          "a changed unit");
    wire[20] ^= 1;
    CHECK(samara_rfserial_receive(&receiver, &event, wire, size) == size &&
              event.kind == SAMARA_RFSERIAL_MESSAGE,
          "a unit");
    CHECK(samara_rfserial_receiver_waiting(&receiver) == 0, "waiting");
    samara_rfserial_receiver_wipe(&receiver);
  }
}

static uint8_t stored[12 * 16 + 28 * 8];

static bool store_read(void *context, uint32_t address, uint8_t *bytes,
                       size_t size) {
  (void)context;
  memcpy(bytes, stored + address, size);
  return true;
}

static bool store_write(void *context, uint32_t address, const uint8_t *bytes,
                        size_t size) {
  (void)context;
  memcpy(stored + address, bytes, size);
  return true;
}

/* Keys in a memory are secret; sequences, and what is valid, are public. */
static void check_store(void) {
  const samara_store_memory memory = {
      .read = store_read, .write = store_write, .write_unit = 1};
  samara_store_counter counter = {
      .ring = {.memory = &memory, .size = 12 * 16, .step = 2, .id = 1}};
  samara_store_ring keys = {.memory = &memory,
                            .first = 12 * 16,
                            .size = 28 * 8,
                            .step = 1,
                            .id = 2,
                            .payload_size = 16};
  uint64_t number;
  draw();
  CHECK(samara_store_is_valid(&counter.ring) && samara_store_is_valid(&keys) &&
            samara_store_slot_count(&keys) == 8 &&
            samara_store_record_count(&keys, 10) == 80 &&
            samara_store_years(&keys, 10, 20, 0) == 4,
        "settings");
  CHECK(samara_store_start(&keys, 1, key) == 0, "the first key");
  CHECK(samara_store_put(&keys, message) == 0, "another");
  CHECK(samara_store_open(&keys, opened) == 0 && keys.sequence == 2, "open");
  CHECK(samara_store_wipe_replaced(&keys) == 0, "wipe");
  CHECK(samara_store_erase(&keys) == 0, "erase");
  CHECK(samara_store_start(&counter.ring, 1, NULL) == 0 &&
            samara_store_counter_open(&counter) == 0 &&
            samara_store_counter_take(&counter, &number) == 0 &&
            samara_store_counter_pass(&counter, 9) == 0,
        "a counter");
  CHECK(samara_store_result_text(SAMARA_STORE_OK) != NULL, "a text");
}

static uint8_t node_memory[2][640];
static uint8_t node_line[2 * size_max];
static size_t node_line_size;
static size_t node_units[8];
static unsigned node_unit_count;

static bool node_read(void *context, uint32_t address, uint8_t *bytes,
                      size_t size) {
  memcpy(bytes, (uint8_t *)context + address, size);
  return true;
}

static bool node_store(void *context, uint32_t address, const uint8_t *bytes,
                       size_t size) {
  memcpy((uint8_t *)context + address, bytes, size);
  return true;
}

static bool node_put(void *context, const uint8_t *bytes, size_t size) {
  (void)context;
  memcpy(node_line + node_line_size, bytes, size);
  node_line_size += size;
  node_units[node_unit_count++] = size;
  return true;
}

/* Unit by unit; answers the last event. */
static samara_node_event node_carry(samara_node *node) {
  samara_node_event event;
  size_t done = 0;
  const uint8_t *unit = node_line;
  public(node_line, sizeof node_line);
  for (unsigned i = 0; i < node_unit_count; i++) {
    CHECK(samara_node_receive(node, &event, unit, node_units[i], &done) == 0 &&
              done == node_units[i],
          "receive");
    unit += done;
  }
  node_line_size = node_unit_count = 0;
  return event;
}

static samara_store_memory node_memories[2];
static samara_node nodes[2];

/* A new device, at its end of a link. */
static void make_node(uint8_t i, bool in_frames) {
  static uint8_t wire[2][size_max], buffers[2][size_max], texts[2][48];
  static uint8_t parts[2][128];
  static samara_aes128_key states[2];
  static samara_node_frames frames[2];
  memset(node_memory[i], 0, sizeof node_memory[i]);
  node_memories[i] = (samara_store_memory){.read = node_read,
                                           .write = node_store,
                                           .context = node_memory[i],
                                           .write_unit = 1};
  frames[i].cipher = &samara_ieee802154_aes128;
  nodes[i] = (samara_node){
      .link = in_frames ? &samara_node_ieee802154 : &samara_node_rfserial,
      .aead = &samara_aes128_ccm_aead,
      .key_state = in_frames ? (void *)&frames[i] : (void *)&states[i],
      .key_state_size = in_frames ? sizeof frames[i] : sizeof states[i],
      .memory = &node_memories[i],
      .size = sizeof node_memory[i],
      .step = 4,
      .receive_step = 1,
      .write = node_put,
      .message_size_max = 40,
      .wire = wire[i],
      .wire_size = sizeof wire[i],
      .buffer = buffers[i],
      .buffer_size = sizeof buffers[i],
      .message = texts[i],
      .message_room = sizeof texts[i],
      .parts = parts[i],
      .parts_room = sizeof parts[i]};
  CHECK(samara_node_memory_size(&nodes[i]) <= sizeof node_memory[i] &&
            samara_node_wire_size(&nodes[i], 12) <= sizeof wire[i],
        "sizes");
}

static void open_node(uint8_t i, bool in_frames) {
  uint8_t record[frames_record_size];
  size_t record_size = node_record_size;
  if (in_frames) {
    record_size = frames_record_size;
    write_frames_record(record, key, i, 8 | 5, 0);
  } else {
    write_node_record(record, key, i);
  }
  CHECK(samara_node_adopt(&nodes[i], record, record_size) == 0 &&
            samara_node_open(&nodes[i]) == 0,
        "a new device");
}

/* Two devices that speak over a link: key and messages are secret. */
static void check_node_over(bool in_frames) {
  uint32_t id = 0;
  draw();
  for (uint8_t i = 0; i < 2; i++) {
    make_node(i, in_frames);
    open_node(i, in_frames);
  }
  CHECK(samara_node_send(&nodes[0], message, 33) == 0, "send");
  CHECK(node_carry(&nodes[1]).kind == SAMARA_NODE_MESSAGE, "a message");
  CHECK(samara_node_send_confirmed(&nodes[0], message, 33, &id) == 0, "send");
  const samara_node_event event = node_carry(&nodes[1]);
  CHECK(event.wants_acknowledgement &&
            samara_node_acknowledge(&nodes[1], &event) == 0 &&
            node_carry(&nodes[0]).kind == SAMARA_NODE_ACKNOWLEDGED,
        "an acknowledgement");
  id = 0;
  CHECK(samara_node_send_confirmed(&nodes[0], message, 120, &id) == 0, "parts");
  CHECK(node_carry(&nodes[1]).message_size == 120, "a message in parts");
  CHECK(samara_node_open(&nodes[0]) == 0 &&
            samara_node_send(&nodes[0], message, 33) == 0,
        "after a reset");
  samara_node_close(&nodes[0]);
  CHECK(samara_node_forget(&nodes[0]) == 0 &&
            samara_node_result_text(SAMARA_OK) != NULL,
        "forget");
  node_line_size = node_unit_count = 0;
}

static void check_node(void) {
  check_node_over(false);
  check_node_over(true);
}

/* Header, sizes and answers are public; key and payload are not. */
static void check_frame(const samara_ieee802154_cipher *cipher, end *sender,
                        end *receiver) {
  uint8_t frame[size_max];
  size_t size;
  samara_ieee802154_opened answer;
  const samara_ieee802154_frame header =
      data_frame(SAMARA_IEEE802154_ENC_MIC_64, 1);
  samara_ieee802154_key_settings settings = key_settings(1);
  settings.cipher = cipher;
  settings.bytes = key;
  end_init(sender, address_a);
  end_init(receiver, address_b);
  draw();
  end_add_key(sender, 0, &settings);
  end_add_key(receiver, 0, &settings);
  for (unsigned forged = 0; forged < 2; forged++) {
    const size_t begin = frame_write(frame, sizeof frame, &header, 33) - 33;
    memcpy(frame + begin, message, 33);
    CHECK_FRAME(samara_ieee802154_protect(&sender->security, &size, NULL, frame,
                                          begin + 33, sizeof frame),
                SAMARA_IEEE802154_OK);
    public(frame, size);
    frame[begin] ^= (uint8_t)forged;
    CHECK_FRAME(
        samara_ieee802154_open(&receiver->security, &answer, NULL, frame, size),
        forged ? SAMARA_IEEE802154_ERROR_AUTHENTICATION : SAMARA_IEEE802154_OK);
  }
}

/* The same, late. */
static void check_late_frame(end *sender, end *receiver) {
  static samara_ieee802154_window windows[end_devices * end_keys];
  uint8_t frames[3][size_max];
  size_t sizes[3];
  uint32_t lost;
  uint32_t missing[2];
  samara_ieee802154_opened answer;
  const samara_ieee802154_frame header =
      data_frame(SAMARA_IEEE802154_ENC_MIC_64, 1);
  samara_ieee802154_key_settings settings = key_settings(1);
  settings.bytes = key;
  end_init(sender, address_a);
  end_init(receiver, address_b);
  draw();
  end_add_key(sender, 0, &settings);
  end_add_key(receiver, 0, &settings);
  for (unsigned i = 0; i < 3; i++) {
    const size_t begin =
        frame_write(frames[i], sizeof frames[i], &header, 33) - 33;
    memcpy(frames[i] + begin, message, 33);
    CHECK_FRAME(samara_ieee802154_protect(&sender->security, &sizes[i], NULL,
                                          frames[i], begin + 33,
                                          sizeof frames[i]),
                SAMARA_IEEE802154_OK);
    public(frames[i], sizes[i]);
  }
  frames[1][sizes[1] - 1] ^= 1;
  const samara_ieee802154_result results[] = {
      SAMARA_IEEE802154_OK, SAMARA_IEEE802154_ERROR_AUTHENTICATION,
      SAMARA_IEEE802154_OK};
  for (unsigned i = 3; i-- > 0;) {
    CHECK_FRAME(samara_ieee802154_open_late(&receiver->security, windows,
                                            &answer, &lost, NULL, frames[i],
                                            sizes[i]),
                results[i]);
  }
  CHECK_FRAME(
      samara_ieee802154_missing(&receiver->security, windows, 0, 0, missing),
      SAMARA_IEEE802154_OK);
  CHECK_FRAME(samara_ieee802154_set_missing(&receiver->security, windows, 0, 0,
                                            missing),
              SAMARA_IEEE802154_OK);
}

/* The calls that no frame makes. */
static void check_frame_tables(end *one) {
  samara_ieee802154_security *security = &one->security;
  samara_ieee802154_counter counter;
  samara_ieee802154_key_settings settings = key_settings(2);
  settings.bytes = key;
  settings.role = SAMARA_IEEE802154_KEY_NEXT;
  settings.family = 1;
  draw();
  end_add_key(one, 1, &settings);
  CHECK_FRAME(samara_ieee802154_set_key(security, 2, &settings),
              SAMARA_IEEE802154_ERROR_KEY_REPEATED);
  CHECK_FRAME(samara_ieee802154_rotate(security, 1), SAMARA_IEEE802154_OK);
  CHECK(samara_ieee802154_current_key(security, 1) == 1, "rotated");
  CHECK_FRAME(samara_ieee802154_transmit_counter(security, 1, &counter),
              SAMARA_IEEE802154_OK);
  CHECK_FRAME(samara_ieee802154_set_transmit_counter(security, 1, counter),
              SAMARA_IEEE802154_OK);
  CHECK_FRAME(samara_ieee802154_receive_counter(security, 0, 1, &counter),
              SAMARA_IEEE802154_OK);
  CHECK_FRAME(samara_ieee802154_set_receive_counter(security, 0, 1, counter),
              SAMARA_IEEE802154_OK);
  CHECK_FRAME(samara_ieee802154_require(security, 0, 1, 5),
              SAMARA_IEEE802154_OK);
  samara_ieee802154_remove_device(security, 0);
  samara_ieee802154_remove_key(security, 1);
  samara_ieee802154_wipe(security);
}

static void check_frames(void) {
  end sender;
  end receiver;
  const char *slug;
  for (size_t i = 0; samara_ieee802154_cipher_at(i, &slug) != NULL; i++) {
    check_frame(samara_ieee802154_cipher_find(slug), &sender, &receiver);
  }
  check_late_frame(&sender, &receiver);
  check_frame_tables(&sender);
  const samara_ieee802154_frame sent = data_frame(6, 1);
  CHECK_FRAME(samara_ieee802154_acknowledges(&sent, &sent),
              SAMARA_IEEE802154_ERROR_OTHER_FRAME);
  const uint8_t list[] = {1, 0x88, 5};
  size_t size = 0;
  samara_ieee802154_element element;
  CHECK_FRAME(samara_ieee802154_payload_element(&element, list, 3, &size),
              SAMARA_IEEE802154_OK);
  CHECK_FRAME(samara_ieee802154_payload_elements_size(list, 3, &size),
              SAMARA_IEEE802154_OK);
  CHECK(samara_ieee802154_result_text(SAMARA_IEEE802154_OK) != NULL, "text");
}

/* Names are public; what finds them is checked like the rest. */
static void check_names(void) {
  const samara_suite *suite = samara_suite_find("aes128-gcm");
  CHECK(strcmp(samara_standing_text(suite->standing), "standard") == 0,
        "standing of AES");
  CHECK(samara_block_cipher_find("aes128") != NULL, "aes128");
}

/* What the check is there to find. */
static void leak(void) {
  draw();
  volatile unsigned long counter = 0;
  if ((key[3] & 4) != 0) {
    counter = counter + 1;
  }
  CHECK(true, "leaked");
}

/* Headers are public, since lengths tell them; what follows them is not. */
static void check_6lowpan(void) {
  static samara_6lowpan_slot slots[2];
  static uint8_t packet[samara_6lowpan_packet_size_max];
  static uint8_t room[samara_6lowpan_packet_size_max];
  static const uint8_t header[48] = {
      0x60, 0, 0,        0,    0,    160,  17,   64, 0xfe, 0x80, [23] = 1,
      0xff, 2, [39] = 1, 0xf0, 0xb1, 0xf0, 0xb2, 0,  160,  1,    2};
  const samara_6lowpan_hop hop = {{8, {1}}, {2, {0xff, 0xff}}, NULL, 0};
  samara_6lowpan_sender sender;
  samara_6lowpan_receiver receiver;
  samara_6lowpan_event event = {0};
  uint8_t payload[100];
  size_t size;
  draw();
  memcpy(packet, header, sizeof header);
  memcpy(packet + 48, message, 152);
  samara_6lowpan_receiver_init(&receiver, slots, 2, 1, 1000, room);
  CHECK(samara_6lowpan_send(&sender, &hop, packet, 200, 1, sizeof payload) ==
            SAMARA_6LOWPAN_OK,
        "send");
  while (samara_6lowpan_next(&sender, payload, &size)) {
    CHECK(samara_6lowpan_receive(&receiver, &event, &hop, payload, size, 0) ==
              SAMARA_6LOWPAN_OK,
          "receive");
  }
  CHECK(event.packet_size == 200, "a packet");
  /* An undivided one without checksum, which is made of secrets. */
  const uint8_t no_checksum[] = {0x7e, 0x3b, 1, 0xf7, 0x12};
  memcpy(payload, no_checksum, sizeof no_checksum);
  memcpy(payload + sizeof no_checksum, message, 30);
  CHECK(samara_6lowpan_receive(&receiver, &event, &hop, payload, 35, 0) ==
            SAMARA_6LOWPAN_OK,
        "without checksum");
  samara_6lowpan_receiver_wipe(&receiver);
  samara_6lowpan_identifier(payload, &hop.source);
  CHECK(payload[0] == (1 ^ 2), "an identifier");
  CHECK(samara_6lowpan_result_text(SAMARA_6LOWPAN_OK) != NULL &&
            samara_6lowpan_result_name(SAMARA_6LOWPAN_OK) != NULL,
        "names");
}

/* Two messages of a session, the second one forged. */
static void check_ketje_jr(void) {
  samara_ketje_jr sender, receiver;
  draw();
  CHECK_RESULT(samara_ketje_jr_init(&sender, key, 16, nonce, 6), SAMARA_OK,
               "init");
  CHECK_RESULT(samara_ketje_jr_init(&receiver, key, 16, nonce, 6), SAMARA_OK,
               "init");
  for (uint8_t forged = 0; forged < 2; forged++) {
    CHECK_RESULT(samara_ketje_jr_seal_next(&sender, sealed, tag, 16, data, 5,
                                           message, 33),
                 SAMARA_OK, "seal");
    send();
    tag[0] ^= forged;
    CHECK_RESULT(samara_ketje_jr_open_next(&receiver, opened, tag, 16, data, 5,
                                           sealed, 33),
                 forged ? SAMARA_ERROR_AUTHENTICATION : SAMARA_OK, "open");
  }
  samara_ketje_jr_wipe(&sender);
}

typedef struct named_case {
  const char *name;
  void (*run)(void);
} named_case;

static const named_case cases[] = {
    {"suites", check_suites},
    {"streams", check_streams},
    {"blocks", check_block_ciphers},
    {"rows", check_rows},
    {"ple", check_ple},
    {"ple_sync", check_ple_sync},
    {"batches", check_batches},
    {"grain-batches", check_grain_batches},
    {"lane-batches", check_lane_batches},
    {"grain-bulk", check_grain_bulk},
    {"grain", check_grain_pieces},
    {"ketje-jr", check_ketje_jr},
    {"rfserial", check_rfserial},
    {"node", check_node},
    {"store", check_store},
    {"6lowpan", check_6lowpan},

    {"frames", check_frames},
    {"memory", check_memory},
    {"names", check_names},
    {"leak", leak},
};

/* Counts a case as failed when memcheck had something to say during it. */
static void run_case(const named_case *one) {
  const unsigned long before = VALGRIND_COUNT_ERRORS;
  one->run();
  const unsigned long errors = VALGRIND_COUNT_ERRORS - before;
  CHECK(errors == 0, "%s depends on secrets at %lu places", one->name, errors);
}

int main(int argument_count, char **arguments) {
  const char *chosen = argument_count > 1 ? arguments[1] : NULL;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    if (chosen != NULL && strcmp(chosen, "--list") == 0) {
      puts(cases[i].name);
    } else if (chosen == NULL ? cases[i].run != leak
                              : strcmp(chosen, cases[i].name) == 0) {
      run_case(&cases[i]);
    }
  }
  return chosen != NULL && strcmp(chosen, "--list") == 0 ? 0 : check_report();
}
