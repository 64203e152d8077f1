/* SPDX-License-Identifier: Apache-2.0 */
/* Template: CCM of many messages side by side, on the vectors of
 * wide_template.h, once for each set of instructions.
 *
 *   SET_lanes_ccm_batch(call, messages, count)
 *
 * A lane is a block of a vector, and has one message: four vectors make 4, 8 or
 * 16 lanes, each with its own key. A step encrypts two blocks of every lane:
 * the next of its CBC-MAC and its next counter, with the same round keys; so
 * eight chains of AES are in flight, which hides its latency. The steps of a
 * message with d blocks of associated data and m of payload:
 *
 *   step              CBC-MAC       counter
 *   0                 B_0           (1 when d is 0)
 *   1 to d            data          (1 in step d)
 *   d + 1 to d + m    payload       2 to m
 *   d + m, the last                 0, which hides the tag
 *
 * so a keystream block is there one step before its payload, as opening needs
 * it. The first counter is 1 - d: it counts up in every step. A lane whose
 * message ends takes the next at once.
 *
 * While all lanes are inside of their payload, a run of steps keeps MACs,
 * counters and keystream in registers (batch_run); other steps prepare each
 * lane by itself, in memory (batch_step).
 *
 * Registers of a run: four MACs, four keystream vectors, four of numbers; the
 * round keys are read from memory, each for two rounds.
 *
 * Keys are expanded for as many messages as there are lanes, before they have
 * one: AES-128 in vectors, with the last round of AES as SubWord. */

enum {
  WIDE_LOCAL(batch_vectors) = 4,
  WIDE_LOCAL(batch_lanes) = WIDE_LOCAL(batch_vectors) * WIDE_BLOCKS
};
#define BATCH_VECTORS WIDE_LOCAL(batch_vectors)
#define BATCH_LANES WIDE_LOCAL(batch_lanes)

#define batch_blocks WIDE_LOCAL(batch_blocks)
#define batch_state WIDE_LOCAL(batch_state)
#define batch_gather WIDE_LOCAL(batch_gather)
#define batch_scatter WIDE_LOCAL(batch_scatter)
#define batch_expand128 WIDE_LOCAL(batch_expand128)
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

/* A block for each lane. */
typedef struct batch_blocks {
  uint8_t lane[BATCH_LANES][16];
} batch_blocks;

typedef struct batch_state {
  batch_blocks keys[15];   /* round keys of the lanes' messages */
  batch_blocks staged[15]; /* of the next messages */
  batch_blocks macs, numbers, keystream, blocks;
  ccm_lane lanes[BATCH_LANES];
  const uint8_t *inputs[BATCH_LANES];
  uint8_t *outputs[BATCH_LANES];
  /* Where lanes without a message read and write. */
  uint8_t nowhere[16 * ccm_idle_steps];
  const ccm_batch_call *call;
  samara_batch_message *messages;
  size_t count;
  size_t next; /* message, not yet staged */
  samara_batch_message *staged_messages[BATCH_LANES];
  size_t staged_next;
  size_t staged_count;
  size_t busy; /* lanes */
} batch_state;

WIDE_INLINE wide batch_gather(const uint8_t *const *from, size_t offset) {
#if WIDE_BLOCKS == 4
  __m512i a = _mm512_castsi128_si512(wide_load_block(from[0] + offset));
  a = _mm512_inserti32x4(a, wide_load_block(from[1] + offset), 1);
  a = _mm512_inserti32x4(a, wide_load_block(from[2] + offset), 2);
  return _mm512_inserti32x4(a, wide_load_block(from[3] + offset), 3);
#elif WIDE_BLOCKS == 2
  return _mm256_inserti128_si256(
      _mm256_castsi128_si256(wide_load_block(from[0] + offset)),
      wide_load_block(from[1] + offset), 1);
#else
  return wide_load_block(from[0] + offset);
#endif
}

WIDE_INLINE void batch_scatter(uint8_t *const *to, size_t offset, wide a) {
#if WIDE_BLOCKS == 4
  wide_store_block(to[0] + offset, _mm512_castsi512_si128(a));
  wide_store_block(to[1] + offset, _mm512_extracti32x4_epi32(a, 1));
  wide_store_block(to[2] + offset, _mm512_extracti32x4_epi32(a, 2));
  wide_store_block(to[3] + offset, _mm512_extracti32x4_epi32(a, 3));
#elif WIDE_BLOCKS == 2
  wide_store_block(to[0] + offset, _mm256_castsi256_si128(a));
  wide_store_block(to[1] + offset, _mm256_extracti128_si256(a, 1));
#else
  wide_store_block(to[0] + offset, a);
#endif
}

