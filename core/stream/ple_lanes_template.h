/* SPDX-License-Identifier: Apache-2.0 */
/* Template: Grain-128PLE and the score of its syndromes for many counters at a
 * time, bit-sliced. Included once for each width, with what
 * grain128_clocks_template.h takes, which it includes; SAMARA_LANE knows ~,
 * too. It writes SAMARA_LOCAL(score), a ple_scorer. SAMARA_LOCAL is that of
 * mode/names.h, which the file that includes this one has included, as it has
 * stream/ple_frame.h.
 *
 * Bit j of every SAMARA_LANE belongs to the counter first + j. Constant time:
 * there is no branch or address but from lengths and what came from the air. */

#include "stream/grain128_clocks_template.h"

#define SAMARA_LANE_STATE SAMARA_LOCAL(state)
#define SAMARA_LANE_COUNT SAMARA_LOCAL(count)

#define SAMARA_LANE_CLOCKS 32 /* a quarter's */
#define SAMARA_LANE_HISTORY (2 * ple_memory)

typedef struct SAMARA_LANE_STATE {
  SAMARA_LOCAL(registers) registers;
  SAMARA_LANE
  keystream[SAMARA_LANE_HISTORY +
            SAMARA_LANE_CLOCKS]; /* what the checks look back at, first */
  unsigned quarter;              /* the next */
} SAMARA_LANE_STATE;

/* Numbers by planes of bits, to be added up: at most two of each weight wait
 * for a third, with which they become a sum and a carry. */
typedef struct SAMARA_LANE_COUNT {
  SAMARA_LANE waiting[ple_score_bits + 1][3];
  uint8_t waiting_count[ple_score_bits + 1];
} SAMARA_LANE_COUNT;

/* `bit` in all lanes. Of a memset a compiler may make a product, which takes a
 * time of its own on some machines. */
SAMARA_LANE_FUNCTION SAMARA_LANE SAMARA_LOCAL(spread)(uint32_t bit) {
  uint64_t words[SAMARA_LANES / 64];
  for (unsigned i = 0; i < SAMARA_LANES / 64; i++) {
    words[i] = (uint64_t)0 - (bit & 1);
  }
  SAMARA_LANE lane;
  __builtin_memcpy(&lane, words, sizeof lane);
  return lane;
}

SAMARA_LANE_FUNCTION SAMARA_LANE SAMARA_LOCAL(bit_of)(const uint8_t *bits,
                                                      unsigned index) {
  return SAMARA_LOCAL(spread)((uint32_t)bits[index / 8] >> index % 8);
}

/* Bit `index` of the number of each lane, 0 to SAMARA_LANES - 1. */
SAMARA_LANE_FUNCTION SAMARA_LANE SAMARA_LOCAL(lane_number_bit)(unsigned index) {
  static const uint64_t within[6] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc,
                                     0xf0f0f0f0f0f0f0f0, 0xff00ff00ff00ff00,
                                     0xffff0000ffff0000, 0xffffffff00000000};
  uint64_t words[SAMARA_LANES / 64];
  for (unsigned i = 0; i < SAMARA_LANES / 64; i++) {
    words[i] = index < 6 ? within[index] : (uint64_t)0 - (i >> (index - 6) & 1);
  }
  SAMARA_LANE lane;
  __builtin_memcpy(&lane, words, sizeof lane);
  return lane;
}

SAMARA_LANE_FUNCTION void SAMARA_LOCAL(load)(SAMARA_LANE_STATE *state,
                                             const samara_ple_link *link,
                                             uint64_t first) {
  uint8_t nonce[samara_ple_sync_nonce_size];
  samara_ple_nonce(nonce, samara_ple_domain_keystream, link->direction,
                   link->link_id, first);
  for (unsigned i = 0; i < 128; i++) {
    state->registers.nfsr[i] = SAMARA_LOCAL(bit_of)(link->key, i);
    state->registers.lfsr[i] = i < 96 ? SAMARA_LOCAL(bit_of)(nonce, i)
                                      : SAMARA_LOCAL(spread)(i != 127);
  }
  /* Bit i of the counter, which has its lowest byte last. */
  for (unsigned i = 0; (unsigned)SAMARA_LANES >> i != 1; i++) {
    state->registers.lfsr[8 * (11 - i / 8) + i % 8] =
        SAMARA_LOCAL(lane_number_bit)(i);
  }
}

