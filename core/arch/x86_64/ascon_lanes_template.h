/* SPDX-License-Identifier: Apache-2.0 */
/* Template: Ascon-AEAD128 of many messages side by side, on the vectors of
 * wide_template.h and wide_words_template.h, once for each set of instructions.
 *
 *   SET_batch(messages, count, opening)
 *
 * A lane is a word of a vector, and has one message: five vectors are the state
 * of 4 or 8 messages, each with its own key. A step is a permutation of all
 * lanes. Steps of a message, for d blocks of associated data and m whole blocks
 * of payload:
 *
 *   step               rounds    adds
 *   0                  12        (the state: constant, key, nonce)
 *   1 to d             8         data; the last block is padded
 *   d + 1 to d + m     8         payload
 *   d + m + 1          12        the rest of the payload, padded, and the key
 *
 * Where some lanes need twelve rounds, all have them, and the others take the
 * first four back. A lane whose message ends takes the next at once, so frames
 * of one length stay in step. While all lanes are inside of their payload, a
 * run of steps keeps the states in registers (ascon_run); other steps prepare
 * each lane by itself, in memory (ascon_step).
 *
 * Word 2 of the state is kept complemented: the S-boxes end with its
 * complement, the linear layer complements what it is given so, and the
 * constants are complemented instead. A round is then 26 operations of three
 * operands. */

#define ASCON_LANES WIDE_WORDS

#define lanes_state WIDE_LOCAL(lanes_state)
#define lanes_round WIDE_LOCAL(round)
#define lanes_load WIDE_LOCAL(load)
#define lanes_store WIDE_LOCAL(store)
#define lanes_permute WIDE_LOCAL(permute)
#define lanes_first_half WIDE_LOCAL(first_half)
#define lanes_add WIDE_LOCAL(add)
#define lanes_begin WIDE_LOCAL(begin)
#define lanes_data WIDE_LOCAL(data)
#define lanes_payload WIDE_LOCAL(payload)
#define lanes_prepare WIDE_LOCAL(prepare)
#define lanes_separate WIDE_LOCAL(separate)
#define lanes_finish WIDE_LOCAL(finish)
#define lanes_end WIDE_LOCAL(end)
#define lanes_steps WIDE_LOCAL(steps)
#define lanes_run WIDE_LOCAL(run)
#define lanes_step WIDE_LOCAL(step)
#define lanes_all WIDE_LOCAL(all)

typedef struct lanes_state {
  uint64_t words[5][ASCON_LANES];
  uint64_t keys[2][ASCON_LANES];
  uint64_t twelve[ASCON_LANES]; /* ones: this step has twelve rounds */
  ascon_lane lanes[ASCON_LANES];
  const uint8_t *inputs[ASCON_LANES];
  uint8_t *outputs[ASCON_LANES];
  /* Where lanes without a message read and write. */
  uint8_t nowhere[16 * lanes_idle_steps];
  samara_batch_message *messages;
  size_t count;
  size_t next; /* message, not yet in a lane */
  size_t busy; /* lanes */
  bool opening;
} lanes_state;

/* One word behind the linear layer (3.4). */
#define ASCON_DIFFUSE(y, right, further)                                       \
  wide_xor3(y, wide_left(y, 64 - (right)), wide_left(y, 64 - (further)))

