/* SPDX-License-Identifier: Apache-2.0 */
#include "host/registry.h"

#include "common/bytes.h"
#include "common/overlap.h"
#include "host/block128.h"
#include "host/streams.h"
#include <samara/samara.h>
#include <stdint.h>

/* Functions of one cipher under the types of the tables, which know no cipher:
 * a function called through another type would be undefined. */

#define ADAPT_BLOCK_CIPHER(name)                                               \
  static void name##_set_key(void *key, const uint8_t *bytes) {                \
    samara_##name##_set_key(key, bytes);                                       \
  }                                                                            \
  static void name##_encrypt(const void *key, uint8_t *output,                 \
                             const uint8_t *input) {                           \
    samara_##name##_encrypt(key, output, input);                               \
  }                                                                            \
  static void name##_decrypt(const void *key, uint8_t *output,                 \
                             const uint8_t *input) {                           \
    samara_##name##_decrypt(key, output, input);                               \
  }                                                                            \
  _Static_assert(sizeof(samara_##name##_key) <= sizeof(samara_any_key),        \
                 "samara_any_key is too small for " #name);

#define ADAPT_BLOCK_MODES(name)                                                \
  static samara_result name##_ctr(const void *key, uint8_t *output,            \
                                  uint8_t *counter, const uint8_t *input,      \
                                  size_t size) {                               \
    return samara_##name##_ctr_encrypt(key, output, counter, input, size);     \
  }                                                                            \
  static samara_result name##_cbc_encrypt(                                     \
      const void *key, uint8_t *ciphertext, const uint8_t *iv,                 \
      const uint8_t *message, size_t size) {                                   \
    return samara_##name##_cbc_encrypt(key, ciphertext, iv, message, size);    \
  }                                                                            \
  static samara_result name##_cbc_decrypt(                                     \
      const void *key, uint8_t *message, size_t *message_size,                 \
      const uint8_t *iv, const uint8_t *ciphertext, size_t size) {             \
    return samara_##name##_cbc_decrypt(key, message, message_size, iv,         \
                                       ciphertext, size);                      \
  }                                                                            \
  static samara_result name##_cbc_encrypt_blocks(                              \
      const void *key, uint8_t *ciphertext, uint8_t *iv,                       \
      const uint8_t *message, size_t block_count) {                            \
    return samara_##name##_cbc_encrypt_blocks(key, ciphertext, iv, message,    \
                                              block_count);                    \
  }                                                                            \
  static samara_result name##_cbc_decrypt_blocks(                              \
      const void *key, uint8_t *message, uint8_t *iv,                          \
      const uint8_t *ciphertext, size_t block_count) {                         \
    return samara_##name##_cbc_decrypt_blocks(key, message, iv, ciphertext,    \
                                              block_count);                    \
  }                                                                            \
  ADAPT_CCM(name, seal)                                                        \
  ADAPT_CCM(name, open)

/* Without a tag it is CCM*, whose nonce has one size. */
#define ADAPT_CCM(name, verb)                                                  \
  static samara_result name##_ccm_##verb(                                      \
      const void *key, samara_batch_message *message, size_t tag_size) {       \
    if (tag_size == 0) {                                                       \
      return samara_##name##_ccm_star_##verb(                                  \
          key, message->output, NULL, 0, message->nonce, NULL, 0,              \
          message->input, message->input_size);                                \
    }                                                                          \
    return samara_##name##_ccm_##verb(                                         \
        key, message->output, message->tag, tag_size, message->nonce,          \
        message->nonce_size, message->associated_data,                         \
        message->associated_data_size, message->input, message->input_size);   \
  }

#define ADAPT_GCM(name, verb)                                                  \
  static samara_result name##_gcm_##verb(const void *key,                      \
                                         samara_batch_message *message) {      \
    return samara_##name##_gcm_##verb(                                         \
        key, message->output, message->tag, message->nonce,                    \
        message->nonce_size, message->associated_data,                         \
        message->associated_data_size, message->input, message->input_size);   \
  }

