/* SPDX-License-Identifier: Apache-2.0 */

/* Truncated tags are the first bytes of whole ones, and no shorter than said;
 * without a tag nothing is refused. */

#include "check.h"
#include <samara/samara.h>
#include <string.h>

enum { size_max = 70 };

typedef struct aead {
  const char *name;
  size_t tag_size;
  size_t tag_size_min;
  samara_result (*seal)(const uint8_t *key, uint8_t *ciphertext, uint8_t *tag,
                        const uint8_t *nonce, const uint8_t *data,
                        size_t data_size, const uint8_t *message,
                        size_t message_size);
  samara_result (*seal_truncated)(const uint8_t *key, uint8_t *ciphertext,
                                  uint8_t *tag, size_t tag_size,
                                  const uint8_t *nonce, const uint8_t *data,
                                  size_t data_size, const uint8_t *message,
                                  size_t message_size);
  samara_result (*open_truncated)(const uint8_t *key, uint8_t *message,
                                  const uint8_t *tag, size_t tag_size,
                                  const uint8_t *nonce, const uint8_t *data,
                                  size_t data_size, const uint8_t *ciphertext,
                                  size_t ciphertext_size);
} aead;

static const aead aeads[] = {
#define BLOCK_CIPHER(name, slug, standing, source, note)
#define BLOCK_CIPHER_128 BLOCK_CIPHER
#define BLOCK_CIPHER_AES BLOCK_CIPHER
#define AEAD(name, slug, standing, source, note, stream)                       \
  {slug,                                                                       \
   samara_##name##_tag_size,                                                   \
   samara_##name##_tag_size_min,                                               \
   samara_##name##_seal,                                                       \
   samara_##name##_seal_truncated,                                             \
   samara_##name##_open_truncated},
#define STREAM_CIPHER(name, slug, standing, source, note, stream)
#include "host/registry.def"
};

static uint8_t key[32], nonce[32], data[20], message[size_max];

static void check_refusal(const aead *cipher, size_t tag_size) {
  uint8_t text[size_max];
  uint8_t tag[32] = {0};
  memcpy(text, message, sizeof text);
  CHECK_RESULT(cipher->seal_truncated(key, text, tag, tag_size, nonce, data, 9,
                                      text, 33),
               SAMARA_ERROR_TAG_SIZE, cipher->name);
  CHECK_RESULT(cipher->open_truncated(key, text, tag, tag_size, nonce, data, 9,
                                      text, 33),
               SAMARA_ERROR_TAG_SIZE, cipher->name);
  CHECK_BYTES(text, message, sizeof text, "a refused message is not touched");
}

/* A byte of the tag, the ciphertext or the data is changed. */
static void check_forgeries(const aead *cipher, size_t tag_size,
                            const uint8_t *ciphertext, size_t size) {
  uint8_t text[size_max];
  uint8_t tag[16] = {0};
  CHECK_RESULT(cipher->seal_truncated(key, text, tag, tag_size, nonce, data,
                                      sizeof data, message, size),
               SAMARA_OK, cipher->name);
  for (size_t i = 0; i < tag_size; i++) {
    tag[i] ^= 0x80;
    memcpy(text, ciphertext, size);
    CHECK_RESULT(cipher->open_truncated(key, text, tag, tag_size, nonce, data,
                                        sizeof data, text, size),
                 SAMARA_ERROR_AUTHENTICATION, cipher->name);
    CHECK(all_zero(text, size), "%s: zeros after a refusal", cipher->name);
    tag[i] ^= 0x80;
  }
  CHECK_RESULT(cipher->open_truncated(key, text, tag, tag_size, nonce, data,
                                      sizeof data - 1, ciphertext, size),
               SAMARA_ERROR_AUTHENTICATION, cipher->name);
}

static void check_size(const aead *cipher, size_t tag_size, size_t size) {
  uint8_t whole[size_max], ciphertext[size_max], text[size_max];
  uint8_t whole_tag[16], tag[16];
  memset(tag, 0x5a, sizeof tag);
  CHECK_RESULT(cipher->seal(key, whole, whole_tag, nonce, data, sizeof data,
                            message, size),
               SAMARA_OK, cipher->name);
  CHECK_RESULT(cipher->seal_truncated(key, ciphertext, tag, tag_size, nonce,
                                      data, sizeof data, message, size),
               SAMARA_OK, cipher->name);
  CHECK_BYTES(ciphertext, whole, size, "the ciphertext is that of whole tags");
  CHECK_BYTES(tag, whole_tag, tag_size, "the tag begins as the whole one");
  CHECK(tag_size == 16 || tag[tag_size] == 0x5a, "no byte more is written");
  CHECK_RESULT(cipher->open_truncated(key, text, tag, tag_size, nonce, data,
                                      sizeof data, ciphertext, size),
               SAMARA_OK, cipher->name);
  CHECK_BYTES(text, message, size, "what was sealed opens");
  if (tag_size != 0) {
    check_forgeries(cipher, tag_size, ciphertext, size);
  }
}

static void check_aead(const aead *cipher) {
  for (size_t tag_size = 0; tag_size <= 17; tag_size++) {
    fill_random(key, sizeof key);
    fill_random(nonce, sizeof nonce);
    fill_random(data, sizeof data);
    fill_random(message, sizeof message);
    if (tag_size == 0 ||
        (tag_size >= cipher->tag_size_min && tag_size <= cipher->tag_size)) {
      check_size(cipher, tag_size, 0);
      check_size(cipher, tag_size, 1 + random_below(size_max - 1));
    } else {
      check_refusal(cipher, tag_size);
    }
  }
}

int main(void) {
  for (size_t i = 0; i < sizeof aeads / sizeof aeads[0]; i++) {
    check_aead(&aeads[i]);
  }
  return check_report();
}
