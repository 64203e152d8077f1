/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/ple_sync.h>

#include "common/secret.h"
#include "common/stack.h"
#include "common/wiped.h"
#include "stream/ple_frame.h"
#include <samara/grain128ple.h>

enum {
  ple_soft_min = 2 * (8 + ple_memory), /* one byte of information */
  ple_misses_allowed = 3,
  /* Candidates that go on to the second stage, at most. */
  ple_shortlist_size = 48,
  ple_cold_span_log2 = 18,
  ple_cold_span_log2_max = 48,
  ple_cold_credit_a_frame = 4096
};

/* What a search takes at most, with 512 candidates at a time on a host. */
enum { ple_sync_stack = SAMARA_STACK_BYTES(8192, 8192, 8192, 49152) };

/* No enumerators: an int may have 16 bits. */
#define PLE_COLD_WINDOW ((uint32_t)1 << 16)
#define PLE_COLD_CREDIT_MAX ((uint32_t)1 << 18)

/* The best candidates so far, in no order. */
typedef struct ple_shortlist {
  uint64_t counter[ple_shortlist_size];
  uint32_t score[ple_shortlist_size];
  unsigned size;
  uint32_t limit; /* what a candidate's score must be below */
} ple_shortlist;

/* Where the worst is. */
static unsigned ple_shortlist_worst(const ple_shortlist *list) {
  unsigned worst = 0;
  for (unsigned i = 1; i < list->size; i++) {
    worst = list->score[i] > list->score[worst] ? i : worst;
  }
  return worst;
}

static void ple_shortlist_add(ple_shortlist *list, uint64_t counter,
                              uint32_t score) {
  if (score >= list->limit) {
    return;
  }
  const bool full = list->size == ple_shortlist_size;
  const unsigned place = full ? ple_shortlist_worst(list) : list->size++;
  list->counter[place] = counter;
  list->score[place] = score;
  if (list->size == ple_shortlist_size) {
    list->limit = list->score[ple_shortlist_worst(list)];
  }
}

static uint64_t ple_shortlist_take_best(ple_shortlist *list) {
  unsigned best = 0;
  for (unsigned i = 1; i < list->size; i++) {
    best = list->score[i] < list->score[best] ? i : best;
  }
  const uint64_t counter = list->counter[best];
  list->size--;
  list->counter[best] = list->counter[list->size];
  list->score[best] = list->score[list->size];
  return counter;
}

/* The lanes of one word whose scores are below `limit`, which has at most
 * ple_score_bits bits; `stride` words from plane to plane. */
static uint64_t ple_lanes_below(const uint64_t *planes, unsigned stride,
                                uint32_t limit) {
  uint64_t below = 0;
  uint64_t equal = ~(uint64_t)0;
  for (unsigned plane = ple_score_bits; plane-- > 0;) {
    const uint64_t bits = planes[plane * stride];
    const uint64_t limit_bit = (uint64_t)0 - (limit >> plane & 1);
    below |= equal & limit_bit & ~bits;
    equal &= ~(limit_bit ^ bits);
  }
  return below;
}

static uint32_t ple_lane_score(const uint64_t *planes, unsigned stride,
                               unsigned lane) {
  uint32_t score = 0;
  for (unsigned plane = 0; plane < ple_score_bits; plane++) {
    score |= (uint32_t)(planes[plane * stride] >> lane & 1) << plane;
  }
  return score;
}

/* Lists the good ones of 64 candidates from `base` on that are among the
 * `count` from `first` on. */
static void ple_list_word(ple_shortlist *list, const uint64_t *planes,
                          unsigned stride, uint64_t base, uint64_t first,
                          uint32_t count) {
  uint64_t lanes = ple_lanes_below(planes, stride, list->limit);
  for (unsigned lane = 0; lanes != 0; lane++, lanes >>= 1) {
    const uint64_t counter = base + lane;
    if ((lanes & 1) != 0 && counter - first < count) {
      ple_shortlist_add(list, counter, ple_lane_score(planes, stride, lane));
    }
  }
}

