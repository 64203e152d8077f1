/* SPDX-License-Identifier: Apache-2.0 */
#include "host/streams.h"

#include "common/overlap.h"
#include "host/block128.h"
#include <samara/cbc.h>
#include <samara/ctr.h>
#include <samara/grain128aead.h>
#include <samara/grain128ple.h>
#include <samara/memory.h>
#include <string.h>

enum { block_size = 16 };

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* memcpy and memmove take no null pointer, not even for nothing. */
static void copy(uint8_t *to, const uint8_t *from, size_t size) {
  if (size != 0) {
    memcpy(to, from, size);
  }
}

/* What every init refuses. A state that was refused is wiped, so that update
 * and finish answer SAMARA_ERROR_STATE. */
static samara_result check_init(const samara_suite *suite, void *memory,
                                size_t nonce_size,
                                size_t associated_data_size) {
  if (nonce_size >= suite->nonce_size_min &&
      nonce_size <= suite->nonce_size_max &&
      (suite->tag_size != 0 || associated_data_size == 0)) {
    return SAMARA_OK;
  }
  samara_wipe(memory, suite->stream->state_size);
  return nonce_size < suite->nonce_size_min ||
                 nonce_size > suite->nonce_size_max
             ? SAMARA_ERROR_NONCE_SIZE
             : SAMARA_ERROR_ASSOCIATED_DATA_SIZE;
}

/* CTR: what is left of the last block's keystream serves the next piece. */

typedef struct ctr_state {
  const samara_block128 *cipher;
  samara_any_key key;
  uint8_t counter[block_size];
  uint8_t keystream[block_size];
  size_t used; /* of the keystream */
} ctr_state;

static samara_result ctr_init(const samara_suite *suite, void *memory,
                              bool opening, const uint8_t *key,
                              const uint8_t *nonce, size_t nonce_size,
                              const uint8_t *associated_data,
                              size_t associated_data_size) {
  (void)opening;
  (void)associated_data;
  const samara_result result =
      check_init(suite, memory, nonce_size, associated_data_size);
  if (result != SAMARA_OK) {
    return result;
  }
  ctr_state *state = memory;
  state->cipher = suite->implementation;
  state->cipher->set_key(&state->key, key);
  memcpy(state->counter, nonce, sizeof state->counter);
  state->used = block_size;
  return SAMARA_OK;
}

/* Adds keystream that is left over; returns how many bytes it served. */
static size_t ctr_leftover(ctr_state *state, uint8_t *output,
                           const uint8_t *input, size_t size) {
  const size_t part = smaller(block_size - state->used, size);
  for (size_t i = 0; i < part; i++) {
    output[i] = input[i] ^ state->keystream[state->used + i];
  }
  state->used += part;
  return part;
}

static samara_result ctr_update(void *memory, uint8_t *output,
                                size_t *output_size, const uint8_t *input,
                                size_t input_size) {
  ctr_state *state = memory;
  *output_size = 0;
  if (state->cipher == NULL) {
    return SAMARA_ERROR_STATE;
  }
  /* Of the whole piece: its parts may lie apart where the whole does not. */
  if (samara_overlaps(output, input_size, input, input_size)) {
    return SAMARA_ERROR_OVERLAP;
  }
  if (input_size == 0) {
    return SAMARA_OK;
  }
  *output_size = input_size;
  const size_t first = ctr_leftover(state, output, input, input_size);
  const size_t whole = (input_size - first) / block_size * block_size;
  samara_result result = state->cipher->ctr(
      &state->key, output + first, state->counter, input + first, whole);
  const size_t done = first + whole;
  if (result == SAMARA_OK && done < input_size) {
    memset(state->keystream, 0, block_size);
    result = state->cipher->ctr(&state->key, state->keystream, state->counter,
                                state->keystream, block_size);
    state->used = 0;
    (void)ctr_leftover(state, output + done, input + done, input_size - done);
  }
  return result;
}

