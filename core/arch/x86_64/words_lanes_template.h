/* SPDX-License-Identifier: Apache-2.0 */
/* Template: Speck, ModSpeck and Simon with words of 64 bits for
 * lanes_template.h, with AVX2 or AVX-512 (wide_words_template.h).
 *
 * Two vectors of blocks, those of WIDE_WORDS lanes, are turned into one of
 * words x and one of words y, and back behind the rounds. A round key has a
 * word for each lane, which lies where that of the lane's blocks is. Four pairs
 * of vectors are in flight in CCM, two in CTR. */

#define LANES_USUAL_ROUNDS 32

#define batch_pair WIDE_LOCAL(batch_pair)
#define batch_enter WIDE_LOCAL(batch_enter)
#define batch_leave WIDE_LOCAL(batch_leave)
#define batch_lane_place WIDE_LOCAL(batch_lane_place)
#define batch_key_word WIDE_LOCAL(batch_key_word)
#define batch_speck_round WIDE_LOCAL(batch_speck_round)
#define batch_simon_round WIDE_LOCAL(batch_simon_round)
#define batch_speck_rounds WIDE_LOCAL(batch_speck_rounds)
#define batch_simon_rounds WIDE_LOCAL(batch_simon_rounds)
#define batch_speck_schedule WIDE_LOCAL(batch_speck_schedule)
#define batch_simon_schedule WIDE_LOCAL(batch_simon_schedule)
#define batch_schedule WIDE_LOCAL(batch_schedule)

/* Pairs of vectors for a block of each lane. */
#define BATCH_PAIRS (BATCH_VECTORS / 2)

/* Round keys of all lanes. */
typedef struct batch_keys {
  uint64_t round[words_lanes_rounds_max][BATCH_LANES];
} batch_keys;

typedef struct batch_pair {
  wide x;
  wide y;
} batch_pair;

/* Rotations by 8 bits are shuffles of bytes, which need one operation without
 * AVX-512, too. */
#define BATCH_RIGHT8(a)                                                        \
  wide_bytes(a, wide_broadcast(                                                \
                    _mm_set_epi64x(0x080f0e0d0c0b0a09, 0x0007060504030201)))
#define BATCH_LEFT8(a)                                                         \
  wide_bytes(a, wide_broadcast(                                                \
                    _mm_set_epi64x(0x0e0d0c0b0a09080f, 0x0605040302010007)))

WIDE_INLINE void batch_speck_round(wide *x, wide *y, wide key) {
  *x = wide_xor(wide_add64(BATCH_RIGHT8(*x), *y), key);
  *y = wide_xor(wide_left(*y, 3), *x);
}

/* What is x and y behind the round is in y and x. */
WIDE_INLINE void batch_simon_round(const wide *x, wide *y, wide key) {
  const wide sum = wide_xor3(*y, wide_left(*x, 2), key);
  *y = wide_xor_both(sum, wide_left(*x, 1), BATCH_LEFT8(*x));
}

/* The round keys are the words of the round function, keyed by the round's
 * number (block/speck_template.h). `words` is a constant. */
WIDE_INLINE void batch_speck_schedule(uint64_t *round_keys, wide *key,
                                      size_t words, unsigned rounds) {
  wide k = key[0];
  for (unsigned i = 0; i < rounds; i++) {
    wide_store(round_keys + i * BATCH_LANES, k);
    batch_speck_round(&key[1], &k, wide_all_of(i));
    const wide last = key[1];
    WIDE_UNROLL
    for (size_t j = 1; j + 1 < words; j++) {
      key[j] = key[j + 1];
    }
    key[words - 1] = last;
  }
}

/* block/simon_template.h; `words` is a constant. */
WIDE_INLINE void batch_simon_schedule(uint64_t *round_keys, wide *key,
                                      size_t words, unsigned rounds,
                                      uint64_t sequence) {
  for (unsigned i = 0; i < rounds; i++) {
    wide_store(round_keys + i * BATCH_LANES, key[0]);
    wide t = wide_left(key[words - 1], 64 - 3);
    if (words == 4) {
      t = wide_xor(t, key[1]);
    }
    t = wide_xor(t, wide_left(t, 64 - 1));
    const wide last =
        wide_xor3(key[0], t, wide_all_of((UINT64_MAX ^ 3) ^ (sequence & 1)));
    sequence = sequence >> 1 | (sequence & 1) << 61;
    WIDE_UNROLL
    for (size_t j = 0; j + 1 < words; j++) {
      key[j] = key[j + 1];
    }
    key[words - 1] = last;
  }
}

WIDE_INLINE void batch_schedule(uint64_t *round_keys, wide *key, size_t words,
                                const samara_lanes_call *call) {
  if (call->cipher == samara_lanes_simon) {
    batch_simon_schedule(round_keys, key, words, call->rounds, call->sequence);
  } else {
    batch_speck_schedule(round_keys, key, words, call->rounds);
  }
}

/* Word i of the keys of WIDE_WORDS lanes, read with that before it: behind a
 * key there may be nothing. */
WIDE_INLINE wide batch_key_word(const uint8_t *const *keys, size_t i) {
  const size_t offset = i == 0 ? 0 : 8 * (i - 1);
  const wide a = wide_gather(keys, offset);
  const wide b = wide_gather(keys + WIDE_BLOCKS, offset);
  return i == 0 ? wide_first_halves(a, b) : wide_second_halves(a, b);
}

