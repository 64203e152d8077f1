/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/toy_aead.h>

#include "aead/define.h"
#include "common/overlap.h"
#include "common/stack.h"
#include <samara/memory.h>

enum { toy_aead_stack = SAMARA_STACK_BYTES(160, 160, 256, 512) };

typedef struct toy_aead_state {
  uint32_t words[4];
} toy_aead_state;

static uint32_t toy_aead_rotate(uint32_t word, unsigned count) {
  return word << count | word >> (32 - count);
}

static void toy_aead_permute(toy_aead_state *s) {
  uint32_t *x = s->words;
  for (uint32_t i = 0; i < 4; i++) {
    x[0] += x[1] ^ i;
    x[3] = toy_aead_rotate(x[3] ^ x[0], 16);
    x[2] += x[3];
    x[1] = toy_aead_rotate(x[1] ^ x[2], 12);
  }
}

static void toy_aead_add(toy_aead_state *s, const uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) {
    s->words[i / 4] ^= (uint32_t)bytes[i] << (8 * (i % 4));
  }
  toy_aead_permute(s);
}

static void toy_aead_start(toy_aead_state *s, const uint8_t *key,
                           const uint8_t *nonce, const uint8_t *data,
                           size_t size) {
  for (unsigned i = 0; i < 4; i++) {
    s->words[i] = 0;
  }
  toy_aead_add(s, key, samara_toy_aead_key_size);
  toy_aead_add(s, nonce, samara_toy_aead_nonce_size);
  for (size_t i = 0; i < size; i++) {
    toy_aead_add(s, data + i, 1);
  }
  s->words[3] ^= 1;
}

static uint8_t toy_aead_crypt_byte(toy_aead_state *s, uint8_t input,
                                   bool opening) {
  const uint8_t output = (uint8_t)(input ^ s->words[0]);
  const uint8_t plaintext = opening ? output : input;
  toy_aead_add(s, &plaintext, 1);
  return output;
}

static void toy_aead_crypt(toy_aead_state *s, uint8_t *output,
                           const uint8_t *input, size_t size, bool opening) {
  for (size_t i = 0; i < size; i++) {
    output[i] = toy_aead_crypt_byte(s, input[i], opening);
  }
}

static void toy_aead_finish(toy_aead_state *s, const uint8_t *key,
                            uint8_t tag[samara_toy_aead_tag_size]) {
  toy_aead_add(s, key, samara_toy_aead_key_size);
  samara_store32_le(tag, s->words[0]);
  samara_store32_le(tag + 4, s->words[1]);
  samara_wipe(s, sizeof *s);
}

static bool toy_aead_has_tag_size(size_t tag_size) {
  return tag_size == 0 || (tag_size >= samara_toy_aead_tag_size_min &&
                           tag_size <= samara_toy_aead_tag_size);
}

SAMARA_NOT_INLINED static void
toy_aead_bare_seal(const uint8_t *key, uint8_t *ciphertext, uint8_t *tag,
                   size_t tag_size, const uint8_t *nonce, const uint8_t *data,
                   size_t data_size, const uint8_t *message, size_t size) {
  toy_aead_state s;
  uint8_t whole[samara_toy_aead_tag_size];
  toy_aead_start(&s, key, nonce, data, data_size);
  toy_aead_crypt(&s, ciphertext, message, size, false);
  toy_aead_finish(&s, key, whole);
  samara_copy_bytes(tag, whole, tag_size);
  samara_wipe(whole, sizeof whole);
}

SAMARA_NOT_INLINED static bool
toy_aead_bare_open(const uint8_t *key, uint8_t *message, const uint8_t *tag,
                   size_t tag_size, const uint8_t *nonce, const uint8_t *data,
                   size_t data_size, const uint8_t *ciphertext, size_t size) {
  toy_aead_state s;
  uint8_t whole[samara_toy_aead_tag_size];
  toy_aead_start(&s, key, nonce, data, data_size);
  toy_aead_crypt(&s, message, ciphertext, size, true);
  toy_aead_finish(&s, key, whole);
  const bool genuine = samara_equal(whole, tag, tag_size);
  samara_wipe(whole, sizeof whole);
  if (!genuine) {
    samara_wipe(message, size);
  }
  return genuine;
}

samara_result samara_toy_aead_seal_truncated(
    const uint8_t key[samara_toy_aead_key_size], uint8_t *ciphertext,
    uint8_t *tag, size_t tag_size,
    const uint8_t nonce[samara_toy_aead_nonce_size],
    const uint8_t *associated_data, size_t associated_data_size,
    const uint8_t *message, size_t message_size) {
  if (!toy_aead_has_tag_size(tag_size)) {
    return SAMARA_ERROR_TAG_SIZE;
  }
  if (samara_overlaps(ciphertext, message_size, message, message_size)) {
    return SAMARA_ERROR_OVERLAP;
  }
  toy_aead_bare_seal(key, ciphertext, tag, tag_size, nonce, associated_data,
                     associated_data_size, message, message_size);
  return samara_leave(SAMARA_OK, toy_aead_stack);
}

samara_result samara_toy_aead_open_truncated(
    const uint8_t key[samara_toy_aead_key_size], uint8_t *message,
    const uint8_t *tag, size_t tag_size,
    const uint8_t nonce[samara_toy_aead_nonce_size],
    const uint8_t *associated_data, size_t associated_data_size,
    const uint8_t *ciphertext, size_t ciphertext_size) {
  if (!toy_aead_has_tag_size(tag_size)) {
    return SAMARA_ERROR_TAG_SIZE;
  }
  if (samara_overlaps(message, ciphertext_size, ciphertext, ciphertext_size)) {
    return SAMARA_ERROR_OVERLAP;
  }
  const bool genuine =
      toy_aead_bare_open(key, message, tag, tag_size, nonce, associated_data,
                         associated_data_size, ciphertext, ciphertext_size);
  return samara_leave(genuine ? SAMARA_OK : SAMARA_ERROR_AUTHENTICATION,
                      toy_aead_stack);
}

samara_result
samara_toy_aead_seal(const uint8_t key[samara_toy_aead_key_size],
                     uint8_t *ciphertext, uint8_t tag[samara_toy_aead_tag_size],
                     const uint8_t nonce[samara_toy_aead_nonce_size],
                     const uint8_t *associated_data,
                     size_t associated_data_size, const uint8_t *message,
                     size_t message_size) {
  return samara_toy_aead_seal_truncated(
      key, ciphertext, tag, samara_toy_aead_tag_size, nonce, associated_data,
      associated_data_size, message, message_size);
}

samara_result samara_toy_aead_open(
    const uint8_t key[samara_toy_aead_key_size], uint8_t *message,
    const uint8_t tag[samara_toy_aead_tag_size],
    const uint8_t nonce[samara_toy_aead_nonce_size],
    const uint8_t *associated_data, size_t associated_data_size,
    const uint8_t *ciphertext, size_t ciphertext_size) {
  return samara_toy_aead_open_truncated(
      key, message, tag, samara_toy_aead_tag_size, nonce, associated_data,
      associated_data_size, ciphertext, ciphertext_size);
}

SAMARA_DEFINE_AEAD(toy_aead)
SAMARA_DEFINE_FRAME_CIPHER(toy_aead)