static void ple_list_window(ple_shortlist *list, const ple_frame *frame,
                            const samara_ple_link *link, uint64_t first,
                            uint32_t count) {
  uint64_t scores[ple_score_bits * ple_lanes_max / 64];
  unsigned lanes;
  ple_scorer *const score = samara_ple_scorer(0, &lanes);
  uint64_t counter = first;
  while (counter - first < count) {
    const uint64_t base = counter - counter % lanes;
    score(scores, frame, link, base);
    samara_declassify(scores, sizeof scores);
    for (unsigned i = 0; i < lanes / 64; i++) {
      ple_list_word(list, scores + i, lanes / 64, base + 64 * (uint64_t)i,
                    first, count);
    }
    counter = base + lanes;
  }
}

static int32_t ple_margin(const ple_frame *frame, const samara_ple_link *link,
                          uint64_t counter, int32_t threshold) {
  uint8_t nonce[samara_ple_sync_nonce_size];
  uint8_t keystream[samara_ple_sync_bits_max / 8];
  SAMARA_WIPED(keystream);
  samara_grain128ple state;
  SAMARA_WIPED(state);
  samara_ple_nonce(nonce, samara_ple_domain_keystream, link->direction,
                   link->link_id, counter);
  samara_grain128ple_init(&state, link->key, nonce);
  samara_grain128ple_keystream(&state, keystream, 2 * (size_t)frame->steps);
  return samara_ple_frame_margin(frame, keystream, threshold);
}

/* 256 ln(tested / 1e-9), or up to 256 ln 2 more. */
static int32_t ple_threshold(uint64_t tested) {
  int32_t threshold = 5306; /* 256 ln 1e9 = 5305.2 */
  for (; tested > 1; tested = tested / 2 + (tested & 1)) {
    threshold += 178; /* 256 ln 2 = 177.4 */
  }
  return threshold;
}

/* One window of a search, with the threshold for `budget` candidates. */
SAMARA_NOT_INLINED static bool ple_scan(samara_ple_sync_found *found,
                                        const samara_ple_link *link,
                                        uint64_t first, uint32_t count,
                                        uint64_t budget, const int8_t *soft,
                                        size_t soft_count) {
  if (soft_count < ple_soft_min || soft_count % 2 != 0) {
    return false;
  }
  ple_frame frame;
  samara_ple_frame_init(&frame, soft, soft_count);
  const int32_t threshold = ple_threshold(budget);
  /* Not even a word of the code itself would be enough. */
  if (frame.evidence < threshold) {
    return false;
  }
  ple_shortlist list = {.size = 0, .limit = frame.score_limit};
  ple_list_window(&list, &frame, link, first, count);
  while (list.size != 0) {
    found->counter = ple_shortlist_take_best(&list);
    found->margin = ple_margin(&frame, link, found->counter, threshold);
    if (found->margin >= 0) {
      return true;
    }
  }
  return false;
}

bool samara_ple_sync_scan(samara_ple_sync_found *found,
                          const samara_ple_link *link, uint64_t first,
                          uint32_t count, uint32_t tested, const int8_t *soft,
                          size_t soft_count) {
  const uint64_t budget = (uint64_t)tested + count;
  found->tested = budget < UINT32_MAX ? (uint32_t)budget : UINT32_MAX;
  const bool is_found =
      ple_scan(found, link, first, count, budget, soft, soft_count);
  samara_wipe_stack(ple_sync_stack);
  return is_found;
}

void samara_ple_sync_init(samara_ple_sync *sync, uint64_t next) {
  sync->next = next;
  sync->cold_credit = PLE_COLD_CREDIT_MAX;
  sync->cold_offset = 0;
  sync->cold_span = (uint64_t)1 << ple_cold_span_log2;
  sync->stage = samara_ple_sync_wide;
  sync->misses = 0;
  sync->hits = 0;
}

/* How many counters the next search in COLD tries beyond WIDE's window. */
static uint32_t ple_cold_stretch(const samara_ple_sync *sync) {
  return sync->cold_credit < PLE_COLD_WINDOW ? sync->cold_credit
                                             : PLE_COLD_WINDOW;
}

