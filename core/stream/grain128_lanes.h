/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_STREAM_GRAIN128_LANES_H
#define SAMARA_STREAM_GRAIN128_LANES_H

/* Many generators of Grain-128AEADv2 at a time, bit-sliced, for batch calls of
 * machines with words of 64 bits: 64 lanes in plain words, 128 to 512 in wide
 * registers. Each lane is the generator of one message, with a key and a nonce
 * of its own.
 *
 * All lanes are clocked together, 512 clocks a round. Lanes may be started
 * between two rounds, while the others go on:
 *
 *   samara_grain128_lanes_put(lanes, lane, key, nonce);   for each new lane
 *   samara_grain128_lanes_load(lanes);
 *   samara_grain128_lanes_clock(lanes, block);            for block = 0 to 3
 *
 * That round is their start-up: 384 clocks with feedback and 128 that fill the
 * authenticator; the message's own bits come with the next round. The functions
 * leave the stack and the vector registers as they are: who calls them wipes
 * the stack (common/stack.h) and calls samara_grain128_lanes_clear. */

#include "common/machine.h"
#include "common/stack.h"
#include <samara/grain128.h>
#include <stdbool.h>

#if SAMARA_WORD_BITS == 64

enum {
  grain128_block_clocks = 128,
  grain128_round_blocks = 4,
  /* Bytes of a message in a round, and lanes that are encrypted together. */
  grain128_round_bytes = 32,
  grain128_pieces = 8,
#if SAMARA_ARCH_X86_64
  grain128_lanes_max = 512,
#elif SAMARA_ARCH_AARCH64
  grain128_lanes_max = 128,
#else
  grain128_lanes_max = 64,
#endif
  /* Words of 64 bits that a plane, one bit of all lanes, has at most. */
  grain128_plane_words_max = grain128_lanes_max / 64
};

/* A word of 64 bits for each lane. */
typedef struct grain128_row {
  uint64_t words[grain128_lanes_max];
  uint64_t unused[8]; /* so that rows do not share the sets of a cache */
} grain128_row;

/* A round of all lanes, a row for 64 bits of each. */
typedef struct grain128_rows {
  grain128_row encrypting[grain128_round_blocks];
  /* The authenticator's bits, the first those of the round before. */
  grain128_row authenticating[grain128_round_blocks + 1];
  grain128_row sums;
} grain128_rows;

/* Planes, in the order of grain128_lanes_template.h: both registers, the key,
 * the output and which lanes start. */
typedef struct grain128_planes {
  uint64_t words[(2 * 224 + 128 + grain128_block_clocks + 1) *
                 grain128_plane_words_max];
} __attribute__((aligned(64))) grain128_planes;

/* What a lane encrypts in a round: `size` bytes, of which the first is byte
 * `before` of the round. */
typedef struct grain128_piece {
  const uint8_t *input;
  uint8_t *output;
  /* What else is authenticated: a whole round, zeros where the message is. */
  const uint8_t *other;
  unsigned size;
  unsigned before;
} grain128_piece;

/* What there is for one width. */
typedef struct grain128_width {
  unsigned lanes;
  /* Fewer messages than this are done faster one after the other. */
  unsigned few;
  unsigned lfsr; /* the plane where the LFSR begins; the NFSR begins with 0 */
  /* Starts the lanes whose last word is not 0: key and LFSR's first contents,
   * two words each. */
  void (*load)(grain128_planes *planes, const grain128_row fresh[4]);
  /* A block; step 0, 1, 2: the lanes last loaded feed their output back, in the
   * end of step 2 with their key. Step 3: none does. */
  void (*clock)(grain128_planes *planes, unsigned step);
  /* 64 output bits of each lane: bit i is that of clock first + i * step. */
  void (*words)(grain128_row *row, const grain128_planes *planes, int first,
                int step);
  /* Encrypts the pieces of lanes `first` and on, or decrypts them. `whole` says
   * that all of them are whole rounds: then only the input and the output of a
   * piece are defined. With bits[0] to bits[3] what is authenticated of a
   * lane, the plaintext and what is beside it, it adds to the lane's sum, for
   * i = 0 to 3, the upper half of
   * bits[i] * authenticating[i + 1] and the lower half of
   * bits[i] * authenticating[i], products of polynomials over GF(2). */
  void (*crypt)(grain128_rows *rows, unsigned first,
                const grain128_piece pieces[grain128_pieces], bool whole,
                bool opening);
} grain128_width;

/* The widths that this processor can run, the widest first; NULL after the
 * last. */
const grain128_width *samara_grain128_width(unsigned index);

/* The widest that so many messages are worth; NULL for none. */
const grain128_width *samara_grain128_width_for(size_t count);

extern const grain128_width samara_grain128_width_64;

/* What is authenticated of some lanes, by blocks. */
typedef struct grain128_bits {
  uint64_t words[grain128_round_blocks][grain128_pieces];
} grain128_bits;

/* The part of grain128_width.crypt before the sums, on any machine. */
void samara_grain128_lanes_crypt(grain128_bits *bits, const grain128_rows *rows,
                                 unsigned first,
                                 const grain128_piece pieces[grain128_pieces],
                                 bool whole, bool opening);

#if SAMARA_ARCH_X86_64
extern const grain128_width samara_grain128_width_256_x86_64;
extern const grain128_width samara_grain128_width_512_x86_64;
void samara_grain128_clear_512_x86_64(void);
#elif SAMARA_ARCH_AARCH64
extern const grain128_width samara_grain128_width_128_aarch64;
#endif

/* Secret: to be wiped. */
typedef struct grain128_lanes {
  grain128_planes planes;
  grain128_row fresh[4]; /* of lanes to be started */
  const grain128_width *width;
  bool starts; /* with the next round some do */
} grain128_lanes;

/* Clears the vector registers that samara_leave does not know; the C library's
 * memcpy uses them, too. */
void samara_grain128_lanes_clear(void);

void samara_grain128_lanes_init(grain128_lanes *lanes,
                                const grain128_width *width);
void samara_grain128_lanes_put(grain128_lanes *lanes, unsigned lane,
                               const uint8_t key[samara_grain128_key_size],
                               const uint8_t nonce[samara_grain128_nonce_size]);

/* Before a round: begins the start-up of the lanes put. */
void samara_grain128_lanes_load(grain128_lanes *lanes);

/* Block 0 to 3 of a round. */
void samara_grain128_lanes_clock(grain128_lanes *lanes, unsigned block);

/* The registers of one lane. */
void samara_grain128_lanes_get(samara_grain128 *generator,
                               const grain128_lanes *lanes, unsigned lane);

#endif

#endif
