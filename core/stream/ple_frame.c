/* SPDX-License-Identifier: Apache-2.0 */
#include "stream/ple_frame.h"

#include "common/secret.h"
#include <samara/ple_interleave.h>

/* round(-16 log2 tanh(|L| / 2)) for |L| in eighths, |L| = 1/32 standing for 0:
 * how much one soft value takes from what a check can be relied on. */
static const uint8_t ple_doubt[128] SAMARA_FLASH = {
    96, 64, 48, 39, 32, 28, 24, 20, 18, 16, 14, 12, 10, 9, 8, 7, 6, 6, 5,
    4,  4,  3,  3,  3,  2,  2,  2,  2,  1,  1,  1,  1,  1, 1, 1, 1, 1, 0,
    0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0, 0, 0, 0, 0, 0,
    0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0, 0, 0, 0, 0, 0,
    0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0, 0, 0, 0, 0, 0,
    0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0, 0, 0, 0, 0, 0,
    0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0};

/* round(63 * 2^(-i / 16)): the weight of a check whose doubts add up to i. */
static const uint8_t ple_weight[112] SAMARA_FLASH = {
    63, 60, 58, 55, 53, 51, 49, 47, 45, 43, 41, 39, 37, 36, 34, 33, 32, 30, 29,
    28, 26, 25, 24, 23, 22, 21, 20, 20, 19, 18, 17, 16, 16, 15, 14, 14, 13, 13,
    12, 12, 11, 11, 10, 10, 9,  9,  9,  8,  8,  8,  7,  7,  7,  6,  6,  6,  6,
    5,  5,  5,  5,  4,  4,  4,  4,  4,  4,  3,  3,  3,  3,  3,  3,  3,  3,  2,
    2,  2,  2,  2,  2,  2,  2,  2,  2,  2,  2,  1,  1,  1,  1,  1,  1,  1,  1,
    1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1};

/* floor(256 ln(2 / (1 + exp(-|L|)))) for |L| in eighths. */
static const uint8_t ple_information[128] SAMARA_FLASH = {
    0,   15,  30,  43,  56,  67,  78,  88,  97,  105, 112, 119, 125, 131, 136,
    140, 144, 148, 151, 154, 157, 159, 161, 163, 165, 166, 167, 168, 169, 170,
    171, 172, 172, 173, 173, 174, 174, 174, 175, 175, 175, 175, 176, 176, 176,
    176, 176, 176, 176, 176, 176, 177, 177, 177, 177, 177, 177, 177, 177, 177,
    177, 177, 177, 177, 177, 177, 177, 177, 177, 177, 177, 177, 177, 177, 177,
    177, 177, 177, 177, 177, 177, 177, 177, 177, 177, 177, 177, 177, 177, 177,
    177, 177, 177, 177, 177, 177, 177, 177, 177, 177, 177, 177, 177, 177, 177,
    177, 177, 177, 177, 177, 177, 177, 177, 177, 177, 177, 177, 177, 177, 177,
    177, 177, 177, 177, 177, 177, 177, 177};

/* The taps of the generators: bit i of a polynomial is the bit i steps ago. */
enum { ple_generator1 = 109, ple_generator2 = 79 };

/* 0 or -1: the bit that a soft value stands for. */
SAMARA_INLINE int16_t ple_is_one(int8_t soft) {
  return (int16_t)-(int)((uint8_t)soft >> 7);
}

/* Of a soft value of a frame: -127 to 127. Without a branch, which would go
 * either way. */
SAMARA_INLINE int16_t ple_magnitude(int8_t soft) {
  const int16_t is_one = ple_is_one(soft);
  return (int16_t)((soft ^ is_one) - is_one);
}

/* What the soft values of one pair add to the checks they are part of. */
static void ple_frame_add_pair(const int8_t *pair, uint16_t *doubts,
                               uint8_t *fails) {
  /* The check of c1 is the other's generator, and the other way round. */
  static const uint8_t taps[2] = {ple_generator2, ple_generator1};
  for (unsigned i = 0; i < 2; i++) {
    const uint8_t doubt = SAMARA_READ_FLASH(ple_doubt, ple_magnitude(pair[i]));
    for (unsigned delay = 0; delay <= ple_memory; delay++) {
      if ((taps[i] >> delay & 1) != 0) {
        doubts[delay] = (uint16_t)(doubts[delay] + doubt);
        fails[delay] = (uint8_t)(fails[delay] ^ (pair[i] < 0 ? 0xff : 0));
      }
    }
  }
}

/* The largest number whose square is not above `square`. */
static uint32_t ple_square_root(uint32_t square) {
  uint32_t root = 0;
  for (uint32_t bit = (uint32_t)1 << 15; bit != 0; bit >>= 1) {
    const uint32_t larger = root | bit;
    if (larger * larger <= square) {
      root = larger;
    }
  }
  return root;
}