/* The next SAMARA_LANE_CLOCKS clocks; returns their quarter. */
SAMARA_LANE_FUNCTION unsigned SAMARA_LOCAL(run)(SAMARA_LANE_STATE *state) {
  const unsigned quarter = state->quarter;
  SAMARA_LOCAL(clocks)
  (&state->registers, quarter, state->keystream + SAMARA_LANE_HISTORY);
  state->quarter = (quarter + 1) % 4;
  return quarter;
}

/* The next SAMARA_LANE_CLOCKS keystream bits; the last SAMARA_LANE_HISTORY go
 * to the front. */
SAMARA_LANE_FUNCTION void
SAMARA_LOCAL(keystream_clocks)(SAMARA_LANE_STATE *state) {
  for (unsigned i = 0; i < SAMARA_LANE_HISTORY; i++) {
    state->keystream[i] = state->keystream[SAMARA_LANE_CLOCKS + i];
  }
  (void)SAMARA_LOCAL(run)(state);
}

/* SAMARA_LANE_CLOCKS clocks of the start-up, with the pre-output fed back. */
SAMARA_LANE_FUNCTION void SAMARA_LOCAL(start_clocks)(SAMARA_LANE_STATE *state) {
  const unsigned quarter = SAMARA_LOCAL(run)(state);
  SAMARA_LOCAL(feed_back)
  (&state->registers, quarter, state->keystream + SAMARA_LANE_HISTORY,
   SAMARA_LOCAL(spread)(1), NULL);
}

/* The same, and bits `first` on of each half of the key enter. */
SAMARA_LANE_FUNCTION void SAMARA_LOCAL(key_clocks)(SAMARA_LANE_STATE *state,
                                                   const uint8_t *key,
                                                   unsigned first) {
  const unsigned place = state->quarter * SAMARA_LANE_CLOCKS;
  SAMARA_LOCAL(start_clocks)(state);
  for (unsigned i = 0; i < SAMARA_LANE_CLOCKS; i++) {
    state->registers.nfsr[place + i] ^= SAMARA_LOCAL(bit_of)(key, first + i);
    state->registers.lfsr[place + i] ^=
        SAMARA_LOCAL(bit_of)(key, 64 + first + i);
  }
}

/* All 512 clocks before the first keystream bit. */
SAMARA_LANE_FUNCTION void SAMARA_LOCAL(init)(SAMARA_LANE_STATE *state,
                                             const samara_ple_link *link,
                                             uint64_t first) {
  SAMARA_LOCAL(load)(state, link, first);
  state->quarter = 0;
  for (unsigned i = 0; i < 320 / SAMARA_LANE_CLOCKS; i++) {
    SAMARA_LOCAL(start_clocks)(state);
  }
  for (unsigned i = 0; i < 64 / SAMARA_LANE_CLOCKS; i++) {
    SAMARA_LOCAL(key_clocks)(state, link->key, i * SAMARA_LANE_CLOCKS);
  }
  for (unsigned i = 0; i < 128 / SAMARA_LANE_CLOCKS; i++) {
    (void)SAMARA_LOCAL(run)(state);
  }
  /* Before the first bit a check sees zeros. */
  for (unsigned i = 0; i < SAMARA_LANE_HISTORY; i++) {
    state->keystream[SAMARA_LANE_CLOCKS + i] = SAMARA_LOCAL(spread)(0);
  }
}

/* The parity check that ends with the pair at `k`: a word of the code (c1, c2)
 * has g2 c1 + g1 c2 = 0, for g1 = 109 (bits 0 2 3 5 6), g2 = 79 (0 1 2 3 6). */
