/* SPDX-License-Identifier: Apache-2.0 */
#include "stream/grain128ple_batch.h"

#include "common/bytes.h"
#include "common/wiped.h"

#if SAMARA_WORD_BITS == 64

/* Many keystreams at a time, one in each lane: a round gives each 64 bytes. */

enum {
  ple_batch_words = 2 * grain128_round_blocks /* of a lane in a round */
};

typedef struct ple_batch_lane {
  uint8_t *output;  /* the next byte; NULL: nothing to do */
  size_t bit_count; /* still to come */
  bool runs;        /* the start-up is over */
} ple_batch_lane;

typedef struct ple_batch_work {
  grain128_lanes lanes;
  ple_batch_lane lane[grain128_lanes_max];
  grain128_row keystream[ple_batch_words];
  unsigned busy;    /* lanes with something to do */
  unsigned running; /* of them, those whose start-up is over */
  const samara_batch_keystream *next;
  const samara_batch_keystream *end;
} ple_batch_work;

/* What lies below and beside it. */
enum { ple_batch_stack = sizeof(ple_batch_work) + 2048 };

/* Streams into all lanes that have none. */
static void ple_batch_fill(ple_batch_work *work) {
  for (unsigned i = 0; i < work->lanes.width->lanes; i++) {
    ple_batch_lane *lane = &work->lane[i];
    if (lane->bit_count != 0) {
      continue;
    }
    while (work->next != work->end && work->next->bit_count == 0) {
      work->next++;
    }
    if (work->next == work->end) {
      return;
    }
    const samara_batch_keystream *stream = work->next++;
    lane->output = stream->keystream;
    lane->bit_count = stream->bit_count;
    lane->runs = false;
    samara_grain128_lanes_put(&work->lanes, i, stream->key, stream->nonce);
    work->busy++;
  }
}

/* The last words of a keystream; unused bits of its last byte are zero. */
static void ple_batch_write_last(ple_batch_work *work, ple_batch_lane *lane,
                                 unsigned index) {
  for (unsigned j = 0; lane->bit_count != 0; j++) {
    uint64_t word = work->keystream[j].words[index];
    if (lane->bit_count >= 64) {
      samara_store64_le(lane->output, word);
      lane->output += 8;
      lane->bit_count -= 64;
      continue;
    }
    const size_t bits = lane->bit_count;
    word &= ((uint64_t)1 << bits) - 1;
    for (size_t i = 0; 8 * i < bits; i++) {
      *lane->output++ = (uint8_t)(word >> (8 * i));
    }
    lane->bit_count = 0;
  }
  work->busy--;
  work->running--;
}

static void ple_batch_write(ple_batch_work *work) {
  for (unsigned i = 0; i < work->lanes.width->lanes; i++) {
    ple_batch_lane *lane = &work->lane[i];
    if (lane->bit_count == 0 || !lane->runs) {
      continue;
    }
    if (lane->bit_count <= 64 * ple_batch_words) {
      ple_batch_write_last(work, lane, i);
      continue;
    }
    uint8_t *output = lane->output;
    for (unsigned j = 0; j < ple_batch_words; j++) {
      samara_store64_le(output + 8 * j, work->keystream[j].words[i]);
    }
    lane->output = output + 8 * ple_batch_words;
    /* Each lane writes in a page of its own: asked for a round ahead. */
    __builtin_prefetch(lane->output + 8 * ple_batch_words - 1, 1);
    lane->bit_count -= 64 * ple_batch_words;
  }
}

static void ple_batch_run_started(ple_batch_work *work) {
  for (unsigned i = 0; i < work->lanes.width->lanes; i++) {
    ple_batch_lane *lane = &work->lane[i];
    if (lane->bit_count != 0 && !lane->runs) {
      lane->runs = true;
      work->running++;
    }
  }
}

static void ple_batch_run_round(ple_batch_work *work) {
  const bool starts = work->lanes.starts;
  samara_grain128_lanes_load(&work->lanes);
  for (unsigned j = 0; j < grain128_round_blocks; j++) {
    samara_grain128_lanes_clock(&work->lanes, j);
    if (work->running != 0) {
      grain128_row *row = &work->keystream[2 * j];
      work->lanes.width->words(row, &work->lanes.planes, 0, 1);
      work->lanes.width->words(row + 1, &work->lanes.planes, 64, 1);
    }
  }
  if (work->running != 0) {
    ple_batch_write(work);
  }
  if (starts) {
    ple_batch_run_started(work);
  }
}

/* Few lanes are left: they go on one after the other. */
static void ple_batch_finish_alone(ple_batch_work *work, unsigned index) {
  const ple_batch_lane *lane = &work->lane[index];
  samara_grain128ple state;
  SAMARA_WIPED(state);
  state.pending = 0;
  state.pending_bits = 0;
  samara_grain128_lanes_get(&state.generator, &work->lanes, index);
  samara_grain128ple_keystream(&state, lane->output, lane->bit_count);
}

SAMARA_NOT_INLINED static void
ple_batch_run(const grain128_width *width,
              const samara_batch_keystream *streams, size_t count) {
  ple_batch_work work; /* wiped with the stack, as what is below it must be */
  __builtin_memset(&work, 0, sizeof work);
  samara_grain128_lanes_init(&work.lanes, width);
  work.next = streams;
  work.end = streams + count;
  ple_batch_fill(&work);
  while (work.busy >= width->few || work.lanes.starts) {
    ple_batch_run_round(&work);
    if (work.busy < width->lanes) {
      ple_batch_fill(&work);
    }
  }
  for (unsigned i = 0; i < width->lanes && work.busy != 0; i++) {
    if (work.lane[i].bit_count != 0) {
      ple_batch_finish_alone(&work, i);
      work.busy--;
    }
  }
  samara_grain128_lanes_clear();
}

void samara_grain128ple_batch_width(const grain128_width *width,
                                    const samara_batch_keystream *streams,
                                    size_t count) {
  ple_batch_run(width, streams, count);
  samara_wipe_stack(ple_batch_stack);
}

#endif

static void ple_one_by_one(const samara_batch_keystream *streams,
                           size_t count) {
  samara_grain128ple state;
  SAMARA_WIPED(state);
  for (size_t i = 0; i < count; i++) {
    samara_grain128ple_init(&state, streams[i].key, streams[i].nonce);
    samara_grain128ple_keystream(&state, streams[i].keystream,
                                 streams[i].bit_count);
  }
}

void samara_grain128ple_keystream_batch(const samara_batch_keystream *streams,
                                        size_t count) {
#if SAMARA_WORD_BITS == 64
  const grain128_width *width = samara_grain128_width_for(count);
  if (width != NULL) {
    samara_grain128ple_batch_width(width, streams, count);
    return;
  }
#endif
  ple_one_by_one(streams, count);
}