/* Batches of CCM with tags of one size. */
#define ADAPT_CCM_BATCH_OF(name, tag, verb)                                    \
  static samara_result name##_ccm_##tag##_##verb##_batch(                      \
      samara_batch_message *messages, size_t count) {                          \
    return samara_##name##_ccm_##verb##_batch(messages, count, tag);           \
  }
#define ADAPT_CCM_BATCH(name, verb)                                            \
  ADAPT_CCM_BATCH_OF(name, 4, verb)                                            \
  ADAPT_CCM_BATCH_OF(name, 6, verb)                                            \
  ADAPT_CCM_BATCH_OF(name, 8, verb)                                            \
  ADAPT_CCM_BATCH_OF(name, 10, verb)                                           \
  ADAPT_CCM_BATCH_OF(name, 12, verb)                                           \
  ADAPT_CCM_BATCH_OF(name, 14, verb)                                           \
  ADAPT_CCM_BATCH_OF(name, 16, verb)

#define BLOCK128_TABLE(name, gcm_seal, gcm_open)                               \
  static const samara_block128 name##_modes = {name##_set_key,                 \
                                               name##_ctr,                     \
                                               name##_cbc_encrypt,             \
                                               name##_cbc_decrypt,             \
                                               name##_cbc_encrypt_blocks,      \
                                               name##_cbc_decrypt_blocks,      \
                                               name##_ccm_seal,                \
                                               name##_ccm_open,                \
                                               gcm_seal,                       \
                                               gcm_open};

/* An AEAD's batch of one message checks its nonce and fills in the rest. */
#define ADAPT_AEAD(name, verb)                                                 \
  static samara_result name##_suite_##verb(const samara_suite *suite,          \
                                           samara_batch_message *message) {    \
    (void)suite;                                                               \
    return samara_##name##_##verb##_batch(message, 1);                         \
  }

/* Copied, then encrypted in place; its lengths are in bits. */
#define ADAPT_STREAM_CIPHER(name)                                              \
  static samara_result name##_suite_crypt(const samara_suite *suite,           \
                                          samara_batch_message *message) {     \
    (void)suite;                                                               \
    const size_t size = message->input_size;                                   \
    if (size > SIZE_MAX / 8) {                                                 \
      return SAMARA_ERROR_MESSAGE_SIZE;                                        \
    }                                                                          \
    if (samara_overlaps(message->output, size, message->input, size)) {        \
      return SAMARA_ERROR_OVERLAP;                                             \
    }                                                                          \
    samara_##name state;                                                       \
    samara_##name##_init(&state, message->key, message->nonce);                \
    samara_copy_bytes(message->output, message->input, size);                  \
    samara_##name##_xor(&state, message->output, 0, 8 * size);                 \
    samara_##name##_wipe(&state);                                              \
    message->output_size = size;                                               \
    return SAMARA_OK;                                                          \
  }

#define BLOCK_CIPHER(name, slug, standing, source, note)                       \
  ADAPT_BLOCK_CIPHER(name)
#define BLOCK_CIPHER_128(name, slug, standing, source, note)                   \
  ADAPT_BLOCK_CIPHER(name)                                                     \
  ADAPT_BLOCK_MODES(name)                                                      \
  ADAPT_CCM_BATCH(name, seal)                                                  \
  ADAPT_CCM_BATCH(name, open)                                                  \
  BLOCK128_TABLE(name, NULL, NULL)
