/* SPDX-License-Identifier: Apache-2.0 */

/* Nothing may be a null pointer: every call that takes bytes and their number
 * takes NULL and 0. The sanitizers see what is done with the pointer. */

#include "check.h"
#include <samara/ieee802154_window.h>
#include <samara/memory.h>
#include <samara/rfserial.h>
#include <samara/samara.h>
#include <samara/suite.h>
#include <stdlib.h>
#include <string.h>

static uint8_t key[32], nonce[32], tag[16], block[16];

/* ---- by name ---- */

static void check_suite(const samara_suite *suite) {
  const size_t size = samara_suite_ciphertext_size(suite, 0);
  uint8_t *sealed = size == 0 ? NULL : block;
  size_t opened_size = 1;
  CHECK_RESULT(samara_suite_seal(suite, key, sealed, tag, nonce,
                                 suite->nonce_size, NULL, 0, NULL, 0),
               SAMARA_OK, suite->slug);
  CHECK_RESULT(samara_suite_open(suite, key, sealed, &opened_size, tag, nonce,
                                 suite->nonce_size, NULL, 0, sealed, size),
               SAMARA_OK, suite->slug);
  CHECK(opened_size == 0, "%s: size of nothing", suite->slug);
  CHECK_RESULT(samara_suite_seal_batch(suite, NULL, 0), SAMARA_OK, suite->slug);
  CHECK_RESULT(samara_suite_open_batch(suite, NULL, 0), SAMARA_OK, suite->slug);
  samara_batch_message message = {.key = key,
                                  .nonce = nonce,
                                  .nonce_size = suite->nonce_size,
                                  .output = sealed,
                                  .tag = tag};
  CHECK_RESULT(samara_suite_seal_batch(suite, &message, 1), SAMARA_OK,
               suite->slug);
  message.input = sealed;
  message.input_size = size;
  CHECK_RESULT(samara_suite_open_batch(suite, &message, 1), SAMARA_OK,
               suite->slug);
}

static void check_stream(const samara_suite *suite) {
  uint64_t *state = malloc(suite->stream->state_size);
  if (state == NULL) {
    abort();
  }
  size_t size = 1;
  for (int opening = 0; opening < 2; opening++) {
    CHECK_RESULT(suite->stream->init(suite, state, opening != 0, key, nonce,
                                     suite->nonce_size, NULL, 0),
                 SAMARA_OK, suite->slug);
    CHECK_RESULT(suite->stream->update(state, NULL, &size, NULL, 0), SAMARA_OK,
                 suite->slug);
    CHECK(size == 0, "%s: size of nothing", suite->slug);
    CHECK_RESULT(suite->stream->update(state, block, &size, NULL, 0), SAMARA_OK,
                 suite->slug);
    CHECK_RESULT(suite->stream->update(state, NULL, &size, block, 0), SAMARA_OK,
                 suite->slug);
    uint8_t last[16] = {0};
    /* A padded ciphertext is never empty. */
    if (opening == 0 || suite->padding_size == 0) {
      CHECK_RESULT(suite->stream->finish(state,
                                         suite->padding_size == 0 ? NULL : last,
                                         &size, tag),
                   SAMARA_OK, suite->slug);
    }
  }
  free(state);
}

static void check_aead(const samara_aead *aead, const char *slug) {
  uint64_t *state = malloc(aead->state_size + sizeof *state);
  if (state == NULL) {
    abort();
  }
  aead->set_key(state, key);
  for (size_t size = 1; size <= samara_aead_tag_size_max; size++) {
    if ((aead->tag_sizes >> size & 1) != 0) {
      CHECK_RESULT(aead->seal(state, NULL, tag, size, nonce, NULL, 0, NULL, 0),
                   SAMARA_OK, slug);
      CHECK_RESULT(aead->open(state, NULL, tag, size, nonce, NULL, 0, NULL, 0),
                   SAMARA_OK, slug);
      tag[0] ^= 1;
      CHECK_RESULT(aead->open(state, NULL, tag, size, nonce, NULL, 0, NULL, 0),
                   SAMARA_ERROR_AUTHENTICATION, slug);
    }
  }
  free(state);
}

