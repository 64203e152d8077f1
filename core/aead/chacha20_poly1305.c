/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/chacha20_poly1305.h>

#include "aead/calls.h"
#include "aead/chacha20.h"
#include "aead/poly1305.h"

enum { chacha20_poly1305_stack = SAMARA_STACK_BYTES(496, 528, 768, 1280) };

typedef struct chacha20_poly1305_state {
  chacha20_state cipher;
  poly1305_state authenticator;
} chacha20_poly1305_state;

/* 2^32 - 1 blocks (section 2.8 of RFC 8439). Where a size has 32 bits or fewer
 * there are none so long. */
static bool chacha20_poly1305_takes(size_t message_size) {
#if SIZE_MAX > 0xffffffffu
  return message_size <= (size_t)0xffffffff * chacha20_block_size;
#else
  (void)message_size;
  return true;
#endif
}

/* Block 0 of the stream is the authenticator's key, and is used up by that. */
static void chacha20_poly1305_start(chacha20_poly1305_state *s,
                                    const uint8_t *key, const uint8_t *nonce) {
  chacha20_start(&s->cipher, key, nonce);
  poly1305_start(&s->authenticator, s->cipher.stream);
  s->cipher.used = chacha20_block_size;
}

/* The tag (2.8): of associated data, ciphertext, and both sizes. */
static void chacha20_poly1305_tag(poly1305_state *s, uint8_t tag[16],
                                  const uint8_t *data, size_t data_size,
                                  const uint8_t *ciphertext,
                                  size_t ciphertext_size) {
  uint8_t sizes[16];
  poly1305_add(s, data, data_size);
  poly1305_add(s, ciphertext, ciphertext_size);
  samara_store64_le(sizes, data_size);
  samara_store64_le(sizes + 8, ciphertext_size);
  poly1305_add(s, sizes, sizeof sizes);
  poly1305_finish(s, tag);
}

SAMARA_NOT_INLINED static void chacha20_poly1305_bare_seal(
    const uint8_t *key, uint8_t *ciphertext, uint8_t *tag, size_t tag_size,
    const uint8_t *nonce, const uint8_t *associated_data,
    size_t associated_data_size, const uint8_t *message, size_t message_size) {
  uint8_t whole[samara_chacha20_poly1305_tag_size];
  SAMARA_WIPED(whole);
  chacha20_poly1305_state s;
  SAMARA_WIPED(s);
  chacha20_poly1305_start(&s, key, nonce);
  chacha20_crypt(&s.cipher, ciphertext, message, message_size);
  chacha20_poly1305_tag(&s.authenticator, whole, associated_data,
                        associated_data_size, ciphertext, message_size);
  samara_copy_bytes(tag, whole, tag_size);
}

/* Nothing is decrypted before the tag is found right. */
SAMARA_NOT_INLINED static bool chacha20_poly1305_bare_open(
    const uint8_t *key, uint8_t *message, const uint8_t *tag, size_t tag_size,
    const uint8_t *nonce, const uint8_t *associated_data,
    size_t associated_data_size, const uint8_t *ciphertext,
    size_t ciphertext_size) {
  uint8_t whole[samara_chacha20_poly1305_tag_size];
  SAMARA_WIPED(whole);
  chacha20_poly1305_state s;
  SAMARA_WIPED(s);
  chacha20_poly1305_start(&s, key, nonce);
  chacha20_poly1305_tag(&s.authenticator, whole, associated_data,
                        associated_data_size, ciphertext, ciphertext_size);
  const bool genuine = samara_equal(whole, tag, tag_size);
  if (genuine) {
    chacha20_crypt(&s.cipher, message, ciphertext, ciphertext_size);
  } else {
    samara_wipe(message, ciphertext_size);
  }
  return genuine;
}

SAMARA_DEFINE_AEAD_CALLS(chacha20_poly1305, chacha20_poly1305_stack)
SAMARA_DEFINE_AEAD(chacha20_poly1305)
