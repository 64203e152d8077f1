/* SPDX-License-Identifier: Apache-2.0 */
/* Template: many messages side by side, on the vectors of wide_template.h, once
 * for each set of instructions and each kind of cipher. Between
 * lanes_begin_template.h and this file a template of the cipher provides
 *
 *   batch_keys                 the round keys of all lanes
 *   batch_expand(keys, from, call)       makes them, of a key for each lane
 *   batch_take_key(keys, lane, from, other, rounds)   copies those of a lane
 *   batch_cipher(keys, call, rounds, chains, keystream)
 *                              encrypts a block or two of each lane; one of the
 *                              arrays of BATCH_VECTORS vectors may be NULL
 *   LANES_USUAL_ROUNDS         a number of rounds that gets code of its own
 *   LANES_ALL_MODES            defined: GCM and CBC, too, and batch_hash
 *
 *   SET_lanes_batch(call, messages, count)
 *
 * A lane is a block of a vector, and has one message: four vectors make 4, 8 or
 * 16 lanes, each with its own key. What a step does in every lane:
 *
 *   CCM    encrypts the next block of its CBC-MAC and its next counter
 *   GCM    adds the next block to its hash and encrypts its next counter
 *   CTR    encrypts its next counter
 *   CBC    encrypts its next block
 *
 * so four chains of the cipher are in flight, or eight, which hides its
 * latency. lanes_*.h have the steps of a message. A keystream block is there
 * one step before its payload, as opening needs it. A lane whose message ends
 * takes the next at once.
 *
 * While all lanes are inside of their payload, a run of steps keeps chains,
 * counters and keystream in registers (batch_run); other steps prepare each
 * lane by itself, in memory (batch_step).
 *
 * Registers of a run: four chains, four keystream vectors, four of numbers; the
 * round keys are read from memory, each for one vector or two.
 *
 * Keys are expanded for as many messages as there are lanes, before they have
 * one. */

typedef struct batch_state {
  batch_keys keys;   /* round keys of the lanes' messages */
  batch_keys staged; /* of the next messages */
  batch_blocks chains, numbers, keystream, blocks, hash_keys;
  lane_message lanes[BATCH_LANES];
  const uint8_t *inputs[BATCH_LANES];
  uint8_t *outputs[BATCH_LANES];
  /* Where lanes without a message read and write. */
  uint8_t nowhere[16 * lanes_idle_steps];
  const samara_lanes_call *call;
  samara_batch_message *messages;
  size_t count;
  size_t next; /* message, not yet staged */
  samara_batch_message *staged_messages[BATCH_LANES];
  size_t staged_next;
  size_t staged_count;
  size_t busy; /* lanes */
} batch_state;

/* The next message that is not refused, or NULL. */
WIDE_INLINE samara_batch_message *batch_next(batch_state *state) {
  while (state->next < state->count) {
    samara_batch_message *message = &state->messages[state->next++];
    if (message->result == SAMARA_OK) {
      return message;
    }
  }
  return NULL;
}

WIDE_INLINE lane_blocks batch_lane(batch_state *state, size_t lane) {
  return (lane_blocks){.chain = state->chains.lane[lane],
                       .number = state->numbers.lane[lane],
                       .keystream = state->keystream.lane[lane],
                       .hash_key = state->hash_keys.lane[lane],
                       .block = state->blocks.lane[lane],
                       .input = &state->inputs[lane],
                       .output = &state->outputs[lane]};
}

/* A lane without its keys begins a message, or has none. */
WIDE_INLINE void batch_begin(batch_state *state, size_t i,
                             samara_batch_message *message) {
  lane_message *lane = &state->lanes[i];
  const lane_blocks blocks = batch_lane(state, i);
  if (message == NULL) {
    lane->stage = lane_idle;
    *blocks.input = state->nowhere;
    *blocks.output = state->nowhere;
    return;
  }
  lane->message = message;
  lane->data = message->associated_data;
  lane->data_size = message->associated_data_size;
  lane->size = message->input_size;
  lane->stage = lane_first;
  *blocks.input = message->input;
  *blocks.output = message->output;
  switch (state->call->mode) {
  case samara_lanes_ccm:
    ccm_lane_begin(lane, &blocks, state->call);
    break;
  case samara_lanes_gcm:
    gcm_lane_begin(lane, &blocks);
    break;
  case samara_lanes_ctr:
    ctr_lane_begin(lane, &blocks);
    break;
  case samara_lanes_cbc:
    cbc_lane_begin(lane, &blocks);
    break;
  }
  state->busy++;
}

