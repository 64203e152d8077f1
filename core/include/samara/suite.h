/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_SUITE_H
#define SAMARA_SUITE_H

/* Everything by name: the registry of block ciphers and suites, for hosts.
 *
 * A suite is a cipher in a mode with its tag length, under one slug:
 * "aes128-ccm-8", "grain128aead". The rows are in core/host/registry.def; the
 * Python package, the command line, the tests and the bench all read them from
 * here. A device calls its cipher directly instead (aes.h, ...) and so links
 * nothing else.
 *
 * A suite takes the raw key at every call and keeps no copy of it. */

#include <samara/aead.h>
#include <samara/batch.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum samara_standing {
  SAMARA_STANDARD, /* published by a standards body and in general use */
  SAMARA_FINALIST, /* of a public competition, well analysed, not chosen */
  SAMARA_RESEARCH  /* to be studied and compared, not relied on */
} samara_standing;

/* "standard", "finalist", "research". */
const char *samara_standing_text(samara_standing standing);

typedef struct samara_block_cipher {
  const char *slug; /* "speck64-96" */
  samara_standing standing;
  const char *source; /* where it is defined */
  const char *note;   /* what its user must know; empty when nothing */
  size_t key_size;    /* bytes */
  size_t block_size;  /* bytes */
  size_t state_size;  /* bytes of an expanded key */
  /* `state` points at state_size bytes, aligned as for uint64_t. */
  void (*set_key)(void *state, const uint8_t *key);
  void (*encrypt)(const void *state, uint8_t *output, const uint8_t *input);
  void (*decrypt)(const void *state, uint8_t *output, const uint8_t *input);
} samara_block_cipher;

typedef struct samara_suite samara_suite;

/* Sealing or opening a message in pieces. Opening releases bytes before they
 * are verified: use it only if you can discard them when finish fails.
 *
 * Every call checks its arguments before it writes anything: an update that
 * fails leaves output and state unchanged, with *output_size 0, and may be
 * repeated. After finish, and after a refused init, update and finish answer
 * SAMARA_ERROR_STATE until the next init. A state that was never given to init
 * must be zeros to be refused so. */
typedef struct samara_stream {
  size_t state_size; /* bytes, aligned as for uint64_t */
  /* SAMARA_ERROR_NONCE_SIZE when the suite does not take the nonce;
   * SAMARA_ERROR_ASSOCIATED_DATA_SIZE when it does not authenticate and is
   * given some. */
  samara_result (*init)(const samara_suite *suite, void *state, bool opening,
                        const uint8_t *key, const uint8_t *nonce,
                        size_t nonce_size, const uint8_t *associated_data,
                        size_t associated_data_size);
  /* Writes *output_size bytes: input_size, give or take a block held back (of
   * suites with padding_size; there has to be room for input_size + 16).
   * SAMARA_ERROR_OVERLAP when the output overlaps the input without being the
   * same buffer; of suites with padding_size, whose output runs ahead of the
   * input, also when it is the same buffer. */
  samara_result (*update)(void *state, uint8_t *output, size_t *output_size,
                          const uint8_t *input, size_t input_size);
  /* Writes what was held back (at most 16 bytes). Sealing writes the tag,
   * opening checks it. The state is wiped in any case. */
  samara_result (*finish)(void *state, uint8_t *output, size_t *output_size,
                          uint8_t *tag);
} samara_stream;

struct samara_suite {
  const char *slug; /* "aes128-ccm-8" */
  samara_standing standing;
  const char *source;
  const char *note;
  size_t key_size;       /* bytes, as all sizes here */
  size_t nonce_size;     /* the one to choose */
  size_t nonce_size_min; /* what the mode takes */
  size_t nonce_size_max;
  size_t tag_size;     /* 0: the suite does not authenticate */
  size_t padding_size; /* 0, or the multiple that a ciphertext is padded to */
  const samara_aead *aead;     /* for links; NULL: not to be used with them */
  const samara_stream *stream; /* NULL: only in one call */
  const void *implementation;  /* what seal, open and stream work with */

  /* One message, whose sizes are already checked. Opening needs input_size
   * bytes of room for the output. On failure the output holds zeros. */
  samara_result (*seal)(const samara_suite *suite,
                        samara_batch_message *message);
  samara_result (*open)(const samara_suite *suite,
                        samara_batch_message *message);
  /* Batches of a suite's own; NULL where a plain loop does as well. */
  samara_result (*seal_batch)(samara_batch_message *messages, size_t count);
  samara_result (*open_batch)(samara_batch_message *messages, size_t count);
};

/* The row with this slug, or NULL. */
const samara_block_cipher *samara_block_cipher_find(const char *slug);
const samara_suite *samara_suite_find(const char *slug);

/* Row `index` in the order of the registry, or NULL past the last. */
const samara_block_cipher *samara_block_cipher_at(size_t index);
const samara_suite *samara_suite_at(size_t index);

/* Bytes of ciphertext, without tag, of a message; 0 for a message so long that
 * it does not fit a size_t. */
size_t samara_suite_ciphertext_size(const samara_suite *suite,
                                    size_t message_size);

/* Seals one message. SAMARA_ERROR_NONCE_SIZE when the suite does not take the
 * nonce; SAMARA_ERROR_ASSOCIATED_DATA_SIZE when it does not authenticate and is
 * given some; otherwise what the suite's own header says. */
SAMARA_MUST_CHECK samara_result samara_suite_seal(
    const samara_suite *suite, const uint8_t *key, uint8_t *ciphertext,
    uint8_t *tag, const uint8_t *nonce, size_t nonce_size,
    const uint8_t *associated_data, size_t associated_data_size,
    const uint8_t *message, size_t message_size);

/* Opens one message. `message` has room for ciphertext_size bytes, of which
 * *message_size are the message; on failure they are zeros. */
SAMARA_MUST_CHECK samara_result
samara_suite_open(const samara_suite *suite, const uint8_t *key,
                  uint8_t *message, size_t *message_size, const uint8_t *tag,
                  const uint8_t *nonce, size_t nonce_size,
                  const uint8_t *associated_data, size_t associated_data_size,
                  const uint8_t *ciphertext, size_t ciphertext_size);

/* `count` messages: see batch.h. */
SAMARA_MUST_CHECK samara_result samara_suite_seal_batch(
    const samara_suite *suite, samara_batch_message *messages, size_t count);
SAMARA_MUST_CHECK samara_result samara_suite_open_batch(
    const samara_suite *suite, samara_batch_message *messages, size_t count);

#ifdef __cplusplus
}
#endif

#endif
