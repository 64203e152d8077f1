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

#define gcm_state SAMARA_LOCAL(gcm_state)
#define gcm_prepare SAMARA_LOCAL(gcm_prepare)
#define gcm_start SAMARA_LOCAL(gcm_start)
#define gcm_second_counter SAMARA_LOCAL(gcm_second_counter)
#define gcm_crypt_and_hash SAMARA_LOCAL(gcm_crypt_and_hash)
#define gcm_seal_prepared SAMARA_LOCAL(gcm_seal_prepared)
#define bare_gcm_set_key SAMARA_LOCAL(bare_gcm_set_key)
#define gcm_tag SAMARA_LOCAL(gcm_tag)
#define gcm_open_truncated SAMARA_LOCAL(gcm_open_truncated)
#define bare_gcm_seal SAMARA_LOCAL(bare_gcm_seal)
#define bare_gcm_open SAMARA_LOCAL(bare_gcm_open)
#define SAMARA_GCM_STACK (SAMARA_CIPHER_STACK + samara_gcm_stack)

/* Derives the key of GHASH (7.1, 1). */
static void gcm_prepare(const SAMARA_KEY *key, samara_ghash *ghash) {
  uint8_t hash_key[SAMARA_BLOCK_SIZE];
  SAMARA_WIPED(hash_key);
  samara_zero_bytes(hash_key, SAMARA_BLOCK_SIZE);
  SAMARA_LOCAL(bare_encrypt)(key, hash_key, hash_key);
  samara_ghash_init(ghash, hash_key);
}

/* GHASH before its first byte, and the first counter block J_0 (7.1, 2). */
static void gcm_start(const SAMARA_KEY *key, const samara_ghash *prepared,
                      samara_ghash *ghash, uint8_t counter[SAMARA_BLOCK_SIZE],
                      const uint8_t *nonce, size_t nonce_size) {
  if (prepared == NULL) {
    gcm_prepare(key, ghash);
  } else {
    *ghash = *prepared;
  }
  if (nonce_size == samara_gcm_nonce_size) {
    samara_zero_bytes(counter, SAMARA_BLOCK_SIZE);
    samara_copy_bytes(counter, nonce, nonce_size);
    counter[SAMARA_BLOCK_SIZE - 1] = 1;
    return;
  }
  samara_ghash_update(ghash, nonce, nonce_size);
  samara_ghash_finish(ghash, counter, 0, nonce_size);
  samara_ghash_restart(ghash);
}

/* J_0 + 1, from which on the message is encrypted. */
static void gcm_second_counter(uint8_t counter[SAMARA_BLOCK_SIZE],
                               const uint8_t first_counter[SAMARA_BLOCK_SIZE]) {
  samara_copy_bytes(counter, first_counter, SAMARA_BLOCK_SIZE);
  samara_counter second = samara_counter_load(counter);
  samara_count_up(&second, samara_gcm_counted_from);
  samara_counter_store(counter, &second);
}

/* GCTR (6.5) and GHASH of what comes out, which an implementation may do in one
 * pass, wholly or in part. */
static void gcm_crypt_and_hash(const SAMARA_KEY *key, samara_ghash *ghash,
                               uint8_t *output,
                               uint8_t counter[SAMARA_BLOCK_SIZE],
                               const uint8_t *input, size_t size) {
#ifdef SAMARA_CIPHER_GCM_SEAL
  const size_t done =
      SAMARA_CIPHER_GCM_SEAL(key, ghash, output, counter, input, size);
  if (done != 0) { /* an empty message may have no address */
    output += done;
    input += done;
    size -= done;
  }
#endif
  SAMARA_LOCAL(count_and_add)(key, output, counter, samara_gcm_counted_from,
                              input, size);
  samara_ghash_update(ghash, output, size);
}

/* The hash, hidden by the encrypted J_0 (7.1, 5 and 6). */
static void gcm_tag(const SAMARA_KEY *key, samara_ghash *ghash,
                    uint8_t tag[samara_gcm_tag_size],
                    const uint8_t first_counter[SAMARA_BLOCK_SIZE],
                    size_t associated_data_size, size_t ciphertext_size) {
  uint8_t mask[SAMARA_BLOCK_SIZE];
  SAMARA_WIPED(mask);
  samara_ghash_finish(ghash, tag, associated_data_size, ciphertext_size);
  SAMARA_LOCAL(bare_encrypt)(key, mask, first_counter);
  samara_xor_bytes(tag, tag, mask, SAMARA_BLOCK_SIZE);
}