/* All lanes are free: their keys are expanded where they are used. */
WIDE_SHARED void batch_fill(batch_state *state) {
  const uint8_t *keys[BATCH_LANES];
  for (size_t lane = 0; lane < BATCH_LANES; lane++) {
    samara_batch_message *message =
        state->staged_next < state->staged_count
            ? state->staged_messages[state->staged_next++]
            : batch_next(state);
    keys[lane] = message == NULL ? lanes_no_key : message->key;
    batch_begin(state, lane, message);
  }
  batch_expand(&state->keys, keys, state->call);
}

/* The keys of as many messages as there are lanes, before they have one. */
WIDE_INLINE void batch_stage(batch_state *state) {
  const uint8_t *keys[BATCH_LANES];
  state->staged_next = 0;
  state->staged_count = 0;
  for (size_t i = 0; i < BATCH_LANES; i++) {
    samara_batch_message *message = batch_next(state);
    keys[i] = message == NULL ? lanes_no_key : message->key;
    state->staged_messages[i] = message;
    state->staged_count += message != NULL;
  }
  if (state->staged_count != 0) {
    batch_expand(&state->staged, keys, state->call);
  }
}

/* One lane is free. */
WIDE_INLINE void batch_refill(batch_state *state, size_t lane) {
  if (state->staged_next == state->staged_count) {
    batch_stage(state);
  }
  if (state->staged_count == 0) {
    batch_begin(state, lane, NULL);
    return;
  }
  const size_t staged = state->staged_next++;
  batch_take_key(&state->keys, lane, &state->staged, staged,
                 state->call->rounds);
  batch_begin(state, lane, state->staged_messages[staged]);
}

/* Free lanes get messages, while others are busy. */
WIDE_SHARED void batch_refill_all(batch_state *state) {
  for (size_t lane = 0; lane < BATCH_LANES; lane++) {
    if (state->lanes[lane].stage == lane_last) {
      batch_refill(state, lane);
    }
  }
}

/* One step of every lane's chain, to which its block is added, and number. */
WIDE_INLINE void batch_encrypt(const batch_state *state, samara_lanes_mode mode,
                               unsigned rounds, wide *chains, wide *numbers,
                               wide *keystream) {
  const bool chained = mode == samara_lanes_ccm || mode == samara_lanes_cbc;
  const bool counted = mode != samara_lanes_cbc;
  const wide reverse = wide_broadcast(wide_reverse());
  const wide one = wide_broadcast(_mm_set_epi64x(0, 1));
  if (counted) {
    WIDE_UNROLL
    for (size_t v = 0; v < BATCH_VECTORS; v++) {
      keystream[v] = wide_bytes(numbers[v], reverse);
      /* GCM counts in 32 bits. */
      numbers[v] = mode == samara_lanes_gcm ? wide_add32(numbers[v], one)
                                            : wide_add64(numbers[v], one);
    }
  }
  batch_cipher(&state->keys, state->call, rounds, chained ? chains : NULL,
               counted ? keystream : NULL);
}

/* Adds a block to the chain of each lane of vector v. */
WIDE_INLINE wide batch_add(const batch_state *state, samara_lanes_mode mode,
                           size_t v, wide chain, wide block) {
  switch (mode) {
  case samara_lanes_ccm:
  case samara_lanes_cbc:
    return wide_xor(chain, block);
  case samara_lanes_gcm:
#ifdef LANES_ALL_MODES
    return batch_hash(chain, block,
                      wide_load(state->hash_keys.lane[WIDE_BLOCKS * v]));
#else
    (void)state;
    (void)v;
#endif
  case samara_lanes_ctr:
    break;
  }
  return chain;
}

WIDE_INLINE void batch_load(const batch_blocks *blocks, wide *vectors) {
  WIDE_UNROLL
  for (size_t v = 0; v < BATCH_VECTORS; v++) {
    vectors[v] = wide_load(blocks->lane[WIDE_BLOCKS * v]);
  }
}