static samara_result ctr_finish(void *memory, uint8_t *output,
                                size_t *output_size, uint8_t *tag) {
  (void)output;
  (void)tag;
  const bool begun = ((const ctr_state *)memory)->cipher != NULL;
  *output_size = 0;
  samara_wipe(memory, sizeof(ctr_state));
  return begun ? SAMARA_OK : SAMARA_ERROR_STATE;
}

const samara_stream samara_ctr_stream = {sizeof(ctr_state), ctr_init,
                                         ctr_update, ctr_finish};

/* CBC: up to a block is held back. Opening always holds back the last whole
 * block, because it may be the one with the padding. */

typedef struct cbc_state {
  const samara_block128 *cipher;
  samara_any_key key;
  uint8_t chain[block_size];
  uint8_t held[block_size];
  size_t held_size;
  bool opening;
} cbc_state;

static samara_result cbc_init(const samara_suite *suite, void *memory,
                              bool opening, const uint8_t *key,
                              const uint8_t *nonce, size_t nonce_size,
                              const uint8_t *associated_data,
                              size_t associated_data_size) {
  (void)associated_data;
  const samara_result result =
      check_init(suite, memory, nonce_size, associated_data_size);
  if (result != SAMARA_OK) {
    return result;
  }
  cbc_state *state = memory;
  state->cipher = suite->implementation;
  state->cipher->set_key(&state->key, key);
  memcpy(state->chain, nonce, sizeof state->chain);
  state->held_size = 0;
  state->opening = opening;
  return SAMARA_OK;
}

static samara_result cbc_blocks(cbc_state *state, uint8_t *output,
                                const uint8_t *input, size_t count) {
  return (state->opening ? state->cipher->cbc_decrypt_blocks
                         : state->cipher->cbc_encrypt_blocks)(
      &state->key, output, state->chain, input, count);
}

/* Bytes that a piece completes: whole blocks, and when opening all but the
 * last. */
static size_t cbc_completed(const cbc_state *state, size_t input_size) {
  const size_t keep = state->opening ? 1 : 0;
  const size_t fill = smaller(block_size - state->held_size, input_size);
  const size_t rest = input_size - fill;
  if (state->held_size + fill < block_size || rest < keep) {
    return 0;
  }
  return block_size + (rest - smaller(keep, rest)) / block_size * block_size;
}

/* Output runs up to a block ahead of the input: they must be apart. */
static samara_result cbc_update(void *memory, uint8_t *output,
                                size_t *output_size, const uint8_t *input,
                                size_t input_size) {
  cbc_state *state = memory;
  *output_size = 0;
  if (state->cipher == NULL) {
    return SAMARA_ERROR_STATE;
  }
  const size_t completed = cbc_completed(state, input_size);
  if (samara_touches(output, completed, input, input_size)) {
    return SAMARA_ERROR_OVERLAP;
  }
  if (input_size == 0) {
    return SAMARA_OK;
  }
  const size_t fill = smaller(block_size - state->held_size, input_size);
  copy(state->held + state->held_size, input, fill);
  state->held_size += fill;
  if (completed == 0) {
    return SAMARA_OK;
  }
  input += fill;
  input_size -= fill;
  const size_t whole = completed - block_size;
  samara_result result = cbc_blocks(state, output, state->held, 1);
  if (result == SAMARA_OK) {
    result = cbc_blocks(state, output + block_size, input, whole / block_size);
  }
  state->held_size = input_size - whole;
  copy(state->held, input + whole, state->held_size);
  *output_size = completed;
  return result;
}

static samara_result cbc_finish(void *memory, uint8_t *output,
                                size_t *output_size, uint8_t *tag) {
  (void)tag;
  cbc_state *state = memory;
  samara_result result = SAMARA_ERROR_STATE;
  *output_size = 0;
  if (state->cipher == NULL) {
    return result;
  }
  if (state->opening) {
    result =
        state->cipher->cbc_decrypt(&state->key, output, output_size,
                                   state->chain, state->held, state->held_size);
  } else {
    *output_size = block_size;
    result = state->cipher->cbc_encrypt(&state->key, output, state->chain,
                                        state->held, state->held_size);
  }
  samara_wipe(state, sizeof *state);
  return result;
}

const samara_stream samara_cbc_stream = {sizeof(cbc_state), cbc_init,
                                         cbc_update, cbc_finish};

