/* SPDX-License-Identifier: Apache-2.0 */
/* Template: many messages side by side, on the vectors of wide_template.h, once
 * for each set of instructions.
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
 * so four chains of AES are in flight, or eight, which hides its latency.
 * lanes_*.h have the steps of a message. A keystream block is there one
 * step before its payload, as opening needs it. A lane whose message ends takes
 * the next at once.
 *
 * While all lanes are inside of their payload, a run of steps keeps chains,
 * counters and keystream in registers (batch_run); other steps prepare each
 * lane by itself, in memory (batch_step).
 *
 * Registers of a run: four chains, four keystream vectors, four of numbers; the
 * round keys are read from memory, each for one vector or two.
 *
 * Keys are expanded for as many messages as there are lanes, before they have
 * one: those of 128 and 256 bits in vectors, with the last round of AES as
 * SubWord. */

enum {
  WIDE_LOCAL(batch_vectors) = 4,
  WIDE_LOCAL(batch_lanes) = WIDE_LOCAL(batch_vectors) * WIDE_BLOCKS
};
#define BATCH_VECTORS WIDE_LOCAL(batch_vectors)
#define BATCH_LANES WIDE_LOCAL(batch_lanes)

#define batch_blocks WIDE_LOCAL(batch_blocks)
#define batch_state WIDE_LOCAL(batch_state)
#define batch_expand128 WIDE_LOCAL(batch_expand128)
#define batch_expand256 WIDE_LOCAL(batch_expand256)
#define batch_next_constant WIDE_LOCAL(batch_next_constant)
#define batch_rotated WIDE_LOCAL(batch_rotated)
#define batch_key_words WIDE_LOCAL(batch_key_words)
#define batch_expand WIDE_LOCAL(batch_expand)
#define batch_refill WIDE_LOCAL(batch_refill)
#define batch_refill_all WIDE_LOCAL(batch_refill_all)
#define batch_stage WIDE_LOCAL(batch_stage)
#define batch_fill WIDE_LOCAL(batch_fill)
#define batch_begin WIDE_LOCAL(batch_begin)
#define batch_next WIDE_LOCAL(batch_next)
#define batch_encrypt WIDE_LOCAL(batch_encrypt)
#define batch_load WIDE_LOCAL(batch_load)
#define batch_store WIDE_LOCAL(batch_store)
#define batch_steps WIDE_LOCAL(batch_steps)
#define batch_run WIDE_LOCAL(batch_run)
#define batch_step WIDE_LOCAL(batch_step)
#define batch_all WIDE_LOCAL(batch_all)
#define batch_lane WIDE_LOCAL(batch_lane)
#define batch_prepare WIDE_LOCAL(batch_prepare)
#define batch_end WIDE_LOCAL(batch_end)
#define batch_hash WIDE_LOCAL(batch_hash)
#define batch_add WIDE_LOCAL(batch_add)

/* A block for each lane. */
typedef struct batch_blocks {
  uint8_t lane[BATCH_LANES][16];
} batch_blocks;

