/* SPDX-License-Identifier: Apache-2.0 */

/* Sessions of Ketje Jr: the designers' answers, and what the header promises.
 *
 *   test_ketje_jr FILE    vectors/sessions/ketje-jr.txt */

#include "check.h"
#include "vector_file.h"
#include <samara/ketje_jr.h>
#include <stdlib.h>
#include <string.h>

enum { size_max = 200 };

/* Both ends of a session. */
static samara_ketje_jr sender, receiver;

static void begin(const vector_record *record) {
  const vector_field *key = vector_hex(record, "key");
  const vector_field *nonce = vector_hex(record, "nonce");
  CHECK_RESULT(samara_ketje_jr_init(&sender, key->bytes, key->size,
                                    nonce->bytes, nonce->size),
               SAMARA_OK, "init");
  receiver = sender;
}

static void check_record(const vector_record *record) {
  uint8_t text[size_max], tag[samara_ketje_jr_session_tag_size_max];
  const char *name = vector_find(record, "name")->text;
  if (vector_find(record, "key") != NULL) {
    begin(record);
  }
  const vector_field *ad = vector_hex(record, "ad");
  const vector_field *message = vector_hex(record, "message");
  const vector_field *ciphertext = vector_hex(record, "ciphertext");
  const vector_field *want = vector_hex(record, "tag");
  if (!CHECK(message->size <= size_max && want->size <= sizeof tag, "room")) {
    return;
  }
  CHECK_RESULT(samara_ketje_jr_seal_next(&sender, text, tag, want->size,
                                         ad->bytes, ad->size, message->bytes,
                                         message->size),
               SAMARA_OK, name);
  CHECK_BYTES(text, ciphertext->bytes, message->size, name);
  CHECK_BYTES(tag, want->bytes, want->size, name);
  /* In place. */
  CHECK_RESULT(samara_ketje_jr_open_next(&receiver, text, tag, want->size,
                                         ad->bytes, ad->size, text,
                                         message->size),
               SAMARA_OK, name);
  CHECK_BYTES(text, message->bytes, message->size, name);
}

static void check_file(const char *path) {
  vector_record record = {0};
  FILE *file = fopen(path, "r");
  if (!CHECK(file != NULL, "cannot read %s", path)) {
    return;
  }
  size_t count = 0;
  for (; vector_next(file, path, &record); count++) {
    check_record(&record);
  }
  CHECK(count == 678, "%zu records", count);
  vector_free(&record);
  (void)fclose(file);
}

static uint8_t key[25], nonce[25], data[9], message[21];
static uint8_t sealed[21], opened[21], tag[32];

static void start(void) {
  fill_random(key, sizeof key);
  fill_random(nonce, sizeof nonce);
  fill_random(data, sizeof data);
  fill_random(message, sizeof message);
  CHECK_RESULT(samara_ketje_jr_init(&sender, key, 12, nonce, 10), SAMARA_OK,
               "init");
  receiver = sender;
}

static samara_result seal_next(size_t tag_size) {
  return samara_ketje_jr_seal_next(&sender, sealed, tag, tag_size, data,
                                   sizeof data, message, sizeof message);
}

static samara_result open_next(size_t tag_size) {
  return samara_ketje_jr_open_next(&receiver, opened, tag, tag_size, data,
                                   sizeof data, sealed, sizeof sealed);
}

/* The first message is what the call for one message makes. */
static void check_first(void) {
  uint8_t want[21], want_tag[12];
  start();
  CHECK_RESULT(samara_ketje_jr_seal(key, want, want_tag, nonce, data,
                                    sizeof data, message, sizeof message),
               SAMARA_OK, "one message");
  CHECK_RESULT(seal_next(12), SAMARA_OK, "first message");
  CHECK_BYTES(sealed, want, sizeof want, "first message");
  CHECK_BYTES(tag, want_tag, sizeof want_tag, "first message");
  CHECK_RESULT(seal_next(12), SAMARA_OK, "second message");
  CHECK(memcmp(sealed, want, sizeof want) != 0, "the session goes on");
}

