/* SPDX-License-Identifier: Apache-2.0 */
/* Template: Grain-128PLE and the score of its syndromes for many counters at a
 * time, bit-sliced. Included once for each width, with SAMARA_CIPHER defined to
 * a prefix, SAMARA_LANE to a type of SAMARA_LANES bits that knows & ^ ~, and
 * SAMARA_LANE_FUNCTION to how functions are declared that are to be inlined. It
 * writes SAMARA_LOCAL(score), a ple_scorer. SAMARA_LOCAL is that of
 * mode/names.h, which the file that includes this one has included, as it has
 * stream/ple_frame.h.
 *
 * Bit j of every SAMARA_LANE belongs to the counter first + j. The registers
 * are arrays of such, one for each bit, over which the clocks move on: clock i
 * reads bits i to i + 127 and writes bit i + 128. Constant time: there is no
 * branch or address but from lengths and what came from the air. */

#define SAMARA_LANE_STATE SAMARA_LOCAL(state)
#define SAMARA_LANE_COUNT SAMARA_LOCAL(count)

/* Clocks between two moves of the registers to the front of their memory. */
#define SAMARA_LANE_CLOCKS 64
#define SAMARA_LANE_HISTORY (2 * ple_memory)

typedef struct SAMARA_LANE_STATE {
  SAMARA_LANE nfsr[128 + SAMARA_LANE_CLOCKS];
  SAMARA_LANE lfsr[128 + SAMARA_LANE_CLOCKS];
  SAMARA_LANE
  keystream[SAMARA_LANE_HISTORY +
            SAMARA_LANE_CLOCKS]; /* what the checks look back at, first */
} SAMARA_LANE_STATE;

/* Numbers by planes of bits, to be added up: at most two of each weight wait
 * for a third, with which they become a sum and a carry. */
typedef struct SAMARA_LANE_COUNT {
  SAMARA_LANE waiting[ple_score_bits + 1][3];
  uint8_t waiting_count[ple_score_bits + 1];
} SAMARA_LANE_COUNT;

/* `bit` in all lanes. */
SAMARA_LANE_FUNCTION SAMARA_LANE SAMARA_LOCAL(spread)(uint32_t bit) {
  SAMARA_LANE lane;
  __builtin_memset(&lane, -(int)(bit & 1), sizeof lane);
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
    state->nfsr[i] = SAMARA_LOCAL(bit_of)(link->key, i);
    state->lfsr[i] = i < 96 ? SAMARA_LOCAL(bit_of)(nonce, i)
                            : SAMARA_LOCAL(spread)(i != 127);
  }
  /* Bit i of the counter, which has its lowest byte last. */
  for (unsigned i = 0; (unsigned)SAMARA_LANES >> i != 1; i++) {
    state->lfsr[8 * (11 - i / 8) + i % 8] = SAMARA_LOCAL(lane_number_bit)(i);
  }
}

/* The functions y, L and F of the specification, section 2.1, as in
 * grain128.c. */
SAMARA_LANE_FUNCTION SAMARA_LANE
SAMARA_LOCAL(pre_output)(const SAMARA_LANE *b, const SAMARA_LANE *s) {
  return (b[12] & s[8]) ^ (s[13] & s[20]) ^ (b[95] & s[42]) ^ (s[60] & s[79]) ^
         (b[12] & b[95] & s[94]) ^ s[93] ^ b[2] ^ b[15] ^ b[36] ^ b[45] ^
         b[64] ^ b[73] ^ b[89];
}

SAMARA_LANE_FUNCTION SAMARA_LANE
SAMARA_LOCAL(lfsr_feedback)(const SAMARA_LANE *s) {
  return s[0] ^ s[7] ^ s[38] ^ s[70] ^ s[81] ^ s[96];
}

