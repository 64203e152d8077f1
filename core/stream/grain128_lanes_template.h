/* SPDX-License-Identifier: Apache-2.0 */
/* Template: the generator of Grain-128AEADv2 for many messages at a time,
 * bit-sliced. Included once for each width, with SAMARA_CIPHER defined to a
 * prefix, SAMARA_LANE to a type of SAMARA_LANES bits that knows & ^ << >>, the
 * shifts in words of 64 bits, and SAMARA_LANE_FUNCTION to how functions are
 * declared that are to be inlined. SAMARA_LANE_XOR3(a, b, c) is a ^ b ^ c,
 * SAMARA_LANE_XOR_AND(a, b, c) a ^ b & c, SAMARA_LANE_AND3(a, b, c) a & b & c:
 * one instruction each where there is one. It writes SAMARA_LOCAL(load),
 * SAMARA_LOCAL(clock) and SAMARA_LOCAL(output), the functions of a
 * grain128_width. SAMARA_LOCAL is that of mode/names.h.
 *
 * A plane is one bit of all lanes; the registers are arrays of planes, over
 * which the clocks move on: clock i reads planes i to i + 127 and writes plane
 * i + 128. Lane n is bit n / W of word n % W of the W words of a plane, so that
 * turning 64 planes into one word for each lane is W transpositions of 64 x 64
 * bits side by side. Constant time: there is no branch or address but from the
 * step. */

#define SAMARA_LANE_STATE SAMARA_LOCAL(state)

typedef struct SAMARA_LANE_STATE {
  SAMARA_LANE nfsr[128 + grain128_block_clocks];
  SAMARA_LANE lfsr[128 + grain128_block_clocks];
  SAMARA_LANE key[128]; /* of lanes that start, zeros in the others */
  SAMARA_LANE output[grain128_block_clocks];
  SAMARA_LANE starting; /* ones in the lanes that do */
} __attribute__((may_alias)) SAMARA_LANE_STATE;

_Static_assert(sizeof(SAMARA_LANE_STATE) <= sizeof(grain128_planes),
               "grain128_planes is too small");

/* Eight clocks at a time read each plane that several of them need once, as far
 * as the registers go: loads, not logic, are what limits the speed. The
 * statement is written out for i = 0 to 7. */
#define SAMARA_LANE_GROUP 8
#define SAMARA_LANE_EACH(statement)                                            \
  SAMARA_LANE_AT(0, statement)                                                 \
  SAMARA_LANE_AT(1, statement)                                                 \
  SAMARA_LANE_AT(2, statement)                                                 \
  SAMARA_LANE_AT(3, statement)                                                 \
  SAMARA_LANE_AT(4, statement)                                                 \
  SAMARA_LANE_AT(5, statement)                                                 \
  SAMARA_LANE_AT(6, statement)                                                 \
  SAMARA_LANE_AT(7, statement)
#define SAMARA_LANE_AT(index, statement)                                       \
  {                                                                            \
    enum { i = (index) };                                                      \
    statement;                                                                 \
  }

/* f ^= a & b and so on, for eight clocks; B and S are the taps. */
#define B(tap) b[i + (tap)]
#define S(tap) s[i + (tap)]
#define ADD2(sum, a, b)                                                        \
  SAMARA_LANE_EACH(sum[i] = SAMARA_LANE_XOR3(sum[i], a, b))
#define ADD_AND(sum, a, b)                                                     \
  SAMARA_LANE_EACH(sum[i] = SAMARA_LANE_XOR_AND(sum[i], a, b))

/* No plane is kept in a register beyond this: it is read again. */
#define SAMARA_LANE_PART_ENDS                                                  \
  SAMARA_FORGET(b);                                                            \
  SAMARA_FORGET(s);

/* The functions y, F and L of the specification, section 2.1, for eight clocks,
 * b and s being the first one's registers. `starting` (or NULL) feeds y back in
 * these lanes; `key` (or NULL) enters as well. */
