/* SPDX-License-Identifier: Apache-2.0 */

/* Sessions of Ketje Jr: both ends handle any messages, one of them through a
 * channel that may change them. What was not changed opens, and both ends then
 * have the same state; what was changed is refused by its own tag, or by the
 * next one; a session that refused a message is over; and a call with wrong
 * arguments leaves the session as it was. */

#include "input.h"
#include <samara/ketje_jr.h>

enum {
  text_room = 64,
  sure_tag_size = 8 /* a shorter tag may be hit by chance */
};

/* What the bytes before a message choose. */
typedef struct message {
  size_t size;
  size_t data_size;
  size_t tag_size;
  uint8_t change; /* 0: nothing; else which byte, and how */
  uint8_t *text;
  uint8_t *data;
} message;

typedef struct ends {
  samara_ketje_jr sender;
  samara_ketje_jr receiver;
  int differ; /* a change has passed without a tag */
} ends;

static int same(const samara_ketje_jr *one, const samara_ketje_jr *other) {
  return memcmp((const uint8_t *)one, (const uint8_t *)other, sizeof *one) == 0;
}

static void require_zeros(const uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) {
    fuzz_require(bytes[i] == 0);
  }
}

static int allowed(size_t tag_size) {
  return tag_size == 0 || (tag_size >= samara_ketje_jr_tag_size_min &&
                           tag_size <= samara_ketje_jr_session_tag_size_max);
}

static message take_message(fuzz_input *input) {
  message taken;
  taken.size = fuzz_byte(input) % text_room;
  taken.data_size = fuzz_byte(input) % text_room;
  taken.tag_size =
      fuzz_byte(input) % (samara_ketje_jr_session_tag_size_max + 2);
  taken.change = fuzz_byte(input);
  taken.text = fuzz_take(input, taken.size);
  taken.data = fuzz_take(input, taken.data_size);
  return taken;
}

/* Changes a byte of the ciphertext, of the tag or of the data, if there is. */
static int change(const message *given, uint8_t *ciphertext, uint8_t *tag) {
  const size_t all = given->size + given->tag_size + given->data_size;
  if (given->change < 128 || all == 0) {
    return 0;
  }
  const size_t at = (given->change & 0x7f) % all;
  const size_t in_tag = at - given->size;
  if (at < given->size) {
    ciphertext[at] ^= given->change;
  } else if (in_tag < given->tag_size) {
    tag[in_tag] ^= given->change;
  } else {
    given->data[in_tag - given->tag_size] ^= given->change;
  }
  return 1;
}

/* Neither end does anything with a tag size that there is not. */
static void check_refused(ends *both, const message *given, uint8_t *text,
                          uint8_t *tag) {
  const ends before = *both;
  fuzz_require(samara_ketje_jr_seal_next(&both->sender, text, tag,
                                         given->tag_size, given->data,
                                         given->data_size, given->text,
                                         given->size) == SAMARA_ERROR_TAG_SIZE);
  fuzz_require(samara_ketje_jr_open_next(&both->receiver, text, tag,
                                         given->tag_size, given->data,
                                         given->data_size, given->text,
                                         given->size) == SAMARA_ERROR_TAG_SIZE);
  fuzz_require(same(&before.sender, &both->sender) &&
               same(&before.receiver, &both->receiver));
}

/* Returns whether the session goes on. */
static int check_sent(ends *both, const message *given, uint8_t *text,
                      uint8_t *tag) {
  /* In place or not. */
  uint8_t *opened = fuzz_allocate(given->size);
  uint8_t *output = given->change & 1 ? text : opened;
  if (given->change & 2) {
    memcpy(text, given->text, given->size);
  }
  fuzz_require(samara_ketje_jr_seal_next(
                   &both->sender, text, tag, given->tag_size, given->data,
                   given->data_size, given->change & 2 ? text : given->text,
                   given->size) == SAMARA_OK);
  both->differ |= change(given, text, tag);
  const samara_result result = samara_ketje_jr_open_next(
      &both->receiver, output, tag, given->tag_size, given->data,
      given->data_size, text, given->size);
  if (given->tag_size == 0 || !both->differ) {
    fuzz_require(result == SAMARA_OK);
  } else if (result == SAMARA_OK) {
    fuzz_require(given->tag_size < sure_tag_size);
  } else {
    fuzz_require(result == SAMARA_ERROR_AUTHENTICATION);
    require_zeros(output, given->size);
    require_zeros((const uint8_t *)&both->receiver, sizeof both->receiver);
    fuzz_require(samara_ketje_jr_open_next(&both->receiver, output, tag,
                                           given->tag_size, given->data,
                                           given->data_size, text,
                                           given->size) == SAMARA_ERROR_STATE);
  }
  if (!both->differ) {
    fuzz_require(memcmp(output, given->text, given->size) == 0);
  }
  fuzz_require(same(&both->sender, &both->receiver) == !both->differ);
  free(opened);
  return result == SAMARA_OK;
}

static int check_message(ends *both, fuzz_input *input) {
  const message given = take_message(input);
  uint8_t *text = fuzz_allocate(given.size);
  uint8_t *tag = fuzz_allocate(given.tag_size);
  int goes_on = 1;
  if (allowed(given.tag_size)) {
    goes_on = check_sent(both, &given, text, tag);
  } else {
    memset(tag, 0, given.tag_size);
    check_refused(both, &given, text, tag);
  }
  free(text);
  free(tag);
  free(given.text);
  free(given.data);
  return goes_on;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  fuzz_input input = {bytes, size};
  ends both;
  memset(&both, 0, sizeof both);
  const size_t key_size = fuzz_byte(&input) % 26;
  const size_t nonce_size = fuzz_byte(&input) % 26;
  uint8_t *key = fuzz_take(&input, key_size);
  uint8_t *nonce = fuzz_take(&input, nonce_size);
  const int fits =
      key_size + nonce_size <= samara_ketje_jr_key_and_nonce_size_max;
  fuzz_require(
      samara_ketje_jr_init(&both.sender, key, key_size, nonce, nonce_size) ==
      (fits ? SAMARA_OK : SAMARA_ERROR_NONCE_SIZE));
  free(key);
  free(nonce);
  both.receiver = both.sender;
  if (!fits) {
    fuzz_require(samara_ketje_jr_seal_next(&both.sender, NULL, NULL, 0, NULL, 0,
                                           NULL, 0) == SAMARA_ERROR_STATE);
    return 0;
  }
  while (input.size != 0 && check_message(&both, &input)) {
  }
  samara_ketje_jr_wipe(&both.sender);
  require_zeros((const uint8_t *)&both.sender, sizeof both.sender);
  return 0;
}
