/* SPDX-License-Identifier: Apache-2.0 */
/* Template: see mode/names.h. Contract: samara/gcm.h. Clauses of SP 800-38D.
 * Needs the templates of CTR and CCM before it. */

#include "common/bytes.h"
#include "common/overlap.h"
#include "common/wiped.h"
#include "mode/counter.h"
#include "mode/gcm_sizes.h"
#include "mode/ghash.h"
#include "mode/names.h"
#include <samara/aead.h>
#include <samara/memory.h>

#define gcm_start SAMARA_LOCAL(gcm_start)
#define gcm_crypt SAMARA_LOCAL(gcm_crypt)
#define gcm_tag SAMARA_LOCAL(gcm_tag)
#define gcm_open_truncated SAMARA_LOCAL(gcm_open_truncated)
#define bare_gcm_seal SAMARA_LOCAL(bare_gcm_seal)
#define bare_gcm_open SAMARA_LOCAL(bare_gcm_open)
#define SAMARA_GCM_STACK (SAMARA_CIPHER_STACK + samara_gcm_stack)

/* Derives the key of GHASH and the first counter block J_0 (7.1, 1 and 2). */
static void gcm_start(const SAMARA_KEY *key,
                      uint8_t hash_key[SAMARA_BLOCK_SIZE],
                      uint8_t counter[SAMARA_BLOCK_SIZE], const uint8_t *nonce,
                      size_t nonce_size) {
  samara_zero_bytes(hash_key, SAMARA_BLOCK_SIZE);
  SAMARA_LOCAL(bare_encrypt)(key, hash_key, hash_key);
  if (nonce_size == samara_gcm_nonce_size) {
    samara_zero_bytes(counter, SAMARA_BLOCK_SIZE);
    samara_copy_bytes(counter, nonce, nonce_size);
    counter[SAMARA_BLOCK_SIZE - 1] = 1;
    return;
  }
  samara_ghash ghash;
  SAMARA_WIPED(ghash);
  samara_ghash_init(&ghash, hash_key);
  samara_ghash_update(&ghash, nonce, nonce_size);
  samara_ghash_finish(&ghash, counter, 0, nonce_size);
}

/* GCTR (6.5) from J_0 + 1 on. */
static void gcm_crypt(const SAMARA_KEY *key, uint8_t *output,
                      const uint8_t first_counter[SAMARA_BLOCK_SIZE],
                      const uint8_t *input, size_t size) {
  uint8_t counter[SAMARA_BLOCK_SIZE];
  samara_copy_bytes(counter, first_counter, SAMARA_BLOCK_SIZE);
  samara_counter second = samara_counter_load(counter);
  samara_count_up(&second, samara_gcm_counted_from);
  samara_counter_store(counter, &second);
  SAMARA_LOCAL(count_and_add)(key, output, counter, samara_gcm_counted_from,
                              input, size);
}

/* GHASH of associated data, ciphertext and lengths, hidden by the encrypted J_0
 * (7.1, steps 4 to 6). */
static void gcm_tag(const SAMARA_KEY *key, uint8_t tag[samara_gcm_tag_size],
                    const uint8_t hash_key[SAMARA_BLOCK_SIZE],
                    const uint8_t first_counter[SAMARA_BLOCK_SIZE],
                    const uint8_t *associated_data, size_t associated_data_size,
                    const uint8_t *ciphertext, size_t ciphertext_size) {
  uint8_t mask[SAMARA_BLOCK_SIZE];
  SAMARA_WIPED(mask);
  samara_ghash ghash;
  SAMARA_WIPED(ghash);
  samara_ghash_init(&ghash, hash_key);
  samara_ghash_update(&ghash, associated_data, associated_data_size);
  samara_ghash_update(&ghash, ciphertext, ciphertext_size);
  samara_ghash_finish(&ghash, tag, associated_data_size, ciphertext_size);
  SAMARA_LOCAL(bare_encrypt)(key, mask, first_counter);
  samara_xor_bytes(tag, tag, mask, SAMARA_BLOCK_SIZE);
}

SAMARA_NOT_INLINED static void
bare_gcm_seal(const SAMARA_KEY *key, uint8_t *ciphertext,
              uint8_t tag[samara_gcm_tag_size], const uint8_t *nonce,
              size_t nonce_size, const uint8_t *associated_data,
              size_t associated_data_size, const uint8_t *message,
              size_t message_size) {
  uint8_t hash_key[SAMARA_BLOCK_SIZE];
  SAMARA_WIPED(hash_key);
  uint8_t counter[SAMARA_BLOCK_SIZE];
  SAMARA_WIPED(counter);
  gcm_start(key, hash_key, counter, nonce, nonce_size);
  gcm_crypt(key, ciphertext, counter, message, message_size);
  gcm_tag(key, tag, hash_key, counter, associated_data, associated_data_size,
          ciphertext, message_size);
}

samara_result SAMARA_NAME(gcm_seal)(const SAMARA_KEY *key, uint8_t *ciphertext,
                                    uint8_t tag[samara_gcm_tag_size],
                                    const uint8_t *nonce, size_t nonce_size,
                                    const uint8_t *associated_data,
                                    size_t associated_data_size,
                                    const uint8_t *message,
                                    size_t message_size) {
  const samara_result result =
      samara_gcm_check(nonce_size, associated_data_size, message_size);
  if (result != SAMARA_OK) {
    return result;
  }
  if (samara_overlaps(ciphertext, message_size, message, message_size)) {
    return SAMARA_ERROR_OVERLAP;
  }
  bare_gcm_seal(key, ciphertext, tag, nonce, nonce_size, associated_data,
                associated_data_size, message, message_size);
  return samara_leave(SAMARA_OK, SAMARA_GCM_STACK);
}