/* 256 ln 2, rounded up a little: it is less than 45427 / 256 in 1/256. */
static int32_t ple_of_bits(int32_t bits) { return bits * 45427 / 256 + 1; }

/* The sum of the soft values' information, less n ln 2, and the same of the
 * steps up to each look.
 *
 * A wrong candidate's evidence less its distance falls from step to step, the
 * right one's rises, where frames can be found at all. Eb/N0 of 1 dB: 0.14 a
 * step on average, with a variance of 0.5, so it is ever 16 below 0 with a
 * probability of about exp(-2 * 0.14 * 16 / 0.5) = 1e-4. */
static void ple_frame_evidence(ple_frame *frame) {
  enum { patience = 16 * 256 };
  int32_t information = 0;
  for (unsigned i = 0; i < frame->steps; i++) {
    const int8_t *pair = frame->soft + 2 * (size_t)i;
    information += SAMARA_READ_FLASH(ple_information, ple_magnitude(pair[0]));
    information += SAMARA_READ_FLASH(ple_information, ple_magnitude(pair[1]));
    if (i % ple_steps_between_looks == 0) {
      frame->patience[i / ple_steps_between_looks] =
          information - ple_of_bits((int32_t)i + 1) + patience;
    }
  }
  const int32_t bits = (int32_t)frame->steps - (frame->whole ? ple_memory : 0);
  frame->evidence = information - ple_of_bits(bits);
}

/* A wrong candidate's score has mean S / 2 and deviation sqrt(Q) / 2, for S the
 * sum of the weights and Q that of their squares. Those 2.25 deviations
 * below the mean, 1 in 80, may be looked at. */
static uint32_t ple_score_limit(const ple_frame *frame) {
  uint32_t sum = 0;
  uint32_t squares = 0;
  for (unsigned i = 0; i < frame->checks; i++) {
    const uint32_t weight = frame->weight[i];
    sum += weight;
    squares += weight * weight;
  }
  const uint32_t below = ple_square_root(squares * 81 / 16);
  return sum > below ? (sum - below) / 2 : 0;
}

/* The soft values in the order of the code, with -127 for -128. */
static void ple_deinterleave(int8_t *ordered, size_t ordered_count,
                             const int8_t *soft, uint32_t soft_count) {
  const uint32_t stride = samara_ple_stride(soft_count);
  uint32_t place = 0;
  for (size_t i = 0; i < ordered_count; i++) {
    ordered[i] = (int8_t)(soft[place] < -127 ? -127 : soft[place]);
    place = samara_ple_next_place(place, stride, soft_count);
  }
}

void samara_ple_frame_init(ple_frame *frame, const int8_t *soft,
                           size_t soft_count) {
  uint16_t doubts[ple_checks_max] = {0};
  frame->whole = soft_count <= samara_ple_sync_bits_max;
  frame->steps = frame->whole ? (uint16_t)(soft_count / 2) : ple_steps_max;
  frame->checks = (uint16_t)(frame->steps + (frame->whole ? ple_memory : 0));
  ple_deinterleave(frame->soft, 2 * (size_t)frame->steps, soft,
                   (uint32_t)soft_count);
  for (unsigned i = 0; i < ple_checks_max; i++) {
    frame->fails[i] = 0;
  }
  for (unsigned i = 0; i < frame->steps; i++) {
    ple_frame_add_pair(frame->soft + 2 * (size_t)i, doubts + i,
                       frame->fails + i);
  }
  for (unsigned i = 0; i < frame->checks; i++) {
    frame->weight[i] = doubts[i] < sizeof ple_weight
                           ? SAMARA_READ_FLASH(ple_weight, doubts[i])
                           : 0;
  }
  ple_frame_evidence(frame);
  frame->score_limit = ple_score_limit(frame);
}

/* The second stage: Viterbi's recursion without the decisions, for the distance
 * alone, in eighths. State bit i is the information bit i + 1 steps ago. */

enum { ple_far = 4096 }; /* beyond any distance between two states */

typedef struct ple_trellis {
  int16_t distance[ple_states];
  /* 0 or -1: the first and the second coded bit of the step from state i, i <
   * 32, with information bit 0. Both generators have the newest bit and the
   * oldest, so the other three steps of a butterfly give these or both turned
   * around. */
  int16_t first[ple_states / 2];
  int16_t second[ple_states / 2];
  int32_t shifted; /* taken from all distances so far */
} ple_trellis;

static int16_t ple_parity_mask(unsigned bits) {
  bits ^= bits >> 4;
  bits ^= bits >> 2;
  bits ^= bits >> 1;
  return (int16_t)-(int)(bits & 1);
}

static void ple_trellis_init(ple_trellis *trellis) {
  for (unsigned i = 0; i < ple_states; i++) {
    trellis->distance[i] = i == 0 ? 0 : ple_far;
  }
  for (unsigned i = 0; i < ple_states / 2; i++) {
    trellis->first[i] = ple_parity_mask((i << 1) & ple_generator1);
    trellis->second[i] = ple_parity_mask((i << 1) & ple_generator2);
  }
  trellis->shifted = 0;
}