WIDE_INLINE void batch_store(batch_blocks *blocks, const wide *vectors) {
  WIDE_UNROLL
  for (size_t v = 0; v < BATCH_VECTORS; v++) {
    wide_store(blocks->lane[WIDE_BLOCKS * v], vectors[v]);
  }
}

/* How many steps every lane is inside of its payload. */
WIDE_INLINE size_t batch_steps(const batch_state *state,
                               samara_lanes_mode mode) {
  size_t steps = SIZE_MAX;
  for (size_t lane = 0; lane < BATCH_LANES; lane++) {
    const size_t of_lane = lane_steps(&state->lanes[lane], mode);
    steps = of_lane < steps ? of_lane : steps;
  }
  return steps;
}

WIDE_INLINE void batch_run(batch_state *state, samara_lanes_mode mode,
                           unsigned rounds, bool opening, size_t steps) {
  /* CBC-MAC is of the plaintext, GHASH of the ciphertext. */
  const bool takes_output = opening == (mode == samara_lanes_ccm);
  wide chains[BATCH_VECTORS];
  wide numbers[BATCH_VECTORS];
  wide keystream[BATCH_VECTORS];
  batch_load(&state->chains, chains);
  batch_load(&state->numbers, numbers);
  batch_load(&state->keystream, keystream);
  for (size_t offset = 0; offset < 16 * steps; offset += 16) {
    WIDE_UNROLL
    for (size_t v = 0; v < BATCH_VECTORS; v++) {
      const wide from = wide_gather(state->inputs + WIDE_BLOCKS * v, offset);
      wide block = from;
      if (mode != samara_lanes_cbc) {
        const wide to = wide_xor(from, keystream[v]);
        wide_scatter(state->outputs + WIDE_BLOCKS * v, offset, to);
        block = takes_output ? to : from;
      }
      chains[v] = batch_add(state, mode, v, chains[v], block);
    }
    batch_encrypt(state, mode, rounds, chains, numbers, keystream);
    if (mode == samara_lanes_cbc) {
      WIDE_UNROLL
      for (size_t v = 0; v < BATCH_VECTORS; v++) {
        wide_scatter(state->outputs + WIDE_BLOCKS * v, offset, chains[v]);
      }
    }
  }
  batch_store(&state->chains, chains);
  batch_store(&state->numbers, numbers);
  batch_store(&state->keystream, keystream);
  for (size_t lane = 0; lane < BATCH_LANES; lane++) {
    if (state->lanes[lane].stage != lane_idle) {
      state->lanes[lane].size -= 16 * steps;
      state->inputs[lane] += 16 * steps;
      state->outputs[lane] += 16 * steps;
    }
  }
}

/* What each lane adds and counts in the next step. */
WIDE_INLINE void batch_prepare(batch_state *state, samara_lanes_mode mode,
                               bool opening) {
  for (size_t i = 0; i < BATCH_LANES; i++) {
    lane_message *lane = &state->lanes[i];
    const lane_blocks blocks = batch_lane(state, i);
    switch (mode) {
    case samara_lanes_ccm:
      ccm_lane_prepare(lane, &blocks, opening);
      break;
    case samara_lanes_gcm:
      gcm_lane_prepare(lane, &blocks, opening);
      break;
    case samara_lanes_ctr:
      ctr_lane_prepare(lane, &blocks);
      break;
    case samara_lanes_cbc:
      cbc_lane_prepare(lane, &blocks);
      break;
    }
  }
}

/* What is left to do after a step; how many messages have ended. */
WIDE_INLINE size_t batch_end(batch_state *state, samara_lanes_mode mode,
                             bool opening) {
  size_t ended = 0;
  for (size_t i = 0; i < BATCH_LANES; i++) {
    lane_message *lane = &state->lanes[i];
    const lane_blocks blocks = batch_lane(state, i);
    if (mode == samara_lanes_cbc) {
      cbc_lane_write(lane, &blocks);
    }
    if (lane->stage != lane_last) {
      continue;
    }
    lane->message->output_size = lane_output_size(lane, mode);
    if (mode == samara_lanes_ccm) {
      lane_end(lane->message, ccm_lane_tag(&blocks), state->call->tag_size,
               opening);
    } else if (mode == samara_lanes_gcm) {
      lane_end(lane->message, gcm_lane_tag(&blocks), samara_gcm_tag_size,
               opening);
    }
    ended++;
  }
  return ended;
}