/* `prepared` has the key of GHASH; NULL when it is to be made. */
SAMARA_NOT_INLINED static void
bare_gcm_seal(const SAMARA_KEY *key, const samara_ghash *prepared,
              uint8_t *ciphertext, uint8_t tag[samara_gcm_tag_size],
              const uint8_t *nonce, size_t nonce_size,
              const uint8_t *associated_data, size_t associated_data_size,
              const uint8_t *message, size_t message_size) {
#ifdef SAMARA_CIPHER_GCM_SHORT
  if (samara_gcm_short_takes(nonce_size, associated_data_size, message_size)) {
    const samara_gcm_short call = SAMARA_CIPHER_GCM_SHORT(
        key, prepared, ciphertext, nonce, associated_data, associated_data_size,
        message, message_size);
    samara_aes_x86_64_gcm_seal_short(&call, tag);
    return;
  }
#endif
  samara_ghash ghash;
  SAMARA_WIPED(ghash);
  uint8_t first_counter[SAMARA_BLOCK_SIZE];
  SAMARA_WIPED(first_counter);
  uint8_t counter[SAMARA_BLOCK_SIZE];
  SAMARA_WIPED(counter);
  gcm_start(key, prepared, &ghash, first_counter, nonce, nonce_size);
  gcm_second_counter(counter, first_counter);
  samara_ghash_update(&ghash, associated_data, associated_data_size);
  gcm_crypt_and_hash(key, &ghash, ciphertext, counter, message, message_size);
  gcm_tag(key, &ghash, tag, first_counter, associated_data_size, message_size);
}

static samara_result
gcm_seal_prepared(const SAMARA_KEY *key, const samara_ghash *prepared,
                  uint8_t *ciphertext, uint8_t tag[samara_gcm_tag_size],
                  const uint8_t *nonce, size_t nonce_size,
                  const uint8_t *associated_data, size_t associated_data_size,
                  const uint8_t *message, size_t message_size) {
  const samara_result result =
      samara_gcm_check(nonce_size, associated_data_size, message_size);
  if (result != SAMARA_OK) {
    return result;
  }
  if (samara_overlaps(ciphertext, message_size, message, message_size)) {
    return SAMARA_ERROR_OVERLAP;
  }
  bare_gcm_seal(key, prepared, ciphertext, tag, nonce, nonce_size,
                associated_data, associated_data_size, message, message_size);
  return samara_leave(SAMARA_OK, SAMARA_GCM_STACK);
}

samara_result SAMARA_NAME(gcm_seal)(const SAMARA_KEY *key, uint8_t *ciphertext,
                                    uint8_t tag[samara_gcm_tag_size],
                                    const uint8_t *nonce, size_t nonce_size,
                                    const uint8_t *associated_data,
                                    size_t associated_data_size,
                                    const uint8_t *message,
                                    size_t message_size) {
  return gcm_seal_prepared(key, NULL, ciphertext, tag, nonce, nonce_size,
                           associated_data, associated_data_size, message,
                           message_size);
}

/* Whether the first tag_size bytes of the tag are right; when they are not, the
 * message is zeros. */
SAMARA_NOT_INLINED static bool
bare_gcm_open(const SAMARA_KEY *key, const samara_ghash *prepared,
              uint8_t *message, const uint8_t *tag, size_t tag_size,
              const uint8_t *nonce, size_t nonce_size,
              const uint8_t *associated_data, size_t associated_data_size,
              const uint8_t *ciphertext, size_t ciphertext_size) {
#ifdef SAMARA_CIPHER_GCM_SHORT
  if (samara_gcm_short_takes(nonce_size, associated_data_size,
                             ciphertext_size)) {
    const samara_gcm_short call = SAMARA_CIPHER_GCM_SHORT(
        key, prepared, message, nonce, associated_data, associated_data_size,
        ciphertext, ciphertext_size);
    return samara_aes_x86_64_gcm_open_short(&call, tag, tag_size);
  }
#endif
  samara_ghash ghash;
  SAMARA_WIPED(ghash);
  uint8_t first_counter[SAMARA_BLOCK_SIZE];
  SAMARA_WIPED(first_counter);
  uint8_t expected[samara_gcm_tag_size];
  SAMARA_WIPED(expected);
  gcm_start(key, prepared, &ghash, first_counter, nonce, nonce_size);
  samara_ghash_update(&ghash, associated_data, associated_data_size);
  samara_ghash_update(&ghash, ciphertext, ciphertext_size);
  gcm_tag(key, &ghash, expected, first_counter, associated_data_size,
          ciphertext_size);
  const bool genuine = samara_equal(expected, tag, tag_size);
  if (genuine) {
    /* `expected` has done its duty: it becomes the counter. */
    gcm_second_counter(expected, first_counter);
    SAMARA_LOCAL(count_and_add)(key, message, expected, samara_gcm_counted_from,
                                ciphertext, ciphertext_size);
  } else {
    samara_wipe(message, ciphertext_size);
  }
  return genuine;
}