/* Round i of twelve: constant (3.2), S-boxes (3.3), linear layer. */
WIDE_INLINE void lanes_round(wide x[5], unsigned i) {
  const uint64_t constant = (uint64_t)((0xf - i) << 4 | i);
  const wide x0 = wide_xor(x[0], x[4]);
  const wide x1 = x[1];
  const wide x2 = wide_xor3(x[2], x[1], wide_all_of(~constant));
  const wide x3 = x[3];
  const wide x4 = wide_xor(x[4], x[3]);
  const wide t0 = wide_xor_unless(x0, x1, x2);
  const wide t1 = wide_xor_unless(x1, x2, x3);
  const wide t2 = wide_xor_unless(x2, x3, x4);
  const wide t3 = wide_xor_unless(x3, x4, x0);
  const wide t4 = wide_xor_unless(x4, x0, x1);
  const wide y0 = wide_xor(t0, t4);
  const wide y1 = wide_xor(t1, t0);
  const wide y3 = wide_xor(t3, t2);
  x[0] = ASCON_DIFFUSE(y0, 19, 28);
  x[1] = ASCON_DIFFUSE(y1, 61, 39);
  x[2] = ASCON_DIFFUSE(t2, 1, 6);
  x[3] = ASCON_DIFFUSE(y3, 10, 17);
  x[4] = ASCON_DIFFUSE(t4, 7, 41);
}

WIDE_INLINE void lanes_load(const lanes_state *state, wide x[5]) {
  WIDE_UNROLL
  for (size_t i = 0; i < 5; i++) {
    x[i] = wide_load(state->words[i]);
  }
}

WIDE_INLINE void lanes_store(lanes_state *state, const wide x[5]) {
  WIDE_UNROLL
  for (size_t i = 0; i < 5; i++) {
    wide_store(state->words[i], x[i]);
  }
}

/* The first four of twelve rounds, in the lanes that have them. */
WIDE_INLINE void lanes_first_half(const lanes_state *state, wide x[5]) {
  const wide twelve = wide_load(state->twelve);
  wide before[5];
  WIDE_UNROLL
  for (size_t i = 0; i < 5; i++) {
    before[i] = x[i];
  }
  WIDE_UNROLL
  for (unsigned i = 0; i < 4; i++) {
    lanes_round(x, i);
  }
  WIDE_UNROLL
  for (size_t i = 0; i < 5; i++) {
    x[i] = wide_xor_both(before[i], twelve, wide_xor(before[i], x[i]));
  }
}

/* Eight rounds. */
WIDE_INLINE void lanes_permute(wide x[5]) {
  WIDE_UNROLL
  for (unsigned i = 4; i < 12; i++) {
    lanes_round(x, i);
  }
}

/* Adds a block to two words of a lane. */
WIDE_INLINE void lanes_add(lanes_state *state, size_t lane, size_t word,
                           __m128i block) {
  const size_t place = wide_place(lane);
  state->words[word][place] ^= (uint64_t)_mm_cvtsi128_si64(block);
  state->words[word + 1][place] ^=
      (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(block, block));
}

/* A free lane begins a message, or has none. */
WIDE_INLINE void lanes_begin(lanes_state *state, size_t i) {
  ascon_lane *lane = &state->lanes[i];
  while (state->next < state->count &&
         state->messages[state->next].result != SAMARA_OK) {
    state->next++;
  }
  if (state->next == state->count) {
    lane->stage = ascon_lane_idle;
    state->inputs[i] = state->nowhere;
    state->outputs[i] = state->nowhere;
    return;
  }
  samara_batch_message *message = &state->messages[state->next++];
  const size_t place = wide_place(i);
  lane->message = message;
  lane->data = message->associated_data;
  lane->data_size = message->associated_data_size;
  lane->size = message->input_size;
  lane->stage = ascon_lane_first;
  state->inputs[i] = message->input;
  state->outputs[i] = message->output;
  const uint64_t k0 = samara_load64_le(message->key);
  const uint64_t k1 = samara_load64_le(message->key + 8);
  state->keys[0][place] = k0;
  state->keys[1][place] = k1;
  /* Initialisation (4.1.1): the constant names key, rate and rounds. */
  state->words[0][place] = 0x00001000808c0001;
  state->words[1][place] = k0;
  state->words[2][place] = ~k1;
  state->words[3][place] = samara_load64_le(message->nonce);
  state->words[4][place] = samara_load64_le(message->nonce + 8);
  state->busy++;
}

