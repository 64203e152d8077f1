/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_STREAM_PLE_FRAME_H
#define SAMARA_STREAM_PLE_FRAME_H

/* What all candidates of one search share (samara/ple_sync.h), and the pieces
 * that a search is made of. Nothing in a ple_frame is secret. */

#include "common/machine.h"
#include <samara/ple_sync.h>

enum {
  ple_memory = 6, /* bits that the encoder remembers: K - 1 */
  ple_states = 1 << ple_memory,
  ple_steps_max = samara_ple_sync_bits_max / 2,
  ple_checks_max = ple_steps_max + ple_memory,
  /* A weight has 6 bits, and so a score of ple_checks_max of them fewer than
   * 16. */
  ple_score_bits = 16,
  /* From one look at the distance of a candidate to the next. */
  ple_steps_between_looks = 16,
  ple_looks_max = ple_steps_max / ple_steps_between_looks
};

typedef struct ple_frame {
  int8_t soft[samara_ple_sync_bits_max]; /* in the order of the code */
  uint16_t steps;  /* of the encoder: two soft values each */
  uint16_t checks; /* steps, and the tail where the frame is there to its end */
  bool whole;      /* it is */
  int32_t evidence;     /* sum of ln(2 / (1 + exp(-|L|))) - n ln 2, in 1/256 */
  uint32_t score_limit; /* no candidate with this score or more is looked at */
  /* The distance, in 1/256, beyond which a candidate is given up at each look:
   * the evidence of the steps so far, and some more. */
  int32_t patience[ple_looks_max];
  uint8_t weight[ple_checks_max];
  uint8_t fails[ple_checks_max]; /* 0xff where the check fails undecrypted */
} ple_frame;

/* Of `soft_count` soft values in the order of the air; of more than
 * samara_ple_sync_bits_max, those of so many bits at the code's beginning. */
void samara_ple_frame_init(ple_frame *frame, const int8_t *soft,
                           size_t soft_count);

/* The second stage: the evidence, less the distance to the nearest word of the
 * code under this keystream and the threshold, in 1/256. A negative answer may
 * come before the end, and stands for that of a candidate that was given up. */
int32_t samara_ple_frame_margin(const ple_frame *frame,
                                const uint8_t *keystream, int32_t threshold);

/* The first stage: scores for as many counters as a scorer has lanes, from
 * `first`, a multiple of that number. Bit i % 64 of word i / 64 of plane p (at
 * scores[p * lanes / 64]) is bit p of the score of counter first + i. */
typedef void ple_scorer(uint64_t *scores, const ple_frame *frame,
                        const samara_ple_link *link, uint64_t first);

enum { ple_lanes_max = 512 };

/* The scorers that this processor can run, the widest first; NULL after the
 * last. */
ple_scorer *samara_ple_scorer(unsigned index, unsigned *lanes);

void samara_ple_score_64(uint64_t *scores, const ple_frame *frame,
                         const samara_ple_link *link, uint64_t first);
#if SAMARA_ARCH_X86_64
void samara_ple_score_256_x86_64(uint64_t *scores, const ple_frame *frame,
                                 const samara_ple_link *link, uint64_t first);
void samara_ple_score_512_x86_64(uint64_t *scores, const ple_frame *frame,
                                 const samara_ple_link *link, uint64_t first);
#endif

#endif