uint32_t samara_ple_sync_window(const samara_ple_sync *sync, unsigned index,
                                uint64_t *first) {
  const bool is_locked = sync->stage == samara_ple_sync_locked;
  uint64_t offset = 0;
  uint32_t count = 0;
  if (index == 0) {
    count =
        is_locked ? samara_ple_sync_locked_window : samara_ple_sync_wide_window;
  } else if (index == 1 && is_locked) {
    offset = samara_ple_sync_locked_window;
    count = samara_ple_sync_wide_window - samara_ple_sync_locked_window;
  } else if (index == 1 && sync->stage == samara_ple_sync_cold) {
    offset = samara_ple_sync_wide_window + sync->cold_offset;
    count = ple_cold_stretch(sync);
  }
  /* 2^64 - 1 is not a counter. */
  const uint64_t room = UINT64_MAX - sync->next;
  *first = sync->next + (offset < room ? offset : room);
  const uint64_t left = UINT64_MAX - *first;
  return left < count ? (uint32_t)left : count;
}

static bool ple_search(const samara_ple_sync *sync,
                       samara_ple_sync_found *found,
                       const samara_ple_link *link, const int8_t *soft,
                       size_t soft_count) {
  uint64_t first[2];
  const uint32_t near = samara_ple_sync_window(sync, 0, &first[0]);
  const uint32_t far = samara_ple_sync_window(sync, 1, &first[1]);
  /* Two windows have half of the probability each. */
  const unsigned windows = far != 0 ? 2 : 1;
  found->tested = near;
  if (ple_scan(found, link, first[0], near, (uint64_t)windows * near, soft,
               soft_count)) {
    return true;
  }
  found->tested = near + far;
  return far != 0 && ple_scan(found, link, first[1], far, (uint64_t)2 * far,
                              soft, soft_count);
}

bool samara_ple_sync_search(const samara_ple_sync *sync,
                            samara_ple_sync_found *found,
                            const samara_ple_link *link, const int8_t *soft,
                            size_t soft_count) {
  const bool is_found = ple_search(sync, found, link, soft, soft_count);
  samara_wipe_stack(ple_sync_stack);
  return is_found;
}

/* What one frame costs and brings, whatever comes of it. */
static uint32_t ple_cold_credit_after(const samara_ple_sync *sync) {
  const bool is_cold = sync->stage == samara_ple_sync_cold;
  const uint32_t credit =
      sync->cold_credit - (is_cold ? ple_cold_stretch(sync) : 0);
  const uint32_t room = PLE_COLD_CREDIT_MAX - credit;
  return credit +
         (room < ple_cold_credit_a_frame ? room : ple_cold_credit_a_frame);
}

samara_result samara_ple_sync_accept(samara_ple_sync *sync, uint64_t counter) {
  if (counter < sync->next || counter == UINT64_MAX) {
    return SAMARA_ERROR_STATE;
  }
  const uint8_t hits = sync->hits == 0 ? 1 : 2;
  const samara_ple_sync_stage stage = sync->stage;
  const uint32_t credit = ple_cold_credit_after(sync);
  samara_ple_sync_init(sync, counter + 1);
  sync->hits = hits;
  sync->cold_credit = credit;
  if (hits == 2 || stage == samara_ple_sync_locked) {
    sync->stage = samara_ple_sync_locked;
  }
  return SAMARA_OK;
}

/* The next stretch of the next frame's COLD window. */
static void ple_cold_advance(samara_ple_sync *sync) {
  sync->cold_offset += ple_cold_stretch(sync);
  if (sync->cold_offset < sync->cold_span) {
    return;
  }
  sync->cold_offset = 0;
  if (sync->cold_span >> ple_cold_span_log2_max == 0) {
    sync->cold_span *= 4;
  }
}

void samara_ple_sync_miss(samara_ple_sync *sync) {
  const uint32_t credit = ple_cold_credit_after(sync);
  sync->hits = 0;
  if (sync->stage == samara_ple_sync_cold) {
    ple_cold_advance(sync);
    sync->cold_credit = credit;
    return;
  }
  sync->cold_credit = credit;
  sync->misses++;
  if (sync->misses == ple_misses_allowed) {
    sync->misses = 0;
    sync->stage = sync->stage == samara_ple_sync_locked ? samara_ple_sync_wide
                                                        : samara_ple_sync_cold;
  }
}