/* Whether the first tag_size bytes of the tag are right; when they are not, the
 * message is zeros. */
SAMARA_NOT_INLINED static bool
bare_gcm_open(const SAMARA_KEY *key, uint8_t *message, const uint8_t *tag,
              size_t tag_size, const uint8_t *nonce, size_t nonce_size,
              const uint8_t *associated_data, size_t associated_data_size,
              const uint8_t *ciphertext, size_t ciphertext_size) {
  uint8_t hash_key[SAMARA_BLOCK_SIZE];
  SAMARA_WIPED(hash_key);
  uint8_t counter[SAMARA_BLOCK_SIZE];
  SAMARA_WIPED(counter);
  uint8_t expected[samara_gcm_tag_size];
  SAMARA_WIPED(expected);
  gcm_start(key, hash_key, counter, nonce, nonce_size);
  gcm_tag(key, expected, hash_key, counter, associated_data,
          associated_data_size, ciphertext, ciphertext_size);
  const bool genuine = samara_equal(expected, tag, tag_size);
  if (genuine) {
    gcm_crypt(key, message, counter, ciphertext, ciphertext_size);
  } else {
    samara_wipe(message, ciphertext_size);
  }
  return genuine;
}

/* With the first tag_size bytes of the tag alone. */
static samara_result
gcm_open_truncated(const SAMARA_KEY *key, uint8_t *message, const uint8_t *tag,
                   size_t tag_size, const uint8_t *nonce, size_t nonce_size,
                   const uint8_t *associated_data, size_t associated_data_size,
                   const uint8_t *ciphertext, size_t ciphertext_size) {
  const samara_result result =
      samara_gcm_check(nonce_size, associated_data_size, ciphertext_size);
  if (result != SAMARA_OK) {
    return result == SAMARA_ERROR_MESSAGE_SIZE ? SAMARA_ERROR_CIPHERTEXT_SIZE
                                               : result;
  }
  if (samara_overlaps(message, ciphertext_size, ciphertext, ciphertext_size)) {
    return SAMARA_ERROR_OVERLAP;
  }
  const bool genuine = bare_gcm_open(
      key, message, tag, tag_size, nonce, nonce_size, associated_data,
      associated_data_size, ciphertext, ciphertext_size);
  return samara_leave(genuine ? SAMARA_OK : SAMARA_ERROR_AUTHENTICATION,
                      SAMARA_GCM_STACK);
}

samara_result SAMARA_NAME(gcm_open)(const SAMARA_KEY *key, uint8_t *message,
                                    const uint8_t tag[samara_gcm_tag_size],
                                    const uint8_t *nonce, size_t nonce_size,
                                    const uint8_t *associated_data,
                                    size_t associated_data_size,
                                    const uint8_t *ciphertext,
                                    size_t ciphertext_size) {
  return gcm_open_truncated(key, message, tag, samara_gcm_tag_size, nonce,
                            nonce_size, associated_data, associated_data_size,
                            ciphertext, ciphertext_size);
}

/* As a samara_aead. */

static samara_result SAMARA_LOCAL(gcm_aead_seal)(
    const void *state, uint8_t *ciphertext, uint8_t *tag, size_t tag_size,
    const uint8_t nonce[samara_aead_nonce_size], const uint8_t *associated_data,
    size_t associated_data_size, const uint8_t *message, size_t message_size) {
  if (!samara_gcm_takes_tag(tag_size)) {
    return SAMARA_ERROR_TAG_SIZE;
  }
  /* What is cut off is not sent. */
  uint8_t whole[samara_gcm_tag_size];
  SAMARA_WIPED(whole);
  const samara_result result = SAMARA_NAME(gcm_seal)(
      state, ciphertext, whole, nonce, samara_aead_nonce_size, associated_data,
      associated_data_size, message, message_size);
  if (result == SAMARA_OK) {
    samara_copy_bytes(tag, whole, tag_size);
  }
  return result;
}

static samara_result SAMARA_LOCAL(gcm_aead_open)(
    const void *state, uint8_t *message, const uint8_t *tag, size_t tag_size,
    const uint8_t nonce[samara_aead_nonce_size], const uint8_t *associated_data,
    size_t associated_data_size, const uint8_t *ciphertext,
    size_t ciphertext_size) {
  if (!samara_gcm_takes_tag(tag_size)) {
    return SAMARA_ERROR_TAG_SIZE;
  }
  return gcm_open_truncated(state, message, tag, tag_size, nonce,
                            samara_aead_nonce_size, associated_data,
                            associated_data_size, ciphertext, ciphertext_size);
}

const samara_aead SAMARA_NAME(gcm_aead) = {0x1f000, /* 12 to 16 */
                                           sizeof(SAMARA_KEY),
                                           SAMARA_NAME(key_size),
                                           SAMARA_LOCAL(aead_set_key),
                                           SAMARA_LOCAL(gcm_aead_seal),
                                           SAMARA_LOCAL(gcm_aead_open)};

#undef gcm_start
#undef gcm_crypt
#undef gcm_tag
#undef gcm_open_truncated
#undef bare_gcm_seal
#undef bare_gcm_open
#undef SAMARA_GCM_STACK