/* The keys of FIPS 197, 5.2, of one vector of messages. The rotated last word,
 * in all four columns, goes through the last round of AES, where ShiftRows
 * changes nothing then; the round constant is its key. */
WIDE_INLINE void batch_expand128(batch_blocks *keys, size_t vector, wide key) {
  const wide rotate = wide_broadcast(_mm_set_epi8(
      12, 15, 14, 13, 12, 15, 14, 13, 12, 15, 14, 13, 12, 15, 14, 13));
  const wide up4 = wide_broadcast(
      _mm_set_epi8(11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, -1, -1, -1, -1));
  const wide up8 = wide_broadcast(
      _mm_set_epi8(7, 6, 5, 4, 3, 2, 1, 0, -1, -1, -1, -1, -1, -1, -1, -1));
  uint8_t constant = 1;
  wide_store(keys[0].lane[WIDE_BLOCKS * vector], key);
  for (unsigned i = 1; i <= 10; i++) {
    const wide t = wide_encrypt_last(wide_bytes(key, rotate),
                                     wide_broadcast(_mm_set1_epi32(constant)));
    key = wide_xor(key, wide_bytes(key, up4));
    key = wide_xor(key, wide_bytes(key, up8));
    key = wide_xor(key, t);
    wide_store(keys[i].lane[WIDE_BLOCKS * vector], key);
    constant = (uint8_t)(constant << 1 ^ (constant >> 7) * 0x1b);
  }
}

/* Expands a key for each lane. */
WIDE_INLINE void batch_expand(batch_blocks *round_keys,
                              const uint8_t *const *keys, unsigned key_words) {
  if (key_words == 4) {
    WIDE_UNROLL
    for (size_t v = 0; v < BATCH_VECTORS; v++) {
      batch_expand128(round_keys, v, batch_gather(keys + WIDE_BLOCKS * v, 0));
    }
    return;
  }
  uint32_t expanded[4 * 15];
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

/* A lane without its keys begins a message, or has none. */
WIDE_INLINE void batch_begin(batch_state *state, size_t lane,
                             samara_batch_message *message) {
  if (message == NULL) {
    state->lanes[lane].stage = ccm_idle;
    state->inputs[lane] = state->nowhere;
    state->outputs[lane] = state->nowhere;
    return;
  }
  wide_store_block(state->macs.lane[lane], _mm_setzero_si128());
  ccm_begin_lane(&state->lanes[lane], state->numbers.lane[lane],
                 state->blocks.lane[lane], message, state->call);
  state->inputs[lane] = message->input;
  state->outputs[lane] = message->output;
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
    keys[lane] = message == NULL ? ccm_no_key : message->key;
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
    keys[i] = message == NULL ? ccm_no_key : message->key;
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
    if (state->lanes[lane].stage == ccm_last) {
      batch_refill(state, lane);
    }
  }
}