SAMARA_LANE_FUNCTION void
SAMARA_LOCAL(clock_group)(SAMARA_LANE *b, SAMARA_LANE *s, SAMARA_LANE *y,
                          const SAMARA_LANE *starting, const SAMARA_LANE *key) {
  SAMARA_LANE f[SAMARA_LANE_GROUP];
  SAMARA_LANE l[SAMARA_LANE_GROUP];
  SAMARA_LANE o[SAMARA_LANE_GROUP];
  SAMARA_LANE_EACH(f[i] = SAMARA_LANE_XOR_AND(B(0), B(27), B(59)))
  ADD2(f, B(26), B(56))
  ADD_AND(f, B(11), B(13))
  ADD_AND(f, B(40), B(48))
  ADD_AND(f, B(17), B(18))
  SAMARA_LANE_EACH(f[i] ^= SAMARA_LANE_AND3(B(22), B(24), B(25)))
  SAMARA_LANE_EACH(o[i] = B(15) ^ B(2))
  SAMARA_LANE_PART_ENDS
  ADD_AND(o, S(13), S(20))
  SAMARA_LANE_PART_ENDS
  ADD_AND(f, B(61), B(65))
  ADD_AND(f, B(68), B(84))
  ADD_AND(f, B(3), B(67))
  ADD2(o, B(73), B(64))
  SAMARA_LANE_EACH(f[i] ^= SAMARA_LANE_AND3(B(70), B(78), B(82)))
  ADD_AND(f, SAMARA_LANE_AND3(B(88), B(92), B(93)), B(95))
  ADD2(o, S(93), B(45))
  ADD2(o, B(89), B(36))
  ADD_AND(o, B(95), S(42))
  ADD_AND(o, S(60), S(79))
  ADD2(f, S(0), B(96))
  SAMARA_LANE_EACH(f[i] ^= B(91))
  ADD_AND(o, B(12), SAMARA_LANE_XOR_AND(S(8), B(95), S(94)))
  SAMARA_LANE_EACH(y[i] = o[i])
  if (starting != NULL) {
    SAMARA_LANE_EACH(f[i] = SAMARA_LANE_XOR_AND(f[i], o[i], *starting))
  }
  if (key != NULL) {
    SAMARA_LANE_EACH(f[i] ^= key[i])
  }
  SAMARA_LANE_EACH(B(128) = f[i])
  SAMARA_LANE_EACH(l[i] = SAMARA_LANE_XOR3(S(0), S(7), S(38)))
  ADD2(l, S(70), S(81))
  SAMARA_LANE_EACH(l[i] ^= S(96))
  if (starting != NULL) {
    SAMARA_LANE_EACH(l[i] = SAMARA_LANE_XOR_AND(l[i], o[i], *starting))
  }
  if (key != NULL) {
    SAMARA_LANE_EACH(l[i] ^= key[64 + i])
  }
  SAMARA_LANE_EACH(S(128) = l[i])
}

#undef SAMARA_LANE_EACH
#undef SAMARA_LANE_AT
#undef SAMARA_LANE_PART_ENDS
#undef B
#undef S
#undef ADD2
#undef ADD_AND

/* Clocks from..to of a block. */
SAMARA_LANE_FUNCTION void SAMARA_LOCAL(clock_some)(SAMARA_LANE_STATE *state,
                                                   unsigned from, unsigned to,
                                                   const SAMARA_LANE *starting,
                                                   const SAMARA_LANE *key) {
  for (unsigned i = from; i < to; i += SAMARA_LANE_GROUP) {
    SAMARA_LANE *b = state->nfsr + i;
    SAMARA_LANE *s = state->lfsr + i;
    /* Or gcc keeps on the stack what the next eight clocks read again. */
    SAMARA_FORGET(b);
    SAMARA_FORGET(s);
    SAMARA_LOCAL(clock_group)
    (b, s, state->output + i, starting, key == NULL ? NULL : key + (i - from));
  }
}

SAMARA_LANE_FUNCTION void SAMARA_LOCAL(clock)(grain128_planes *planes,
                                              unsigned step) {
  SAMARA_LANE_STATE *state = (SAMARA_LANE_STATE *)planes;
  if (step == 3) {
    SAMARA_LOCAL(clock_some)(state, 0, grain128_block_clocks, NULL, NULL);
  } else if (step < 2) {
    SAMARA_LOCAL(clock_some)
    (state, 0, grain128_block_clocks, &state->starting, NULL);
  } else {
    SAMARA_LOCAL(clock_some)
    (state, 0, grain128_block_clocks - 64, &state->starting, NULL);
    SAMARA_LOCAL(clock_some)
    (state, grain128_block_clocks - 64, grain128_block_clocks, &state->starting,
     state->key);
  }
  for (unsigned i = 0; i < 128; i++) {
    state->nfsr[i] = state->nfsr[i + grain128_block_clocks];
    state->lfsr[i] = state->lfsr[i + grain128_block_clocks];
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
  const SAMARA_LANE changes = (*a >> shift ^ *b) & lower;
  *a ^= changes << shift;
  *b ^= changes;
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
  SAMARA_LOCAL(replace)(state->nfsr, state->key, state->starting);
  SAMARA_LOCAL(replace)(state->nfsr + 64, state->key + 64, state->starting);
  SAMARA_LOCAL(replace)(state->lfsr, nonce, state->starting);
  SAMARA_LOCAL(replace)(state->lfsr + 64, nonce + 64, state->starting);
}

SAMARA_LANE_FUNCTION void SAMARA_LOCAL(output)(grain128_row *row,
                                               const grain128_planes *planes,
                                               int first, int step) {
  const SAMARA_LANE_STATE *state = (const SAMARA_LANE_STATE *)planes;
  SAMARA_LOCAL(transpose)(row->words, state->output + first, step);
}

#undef SAMARA_LANE_STATE
#undef SAMARA_LANE_GROUP