SAMARA_LANE_FUNCTION SAMARA_LANE
SAMARA_LOCAL(nfsr_feedback)(const SAMARA_LANE *b, const SAMARA_LANE *s) {
  return s[0] ^ b[0] ^ b[26] ^ b[56] ^ b[91] ^ b[96] ^ (b[3] & b[67]) ^
         (b[11] & b[13]) ^ (b[17] & b[18]) ^ (b[27] & b[59]) ^ (b[40] & b[48]) ^
         (b[61] & b[65]) ^ (b[68] & b[84]) ^ (b[22] & b[24] & b[25]) ^
         (b[70] & b[78] & b[82]) ^ (b[88] & b[92] & b[93] & b[95]);
}

/* Moves the registers to the front, after SAMARA_LANE_CLOCKS clocks. */
SAMARA_LANE_FUNCTION void SAMARA_LOCAL(rewind)(SAMARA_LANE_STATE *state) {
  for (unsigned i = 0; i < 128; i++) {
    state->nfsr[i] = state->nfsr[i + SAMARA_LANE_CLOCKS];
    state->lfsr[i] = state->lfsr[i + SAMARA_LANE_CLOCKS];
  }
}

/* SAMARA_LANE_CLOCKS clocks of the start-up, with the pre-output fed back; in
 * the last of them, with `key`, its halves enter as well. */
SAMARA_LANE_FUNCTION void SAMARA_LOCAL(start_clocks)(SAMARA_LANE_STATE *state,
                                                     const uint8_t *key) {
  for (unsigned i = 0; i < SAMARA_LANE_CLOCKS; i++) {
    const SAMARA_LANE *b = state->nfsr + i;
    const SAMARA_LANE *s = state->lfsr + i;
    SAMARA_LANE into_nfsr = SAMARA_LOCAL(pre_output)(b, s);
    SAMARA_LANE into_lfsr = into_nfsr;
    if (key != NULL) {
      into_nfsr ^= SAMARA_LOCAL(bit_of)(key, i);
      into_lfsr ^= SAMARA_LOCAL(bit_of)(key, 64 + i);
    }
    state->nfsr[128 + i] = SAMARA_LOCAL(nfsr_feedback)(b, s) ^ into_nfsr;
    state->lfsr[128 + i] = SAMARA_LOCAL(lfsr_feedback)(s) ^ into_lfsr;
  }
  SAMARA_LOCAL(rewind)(state);
}

/* The next SAMARA_LANE_CLOCKS keystream bits; the last SAMARA_LANE_HISTORY go
 * to the front. */
SAMARA_LANE_FUNCTION void
SAMARA_LOCAL(keystream_clocks)(SAMARA_LANE_STATE *state) {
  for (unsigned i = 0; i < SAMARA_LANE_HISTORY; i++) {
    state->keystream[i] = state->keystream[SAMARA_LANE_CLOCKS + i];
  }
  for (unsigned i = 0; i < SAMARA_LANE_CLOCKS; i++) {
    const SAMARA_LANE *b = state->nfsr + i;
    const SAMARA_LANE *s = state->lfsr + i;
    state->keystream[SAMARA_LANE_HISTORY + i] = SAMARA_LOCAL(pre_output)(b, s);
    state->nfsr[128 + i] = SAMARA_LOCAL(nfsr_feedback)(b, s);
    state->lfsr[128 + i] = SAMARA_LOCAL(lfsr_feedback)(s);
  }
  SAMARA_LOCAL(rewind)(state);
}

/* All 512 clocks before the first keystream bit. */
SAMARA_LANE_FUNCTION void SAMARA_LOCAL(init)(SAMARA_LANE_STATE *state,
                                             const samara_ple_link *link,
                                             uint64_t first) {
  SAMARA_LOCAL(load)(state, link, first);
  for (unsigned i = 0; i < 320 / SAMARA_LANE_CLOCKS; i++) {
    SAMARA_LOCAL(start_clocks)(state, NULL);
  }
  SAMARA_LOCAL(start_clocks)(state, link->key);
  for (unsigned i = 0; i < 128 / SAMARA_LANE_CLOCKS; i++) {
    SAMARA_LOCAL(keystream_clocks)(state);
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