/* The next block of associated data, whose last is padded. */
WIDE_INLINE void lanes_data(lanes_state *state, size_t i) {
  ascon_lane *lane = &state->lanes[i];
  if (lane->data_size >= 16) {
    lanes_add(state, i, 0, lane_load_block(lane->data));
    lane->data += 16;
    lane->data_size -= 16;
    return;
  }
  lanes_add(state, i, 0, lane_load_some(lane->data, lane->data_size));
  lanes_add(state, i, 0, ascon_end_mark(lane->data_size));
  lane->stage = ascon_lane_data_ends;
}

/* The next part of the payload; behind the last, which has less than 16 bytes,
 * the key is added and the lane permuted for the tag. */
WIDE_INLINE void lanes_payload(lanes_state *state, size_t i) {
  ascon_lane *lane = &state->lanes[i];
  const size_t place = wide_place(i);
  const size_t part = lane->size < 16 ? lane->size : 16;
  const __m128i before = _mm_set_epi64x((int64_t)state->words[1][place],
                                        (int64_t)state->words[0][place]);
  const __m128i from = lane_load_some(state->inputs[i], part);
  const __m128i to = _mm_xor_si128(before, from);
  lane_store_some(state->outputs[i], to, part);
  lanes_add(state, i, 0, state->opening ? lane_keep_some(to, part) : from);
  if (part == 16) {
    state->inputs[i] += 16;
    state->outputs[i] += 16;
    lane->size -= 16;
    return;
  }
  lanes_add(state, i, 0, ascon_end_mark(part));
  state->words[2][place] ^= state->keys[0][place];
  state->words[3][place] ^= state->keys[1][place];
  state->twelve[place] = UINT64_MAX;
  lane->stage = ascon_lane_last;
}

/* What each lane adds before this step; whether some have twelve rounds. */
WIDE_INLINE bool lanes_prepare(lanes_state *state) {
  bool any_twelve = false;
  for (size_t i = 0; i < ASCON_LANES; i++) {
    const size_t place = wide_place(i);
    state->twelve[place] = 0;
    switch (state->lanes[i].stage) {
    case ascon_lane_first: /* lanes_begin has made the state */
      state->twelve[place] = UINT64_MAX;
      break;
    case ascon_lane_data:
      lanes_data(state, i);
      break;
    case ascon_lane_payload:
      lanes_payload(state, i);
      break;
    case ascon_lane_idle:
    case ascon_lane_data_ends:
    case ascon_lane_last:
      break;
    }
    any_twelve |= state->twelve[place] != 0;
  }
  return any_twelve;
}

/* The bit between associated data and payload. */
WIDE_INLINE void lanes_separate(lanes_state *state, size_t i) {
  state->words[4][wide_place(i)] ^= (uint64_t)1 << 63;
  state->lanes[i].stage = ascon_lane_payload;
}

/* Writes or checks the tag (4.1.1), and the next message begins. */
WIDE_INLINE void lanes_finish(lanes_state *state, size_t i) {
  const size_t place = wide_place(i);
  samara_batch_message *message = state->lanes[i].message;
  const uint64_t first = state->words[3][place] ^ state->keys[0][place];
  const uint64_t second = state->words[4][place] ^ state->keys[1][place];
  message->output_size = message->input_size;
  lane_end(message, _mm_set_epi64x((int64_t)second, (int64_t)first),
           samara_ascon_aead128_tag_size, state->opening);
  state->busy--;
  lanes_begin(state, i);
}

/* What is left to do behind a step. */
WIDE_INLINE void lanes_end(lanes_state *state) {
  for (size_t i = 0; i < ASCON_LANES; i++) {
    const size_t place = wide_place(i);
    switch (state->lanes[i].stage) {
    case ascon_lane_first:
      state->words[3][place] ^= state->keys[0][place];
      state->words[4][place] ^= state->keys[1][place];
      if (state->lanes[i].data_size != 0) {
        state->lanes[i].stage = ascon_lane_data;
      } else {
        lanes_separate(state, i);
      }
      break;
    case ascon_lane_data_ends:
      lanes_separate(state, i);
      break;
    case ascon_lane_last:
      lanes_finish(state, i);
      break;
    case ascon_lane_idle:
    case ascon_lane_data:
    case ascon_lane_payload:
      break;
    }
  }
}

