/* SPDX-License-Identifier: Apache-2.0 */
/* Template: the generators of many messages at a time. Included once for each
 * width, with what grain128_clocks_template.h takes, which it includes;
 * SAMARA_LANE knows << and >>, too, the shifts in words of 64 bits.
 * SAMARA_LANE_SELECT(mask, one, two), `one` where the mask has ones and else
 * `two`, is defined where that is one instruction, and SAMARA_LANE_TARGET
 * where functions need an attribute for their instructions. It writes
 * SAMARA_LOCAL(load_planes), SAMARA_LOCAL(clock_planes) and
 * SAMARA_LOCAL(words), the functions of a grain128_width. SAMARA_LOCAL is that
 * of mode/names.h.
 *
 * Lane n is bit n / W of word n % W of the W words of a plane, so that turning
 * 64 planes into one word for each lane is W transpositions of 64 x 64 bits
 * side by side. Constant time: there is no branch or address but from the step.
 */

#include "stream/grain128_clocks_template.h"

#ifndef SAMARA_LANE_TARGET
#define SAMARA_LANE_TARGET
#endif

#define SAMARA_LANE_STATE SAMARA_LOCAL(state)

typedef struct SAMARA_LANE_STATE {
  SAMARA_LOCAL(registers) registers;
  SAMARA_LANE key[128]; /* of lanes that start, zeros in the others */
  SAMARA_LANE output[grain128_block_clocks];
  SAMARA_LANE starting; /* ones in the lanes that do */
} __attribute__((may_alias)) SAMARA_LANE_STATE;

_Static_assert(sizeof(SAMARA_LANE_STATE) <= sizeof(grain128_planes),
               "grain128_planes is too small");

SAMARA_LANE_FUNCTION void SAMARA_LOCAL(clock)(grain128_planes *planes,
                                              unsigned step) {
  SAMARA_LANE_STATE *state = (SAMARA_LANE_STATE *)planes;
  for (unsigned quarter = 0; quarter < 4; quarter++) {
    SAMARA_LANE *y = state->output + quarter * 32;
    const SAMARA_LANE *key =
        step == 2 && quarter >= 2 ? state->key + (quarter - 2) * 32 : NULL;
    SAMARA_LOCAL(clocks)(&state->registers, quarter, y);
    if (step != 3) {
      SAMARA_LOCAL(feed_back)
      (&state->registers, quarter, y, state->starting, key);
    }
  }
}

/* `word` in each of a plane's. */
SAMARA_LANE_FUNCTION SAMARA_LANE SAMARA_LOCAL(spread)(uint64_t word) {
  SAMARA_LANE lane;
  __builtin_memset(&lane, 0, sizeof lane);
  return lane | word;
}

/* Exchanges the upper part of a's words with the lower one of b's. */
SAMARA_LANE_FUNCTION void SAMARA_LOCAL(exchange)(SAMARA_LANE *a, SAMARA_LANE *b,
                                                 unsigned shift,
                                                 SAMARA_LANE lower) {
#ifdef SAMARA_LANE_SELECT
  const SAMARA_LANE from_b = *b << shift;
  const SAMARA_LANE from_a = *a >> shift;
  *a = SAMARA_LANE_SELECT(lower, *a, from_b);
  *b = SAMARA_LANE_SELECT(lower, from_a, *b);
#else
  const SAMARA_LANE changes = (*a >> shift ^ *b) & lower;
  *a ^= changes << shift;
  *b ^= changes;
#endif
}

/* Three of the six steps of the transposition of 64 rows, in rows `distance`
 * apart. */
SAMARA_LANE_FUNCTION void SAMARA_LOCAL(exchange_eight)(SAMARA_LANE rows[8],
                                                       unsigned distance) {
  static const uint64_t lower[6] = {0x5555555555555555, 0x3333333333333333,
                                    0x0f0f0f0f0f0f0f0f, 0x00ff00ff00ff00ff,
                                    0x0000ffff0000ffff, 0x00000000ffffffff};
  const uint64_t *masks = lower + (distance == 1 ? 0 : 3);
  SAMARA_LANE mask = SAMARA_LOCAL(spread)(masks[2]);
  SAMARA_LOCAL(exchange)(rows + 0, rows + 4, 4 * distance, mask);
  SAMARA_LOCAL(exchange)(rows + 1, rows + 5, 4 * distance, mask);
  SAMARA_LOCAL(exchange)(rows + 2, rows + 6, 4 * distance, mask);
  SAMARA_LOCAL(exchange)(rows + 3, rows + 7, 4 * distance, mask);
  mask = SAMARA_LOCAL(spread)(masks[1]);
  SAMARA_LOCAL(exchange)(rows + 0, rows + 2, 2 * distance, mask);
  SAMARA_LOCAL(exchange)(rows + 1, rows + 3, 2 * distance, mask);
  SAMARA_LOCAL(exchange)(rows + 4, rows + 6, 2 * distance, mask);
  SAMARA_LOCAL(exchange)(rows + 5, rows + 7, 2 * distance, mask);
  mask = SAMARA_LOCAL(spread)(masks[0]);
  SAMARA_LOCAL(exchange)(rows + 0, rows + 1, distance, mask);
  SAMARA_LOCAL(exchange)(rows + 2, rows + 3, distance, mask);
  SAMARA_LOCAL(exchange)(rows + 4, rows + 5, distance, mask);
  SAMARA_LOCAL(exchange)(rows + 6, rows + 7, distance, mask);
}