SAMARA_LANE_FUNCTION SAMARA_LANE SAMARA_LOCAL(check)(const SAMARA_LANE *k) {
  return k[0] ^ k[-2] ^ k[-4] ^ k[-6] ^ k[-12] ^ k[1] ^ k[-3] ^ k[-5] ^ k[-9] ^
         k[-11];
}

/* Adds 2^plane in the lanes where `bits` are 1. */
SAMARA_LANE_FUNCTION void SAMARA_LOCAL(count_bits)(SAMARA_LANE_COUNT *count,
                                                   SAMARA_LANE bits,
                                                   unsigned plane) {
  while (count->waiting_count[plane] == 2) {
    const SAMARA_LANE a = count->waiting[plane][0];
    const SAMARA_LANE b = count->waiting[plane][1];
    const SAMARA_LANE half = a ^ b;
    count->waiting[plane][0] = half ^ bits;
    count->waiting_count[plane] = 1;
    bits = (a & b) ^ (half & bits);
    plane++;
  }
  count->waiting[plane][count->waiting_count[plane]++] = bits;
}

SAMARA_LANE_FUNCTION void SAMARA_LOCAL(count_check)(SAMARA_LANE_COUNT *count,
                                                    const ple_frame *frame,
                                                    unsigned check,
                                                    const SAMARA_LANE *k) {
  unsigned weight = frame->weight[check];
  if (weight == 0) {
    return;
  }
  const SAMARA_LANE fails =
      SAMARA_LOCAL(check)(k) ^ SAMARA_LOCAL(spread)(frame->fails[check]);
  for (unsigned plane = 0; weight != 0; plane++, weight >>= 1) {
    if ((weight & 1) != 0) {
      SAMARA_LOCAL(count_bits)(count, fails, plane);
    }
  }
}

/* Adds up what still waits, and writes the planes. */
SAMARA_LANE_FUNCTION void SAMARA_LOCAL(count_finish)(SAMARA_LANE_COUNT *count,
                                                     uint64_t *scores) {
  for (unsigned plane = 0; plane < ple_score_bits; plane++) {
    if (count->waiting_count[plane] == 2) {
      SAMARA_LOCAL(count_bits)(count, SAMARA_LOCAL(spread)(0), plane);
    }
    const SAMARA_LANE sum = count->waiting_count[plane] == 1
                                ? count->waiting[plane][0]
                                : SAMARA_LOCAL(spread)(0);
    __builtin_memcpy(scores + plane * (SAMARA_LANES / 64), &sum, sizeof sum);
  }
}

SAMARA_LANE_FUNCTION void SAMARA_LOCAL(score)(uint64_t *scores,
                                              const ple_frame *frame,
                                              const samara_ple_link *link,
                                              uint64_t first) {
  SAMARA_LANE_STATE state;
  SAMARA_WIPED(state);
  SAMARA_LANE_COUNT count;
  SAMARA_WIPED(count);
  SAMARA_LOCAL(init)(&state, link, first);
  for (unsigned i = 0; i <= ple_score_bits; i++) {
    count.waiting_count[i] = 0;
  }
  for (unsigned check = 0; check < frame->checks; check++) {
    const unsigned place = 2 * check % SAMARA_LANE_CLOCKS;
    if (place == 0) {
      SAMARA_LOCAL(keystream_clocks)(&state);
    }
    SAMARA_LANE *k = state.keystream + SAMARA_LANE_HISTORY + place;
    if (check >= frame->steps) {
      /* The tail's checks look beyond the end, where nothing is. */
      k[0] = SAMARA_LOCAL(spread)(0);
      k[1] = SAMARA_LOCAL(spread)(0);
    }
    SAMARA_LOCAL(count_check)(&count, frame, check, k);
  }
  SAMARA_LOCAL(count_finish)(&count, scores);
}

#undef SAMARA_LANE_STATE
#undef SAMARA_LANE_COUNT
#undef SAMARA_LANE_CLOCKS
#undef SAMARA_LANE_HISTORY