/* Key and nonce together: 22 bytes. */
static void check_sizes(void) {
  for (size_t key_size = 0; key_size <= 24; key_size++) {
    for (size_t nonce_size = 0; nonce_size <= 24; nonce_size++) {
      const bool fits = key_size + nonce_size <= 22;
      CHECK_RESULT(
          samara_ketje_jr_init(&sender, key, key_size, nonce, nonce_size),
          fits ? SAMARA_OK : SAMARA_ERROR_NONCE_SIZE, "key and nonce");
      CHECK_RESULT(seal_next(12), fits ? SAMARA_OK : SAMARA_ERROR_STATE,
                   "after init");
    }
  }
  CHECK_RESULT(samara_ketje_jr_init(&sender, key, 1, nonce, SIZE_MAX),
               SAMARA_ERROR_NONCE_SIZE, "sizes whose sum is 0");
}

static void check_tag_sizes(void) {
  for (size_t size = 0; size <= 33; size++) {
    const bool allowed = size == 0 || (size >= 4 && size <= 32);
    start();
    const samara_ketje_jr before = sender;
    CHECK_RESULT(seal_next(size), allowed ? SAMARA_OK : SAMARA_ERROR_TAG_SIZE,
                 "tag size");
    CHECK_RESULT(open_next(size), allowed ? SAMARA_OK : SAMARA_ERROR_TAG_SIZE,
                 "tag size");
    CHECK((memcmp(&before, &sender, sizeof before) == 0) == !allowed,
          "a refused call changes nothing");
    CHECK(memcmp(&sender, &receiver, sizeof sender) == 0, "both ends agree");
  }
}

/* After a forgery nothing is released and the session is over. */
static void check_forgeries(void) {
  for (size_t at = 0; at < sizeof sealed + 12; at++) {
    start();
    CHECK_RESULT(seal_next(12), SAMARA_OK, "seal");
    *(at < sizeof sealed ? sealed + at : tag + at - sizeof sealed) ^= 0x10;
    memset(opened, 1, sizeof opened);
    CHECK_RESULT(open_next(12), SAMARA_ERROR_AUTHENTICATION, "forged");
    CHECK(all_zero(opened, sizeof opened), "nothing is released");
    CHECK(all_zero((const uint8_t *)&receiver, sizeof receiver), "wiped");
    CHECK_RESULT(open_next(12), SAMARA_ERROR_STATE, "after a forgery");
  }
}

/* A message that was not authenticated spoils the next one. */
static void check_later_tag(void) {
  start();
  CHECK_RESULT(seal_next(0), SAMARA_OK, "no tag");
  sealed[3] ^= 1;
  CHECK_RESULT(open_next(0), SAMARA_OK, "no tag, nothing refused");
  CHECK_RESULT(seal_next(16), SAMARA_OK, "with a tag");
  CHECK_RESULT(open_next(16), SAMARA_ERROR_AUTHENTICATION,
               "the next tag authenticates both");
}

static void check_overlap(void) {
  uint8_t text[40] = {0};
  start();
  const samara_ketje_jr before = sender;
  CHECK_RESULT(
      samara_ketje_jr_seal_next(&sender, text + 1, tag, 12, NULL, 0, text, 20),
      SAMARA_ERROR_OVERLAP, "seal");
  CHECK_RESULT(
      samara_ketje_jr_open_next(&sender, text, tag, 12, NULL, 0, text + 19, 20),
      SAMARA_ERROR_OVERLAP, "open");
  CHECK(memcmp(&before, &sender, sizeof before) == 0, "nothing is done");
}

static void check_empty(void) {
  samara_ketje_jr session;
  CHECK_RESULT(samara_ketje_jr_init(&session, key, 16, NULL, 0), SAMARA_OK,
               "no nonce");
  CHECK_RESULT(
      samara_ketje_jr_seal_next(&session, NULL, NULL, 0, NULL, 0, NULL, 0),
      SAMARA_OK, "nothing to seal");
  CHECK_RESULT(
      samara_ketje_jr_open_next(&session, NULL, NULL, 0, NULL, 0, NULL, 0),
      SAMARA_OK, "nothing to open");
  samara_ketje_jr_wipe(&session);
  CHECK(all_zero((const uint8_t *)&session, sizeof session), "wiped");
}

int main(int count, char **arguments) {
  if (count != 2) {
    (void)fprintf(stderr, "usage: test_ketje_jr FILE\n");
    return 2;
  }
  check_file(arguments[1]);
  check_first();
  check_sizes();
  check_tag_sizes();
  check_forgeries();
  check_later_tag();
  check_overlap();
  check_empty();
  return check_report();
}