typedef struct batch_state {
  batch_blocks keys[15];   /* round keys of the lanes' messages */
  batch_blocks staged[15]; /* of the next messages */
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

/* Four words of FIPS 197, 5.2, in one vector of messages: each is the sum of
 * those up to it of the key before, and of `changed`. */
WIDE_INLINE wide batch_key_words(wide key, wide changed) {
  const wide up4 = wide_broadcast(
      _mm_set_epi8(11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, -1, -1, -1, -1));
  const wide up8 = wide_broadcast(
      _mm_set_epi8(7, 6, 5, 4, 3, 2, 1, 0, -1, -1, -1, -1, -1, -1, -1, -1));
  key = wide_xor(key, wide_bytes(key, up4));
  key = wide_xor(key, wide_bytes(key, up8));
  return wide_xor(key, changed);
}

/* RotWord, SubWord and the round constant: the rotated last word, in all four
 * columns, goes through the last round of AES, where ShiftRows changes nothing
 * then; the constant is its key. */
WIDE_INLINE wide batch_rotated(wide key, uint8_t constant) {
  const wide rotate = wide_broadcast(_mm_set_epi8(
      12, 15, 14, 13, 12, 15, 14, 13, 12, 15, 14, 13, 12, 15, 14, 13));
  return wide_encrypt_last(wide_bytes(key, rotate),
                           wide_broadcast(_mm_set1_epi32(constant)));
}

WIDE_INLINE uint8_t batch_next_constant(uint8_t constant) {
  return (uint8_t)(constant << 1 ^ (constant >> 7) * 0x1b);
}

WIDE_INLINE void batch_expand128(batch_blocks *keys, size_t vector, wide key) {
  uint8_t constant = 1;
  wide_store(keys[0].lane[WIDE_BLOCKS * vector], key);
  for (unsigned i = 1; i <= 10; i++) {
    key = batch_key_words(key, batch_rotated(key, constant));
    wide_store(keys[i].lane[WIDE_BLOCKS * vector], key);
    constant = batch_next_constant(constant);
  }
}

/* Every other four words take SubWord alone of the word before them. */
WIDE_INLINE void batch_expand256(batch_blocks *keys, size_t vector, wide first,
                                 wide second) {
  const wide zero = wide_xor(first, first);
  uint8_t constant = 1;
  wide_store(keys[0].lane[WIDE_BLOCKS * vector], first);
  wide_store(keys[1].lane[WIDE_BLOCKS * vector], second);
  for (unsigned i = 2; i <= 14; i += 2) {
    first = batch_key_words(first, batch_rotated(second, constant));
    wide_store(keys[i].lane[WIDE_BLOCKS * vector], first);
    constant = batch_next_constant(constant);
    if (i < 14) {
      second = batch_key_words(
          second, wide_encrypt_last(wide_words(first, 0xff), zero));
      wide_store(keys[i + 1].lane[WIDE_BLOCKS * vector], second);
    }
  }
}

/* Expands a key for each lane. */
WIDE_INLINE void batch_expand(batch_blocks *round_keys,
                              const uint8_t *const *keys, unsigned key_words) {
  if (key_words == 4) {
    WIDE_UNROLL
    for (size_t v = 0; v < BATCH_VECTORS; v++) {
      batch_expand128(round_keys, v, wide_gather(keys + WIDE_BLOCKS * v, 0));
    }
    return;
  }
  if (key_words == 8) {
    WIDE_UNROLL
    for (size_t v = 0; v < BATCH_VECTORS; v++) {
      batch_expand256(round_keys, v, wide_gather(keys + WIDE_BLOCKS * v, 0),
                      wide_gather(keys + WIDE_BLOCKS * v, 16));
    }
    return;
  }
  uint32_t expanded[4 * 13];
  SAMARA_WIPED(expanded);
  for (size_t i = 0; i < BATCH_LANES; i++) {
    samara_aes_x86_64_expand_key(expanded, keys[i], key_words);
    for (size_t r = 0; r < key_words + 7; r++) {
      wide_store_block(round_keys[r].lane[i],
                       wide_load_block(expanded + 4 * r));
    }
  }
}

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
WIDE_INLINE void batch_fill(batch_state *state) {
  const uint8_t *keys[BATCH_LANES];
  for (size_t lane = 0; lane < BATCH_LANES; lane++) {
    samara_batch_message *message =
        state->staged_next < state->staged_count
            ? state->staged_messages[state->staged_next++]
            : batch_next(state);
    keys[lane] = message == NULL ? lanes_no_key : message->key;
    batch_begin(state, lane, message);
  }
  batch_expand(state->keys, keys, state->call->key_words);
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
    batch_expand(state->staged, keys, state->call->key_words);
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
  for (size_t r = 0; r < state->call->key_words + 7; r++) {
    wide_store_block(state->keys[r].lane[lane],
                     wide_load_block(state->staged[r].lane[staged]));
  }
  batch_begin(state, lane, state->staged_messages[staged]);
}

/* Free lanes get messages. */
WIDE_INLINE void batch_refill_all(batch_state *state) {
  if (state->busy == 0) {
    batch_fill(state);
    return;
  }
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
  WIDE_UNROLL
  for (size_t v = 0; v < BATCH_VECTORS; v++) {
    const wide key = wide_load(state->keys[0].lane[WIDE_BLOCKS * v]);
    if (chained) {
      chains[v] = wide_xor(chains[v], key);
    }
    if (counted) {
      keystream[v] = wide_xor(wide_bytes(numbers[v], reverse), key);
      /* GCM counts in 32 bits. */
      numbers[v] = mode == samara_lanes_gcm ? wide_add32(numbers[v], one)
                                            : wide_add64(numbers[v], one);
    }
  }
  for (unsigned r = 1; r < rounds; r++) {
    WIDE_UNROLL
    for (size_t v = 0; v < BATCH_VECTORS; v++) {
      const wide key = wide_load(state->keys[r].lane[WIDE_BLOCKS * v]);
      if (chained) {
        chains[v] = wide_encrypt(chains[v], key);
      }
      if (counted) {
        keystream[v] = wide_encrypt(keystream[v], key);
      }
    }
  }
  WIDE_UNROLL
  for (size_t v = 0; v < BATCH_VECTORS; v++) {
    const wide key = wide_load(state->keys[rounds].lane[WIDE_BLOCKS * v]);
    if (chained) {
      chains[v] = wide_encrypt_last(chains[v], key);
    }
    if (counted) {
      keystream[v] = wide_encrypt_last(keystream[v], key);
    }
  }
}

/* A block added to the hash of each lane, and times its key: see GHASH in
 * aes_modes_template.h. */
WIDE_INLINE wide batch_hash(wide hash, wide block, wide key) {
  const wide reducer =
      wide_broadcast(_mm_set_epi64x((int64_t)0xc200000000000000, 1));
  const wide a =
      wide_xor(hash, wide_bytes(block, wide_broadcast(wide_reverse())));
  const wide low = wide_multiply(a, key, 0x00);
  wide high = wide_multiply(a, key, 0x11);
  wide middle =
      wide_xor(wide_multiply(a, key, 0x01), wide_multiply(a, key, 0x10));
  middle = wide_xor(middle, wide_multiply(low, reducer, 0x10));
  middle = wide_xor(middle, wide_words(low, 0x4e));
  high = wide_xor(high, wide_multiply(middle, reducer, 0x10));
  return wide_xor(high, wide_words(middle, 0x4e));
}

/* Adds a block to the chain of each lane of vector v. */
WIDE_INLINE wide batch_add(const batch_state *state, samara_lanes_mode mode,
                           size_t v, wide chain, wide block) {
  switch (mode) {
  case samara_lanes_ccm:
  case samara_lanes_cbc:
    return wide_xor(chain, block);
  case samara_lanes_gcm:
    return batch_hash(chain, block,
                      wide_load(state->hash_keys.lane[WIDE_BLOCKS * v]));
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
  if (ended != 0) {
    state->busy -= ended;
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
  if (call->key_words != 4) {                                                  \
    batch_all(&state, mode, call->key_words + 6, call->opening);               \
  } else if (call->opening) {                                                  \
    batch_all(&state, mode, 10, true);                                         \
  } else {                                                                     \
    batch_all(&state, mode, 10, false);                                        \
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
  case samara_lanes_gcm:
    BATCH_ALL(samara_lanes_gcm)
    break;
  case samara_lanes_ctr:
    batch_all(&state, samara_lanes_ctr, call->key_words + 6, false);
    break;
  case samara_lanes_cbc:
    batch_all(&state, samara_lanes_cbc, call->key_words + 6, false);
    break;
  }
  wide_forget();
}

#undef BATCH_ALL
#undef BATCH_VECTORS
#undef BATCH_LANES
#undef batch_blocks
#undef batch_state
#undef batch_expand128
#undef batch_expand256
#undef batch_next_constant
#undef batch_rotated
#undef batch_key_words
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
#undef batch_hash
#undef batch_add
#undef batch_next
#undef batch_begin
#undef batch_fill
#undef batch_stage
#undef batch_refill_all
