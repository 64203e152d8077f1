/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_PLE_SYNC_H
#define SAMARA_PLE_SYNC_H

/* Synchronisation of Grain-128PLE: finds the frame counter of a received frame,
 * without a single bit on the air for it.
 *
 * Everything after the preamble is encrypted under a nonce that contains the
 * frame counter, and the counter is not sent. The receiver tries the keystreams
 * of a window of counters and takes the one with which the soft values are
 * nearest to a word of the channel code.
 *
 * The code is gr-fec's convolutional code of rate 1/2, K = 7 (polynomials 109
 * and 79), begun in state 0 and ended there by six zeros; its bits are sent in
 * the order of samara/ple_interleave.h. Soft values are log-likelihood ratios
 * in eighths (8 is 1.0; clip at -127 and 127), positive for bit 0, in the order
 * in which the bits were sent. A wrong scale reduces the sensitivity, but not
 * the security.
 *
 * A search has two stages.
 * - The syndrome. A parity check is linear in the keystream, and its
 *   reliability does not depend on the candidate. The score of a candidate is
 *   the weighted number of checks that fail; the best few go on.
 * - The code. For those, the distance D to the nearest word of the code: the
 *   sum of |L| over the soft values L that disagree with it. A candidate is
 *   found when
 *
 *     sum of ln(2 / (1 + exp(-|L|)))  -  D  >=  n ln 2 + ln(tested / 1e-9)
 *
 *   for n information bits and `tested` candidates. Under a keystream that has
 *   nothing to do with the soft values, each of the 2^n words has a likelihood
 *   ratio of mean 1, and their average has too: by Markov's inequality this
 *   holds for any of the `tested` wrong ones with a probability below 1e-9 a
 *   frame, whatever the soft values are: noise, another's frame, or chosen by
 *   somebody without the key.
 *
 *   A candidate is given up on the way when the distance so far is more than
 *   16 natural logarithms above the evidence so far, so that most take few
 *   steps. That refuses more, and finds nothing that the end would not.
 *
 * The counter that is found is only a candidate: the tag of the frame decides.
 * The caller checks the tag and then calls samara_ple_sync_accept or
 * samara_ple_sync_miss. A search by itself changes nothing. Only counters above
 * the last accepted one are tried, so a replayed frame is never found.
 *
 *   LOCKED  the next 8 counters and, when none of them fits, the rest of the
 *           next 4096. Three misses: WIDE
 *   WIDE    the next 4096 at once. Three misses: COLD
 *   COLD    the next 4096, and up to 65536 more in each frame, moving on from
 *           frame to frame; at the end of a span (2^18 at first, then four
 *           times as many) from the beginning. Losses of any length are found,
 *           given frames
 *
 * Two accepted frames in a row lead to LOCKED, from any stage. Where a search
 * has two windows, each has half of the 1e-9. Anybody can send noise, frames of
 * another link or replayed frames. They lead to COLD, which takes more time,
 * but never to a wrong counter.
 *
 * The time for such frames is bounded: COLD takes the counters that it tries
 * beyond the next 4096 from a credit of 2^18 counters, to which each frame adds
 * 4096. n frames in a row try at most 8192 n + 2^18 counters. Neither end reads
 * a clock.
 *
 * The caller stores `next` over a restart: a receiver without it accepts old
 * frames again.
 *
 * Time: branches and addresses depend on the soft values and on the scores,
 * which tell what a search decides; not on the key or the keystream otherwise.
 * Memory: a search takes up to 60 KiB of stack on a host (bit-sliced, 64 to
 * 512 candidates at a time), about 8 KiB elsewhere. */

#include <samara/result.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  samara_ple_sync_key_size = 16,
  samara_ple_sync_nonce_size = 12,
  samara_ple_sync_locked_window = 8,
  samara_ple_sync_wide_window = 4096,
  /* Coded bits that a search looks at; a longer frame has enough in these.
   * They come from all over the frame. */
  samara_ple_sync_bits_max = 1024
};

/* What a nonce is for: the keystream of a frame, or its tag. With two domains
 * both can use the same frame counter. */
typedef enum samara_ple_domain {
  samara_ple_domain_keystream = 1,
  samara_ple_domain_tag = 2
} samara_ple_domain;

/* One direction of a link, under one key. */
typedef struct samara_ple_link {
  uint8_t key[samara_ple_sync_key_size];
  uint8_t direction;
  uint16_t link_id;
} samara_ple_link;

/* domain (1 byte), direction (1), link id (2), counter (8), most significant
 * byte first. */
void samara_ple_nonce(uint8_t nonce[samara_ple_sync_nonce_size],
                      samara_ple_domain domain, uint8_t direction,
                      uint16_t link_id, uint64_t counter);

typedef enum samara_ple_sync_stage {
  samara_ple_sync_locked,
  samara_ple_sync_wide,
  samara_ple_sync_cold
} samara_ple_sync_stage;

typedef struct samara_ple_sync {
  uint64_t next; /* the lowest counter that can be accepted */
  uint64_t cold_offset;
  uint64_t cold_span;
  uint32_t cold_credit; /* counters that COLD may still try */
  samara_ple_sync_stage stage;
  uint8_t misses; /* in a row, in this stage */
  uint8_t hits;   /* in a row, at most 2 */
} samara_ple_sync;

typedef struct samara_ple_sync_found {
  uint64_t counter;
  uint32_t tested; /* candidates of this search */
  int32_t margin;  /* above the threshold, in 1/256 of a natural logarithm */
} samara_ple_sync_found;

/* Starts in WIDE. `next` is the stored value: the last accepted counter plus
 * one, or 0 for a new key. */
void samara_ple_sync_init(samara_ple_sync *sync, uint64_t next);

/* Looks for the frame counter of one frame in the windows of this stage.
 * Returns whether one was found; `found` then has it, and `found->tested` is
 * written always. `soft_count` is the number of coded bits: even, at least 28.
 */
SAMARA_MUST_CHECK bool samara_ple_sync_search(const samara_ple_sync *sync,
                                              samara_ple_sync_found *found,
                                              const samara_ple_link *link,
                                              const int8_t *soft,
                                              size_t soft_count);

/* The same for the `count` counters from `first` on, without a state; `tested`
 * adds candidates that the caller has tried elsewhere in this frame. */
SAMARA_MUST_CHECK bool samara_ple_sync_scan(samara_ple_sync_found *found,
                                            const samara_ple_link *link,
                                            uint64_t first, uint32_t count,
                                            uint32_t tested, const int8_t *soft,
                                            size_t soft_count);

/* The window numbered `index` (from 0) that a search would try, for callers
 * with another code, who try the tag; 0 when there is none. */
uint32_t samara_ple_sync_window(const samara_ple_sync *sync, unsigned index,
                                uint64_t *first);

/* The tag was right under `counter`. SAMARA_ERROR_STATE, and nothing changed,
 * when it is below `next` or 2^64 - 1, which stays unused. */
SAMARA_MUST_CHECK samara_result samara_ple_sync_accept(samara_ple_sync *sync,
                                                       uint64_t counter);

/* No counter was found, or the tag was wrong. */
void samara_ple_sync_miss(samara_ple_sync *sync);

#ifdef __cplusplus
}
#endif

#endif