/* Grain-128AEAD: its own streaming calls. */

typedef struct grain128aead_state {
  samara_grain128aead grain;
  bool opening;
} grain128aead_state;

static samara_result grain128aead_init(const samara_suite *suite, void *memory,
                                       bool opening, const uint8_t *key,
                                       const uint8_t *nonce, size_t nonce_size,
                                       const uint8_t *associated_data,
                                       size_t associated_data_size) {
  const samara_result result =
      check_init(suite, memory, nonce_size, associated_data_size);
  if (result != SAMARA_OK) {
    return result;
  }
  grain128aead_state *state = memory;
  state->opening = opening;
  (opening ? samara_grain128aead_unverified_open_init
           : samara_grain128aead_seal_init)(
      &state->grain, key, nonce, associated_data, associated_data_size);
  return SAMARA_OK;
}

static samara_result grain128aead_update(void *memory, uint8_t *output,
                                         size_t *output_size,
                                         const uint8_t *input,
                                         size_t input_size) {
  grain128aead_state *state = memory;
  const samara_result result =
      (state->opening ? samara_grain128aead_unverified_open_update
                      : samara_grain128aead_seal_update)(&state->grain, output,
                                                         input, input_size);
  *output_size = result == SAMARA_OK ? input_size : 0;
  return result;
}

static samara_result grain128aead_finish(void *memory, uint8_t *output,
                                         size_t *output_size, uint8_t *tag) {
  (void)output;
  grain128aead_state *state = memory;
  *output_size = 0;
  const samara_result result =
      state->opening
          ? samara_grain128aead_unverified_open_finish(&state->grain, tag)
          : samara_grain128aead_seal_finish(&state->grain, tag);
  samara_wipe(state, sizeof *state);
  return result;
}

const samara_stream samara_grain128aead_stream = {
    sizeof(grain128aead_state), grain128aead_init, grain128aead_update,
    grain128aead_finish};

/* Grain-128PLE: opening is sealing. A wiped generator gives nothing but zeros:
 * `begun` keeps it from being used. */

typedef struct grain128ple_state {
  samara_grain128ple grain;
  bool begun;
} grain128ple_state;

static samara_result grain128ple_init(const samara_suite *suite, void *memory,
                                      bool opening, const uint8_t *key,
                                      const uint8_t *nonce, size_t nonce_size,
                                      const uint8_t *associated_data,
                                      size_t associated_data_size) {
  (void)opening;
  (void)associated_data;
  const samara_result result =
      check_init(suite, memory, nonce_size, associated_data_size);
  if (result != SAMARA_OK) {
    return result;
  }
  grain128ple_state *state = memory;
  samara_grain128ple_init(&state->grain, key, nonce);
  state->begun = true;
  return SAMARA_OK;
}

static samara_result grain128ple_update(void *memory, uint8_t *output,
                                        size_t *output_size,
                                        const uint8_t *input,
                                        size_t input_size) {
  grain128ple_state *state = memory;
  *output_size = 0;
  if (!state->begun) {
    return SAMARA_ERROR_STATE;
  }
  if (input_size > SIZE_MAX / 8) {
    return SAMARA_ERROR_MESSAGE_SIZE;
  }
  if (samara_overlaps(output, input_size, input, input_size)) {
    return SAMARA_ERROR_OVERLAP;
  }
  *output_size = input_size;
  if (output != input) {
    copy(output, input, input_size);
  }
  samara_grain128ple_xor(&state->grain, output, 0, 8 * input_size);
  return SAMARA_OK;
}

static samara_result grain128ple_finish(void *memory, uint8_t *output,
                                        size_t *output_size, uint8_t *tag) {
  (void)output;
  (void)tag;
  grain128ple_state *state = memory;
  const bool begun = state->begun;
  *output_size = 0;
  samara_wipe(state, sizeof *state);
  return begun ? SAMARA_OK : SAMARA_ERROR_STATE;
}

const samara_stream samara_grain128ple_stream = {
    sizeof(grain128ple_state), grain128ple_init, grain128ple_update,
    grain128ple_finish};