/* ---- the calls of ciphers ---- */

#define CHECK_BLOCK_MODES(name)                                                \
  do {                                                                         \
    samara_##name##_key expanded;                                              \
    uint8_t last[16];                                                          \
    size_t size = 1;                                                           \
    samara_##name##_set_key(&expanded, key);                                   \
    CHECK_RESULT(samara_##name##_ctr_encrypt(&expanded, NULL, nonce, NULL, 0), \
                 SAMARA_OK, #name " CTR");                                     \
    CHECK_RESULT(                                                              \
        samara_##name##_cbc_encrypt_blocks(&expanded, NULL, nonce, NULL, 0),   \
        SAMARA_OK, #name " CBC");                                              \
    CHECK_RESULT(                                                              \
        samara_##name##_cbc_decrypt_blocks(&expanded, NULL, nonce, NULL, 0),   \
        SAMARA_OK, #name " CBC");                                              \
    CHECK_RESULT(samara_##name##_cbc_encrypt(&expanded, last, nonce, NULL, 0), \
                 SAMARA_OK, #name " CBC");                                     \
    CHECK_RESULT(                                                              \
        samara_##name##_cbc_decrypt(&expanded, NULL, &size, nonce, NULL, 0),   \
        SAMARA_ERROR_CIPHERTEXT_SIZE, #name " CBC");                           \
    CHECK_RESULT(samara_##name##_ccm_seal(&expanded, NULL, tag, 8, nonce, 13,  \
                                          NULL, 0, NULL, 0),                   \
                 SAMARA_OK, #name " CCM");                                     \
    CHECK_RESULT(samara_##name##_ccm_open(&expanded, NULL, tag, 8, nonce, 13,  \
                                          NULL, 0, NULL, 0),                   \
                 SAMARA_OK, #name " CCM");                                     \
    CHECK_RESULT(samara_##name##_ccm_star_seal(&expanded, NULL, NULL, 0,       \
                                               nonce, NULL, 0, NULL, 0),       \
                 SAMARA_OK, #name " CCM*");                                    \
    CHECK_RESULT(samara_##name##_ccm_star_open(&expanded, NULL, NULL, 0,       \
                                               nonce, NULL, 0, NULL, 0),       \
                 SAMARA_OK, #name " CCM*");                                    \
    samara_##name##_wipe(&expanded);                                           \
  } while (0)

#define CHECK_GCM(name)                                                        \
  do {                                                                         \
    samara_##name##_key expanded;                                              \
    samara_##name##_set_key(&expanded, key);                                   \
    CHECK_RESULT(samara_##name##_gcm_seal(&expanded, NULL, tag, nonce, 12,     \
                                          NULL, 0, NULL, 0),                   \
                 SAMARA_OK, #name " GCM");                                     \
    CHECK_RESULT(samara_##name##_gcm_open(&expanded, NULL, tag, nonce, 12,     \
                                          NULL, 0, NULL, 0),                   \
                 SAMARA_OK, #name " GCM");                                     \
    CHECK_RESULT(samara_##name##_gcm_seal(&expanded, NULL, tag, NULL, 0, NULL, \
                                          0, NULL, 0),                         \
                 SAMARA_ERROR_NONCE_SIZE, #name " GCM");                       \
    samara_##name##_wipe(&expanded);                                           \
  } while (0)

#define CHECK_AEAD_CALLS(name)                                                 \
  do {                                                                         \
    CHECK_RESULT(                                                              \
        samara_##name##_seal(key, NULL, tag, nonce, NULL, 0, NULL, 0),         \
        SAMARA_OK, #name);                                                     \
    CHECK_RESULT(                                                              \
        samara_##name##_open(key, NULL, tag, nonce, NULL, 0, NULL, 0),         \
        SAMARA_OK, #name);                                                     \
    CHECK_RESULT(samara_##name##_seal_truncated(key, NULL, NULL, 0, nonce,     \
                                                NULL, 0, NULL, 0),             \
                 SAMARA_OK, #name);                                            \
    CHECK_RESULT(samara_##name##_open_truncated(key, NULL, NULL, 0, nonce,     \
                                                NULL, 0, NULL, 0),             \
                 SAMARA_OK, #name);                                            \
    CHECK_RESULT(samara_##name##_seal_batch(NULL, 0), SAMARA_OK, #name);       \
    CHECK_RESULT(samara_##name##_open_batch(NULL, 0), SAMARA_OK, #name);       \
  } while (0)

/* The rows of the registry, called without its tables. */
static void check_rows(void) {
#define BLOCK_CIPHER(name, slug, standing, source, note)
#define BLOCK_CIPHER_128(name, slug, standing, source, note)                   \
  CHECK_BLOCK_MODES(name);
#define BLOCK_CIPHER_AES(name, slug, standing, source, note)                   \
  CHECK_BLOCK_MODES(name);                                                     \
  CHECK_GCM(name);
#define AEAD(name, slug, standing, source, note, stream) CHECK_AEAD_CALLS(name);
#define STREAM_CIPHER(name, slug, standing, source, note, stream)
#include "host/registry.def"
}

static void check_grain128aead_pieces(void) {
  samara_grain128aead state;
  samara_grain128aead_seal_init(&state, key, nonce, NULL, 0);
  CHECK_RESULT(samara_grain128aead_seal_update(&state, NULL, NULL, 0),
               SAMARA_OK, "grain128aead");
  CHECK_RESULT(samara_grain128aead_seal_finish(&state, tag), SAMARA_OK,
               "grain128aead");
  samara_grain128aead_unverified_open_init(&state, key, nonce, NULL, 0);
  CHECK_RESULT(
      samara_grain128aead_unverified_open_update(&state, NULL, NULL, 0),
      SAMARA_OK, "grain128aead");
  CHECK_RESULT(samara_grain128aead_unverified_open_finish(&state, tag),
               SAMARA_OK, "grain128aead");
}

/* No call moves the keystream on. */
static void check_grain128ple(void) {
  samara_grain128ple state;
  uint8_t want[4], got[4];
  samara_grain128ple_init(&state, key, nonce);
  samara_grain128ple_keystream(&state, want, 32);
  samara_grain128ple_init(&state, key, nonce);
  samara_grain128ple_skip(&state, 0);
  samara_grain128ple_keystream(&state, NULL, 0);
  samara_grain128ple_xor(&state, NULL, 0, 0);
  samara_grain128ple_xor(&state, NULL, 13, 0);
  samara_grain128ple_flip_int8(&state, NULL, 0);
  samara_grain128ple_flip_int16(&state, NULL, 0);
  samara_grain128ple_flip_float32(&state, NULL, 0);
  samara_grain128ple_keystream_batch(NULL, 0);
  const samara_batch_keystream none = {key, nonce, NULL, 0};
  samara_grain128ple_keystream_batch(&none, 1);
  samara_grain128ple_keystream(&state, got, 32);
  CHECK_BYTES(got, want, sizeof want, "keystream after nothing");
}

/* ---- frames, serial radios, memory ---- */

static void check_frames(void) {
  samara_ieee802154_frame frame = {.control = SAMARA_IEEE802154_DATA |
                                              SAMARA_IEEE802154_2015};
  samara_ieee802154_element element;
  samara_ieee802154_security security;
  samara_ieee802154_opened opened;
  size_t size = 0;
  CHECK(samara_ieee802154_write_header(&frame, NULL, 0, &size) ==
            SAMARA_IEEE802154_ERROR_NO_ROOM,
        "no room for a header");
  CHECK(samara_ieee802154_parse(&frame, NULL, 0) ==
            SAMARA_IEEE802154_ERROR_TRUNCATED,
        "no frame");
  CHECK(samara_ieee802154_parse_unprotected(&frame, NULL, 0) ==
            SAMARA_IEEE802154_ERROR_TRUNCATED,
        "no frame");
  size = 0;
  CHECK(samara_ieee802154_header_element(&element, NULL, 0, &size) ==
            SAMARA_IEEE802154_ERROR_ELEMENT,
        "no element");
  CHECK(samara_ieee802154_payload_element(&element, NULL, 0, &size) ==
            SAMARA_IEEE802154_ERROR_ELEMENT,
        "no element");
  CHECK(samara_ieee802154_payload_elements_size(NULL, 0, &size) ==
                SAMARA_IEEE802154_OK &&
            size == 0,
        "no elements");
  /* A state without any place in its tables. */
  samara_ieee802154_init(&security, key, 0x4321, NULL, 0, NULL, 0, NULL);
  CHECK(samara_ieee802154_protect(&security, &size, NULL, NULL, 0, 0) ==
            SAMARA_IEEE802154_ERROR_TRUNCATED,
        "no frame");
  CHECK(samara_ieee802154_open(&security, &opened, NULL, NULL, 0) ==
            SAMARA_IEEE802154_ERROR_TRUNCATED,
        "no frame");
  uint32_t lost = 1;
  CHECK(samara_ieee802154_open_late(&security, NULL, &opened, &lost, NULL, NULL,
                                    0) == SAMARA_IEEE802154_ERROR_TRUNCATED &&
            lost == 0,
        "no frame");
  CHECK(samara_ieee802154_rotate(&security, 0) ==
            SAMARA_IEEE802154_ERROR_NO_NEXT_KEY,
        "no keys");
  CHECK(samara_ieee802154_current_key(&security, 0) ==
            samara_ieee802154_no_place,
        "no keys");
  samara_ieee802154_remove_key(&security, 0);
  samara_ieee802154_remove_device(&security, 0);
  uint8_t bytes[32] = {0x49, 0x98}; /* secured data of 2006, short addresses */
  CHECK(samara_ieee802154_open(&security, &opened, NULL, bytes, sizeof bytes) <
            SAMARA_IEEE802154_OK,
        "nobody's frame");
  samara_ieee802154_wipe(&security);
}

static void check_rfserial(void) {
  samara_aes128_key expanded;
  samara_aes128_set_key(&expanded, key);
  const samara_rfserial_link link = {.aead = &samara_aes128_ccm_aead,
                                     .key = &expanded,
                                     .packet_size = 8,
                                     .tag_size = 8};
  samara_rfserial_sender sender = {.link = &link};
  samara_rfserial_receiver receiver;
  samara_rfserial_event event;
  uint8_t wire[64], buffer[64];
  size_t size = 0;
  CHECK_RESULT(samara_rfserial_seal(&sender, wire, &size, NULL, 0), SAMARA_OK,
               "an empty message");
  CHECK_RESULT(samara_rfserial_receiver_init(&receiver, &link, 0, buffer,
                                             sizeof buffer, NULL, 0, 0),
               SAMARA_OK, "empty messages alone");
  CHECK(samara_rfserial_receive(&receiver, &event, NULL, 0) == 0, "nothing");
  CHECK(event.kind == SAMARA_RFSERIAL_NOTHING, "nothing");
  CHECK(samara_rfserial_receive(&receiver, &event, wire, size) == size, "all");
  CHECK(event.kind == SAMARA_RFSERIAL_MESSAGE && event.message_size == 0,
        "an empty message");
  samara_rfserial_receiver_wipe(&receiver);
  CHECK_RESULT(
      samara_rfserial_receiver_init(&receiver, &link, 0, NULL, 0, NULL, 0, 0),
      SAMARA_ERROR_MESSAGE_SIZE, "no buffer");
}

static void check_memory(void) {
  samara_wipe(NULL, 0);
  CHECK(samara_equal(NULL, NULL, 0), "nothing equals nothing");
}

int main(void) {
  for (size_t i = 0; samara_suite_at(i) != NULL; i++) {
    const samara_suite *suite = samara_suite_at(i);
    check_suite(suite);
    if (suite->stream != NULL) {
      check_stream(suite);
    }
    if (suite->aead != NULL) {
      check_aead(suite->aead, suite->slug);
    }
  }
  check_rows();
  check_grain128aead_pieces();
  check_grain128ple();
  check_frames();
  check_rfserial();
  check_memory();
  return check_report();
}