/* Expands a key for each lane. */
WIDE_INLINE void batch_expand(batch_keys *round_keys,
                              const uint8_t *const *keys,
                              const samara_lanes_call *call) {
  const uint8_t *of_lanes[BATCH_LANES];
  uint8_t derived[BATCH_LANES][32];
  SAMARA_WIPED(derived);
  for (size_t i = 0; i < BATCH_LANES; i++) {
    of_lanes[i] = keys[i];
    if (call->cipher == samara_lanes_modspeck) {
      words_lanes_derive(derived[i], keys[i], 8 * call->key_words);
      of_lanes[i] = derived[i];
    }
  }
  for (size_t p = 0; p < BATCH_PAIRS; p++) {
    const uint8_t *const *from = of_lanes + WIDE_WORDS * p;
    uint64_t *to = round_keys->round[0] + WIDE_WORDS * p;
    wide key[4];
    key[0] = batch_key_word(from, 0);
    key[1] = batch_key_word(from, 1);
    if (call->key_words == 2) {
      batch_schedule(to, key, 2, call);
      continue;
    }
    key[2] = batch_key_word(from, 2);
    if (call->key_words == 3) {
      batch_schedule(to, key, 3, call);
      continue;
    }
    key[3] = batch_key_word(from, 3);
    batch_schedule(to, key, 4, call);
  }
}

/* Where the words of a lane lie. */
WIDE_INLINE size_t batch_lane_place(size_t lane) {
  return lane / WIDE_WORDS * WIDE_WORDS + wide_place(lane % WIDE_WORDS);
}

WIDE_INLINE void batch_take_key(batch_keys *keys, size_t lane,
                                const batch_keys *from, size_t other,
                                unsigned rounds) {
  const size_t to = batch_lane_place(lane);
  const size_t of = batch_lane_place(other);
  for (size_t r = 0; r < rounds; r++) {
    keys->round[r][to] = from->round[r][of];
  }
}

WIDE_INLINE void batch_speck_rounds(const batch_keys *keys, batch_pair *pairs,
                                    size_t count, unsigned rounds) {
  for (unsigned r = 0; r < rounds; r++) {
    WIDE_UNROLL
    for (size_t i = 0; i < count; i++) {
      const wide key =
          wide_load(keys->round[r] + WIDE_WORDS * (i % BATCH_PAIRS));
      batch_speck_round(&pairs[i].x, &pairs[i].y, key);
    }
  }
}

/* Two rounds a turn, in which x and y change places, and back. */
WIDE_INLINE void batch_simon_rounds(const batch_keys *keys, batch_pair *pairs,
                                    size_t count, unsigned rounds) {
  for (unsigned r = 0; r + 1 < rounds; r += 2) {
    WIDE_UNROLL
    for (size_t i = 0; i < count; i++) {
      const uint64_t *key = keys->round[r] + WIDE_WORDS * (i % BATCH_PAIRS);
      batch_simon_round(&pairs[i].x, &pairs[i].y, wide_load(key));
      batch_simon_round(&pairs[i].y, &pairs[i].x, wide_load(key + BATCH_LANES));
    }
  }
  if (rounds % 2 != 0) {
    WIDE_UNROLL
    for (size_t i = 0; i < count; i++) {
      const uint64_t *key =
          keys->round[rounds - 1] + WIDE_WORDS * (i % BATCH_PAIRS);
      const wide x = pairs[i].x;
      batch_simon_round(&x, &pairs[i].y, wide_load(key));
      pairs[i].x = pairs[i].y;
      pairs[i].y = x;
    }
  }
}

WIDE_INLINE void batch_enter(batch_pair *pairs, const wide *blocks) {
  WIDE_UNROLL
  for (size_t p = 0; p < BATCH_PAIRS; p++) {
    pairs[p].y = wide_first_halves(blocks[2 * p], blocks[2 * p + 1]);
    pairs[p].x = wide_second_halves(blocks[2 * p], blocks[2 * p + 1]);
  }
}

WIDE_INLINE void batch_leave(wide *blocks, const batch_pair *pairs) {
  WIDE_UNROLL
  for (size_t p = 0; p < BATCH_PAIRS; p++) {
    blocks[2 * p] = wide_first_halves(pairs[p].y, pairs[p].x);
    blocks[2 * p + 1] = wide_second_halves(pairs[p].y, pairs[p].x);
  }
}

/* `keystream` is there in all modes of these ciphers. */
WIDE_INLINE void batch_cipher(const batch_keys *keys,
                              const samara_lanes_call *call, unsigned rounds,
                              wide *chains, wide *keystream) {
  const size_t count = chains == NULL ? BATCH_PAIRS : 2 * BATCH_PAIRS;
  batch_pair pairs[2 * BATCH_PAIRS];
  batch_enter(pairs, keystream);
  if (chains != NULL) {
    batch_enter(pairs + BATCH_PAIRS, chains);
  }
  if (call->cipher == samara_lanes_simon) {
    batch_simon_rounds(keys, pairs, count, rounds);
  } else {
    batch_speck_rounds(keys, pairs, count, rounds);
  }
  batch_leave(keystream, pairs);
  if (chains != NULL) {
    batch_leave(chains, pairs + BATCH_PAIRS);
  }
}