SAMARA_INLINE int16_t ple_smaller(int16_t a, int16_t b) {
  const int16_t difference = (int16_t)(a - b);
  return (int16_t)(b + (difference & (int16_t)(difference >> 15)));
}

/* One step: what it costs that the first coded bit is 0 or 1, and the second.
 * One of both costs nothing, so a step and the one turned around cost `both`
 * together. */
static void ple_trellis_step(ple_trellis *trellis, const int16_t first[2],
                             const int16_t second[2]) {
  int16_t next[ple_states];
  const int16_t first_change = (int16_t)(first[0] ^ first[1]);
  const int16_t second_change = (int16_t)(second[0] ^ second[1]);
  const int16_t both = (int16_t)(first_change + second_change);
  for (unsigned i = 0; i < ple_states / 2; i++) {
    const int16_t a = (int16_t)(first[0] ^ (first_change & trellis->first[i]));
    const int16_t b =
        (int16_t)(second[0] ^ (second_change & trellis->second[i]));
    const int16_t as_is = (int16_t)(a + b);
    const int16_t turned = (int16_t)(both - as_is);
    const int16_t low = trellis->distance[i];
    const int16_t high = trellis->distance[i + ple_states / 2];
    next[2 * i] = ple_smaller((int16_t)(low + as_is), (int16_t)(high + turned));
    next[2 * i + 1] =
        ple_smaller((int16_t)(low + turned), (int16_t)(high + as_is));
  }
  for (unsigned i = 0; i < ple_states; i++) {
    trellis->distance[i] = next[i];
  }
}

/* By halves, which vector registers take. The last few with a mask that is
 * hidden: of ple_smaller in a chain of minima clang makes branches. */
static int16_t ple_trellis_least(const ple_trellis *trellis) {
  enum { few = 8 };
  int16_t half[ple_states / 2];
  for (unsigned i = 0; i < ple_states / 2; i++) {
    half[i] = ple_smaller(trellis->distance[i],
                          trellis->distance[i + ple_states / 2]);
  }
  for (unsigned count = ple_states / 4; count >= few; count /= 2) {
    for (unsigned i = 0; i < count; i++) {
      half[i] = ple_smaller(half[i], half[i + count]);
    }
  }
  int16_t least = half[0];
  for (unsigned i = 1; i < few; i++) {
    const int16_t difference = (int16_t)(half[i] - least);
    const uint32_t is_less = samara_mask32((uint16_t)difference >> 15);
    least = (int16_t)(least + (difference & (int16_t)is_less));
  }
  return least;
}

/* Keeps the distances within 16 bits; returns what the least was in all, in
 * 1/256. */
static int32_t ple_trellis_shift(ple_trellis *trellis) {
  int16_t least = ple_trellis_least(trellis);
  for (unsigned i = 0; i < ple_states; i++) {
    trellis->distance[i] = (int16_t)(trellis->distance[i] - least);
  }
  samara_declassify(&least, sizeof least);
  trellis->shifted += least;
  return 32 * trellis->shifted;
}

/* costs[c]: of coded bit c under a soft value whose sign `bit` flips. */
SAMARA_INLINE void ple_costs(int16_t costs[2], int8_t soft, unsigned bit) {
  const int16_t magnitude = ple_magnitude(soft);
  const int16_t is_one = (int16_t)(ple_is_one(soft) ^ -(int)(bit & 1));
  costs[0] = (int16_t)(magnitude & is_one);
  costs[1] = (int16_t)(magnitude & ~is_one);
}

int32_t samara_ple_frame_margin(const ple_frame *frame,
                                const uint8_t *keystream, int32_t threshold) {
  ple_trellis trellis;
  const int32_t budget = frame->evidence - threshold;
  ple_trellis_init(&trellis);
  for (unsigned i = 0; i < frame->steps; i++) {
    const int8_t *pair = frame->soft + 2 * (size_t)i;
    const unsigned bits = (unsigned)keystream[i / 4] >> (2 * i % 8);
    int16_t first[2];
    int16_t second[2];
    ple_costs(first, pair[0], bits);
    ple_costs(second, pair[1], bits >> 1);
    ple_trellis_step(&trellis, first, second);
    if (i % ple_steps_between_looks == 0) {
      const int32_t distance = ple_trellis_shift(&trellis);
      const int32_t patience = frame->patience[i / ple_steps_between_looks];
      if (distance > patience || distance > budget) {
        return (patience < budget ? patience : budget) - distance;
      }
    }
  }
  int32_t last =
      frame->whole ? trellis.distance[0] : ple_trellis_least(&trellis);
  samara_declassify(&last, sizeof last);
  return budget - 32 * (trellis.shifted + last);
}