#define BLOCK_CIPHER_AES(name, slug, standing, source, note)                   \
  ADAPT_BLOCK_CIPHER(name)                                                     \
  ADAPT_BLOCK_MODES(name)                                                      \
  ADAPT_GCM(name, seal)                                                        \
  ADAPT_GCM(name, open)                                                        \
  ADAPT_CCM_BATCH(name, seal)                                                  \
  ADAPT_CCM_BATCH(name, open)                                                  \
  BLOCK128_TABLE(name, name##_gcm_seal, name##_gcm_open)
#define AEAD(name, slug, standing, source, note, stream)                       \
  ADAPT_AEAD(name, seal)                                                       \
  ADAPT_AEAD(name, open)
#define STREAM_CIPHER(name, slug, standing, source, note, stream)              \
  ADAPT_STREAM_CIPHER(name)
#include "host/registry.def"

/* The table of block ciphers. */

#define BLOCK_CIPHER(name, slug, standing, source, note)                       \
  {slug,                                                                       \
   standing,                                                                   \
   source,                                                                     \
   note,                                                                       \
   samara_##name##_key_size,                                                   \
   samara_##name##_block_size,                                                 \
   sizeof(samara_##name##_key),                                                \
   name##_set_key,                                                             \
   name##_encrypt,                                                             \
   name##_decrypt},
#define BLOCK_CIPHER_128 BLOCK_CIPHER
#define BLOCK_CIPHER_AES BLOCK_CIPHER
#define AEAD(name, slug, standing, source, note, stream)
#define STREAM_CIPHER(name, slug, standing, source, note, stream)

const samara_block_cipher samara_block_ciphers[] = {
#include "host/registry.def"
};
const size_t samara_block_cipher_count =
    sizeof samara_block_ciphers / sizeof samara_block_ciphers[0];

/* The table of suites. */

#define AUTHENTICATES_NOT "does not authenticate"
#define AND(remark)                                                            \
  (sizeof(remark) > 1 ? AUTHENTICATES_NOT "; " remark : AUTHENTICATES_NOT)

/* What every row begins with; and a nonce's usual, least and greatest size. */
#define COLUMNS(name, id, rank, origin, remark)                                \
  .slug = id, .standing = (rank), .source = origin, .note = remark,            \
  .key_size = samara_##name##_key_size
#define NONCE(usual, least, most)                                              \
  .nonce_size = (usual), .nonce_size_min = (least), .nonce_size_max = (most)
#define NONCE_OF(size) NONCE(size, size, size)

#define CTR_SUITE(name, id, rank, origin, remark, batch)                       \
  {COLUMNS(name, id "-ctr", rank, origin ", SP 800-38A", AND(remark)),         \
   NONCE_OF(samara_ctr_counter_size),                                          \
   .stream = &samara_ctr_stream,                                               \
   .implementation = &name##_modes,                                            \
   .seal = samara_ctr_suite_seal,                                              \
   .open = samara_ctr_suite_seal,                                              \
   .seal_batch = (batch),                                                      \
   .open_batch = (batch)},

#define CBC_SUITE(name, id, rank, origin, remark)                              \
  {COLUMNS(name, id "-cbc", rank, origin ", SP 800-38A, PKCS#7", AND(remark)), \
   NONCE_OF(samara_cbc_iv_size),                                               \
   .padding_size = 16,                                                         \
   .stream = &samara_cbc_stream,                                               \
   .implementation = &name##_modes,                                            \
   .seal = samara_cbc_suite_seal,                                              \
   .open = samara_cbc_suite_open,                                              \
   .seal_batch = samara_##name##_cbc_encrypt_batch,                            \
   .open_batch = samara_##name##_cbc_decrypt_batch},

/* The batch call of a suite: of its own, or none. */
#define CCM_BATCH(name, tag, verb) name##_ccm_##tag##_##verb##_batch
#define NO_BATCH(name, tag, verb) NULL

#define CCM_SUITE(name, id, rank, origin, remark, tag, nonce_min, batch)       \
  {COLUMNS(name, id "-ccm-" #tag, rank, origin, remark),                       \
   NONCE(samara_ccm_nonce_size_max, nonce_min, samara_ccm_nonce_size_max),     \
   .tag_size = (tag),                                                          \
   .aead = (tag) == 0 ? NULL : &samara_##name##_ccm_aead,                      \
   .implementation = &name##_modes,                                            \
   .seal = samara_ccm_suite_seal,                                              \
   .open = samara_ccm_suite_open,                                              \
   .seal_batch = batch(name, tag, seal),                                       \
   .open_batch = batch(name, tag, open)},

#define TAGGED_CCM_SUITE(name, id, rank, origin, remark, tag, batch)           \
  CCM_SUITE(name, id, rank, origin ", SP 800-38C", remark, tag,                \
            samara_ccm_nonce_size_min, batch)

#define CCM_SUITES(name, id, rank, origin, remark, batch)                      \
  TAGGED_CCM_SUITE(name, id, rank, origin, remark, 4, batch)                   \
  TAGGED_CCM_SUITE(name, id, rank, origin, remark, 6, batch)                   \
  TAGGED_CCM_SUITE(name, id, rank, origin, remark, 8, batch)                   \
  TAGGED_CCM_SUITE(name, id, rank, origin, remark, 10, batch)                  \
  TAGGED_CCM_SUITE(name, id, rank, origin, remark, 12, batch)                  \
  TAGGED_CCM_SUITE(name, id, rank, origin, remark, 14, batch)                  \
  TAGGED_CCM_SUITE(name, id, rank, origin, remark, 16, batch)

#define CCM_STAR_SUITE(name, id, rank, origin, remark)                         \
  CCM_SUITE(name, id, rank, origin ", CCM* of IEEE 802.15.4", AND(remark), 0,  \
            samara_ccm_star_nonce_size, NO_BATCH)

#define GCM_SUITE(name, id, rank, origin, remark)                              \
  {COLUMNS(name, id "-gcm", rank, origin ", SP 800-38D", remark),              \
   NONCE(samara_gcm_nonce_size, 1, SIZE_MAX / 8),                              \
   .tag_size = samara_gcm_tag_size,                                            \
   .aead = &samara_##name##_gcm_aead,                                          \
   .implementation = &name##_modes,                                            \
   .seal = samara_gcm_suite_seal,                                              \
   .open = samara_gcm_suite_open,                                              \
   .seal_batch = samara_##name##_gcm_seal_batch,                               \
   .open_batch = samara_##name##_gcm_open_batch},

#define BLOCK_CIPHER(name, id, rank, origin, remark)
#define BLOCK_CIPHER_128(name, id, rank, origin, remark)                       \
  CTR_SUITE(name, id, rank, origin, remark, samara_##name##_ctr_encrypt_batch) \
  CCM_SUITES(name, id, rank, origin, remark, CCM_BATCH)
#define BLOCK_CIPHER_AES(name, id, rank, origin, remark)                       \
  CCM_SUITES(name, id, rank, origin, remark, CCM_BATCH)                        \
  GCM_SUITE(name, id, rank, origin, remark)                                    \
  CTR_SUITE(name, id, rank, origin, remark, samara_##name##_ctr_encrypt_batch) \
  CBC_SUITE(name, id, rank, origin, remark)                                    \
  CCM_STAR_SUITE(name, id, rank, origin, remark)
#define AEAD(name, id, rank, origin, remark, pieces)                           \
  AEAD_SUITE(name, id, rank, origin, remark, pieces, &samara_##name##_aead)
#define AEAD_WITHOUT_LINKS(name, id, rank, origin, remark, pieces)             \
  AEAD_SUITE(name, id, rank, origin, remark, pieces, NULL)
#define AEAD_SUITE(name, id, rank, origin, remark, pieces, table)              \
  {COLUMNS(name, id, rank, origin, remark),                                    \
   NONCE_OF(samara_##name##_nonce_size),                                       \
   .tag_size = samara_##name##_tag_size,                                       \
   .aead = (table),                                                            \
   .stream = pieces,                                                           \
   .seal = name##_suite_seal,                                                  \
   .open = name##_suite_open,                                                  \
   .seal_batch = samara_##name##_seal_batch,                                   \
   .open_batch = samara_##name##_open_batch},
#define STREAM_CIPHER(name, id, rank, origin, remark, pieces)                  \
  {COLUMNS(name, id, rank, origin, remark),                                    \
   NONCE_OF(samara_##name##_nonce_size), .stream = pieces,                     \
   .seal = name##_suite_crypt, .open = name##_suite_crypt},

const samara_suite samara_suites[] = {
#include "host/registry.def"
};
const size_t samara_suite_count =
    sizeof samara_suites / sizeof samara_suites[0];