/* One step of every lane's MAC, to which its block is added, and number. */
WIDE_INLINE void batch_encrypt(const batch_state *state, unsigned rounds,
                               wide *macs, wide *numbers, wide *keystream) {
  const wide reverse = wide_broadcast(wide_reverse());
  const wide one = wide_broadcast(_mm_set_epi64x(0, 1));
  WIDE_UNROLL
  for (size_t v = 0; v < BATCH_VECTORS; v++) {
    const wide key = wide_load(state->keys[0].lane[WIDE_BLOCKS * v]);
    macs[v] = wide_xor(macs[v], key);
    keystream[v] = wide_xor(wide_bytes(numbers[v], reverse), key);
    numbers[v] = wide_add64(numbers[v], one);
  }
  for (unsigned r = 1; r < rounds; r++) {
    WIDE_UNROLL
    for (size_t v = 0; v < BATCH_VECTORS; v++) {
      const wide key = wide_load(state->keys[r].lane[WIDE_BLOCKS * v]);
      macs[v] = wide_encrypt(macs[v], key);
      keystream[v] = wide_encrypt(keystream[v], key);
    }
  }
  WIDE_UNROLL
  for (size_t v = 0; v < BATCH_VECTORS; v++) {
    const wide key = wide_load(state->keys[rounds].lane[WIDE_BLOCKS * v]);
    macs[v] = wide_encrypt_last(macs[v], key);
    keystream[v] = wide_encrypt_last(keystream[v], key);
  }
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
WIDE_INLINE size_t batch_steps(const batch_state *state) {
  size_t steps = SIZE_MAX;
  for (size_t lane = 0; lane < BATCH_LANES; lane++) {
    const size_t of_lane = ccm_lane_steps(&state->lanes[lane]);
    steps = of_lane < steps ? of_lane : steps;
  }
  return steps;
}

WIDE_INLINE void batch_run(batch_state *state, unsigned rounds, bool opening,
                           size_t steps) {
  wide macs[BATCH_VECTORS];
  wide numbers[BATCH_VECTORS];
  wide keystream[BATCH_VECTORS];
  batch_load(&state->macs, macs);
  batch_load(&state->numbers, numbers);
  batch_load(&state->keystream, keystream);
  for (size_t offset = 0; offset < 16 * steps; offset += 16) {
    WIDE_UNROLL
    for (size_t v = 0; v < BATCH_VECTORS; v++) {
      const wide from = batch_gather(state->inputs + WIDE_BLOCKS * v, offset);
      const wide to = wide_xor(from, keystream[v]);
      batch_scatter(state->outputs + WIDE_BLOCKS * v, offset, to);
      macs[v] = wide_xor(macs[v], opening ? to : from);
    }
    batch_encrypt(state, rounds, macs, numbers, keystream);
  }
  batch_store(&state->macs, macs);
  batch_store(&state->numbers, numbers);
  batch_store(&state->keystream, keystream);
  for (size_t lane = 0; lane < BATCH_LANES; lane++) {
    if (state->lanes[lane].stage != ccm_idle) {
      state->lanes[lane].size -= 16 * steps;
      state->inputs[lane] += 16 * steps;
      state->outputs[lane] += 16 * steps;
    }
  }
}

WIDE_INLINE void batch_step(batch_state *state, unsigned rounds, bool opening) {
  wide macs[BATCH_VECTORS];
  wide numbers[BATCH_VECTORS];
  wide vectors[BATCH_VECTORS];
  for (size_t lane = 0; lane < BATCH_LANES; lane++) {
    ccm_prepare_lane(&state->lanes[lane], state->blocks.lane[lane],
                     state->numbers.lane[lane], state->keystream.lane[lane],
                     &state->inputs[lane], &state->outputs[lane], opening);
  }
  batch_load(&state->macs, macs);
  batch_load(&state->numbers, numbers);
  batch_load(&state->blocks, vectors);
  WIDE_UNROLL
  for (size_t v = 0; v < BATCH_VECTORS; v++) {
    macs[v] = wide_xor(macs[v], vectors[v]);
  }
  batch_encrypt(state, rounds, macs, numbers, vectors);
  batch_store(&state->macs, macs);
  batch_store(&state->numbers, numbers);
  batch_store(&state->keystream, vectors);
  size_t ended = 0;
  for (size_t lane = 0; lane < BATCH_LANES; lane++) {
    if (state->lanes[lane].stage == ccm_last) {
      ccm_end_lane(&state->lanes[lane], state->macs.lane[lane],
                   state->keystream.lane[lane], state->call, opening);
      ended++;
    }
  }
  if (ended != 0) {
    state->busy -= ended;
    batch_refill_all(state);
  }
}

WIDE_INLINE void batch_all(batch_state *state, unsigned rounds, bool opening) {
  batch_fill(state);
  while (state->busy != 0) {
    const size_t steps = batch_steps(state);
    if (steps == 0) {
      batch_step(state, rounds, opening);
    } else {
      batch_run(state, rounds, opening, steps);
    }
  }
}

/* The results of the messages tell which are refused. The caller wipes the
 * stack below himself, and with it the state. */
WIDE_KERNEL static void WIDE_LOCAL(ccm_batch)(const ccm_batch_call *call,
                                              samara_batch_message *messages,
                                              size_t count) {
  batch_state state = {0};
  state.call = call;
  state.messages = messages;
  state.count = count;
  /* Copies for what is common, with constants. */
  if (call->key_words != 4) {
    batch_all(&state, call->key_words + 6, call->opening);
  } else if (call->opening) {
    batch_all(&state, 10, true);
  } else {
    batch_all(&state, 10, false);
  }
  wide_forget();
}

#undef BATCH_VECTORS
#undef BATCH_LANES
#undef batch_blocks
#undef batch_state
#undef batch_gather
#undef batch_scatter
#undef batch_expand128
#undef batch_expand
#undef batch_refill
#undef batch_encrypt
#undef batch_load
#undef batch_store
#undef batch_steps
#undef batch_run
#undef batch_step
#undef batch_all
#undef batch_next
#undef batch_begin
#undef batch_fill
#undef batch_stage
#undef batch_refill_all