SAMARA_LANE_FUNCTION SAMARA_LANE SAMARA_LOCAL(row)(const uint8_t *rows,
                                                   int index) {
  SAMARA_LANE row;
  __builtin_memcpy(&row, rows + index * (int)sizeof row, sizeof row);
  return row;
}

SAMARA_LANE_FUNCTION void SAMARA_LOCAL(set_row)(uint8_t *rows, int index,
                                                SAMARA_LANE row) {
  __builtin_memcpy(rows + index * (int)sizeof row, &row, sizeof row);
}

/* Eight rows, `step` apart, through three steps into others, `distance` apart.
 * Written out, or gcc takes all of them through memory. */
SAMARA_LANE_FUNCTION void SAMARA_LOCAL(transpose_eight)(uint8_t *output,
                                                        const uint8_t *input,
                                                        int step,
                                                        unsigned distance) {
  const int apart = (int)distance;
  SAMARA_LANE rows[8] = {
      SAMARA_LOCAL(row)(input, 0 * step), SAMARA_LOCAL(row)(input, 1 * step),
      SAMARA_LOCAL(row)(input, 2 * step), SAMARA_LOCAL(row)(input, 3 * step),
      SAMARA_LOCAL(row)(input, 4 * step), SAMARA_LOCAL(row)(input, 5 * step),
      SAMARA_LOCAL(row)(input, 6 * step), SAMARA_LOCAL(row)(input, 7 * step)};
  SAMARA_LOCAL(exchange_eight)(rows, distance);
  SAMARA_LOCAL(set_row)(output, 0 * apart, rows[0]);
  SAMARA_LOCAL(set_row)(output, 1 * apart, rows[1]);
  SAMARA_LOCAL(set_row)(output, 2 * apart, rows[2]);
  SAMARA_LOCAL(set_row)(output, 3 * apart, rows[3]);
  SAMARA_LOCAL(set_row)(output, 4 * apart, rows[4]);
  SAMARA_LOCAL(set_row)(output, 5 * apart, rows[5]);
  SAMARA_LOCAL(set_row)(output, 6 * apart, rows[6]);
  SAMARA_LOCAL(set_row)(output, 7 * apart, rows[7]);
}

/* Transposes 64 rows: bit j of row i into bit i of row j, in each word. Input
 * row i lies at input + i * step. */
SAMARA_LANE_FUNCTION void SAMARA_LOCAL(transpose)(void *output,
                                                  const void *input, int step) {
  const uint8_t *from = input;
  uint8_t *to = output;
  const int size = (int)sizeof(SAMARA_LANE);
  for (int i = 0; i < 8; i++) {
    SAMARA_LOCAL(transpose_eight)
    (to + i * size, from + i * step * size, 8 * step, 8);
  }
  for (int i = 0; i < 64; i += 8) {
    SAMARA_LOCAL(transpose_eight)(to + i * size, to + i * size, 1, 1);
  }
}

/* Replaces planes in the lanes that start. */
SAMARA_LANE_FUNCTION void SAMARA_LOCAL(replace)(SAMARA_LANE *planes,
                                                const SAMARA_LANE *fresh,
                                                SAMARA_LANE starting) {
  for (unsigned i = 0; i < 64; i++) {
    planes[i] = (planes[i] & ~starting) | fresh[i];
  }
}

SAMARA_LANE_FUNCTION void SAMARA_LOCAL(load)(grain128_planes *planes,
                                             const grain128_row fresh[4]) {
  SAMARA_LANE_STATE *state = (SAMARA_LANE_STATE *)planes;
  SAMARA_LANE *nonce = state->output;
  SAMARA_LOCAL(transpose)(state->key, fresh[0].words, 1);
  SAMARA_LOCAL(transpose)(state->key + 64, fresh[1].words, 1);
  SAMARA_LOCAL(transpose)(nonce, fresh[2].words, 1);
  SAMARA_LOCAL(transpose)(nonce + 64, fresh[3].words, 1);
  /* Bit 96 of the LFSR begins as a 1. */
  state->starting = nonce[96];
  SAMARA_LOCAL(replace)(state->registers.nfsr, state->key, state->starting);
  SAMARA_LOCAL(replace)(state->registers.nfsr + 64, state->key + 64,
                        state->starting);
  SAMARA_LOCAL(replace)(state->registers.lfsr, nonce, state->starting);
  SAMARA_LOCAL(replace)(state->registers.lfsr + 64, nonce + 64,
                        state->starting);
}

SAMARA_LANE_FUNCTION void SAMARA_LOCAL(output)(grain128_row *row,
                                               const grain128_planes *planes,
                                               int first, int step) {
  const SAMARA_LANE_STATE *state = (const SAMARA_LANE_STATE *)planes;
  SAMARA_LOCAL(transpose)(row->words, state->output + first, step);
}

/* What a grain128_width calls. */

static SAMARA_LANE_TARGET void
SAMARA_LOCAL(load_planes)(grain128_planes *planes,
                          const grain128_row fresh[4]) {
  SAMARA_LOCAL(load)(planes, fresh);
}

static SAMARA_LANE_TARGET void
SAMARA_LOCAL(clock_planes)(grain128_planes *planes, unsigned step) {
  SAMARA_LOCAL(clock)(planes, step);
}

static SAMARA_LANE_TARGET void
SAMARA_LOCAL(words)(grain128_row *row, const grain128_planes *planes, int first,
                    int step) {
  SAMARA_LOCAL(output)(row, planes, first, step);
}

#undef SAMARA_LANE_STATE
#undef SAMARA_LANE_TARGET