WIDE_INLINE void batch_step(batch_state *state, samara_lanes_mode mode,
                            unsigned rounds, bool opening) {
  wide chains[BATCH_VECTORS];
  wide numbers[BATCH_VECTORS];
  wide vectors[BATCH_VECTORS];
  batch_prepare(state, mode, opening);
  batch_load(&state->chains, chains);
  batch_load(&state->numbers, numbers);
  batch_load(&state->blocks, vectors);
  WIDE_UNROLL
  for (size_t v = 0; v < BATCH_VECTORS; v++) {
    chains[v] = batch_add(state, mode, v, chains[v], vectors[v]);
  }
  batch_encrypt(state, mode, rounds, chains, numbers, vectors);
  batch_store(&state->chains, chains);
  batch_store(&state->numbers, numbers);
  batch_store(&state->keystream, vectors);
  const size_t ended = batch_end(state, mode, opening);
  state->busy -= ended;
  if (state->busy == 0) {
    batch_fill(state);
  } else if (ended != 0) {
    batch_refill_all(state);
  }
}

WIDE_INLINE void batch_all(batch_state *state, samara_lanes_mode mode,
                           unsigned rounds, bool opening) {
  batch_fill(state);
  while (state->busy != 0) {
    const size_t steps = batch_steps(state, mode);
    if (steps == 0) {
      batch_step(state, mode, rounds, opening);
    } else {
      batch_run(state, mode, rounds, opening, steps);
    }
  }
}

/* Copies of the work with constants, for what is common. */
#define BATCH_ALL(mode)                                                        \
  if (call->rounds != LANES_USUAL_ROUNDS) {                                    \
    batch_all(&state, mode, call->rounds, call->opening);                      \
  } else if (call->opening) {                                                  \
    batch_all(&state, mode, LANES_USUAL_ROUNDS, true);                         \
  } else {                                                                     \
    batch_all(&state, mode, LANES_USUAL_ROUNDS, false);                        \
  }

/* The results of the messages tell which are refused. The caller wipes the
 * stack below himself, and with it the state. */
WIDE_KERNEL static void WIDE_LOCAL(batch)(const samara_lanes_call *call,
                                          samara_batch_message *messages,
                                          size_t count) {
  batch_state state = {0};
  state.call = call;
  state.messages = messages;
  state.count = count;
  switch (call->mode) {
  case samara_lanes_ccm:
    BATCH_ALL(samara_lanes_ccm)
    break;
  case samara_lanes_ctr:
    batch_all(&state, samara_lanes_ctr, call->rounds, false);
    break;
#ifdef LANES_ALL_MODES
  case samara_lanes_gcm:
    BATCH_ALL(samara_lanes_gcm)
    break;
  case samara_lanes_cbc:
    batch_all(&state, samara_lanes_cbc, call->rounds, false);
    break;
#else
  case samara_lanes_gcm:
  case samara_lanes_cbc:
    break;
#endif
  }
  wide_forget();
}

#undef BATCH_ALL
#undef BATCH_VECTORS
#undef BATCH_LANES
#undef batch_blocks
#undef batch_state
#undef batch_keys
#undef batch_cipher
#undef batch_take_key
#undef LANES_USUAL_ROUNDS
#undef LANES_ALL_MODES
#undef batch_expand
#undef batch_refill
#undef batch_encrypt
#undef batch_load
#undef batch_store
#undef batch_steps
#undef batch_run
#undef batch_step
#undef batch_all
#undef batch_lane
#undef batch_prepare
#undef batch_end
#undef batch_add
#undef batch_next
#undef batch_begin
#undef batch_fill
#undef batch_stage
#undef batch_refill_all
/* Of aes_lanes_template.h and words_lanes_template.h. */
#undef batch_expand128
#undef batch_expand256
#undef batch_next_constant
#undef batch_rotated
#undef batch_key_words
#undef batch_hash
#undef batch_pair
#undef batch_enter
#undef batch_leave
#undef batch_lane_place
#undef BATCH_PAIRS
#undef BATCH_RIGHT8
#undef BATCH_LEFT8
#undef batch_speck_schedule
#undef batch_simon_schedule
#undef batch_schedule
#undef batch_key_word
#undef batch_speck_rounds
#undef batch_simon_rounds
#undef batch_speck_round
#undef batch_simon_round