/* With the first tag_size bytes of the tag alone. */
static samara_result
gcm_open_truncated(const SAMARA_KEY *key, const samara_ghash *prepared,
                   uint8_t *message, const uint8_t *tag, size_t tag_size,
                   const uint8_t *nonce, size_t nonce_size,
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
      key, prepared, message, tag, tag_size, nonce, nonce_size, associated_data,
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
  return gcm_open_truncated(key, NULL, message, tag, samara_gcm_tag_size, nonce,
                            nonce_size, associated_data, associated_data_size,
                            ciphertext, ciphertext_size);
}

/* As a samara_aead, whose state keeps the key of GHASH, too. */

typedef struct gcm_state {
  SAMARA_KEY key;
  samara_ghash ghash;
} gcm_state;

SAMARA_NOT_INLINED static void bare_gcm_set_key(gcm_state *state) {
  gcm_prepare(&state->key, &state->ghash);
  samara_ghash_prepare(&state->ghash);
}

static void SAMARA_LOCAL(gcm_aead_set_key)(void *memory, const uint8_t *key) {
  gcm_state *state = memory;
  SAMARA_NAME(set_key)(&state->key, key);
  bare_gcm_set_key(state);
  samara_wipe_stack(SAMARA_GCM_STACK);
}

static samara_result SAMARA_LOCAL(gcm_aead_seal)(
    const void *memory, uint8_t *ciphertext, uint8_t *tag, size_t tag_size,
    const uint8_t nonce[samara_aead_nonce_size], const uint8_t *associated_data,
    size_t associated_data_size, const uint8_t *message, size_t message_size) {
  if (!samara_gcm_takes_tag(tag_size)) {
    return SAMARA_ERROR_TAG_SIZE;
  }
  const gcm_state *state = memory;
  /* What is cut off is not sent. */
  uint8_t whole[samara_gcm_tag_size];
  SAMARA_WIPED(whole);
  const samara_result result =
      gcm_seal_prepared(&state->key, &state->ghash, ciphertext, whole, nonce,
                        samara_aead_nonce_size, associated_data,
                        associated_data_size, message, message_size);
  if (result == SAMARA_OK) {
    samara_copy_bytes(tag, whole, tag_size);
  }
  return result;
}

static samara_result SAMARA_LOCAL(gcm_aead_open)(
    const void *memory, uint8_t *message, const uint8_t *tag, size_t tag_size,
    const uint8_t nonce[samara_aead_nonce_size], const uint8_t *associated_data,
    size_t associated_data_size, const uint8_t *ciphertext,
    size_t ciphertext_size) {
  if (!samara_gcm_takes_tag(tag_size)) {
    return SAMARA_ERROR_TAG_SIZE;
  }
  const gcm_state *state = memory;
  return gcm_open_truncated(&state->key, &state->ghash, message, tag, tag_size,
                            nonce, samara_aead_nonce_size, associated_data,
                            associated_data_size, ciphertext, ciphertext_size);
}

const samara_aead SAMARA_NAME(gcm_aead) = {0x1f000, /* 12 to 16 */
                                           sizeof(gcm_state),
                                           SAMARA_NAME(key_size),
                                           SAMARA_LOCAL(gcm_aead_set_key),
                                           SAMARA_LOCAL(gcm_aead_seal),
                                           SAMARA_LOCAL(gcm_aead_open)};

#undef gcm_state
#undef gcm_prepare
#undef gcm_start
#undef gcm_second_counter
#undef gcm_crypt_and_hash
#undef gcm_seal_prepared
#undef bare_gcm_set_key
#undef gcm_tag
#undef gcm_open_truncated
#undef bare_gcm_seal
#undef bare_gcm_open
#undef SAMARA_GCM_STACK