WIDE_INLINE void lanes_step(lanes_state *state) {
  const bool any_twelve = lanes_prepare(state);
  wide x[5];
  lanes_load(state, x);
  if (any_twelve) {
    lanes_first_half(state, x);
  }
  lanes_permute(x);
  lanes_store(state, x);
  lanes_end(state);
}

/* How many steps every lane has a whole block of payload. */
WIDE_INLINE size_t lanes_steps(const lanes_state *state) {
  size_t steps = SIZE_MAX;
  for (size_t i = 0; i < ASCON_LANES; i++) {
    const ascon_lane *lane = &state->lanes[i];
    const size_t of_lane = lane->stage == ascon_lane_idle ? lanes_idle_steps
                           : lane->stage == ascon_lane_payload ? lane->size / 16
                                                               : 0;
    steps = of_lane < steps ? of_lane : steps;
  }
  return steps;
}

WIDE_INLINE void lanes_run(lanes_state *state, size_t steps, bool opening) {
  wide x[5];
  lanes_load(state, x);
  for (size_t offset = 0; offset < 16 * steps; offset += 16) {
    const wide a = wide_gather(state->inputs, offset);
    const wide b = wide_gather(state->inputs + WIDE_BLOCKS, offset);
    const wide from0 = wide_first_halves(a, b);
    const wide from1 = wide_second_halves(a, b);
    const wide to0 = wide_xor(x[0], from0);
    const wide to1 = wide_xor(x[1], from1);
    wide_scatter(state->outputs, offset, wide_first_halves(to0, to1));
    wide_scatter(state->outputs + WIDE_BLOCKS, offset,
                 wide_second_halves(to0, to1));
    x[0] = opening ? from0 : to0;
    x[1] = opening ? from1 : to1;
    lanes_permute(x);
  }
  lanes_store(state, x);
  for (size_t i = 0; i < ASCON_LANES; i++) {
    if (state->lanes[i].stage != ascon_lane_idle) {
      state->lanes[i].size -= 16 * steps;
      state->inputs[i] += 16 * steps;
      state->outputs[i] += 16 * steps;
    }
  }
}

WIDE_INLINE void lanes_all(lanes_state *state, bool opening) {
  for (size_t i = 0; i < ASCON_LANES; i++) {
    lanes_begin(state, i);
  }
  while (state->busy != 0) {
    const size_t steps = lanes_steps(state);
    if (steps == 0) {
      lanes_step(state);
    } else {
      lanes_run(state, steps, opening);
    }
  }
}

/* The results of the messages tell which are refused. The caller wipes the
 * stack below himself, and with it the state. */
WIDE_KERNEL static void WIDE_LOCAL(batch)(samara_batch_message *messages,
                                          size_t count, bool opening) {
  lanes_state state = {0};
  state.messages = messages;
  state.count = count;
  state.opening = opening;
  if (opening) {
    lanes_all(&state, true);
  } else {
    lanes_all(&state, false);
  }
  wide_forget();
}

#undef ASCON_LANES
#undef ASCON_DIFFUSE
#undef lanes_state
#undef lanes_round
#undef lanes_load
#undef lanes_store
#undef lanes_permute
#undef lanes_first_half
#undef lanes_add
#undef lanes_begin
#undef lanes_data
#undef lanes_payload
#undef lanes_prepare
#undef lanes_separate
#undef lanes_finish
#undef lanes_end
#undef lanes_steps
#undef lanes_run
#undef lanes_step
#undef lanes_all
