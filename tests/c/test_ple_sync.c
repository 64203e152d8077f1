/* SPDX-License-Identifier: Apache-2.0 */

/* Finding the counter of a frame that does not carry it: losses, noise,
 * replays, restarts, wrong keys, and that every width scores alike. */

#include "check.h"
#include "stream/ple_frame.h"
#include <math.h>
#include <samara/grain128ple.h>
#include <samara/ple_interleave.h>
#include <samara/ple_sync.h>
#include <string.h>

enum {
  payload_size = 52,
  frame_bits = 2 * (8 * payload_size + ple_memory),
  soft_max = 2 * (8 * 200 + ple_memory)
};

static samara_ple_link air_link = {.direction = 1, .link_id = 0x1234};

static double uniform(void) {
  return ((double)random_below(1U << 24) + 0.5) / (1U << 24);
}

static double normal(void) {
  return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}

static unsigned parity(unsigned bits) {
  unsigned sum = 0;
  for (; bits != 0; bits >>= 1) {
    sum ^= bits & 1;
  }
  return sum;
}

/* The keystream of a counter, a bit a byte. */
static void keystream_of(uint8_t *bits, size_t count,
                         const samara_ple_link *link, uint64_t counter) {
  uint8_t nonce[samara_ple_sync_nonce_size];
  uint8_t packed[soft_max / 8 + 1];
  samara_grain128ple state;
  samara_ple_nonce(nonce, samara_ple_domain_keystream, link->direction,
                   link->link_id, counter);
  samara_grain128ple_init(&state, link->key, nonce);
  samara_grain128ple_keystream(&state, packed, count);
  for (size_t i = 0; i < count; i++) {
    bits[i] = packed[i / 8] >> (i % 8) & 1;
  }
}

/* What a receiver hears of a random frame at Eb/N0 (dB), BPSK, interleaved as
 * one of `count` soft values. */
static void hear_among(int8_t *soft, uint32_t count, size_t size,
                       uint64_t counter, double ebn0) {
  const size_t steps = 8 * size + ple_memory;
  const double variance = pow(10, -(ebn0 - 3.0103) / 10) / 2;
  const uint32_t stride = samara_ple_stride(count);
  uint8_t keystream[soft_max];
  unsigned memory = 0;
  uint32_t place = 0;
  keystream_of(keystream, 2 * steps, &air_link, counter);
  for (size_t i = 0; i < 2 * steps; i++) {
    if (i % 2 == 0) {
      const unsigned bit = i / 2 < 8 * size ? (unsigned)random_below(2) : 0;
      memory = (memory << 1 | bit) & 127;
    }
    const unsigned sent = parity(memory & (i % 2 == 0 ? 109 : 79));
    const double level = (sent ^ keystream[i]) != 0 ? -1 : 1;
    const double ratio = 2 * (level + sqrt(variance) * normal()) / variance;
    soft[place] = (int8_t)lrint(fmax(-127, fmin(127, 8 * ratio)));
    place = samara_ple_next_place(place, stride, count);
  }
}

static void hear(int8_t *soft, size_t size, uint64_t counter, double ebn0) {
  hear_among(soft, (uint32_t)(2 * (8 * size + ple_memory)), size, counter,
             ebn0);
}

static void hear_noise(int8_t *soft, size_t count) {
  for (size_t i = 0; i < count; i++) {
    soft[i] = (int8_t)lrint(fmax(-127, fmin(127, 25 * normal())));
  }
}

/* A receiver that takes the counter of its tag's word for it. */
static bool receive(samara_ple_sync *sync, const int8_t *soft,
                    uint64_t counter) {
  samara_ple_sync_found found;
  uint8_t before[sizeof *sync];
  memcpy(before, sync, sizeof before);
  const bool is_found =
      samara_ple_sync_search(sync, &found, &air_link, soft, frame_bits);
  CHECK_BYTES((const uint8_t *)sync, before, sizeof before,
              "a state after a search");
  if (!is_found) {
    samara_ple_sync_miss(sync);
    return false;
  }
  CHECK(found.counter == counter, "a wrong counter was found");
  CHECK_RESULT(samara_ple_sync_accept(sync, found.counter), SAMARA_OK,
               "accept");
  return true;
}

/* Sends frames from `counter` on until one is found; returns how many it took,
 * 0 when it took more than `limit`. */
static unsigned frames_to_find(samara_ple_sync *sync, uint64_t counter,
                               unsigned limit) {
  int8_t soft[frame_bits];
  for (unsigned i = 0; i < limit; i++) {
    hear(soft, payload_size, counter + i, 5);
    if (receive(sync, soft, counter + i)) {
      return i + 1;
    }
  }
  return 0;
}

static samara_ple_sync locked_at(uint64_t next) {
  samara_ple_sync sync;
  samara_ple_sync_init(&sync, next - 2);
  CHECK_RESULT(samara_ple_sync_accept(&sync, next - 2), SAMARA_OK, "accept");
  CHECK(sync.stage == samara_ple_sync_wide, "one frame locked");
  CHECK_RESULT(samara_ple_sync_accept(&sync, next - 1), SAMARA_OK, "accept");
  CHECK(sync.stage == samara_ple_sync_locked && sync.next == next,
        "two frames in a row did not lock");
  return sync;
}

static void check_losses(void) {
  static const struct {
    uint64_t lost;
    unsigned frames; /* that may go by until the first is found */
  } cases[] = {{0, 1},    {1, 1},    {7, 1},    {8, 1},     {10, 1},
               {1000, 1}, {4095, 1}, {4096, 7}, {100000, 8}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const uint64_t next = 123456;
    samara_ple_sync sync = locked_at(next);
    const uint64_t sent = next + cases[i].lost;
    const unsigned took = frames_to_find(&sync, sent, 20);
    CHECK(took == cases[i].frames, "%u frames after losing %lu, not %u", took,
          (unsigned long)cases[i].lost, cases[i].frames);
    CHECK(frames_to_find(&sync, sent + took, 1) == 1, "the frame after");
    CHECK(sync.stage == samara_ple_sync_locked, "not locked again");
  }
}

static void check_stages(void) {
  samara_ple_sync sync = locked_at(1000);
  uint64_t first;
  CHECK(samara_ple_sync_window(&sync, 0, &first) == 8 && first == 1000,
        "the window of LOCKED");
  CHECK(samara_ple_sync_window(&sync, 1, &first) == 4088 && first == 1008,
        "the second window of LOCKED");
  CHECK(samara_ple_sync_window(&sync, 2, &first) == 0, "a third window");
  for (int i = 0; i < 3; i++) {
    CHECK(sync.stage == samara_ple_sync_locked, "left LOCKED early");
    samara_ple_sync_miss(&sync);
  }
  CHECK(samara_ple_sync_window(&sync, 0, &first) == 4096 && first == 1000,
        "the window of WIDE");
  CHECK(samara_ple_sync_window(&sync, 1, &first) == 0,
        "a second window in WIDE");
  for (int i = 0; i < 3; i++) {
    CHECK(sync.stage == samara_ple_sync_wide, "left WIDE early");
    samara_ple_sync_miss(&sync);
  }
  CHECK(sync.stage == samara_ple_sync_cold, "stayed in WIDE");
}

static samara_ple_sync cold_at(uint64_t next) {
  samara_ple_sync sync = locked_at(next);
  for (int i = 0; i < 6; i++) {
    samara_ple_sync_miss(&sync);
  }
  CHECK(sync.stage == samara_ple_sync_cold, "not in COLD");
  return sync;
}

/* Stretch after stretch, and from the beginning in ever longer spans; as long
 * as the credit allows, and then as long as what a frame adds to it. */
static void check_cold(void) {
  static const uint32_t stretches[] = {65536, 65536, 65536, 65536, 16384};
  const uint64_t next = 1000;
  samara_ple_sync sync = cold_at(next);
  unsigned frames = 0;
  for (uint64_t span = 262144; span <= 4194304; span *= 4) {
    for (uint64_t offset = 0; offset < span; frames++) {
      uint64_t first;
      const uint32_t expected = frames < 5 ? stretches[frames] : 4096;
      CHECK(samara_ple_sync_window(&sync, 0, &first) == 4096 && first == next,
            "WIDE in COLD");
      CHECK(samara_ple_sync_window(&sync, 1, &first) == expected &&
                first == next + 4096 + offset,
            "stretch at %lu of %lu", (unsigned long)offset,
            (unsigned long)span);
      offset += expected;
      samara_ple_sync_miss(&sync);
    }
  }
  CHECK(sync.next == next, "misses moved the counter");
}

/* Whatever comes, n frames in a row cost at most 8192 n + 2^18 candidates; and
 * 64 frames bring all of the credit back. */
static void check_cost(void) {
  static const unsigned hit_every[] = {1, 2, 7, 8, 9, 16, 100, 100000};
  for (size_t i = 0; i < sizeof hit_every / sizeof hit_every[0]; i++) {
    samara_ple_sync sync = locked_at(50);
    uint64_t cost = 0;
    for (unsigned frame = 1; frame <= 2000; frame++) {
      uint64_t first;
      cost += samara_ple_sync_window(&sync, 0, &first);
      cost += samara_ple_sync_window(&sync, 1, &first);
      CHECK(cost <= (uint64_t)8192 * frame + 262144, "%u frames cost %lu",
            frame, (unsigned long)cost);
      if (frame % hit_every[i] == 0) {
        CHECK_RESULT(samara_ple_sync_accept(&sync, sync.next), SAMARA_OK,
                     "accept");
      } else {
        samara_ple_sync_miss(&sync);
      }
    }
    for (unsigned frame = 0; frame < 64; frame++) {
      CHECK_RESULT(samara_ple_sync_accept(&sync, sync.next), SAMARA_OK,
                   "accept");
    }
    CHECK(sync.cold_credit == 262144, "%lu of credit after 64 frames",
          (unsigned long)sync.cold_credit);
  }
}

/* Bursts of losses that are longer than LOCKED's first window. */
static void check_gaps(void) {
  samara_ple_sync sync = locked_at(7000);
  uint64_t counter = 7000;
  int8_t soft[frame_bits];
  unsigned found = 0;
  for (unsigned i = 0; i < 300; i++) {
    counter += i % 10 == 9 ? 10 : 1;
    hear(soft, payload_size, counter, 6);
    found += receive(&sync, soft, counter);
  }
  CHECK(found == 300, "%u of 300 frames found between gaps of 9", found);
  CHECK(sync.stage == samara_ple_sync_locked, "left LOCKED for nothing");
}

/* Two in a row, without a miss between them. */
static void check_lock(void) {
  samara_ple_sync sync;
  samara_ple_sync_init(&sync, 10);
  CHECK_RESULT(samara_ple_sync_accept(&sync, 10), SAMARA_OK, "accept");
  samara_ple_sync_miss(&sync);
  CHECK_RESULT(samara_ple_sync_accept(&sync, 11), SAMARA_OK, "accept");
  CHECK(sync.stage == samara_ple_sync_wide, "locked over a miss");
  CHECK_RESULT(samara_ple_sync_accept(&sync, 12), SAMARA_OK, "accept");
  CHECK(sync.stage == samara_ple_sync_locked, "two in a row did not lock");
  /* Misses count in a row, too. */
  for (uint64_t counter = 13; counter < 19; counter++) {
    samara_ple_sync_miss(&sync);
    samara_ple_sync_miss(&sync);
    CHECK(sync.stage == samara_ple_sync_locked, "two misses left LOCKED");
    CHECK_RESULT(samara_ple_sync_accept(&sync, counter), SAMARA_OK, "accept");
  }
  sync = cold_at(100);
  CHECK_RESULT(samara_ple_sync_accept(&sync, 100), SAMARA_OK, "accept");
  CHECK(sync.stage == samara_ple_sync_wide, "one in COLD");
  CHECK_RESULT(samara_ple_sync_accept(&sync, 101), SAMARA_OK, "accept");
  CHECK(sync.stage == samara_ple_sync_locked, "two in COLD did not lock");
}

/* What the distance of a frame's own counter was compared with, in 1/256. */
static int32_t threshold_of(const samara_ple_sync_found *found,
                            const int8_t *soft) {
  uint8_t bits[frame_bits];
  uint8_t packed[frame_bits / 8 + 1] = {0};
  ple_frame frame;
  keystream_of(bits, frame_bits, &air_link, found->counter);
  for (size_t i = 0; i < frame_bits; i++) {
    packed[i / 8] |= (uint8_t)(bits[i] << i % 8);
  }
  samara_ple_frame_init(&frame, soft, frame_bits);
  return samara_ple_frame_margin(&frame, packed, 0) - found->margin;
}

static void check_threshold(const samara_ple_sync_found *found,
                            const int8_t *soft, double tested) {
  const double least = 256 * log(tested / 1e-9);
  const int32_t threshold = threshold_of(found, soft);
  /* Up to ln 2 more, and what rounding adds to each bit of the number. */
  CHECK(threshold >= least && threshold <= least + 178 + 33,
        "a threshold of %ld for %.0f candidates", (long)threshold, tested);
}

/* The threshold is that of all candidates of a frame, the caller's included;
 * two windows of a search have half of the probability each. */
static void check_thresholds(void) {
  static const uint32_t tested[] = {0, 1, 99, 4096, 1000000, 0xffffffff};
  int8_t soft[frame_bits];
  samara_ple_sync_found found;
  hear(soft, payload_size, 42, 8);
  for (size_t i = 0; i < sizeof tested / sizeof tested[0]; i++) {
    CHECK(samara_ple_sync_scan(&found, &air_link, 0, 100, tested[i], soft,
                               frame_bits),
          "not found with %lu tested before", (unsigned long)tested[i]);
    const double sum = (double)tested[i] + 100;
    CHECK(found.tested == (uint32_t)fmin(sum, 0xffffffff), "%lu were tested",
          (unsigned long)found.tested);
    check_threshold(&found, soft, sum);
  }
  static const struct {
    uint64_t next; /* of a receiver that hears frame 42 + 100000 */
    samara_ple_sync_stage stage;
    uint32_t tested;
    uint32_t budget;
  } cases[] = {{100040, samara_ple_sync_locked, 8, 16},
               {99000, samara_ple_sync_locked, 4096, 8176},
               {99000, samara_ple_sync_wide, 4096, 4096},
               {99000, samara_ple_sync_cold, 4096, 8192},
               {90000, samara_ple_sync_cold, 69632, 131072}};
  hear(soft, payload_size, 100042, 8);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    samara_ple_sync sync;
    samara_ple_sync_init(&sync, cases[i].next);
    sync.stage = cases[i].stage;
    CHECK(samara_ple_sync_search(&sync, &found, &air_link, soft, frame_bits) &&
              found.counter == 100042 && found.tested == cases[i].tested,
          "case %zu: %lu tested", i, (unsigned long)found.tested);
    check_threshold(&found, soft, cases[i].budget);
  }
}

/* The last counter but one is the last that can be used. */
static void check_end_of_counters(void) {
  samara_ple_sync sync = locked_at(UINT64_MAX - 3);
  uint64_t first;
  CHECK(samara_ple_sync_window(&sync, 0, &first) == 3, "window at the end");
  CHECK_RESULT(samara_ple_sync_accept(&sync, UINT64_MAX), SAMARA_ERROR_STATE,
               "the last counter");
  CHECK_RESULT(samara_ple_sync_accept(&sync, UINT64_MAX - 4),
               SAMARA_ERROR_STATE, "an old counter");
  CHECK(frames_to_find(&sync, UINT64_MAX - 1, 1) == 1, "the last frame");
  CHECK(samara_ple_sync_window(&sync, 0, &first) == 0, "window after the end");
  for (int i = 0; i < 9; i++) {
    samara_ple_sync_miss(&sync);
    CHECK(samara_ple_sync_window(&sync, 0, &first) == 0, "window after that");
    CHECK(samara_ple_sync_window(&sync, 1, &first) == 0, "stretch after that");
  }
}

static void check_noise(void) {
  int8_t soft[frame_bits];
  samara_ple_sync sync = locked_at(777);
  for (unsigned i = 0; i < 40; i++) {
    hear_noise(soft, frame_bits);
    CHECK(!receive(&sync, soft, 0), "noise was found");
  }
  CHECK(sync.next == 777, "noise moved the counter");
  CHECK(frames_to_find(&sync, 780, 1) == 1, "the frame after noise");
  memset(soft, 0, sizeof soft);
  CHECK(!receive(&sync, soft, 0), "silence was found");
  memset(soft, 127, sizeof soft);
  CHECK(!receive(&sync, soft, 0), "a carrier was found");
}

static void check_replay(void) {
  int8_t soft[frame_bits];
  samara_ple_sync sync = locked_at(500);
  hear(soft, payload_size, 503, 8);
  CHECK(receive(&sync, soft, 503), "the frame itself");
  for (int i = 0; i < 10; i++) {
    CHECK(!receive(&sync, soft, 0), "a frame was found again");
  }
  CHECK(frames_to_find(&sync, 504, 1) == 1, "the frame after a replay");
}

static void check_restarts(void) {
  samara_ple_sync sync = locked_at(5000);
  /* A transmitter goes on at its stored high-water mark. */
  CHECK(frames_to_find(&sync, 5000 + 1024, 1) == 1, "transmitter restarted");
  const uint64_t kept = sync.next;
  samara_ple_sync_init(&sync, kept);
  CHECK(frames_to_find(&sync, kept, 1) == 1, "receiver restarted");
  samara_ple_sync_init(&sync, sync.next);
  CHECK(frames_to_find(&sync, kept + 3000, 1) == 1, "both restarted");
  /* One that has forgotten its mark, or went by a clock that was set back. */
  CHECK(frames_to_find(&sync, 5000, 8) == 0, "old counters were found");
  CHECK(sync.next == kept + 3001, "an old counter moved the state");
}

static void check_strangers(void) {
  int8_t soft[frame_bits];
  samara_ple_sync_found found;
  hear(soft, payload_size, 42, 8);
  samara_ple_link other = air_link;
  CHECK(samara_ple_sync_scan(&found, &other, 0, 100, 0, soft, frame_bits),
        "the key itself");
  CHECK(found.counter == 42 && found.tested == 100 && found.margin > 0,
        "what was found");
  CHECK(!samara_ple_sync_scan(&found, &other, 0, 42, 0, soft, frame_bits) &&
            !samara_ple_sync_scan(&found, &other, 43, 9, 0, soft, frame_bits),
        "found outside of its window");
  other.key[15] ^= 0x80;
  CHECK(!samara_ple_sync_scan(&found, &other, 0, 100, 0, soft, frame_bits),
        "found under another key");
  other = air_link;
  other.direction ^= 1;
  CHECK(!samara_ple_sync_scan(&found, &other, 0, 100, 0, soft, frame_bits),
        "found in the other direction");
  other = air_link;
  other.link_id ^= 0x100;
  CHECK(!samara_ple_sync_scan(&found, &other, 0, 100, 0, soft, frame_bits),
        "found on another link");
  for (size_t i = 0; i < 5; i++) {
    static const size_t counts[] = {0, 26, 29, frame_bits - 3, frame_bits - 1};
    CHECK(!samara_ple_sync_scan(&found, &air_link, 42, 1, 0, soft, counts[i]),
          "%zu soft values", counts[i]);
  }
}

/* Frames longer than a search looks at, and the shortest. */
static void check_lengths(void) {
  static const size_t sizes[] = {16, 63, 64, 200};
  int8_t soft[soft_max + 1];
  samara_ple_sync_found found;
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    hear(soft, sizes[i], 99, 9);
    CHECK(samara_ple_sync_scan(&found, &air_link, 90, 20, 0, soft,
                               2 * (8 * sizes[i] + ple_memory)) &&
              found.counter == 99,
          "%zu bytes", sizes[i]);
    /* One more than whole pairs is refused, even if all the others fit. */
    const size_t odd = 2 * (8 * sizes[i] + ple_memory) + 1;
    memset(soft, 0, sizeof soft);
    hear_among(soft, (uint32_t)odd, sizes[i], 99, 9);
    CHECK(!samara_ple_sync_scan(&found, &air_link, 90, 20, 0, soft, odd),
          "%zu bytes and a soft value", sizes[i]);
  }
}

static void check_sensitivity(void) {
  enum { frames = 200 };
  int8_t soft[frame_bits];
  samara_ple_sync_found found;
  unsigned count = 0;
  for (unsigned i = 0; i < frames; i++) {
    const uint64_t counter = random_below(samara_ple_sync_wide_window);
    hear(soft, payload_size, counter, 3);
    if (samara_ple_sync_scan(&found, &air_link, 0, samara_ple_sync_wide_window,
                             0, soft, frame_bits)) {
      CHECK(found.counter == counter, "a wrong counter was found");
      count++;
    }
  }
  CHECK(count >= 195, "%u of %u frames found at 3 dB", count, frames);
}

/* The bound behind the threshold, at a level where it can be seen: at most one
 * wrong candidate in ten has a likelihood ratio of ten. */
static void check_bound(void) {
  enum { candidates = 4000, ln10 = 589 };
  int8_t soft[28];
  uint8_t keystream[sizeof soft];
  ple_frame frame;
  unsigned above = 0;
  for (unsigned i = 0; i < candidates; i++) {
    hear(soft, 1, i, 2);
    samara_ple_frame_init(&frame, soft, sizeof soft);
    fill_random(keystream, sizeof keystream);
    above += samara_ple_frame_margin(&frame, keystream, ln10) >= 0;
  }
  CHECK(above > 0, "the bound was not tried");
  CHECK(above <= candidates / 10, "%u of %u above the bound", above,
        candidates);
}

/* What the tables are made of, in doubles. */

static double magnitude_of(int8_t soft) {
  return fmin(fabs((double)soft), 127) / 8;
}

static double doubt_of(int8_t soft) {
  const double magnitude = soft == 0 ? 1.0 / 32 : magnitude_of(soft);
  return round(-16 * log2(tanh(magnitude / 2)));
}

static double information_of(int8_t soft) {
  return floor(256 * log(2 / (1 + exp(-magnitude_of(soft)))));
}

/* Soft values of all magnitudes, some frames sure and some not. */
static void hear_anything(int8_t *soft, size_t count) {
  const bool certain = random_below(8) == 0;
  const size_t most = random_below(2) == 0 ? 256 : 1 + random_below(128);
  for (size_t i = 0; i < count; i++) {
    const int sure = random_below(2) == 0 ? 127 : -127;
    const int value = certain ? sure : (int)random_below(most) - (int)most / 2;
    soft[i] = (int8_t)value;
  }
}

static void check_frame_weights(const ple_frame *frame, const int8_t *soft) {
  uint32_t sum = 0;
  uint32_t squares = 0;
  for (size_t check = 0; check < frame->checks; check++) {
    double doubts = 0;
    unsigned fails = 0;
    for (size_t delay = 0; delay <= ple_memory && delay <= check; delay++) {
      const size_t step = check - delay;
      for (size_t i = 0; i < 2 && step < frame->steps; i++) {
        if (((i == 0 ? 79U : 109U) >> delay & 1) != 0) {
          doubts += doubt_of(soft[2 * step + i]);
          fails ^= soft[2 * step + i] < 0;
        }
      }
    }
    const double weight = doubts < 112 ? round(63 * exp2(-doubts / 16)) : 0;
    CHECK(frame->weight[check] == (uint8_t)weight, "weight of check %zu",
          check);
    CHECK(frame->fails[check] == (fails != 0 ? 0xff : 0), "check %zu", check);
    sum += frame->weight[check];
    squares += (uint32_t)frame->weight[check] * frame->weight[check];
  }
  const uint32_t below = (uint32_t)floor(sqrt(floor(squares * 81.0 / 16)));
  CHECK(frame->score_limit == (sum > below ? (sum - below) / 2 : 0),
        "the limit of scores");
}

static void check_frame_evidence(const ple_frame *frame, const int8_t *soft,
                                 size_t bits) {
  double evidence = 0;
  for (size_t i = 0; i < 2 * (size_t)frame->steps; i++) {
    evidence += information_of(soft[i]);
  }
  evidence -= 256 * log(2) * (double)bits;
  CHECK(frame->evidence <= evidence && frame->evidence > evidence - 3,
        "evidence of %ld, not %.1f", (long)frame->evidence, evidence);
}

static int32_t least_of(const int32_t distance[ple_states]) {
  int32_t least = distance[0];
  for (unsigned state = 1; state < ple_states; state++) {
    least = distance[state] < least ? distance[state] : least;
  }
  return least;
}

/* The distance to the nearest word of the code, in eighths, by a recursion
 * without tricks; and the least distance at each look. */
static int32_t plain_distance(const ple_frame *frame, const int8_t *soft,
                              const uint8_t *keystream,
                              int32_t looks[ple_looks_max]) {
  enum { far = 1 << 28 };
  int32_t distance[ple_states];
  for (unsigned state = 0; state < ple_states; state++) {
    distance[state] = state == 0 ? 0 : far;
  }
  for (size_t step = 0; step < frame->steps; step++) {
    int32_t next[ple_states];
    for (unsigned state = 0; state < ple_states; state++) {
      next[state] = far;
    }
    for (unsigned memory = 0; memory < 2 * ple_states; memory++) {
      int32_t path = distance[memory >> 1];
      for (size_t i = 0; i < 2; i++) {
        const size_t place = 2 * step + i;
        const unsigned key = keystream[place / 8] >> (place % 8) & 1;
        const unsigned bit = parity(memory & (i == 0 ? 109 : 79)) ^ key;
        const bool disagrees = (soft[place] < 0) != (bit != 0);
        path += disagrees ? (int32_t)(8 * magnitude_of(soft[place])) : 0;
      }
      const unsigned into = memory & (ple_states - 1);
      next[into] = path < next[into] ? path : next[into];
    }
    memcpy(distance, next, sizeof distance);
    if (step % ple_steps_between_looks == 0) {
      looks[step / ple_steps_between_looks] = least_of(distance);
    }
  }
  return frame->whole ? distance[0] : least_of(distance);
}

/* Sixteen natural logarithms more than the evidence of the steps so far. */
static void check_patience(const ple_frame *frame) {
  double evidence = 0;
  for (size_t step = 0; step < frame->steps; step++) {
    evidence += information_of(frame->soft[2 * step]) +
                information_of(frame->soft[2 * step + 1]) - 256 * log(2);
    const double patience = evidence + 16 * 256;
    if (step % ple_steps_between_looks == 0) {
      const int32_t is = frame->patience[step / ple_steps_between_looks];
      CHECK(is <= patience && is > patience - 3, "patience of %ld, not %.1f",
            (long)is, patience);
    }
  }
}

/* A candidate is given up where its distance is beyond the patience at one of
 * the looks, and else goes on to the end. Returns whether it was. */
static bool check_margin(ple_frame *frame, const uint8_t *keystream) {
  /* Far below any. */
  const int32_t threshold = -(1 << 28);
  int32_t looks[ple_looks_max];
  const int32_t distance = plain_distance(frame, frame->soft, keystream, looks);
  const int32_t margin = frame->evidence - threshold - 32 * distance;
  bool given_up = false;
  for (size_t i = 0; i * ple_steps_between_looks < frame->steps; i++) {
    given_up |= 32 * looks[i] > frame->patience[i];
  }
  const int32_t answer = samara_ple_frame_margin(frame, keystream, threshold);
  CHECK(given_up ? answer < 0 : answer == margin, "a margin of %ld, not %ld%s",
        (long)answer, (long)margin, given_up ? ", given up" : "");
  for (size_t i = 0; i < ple_looks_max; i++) {
    frame->patience[i] = INT32_MAX;
  }
  CHECK(samara_ple_frame_margin(frame, keystream, threshold) == margin,
        "the distance, without an end of patience");
  return given_up;
}

static void check_frames(void) {
  static const size_t counts[] = {28, 844, 1022, 1024, 1026, 1500};
  int8_t soft[1500];
  uint8_t keystream[samara_ple_sync_bits_max / 8];
  ple_frame frame;
  unsigned given_up = 0;
  for (size_t i = 0; i < 200; i++) {
    const size_t count = counts[i % 6];
    const bool whole = count <= samara_ple_sync_bits_max;
    const size_t steps = whole ? count / 2 : samara_ple_sync_bits_max / 2;
    hear_anything(soft, count);
    fill_random(keystream, sizeof keystream);
    samara_ple_frame_init(&frame, soft, count);
    CHECK(frame.whole == whole && frame.steps == steps &&
              frame.checks == steps + (whole ? ple_memory : 0),
          "a frame of %zu bits", count);
    const uint64_t stride = samara_ple_stride((uint32_t)count);
    for (size_t j = 0; j < 2 * steps; j++) {
      const int8_t heard = soft[j * stride % count];
      CHECK(frame.soft[j] == (heard == -128 ? -127 : heard), "soft value %zu",
            j);
    }
    check_frame_weights(&frame, frame.soft);
    check_frame_evidence(&frame, frame.soft, steps - (whole ? ple_memory : 0));
    check_patience(&frame);
    given_up += check_margin(&frame, keystream);
  }
  CHECK(given_up >= 20 && given_up <= 180, "%u of 200 were given up", given_up);
}

/* The scores of a wide window, by the scorer for any machine. */
static void wide_scores(uint32_t *scores, const ple_frame *frame) {
  uint64_t planes[ple_score_bits];
  for (unsigned first = 0; first < samara_ple_sync_wide_window; first += 64) {
    samara_ple_score_64(planes, frame, &air_link, first);
    for (unsigned lane = 0; lane < 64; lane++) {
      scores[first + lane] = 0;
      for (unsigned plane = 0; plane < ple_score_bits; plane++) {
        scores[first + lane] |= (uint32_t)(planes[plane] >> lane & 1) << plane;
      }
    }
  }
}

/* The best 48 of those below the limit go on to the second stage, no fewer. */
static void check_shortlist(void) {
  enum { frames = 400 };
  static uint32_t scores[samara_ple_sync_wide_window];
  int8_t soft[frame_bits];
  samara_ple_sync_found found;
  unsigned behind = 0; /* were found among the last of the 48 */
  for (unsigned i = 0; i < frames; i++) {
    ple_frame frame;
    unsigned rank = 0;
    const uint64_t counter = random_below(samara_ple_sync_wide_window);
    hear(soft, payload_size, counter, 1.5);
    samara_ple_frame_init(&frame, soft, frame_bits);
    wide_scores(scores, &frame);
    for (unsigned j = 0; j < samara_ple_sync_wide_window; j++) {
      rank += j != counter && scores[j] <= scores[counter];
    }
    const bool listed = rank < 48 && scores[counter] < frame.score_limit;
    const bool alone =
        samara_ple_sync_scan(&found, &air_link, counter, 1,
                             samara_ple_sync_wide_window - 1, soft, frame_bits);
    const bool is_found = samara_ple_sync_scan(
        &found, &air_link, 0, samara_ple_sync_wide_window, 0, soft, frame_bits);
    CHECK(is_found || !listed || !alone, "number %u of the best", rank);
    behind += is_found && rank >= 24;
  }
  CHECK(behind > 0, "the end of the list was not tried");
}

/* A candidate's score, from its keystream, check by check. */
static uint32_t plain_score(const ple_frame *frame, uint64_t counter) {
  uint8_t bits[soft_max];
  uint32_t score = 0;
  keystream_of(bits, 2 * (size_t)frame->steps, &air_link, counter);
  for (size_t check = 0; check < frame->checks; check++) {
    unsigned fails = frame->fails[check] & 1;
    for (size_t delay = 0; delay <= ple_memory && delay <= check; delay++) {
      const size_t step = check - delay;
      if (step < frame->steps) {
        fails ^= (79U >> delay & 1) & bits[2 * step];
        fails ^= (109U >> delay & 1) & bits[2 * step + 1];
      }
    }
    score += fails * frame->weight[check];
  }
  return score;
}

static void check_scorer(ple_scorer *scorer, unsigned lanes,
                         const ple_frame *frame) {
  uint64_t scores[ple_score_bits * ple_lanes_max / 64];
  const uint64_t first = 0xfffffffffffff000;
  scorer(scores, frame, &air_link, first);
  for (unsigned lane = 0; lane < lanes; lane++) {
    uint32_t score = 0;
    for (unsigned plane = 0; plane < ple_score_bits; plane++) {
      const uint64_t word = scores[plane * (lanes / 64) + lane / 64];
      score |= (uint32_t)(word >> lane % 64 & 1) << plane;
    }
    CHECK(score == plain_score(frame, first + lane), "lane %u of %u", lane,
          lanes);
  }
}

static void check_scores(void) {
  static const size_t sizes[] = {1, 13, 52, 200};
  int8_t soft[soft_max];
  ple_frame frame;
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    hear(soft, sizes[i], 7, 6);
    samara_ple_frame_init(&frame, soft, 2 * (8 * sizes[i] + ple_memory));
    unsigned lanes;
    for (unsigned j = 0; samara_ple_scorer(j, &lanes) != NULL; j++) {
      check_scorer(samara_ple_scorer(j, &lanes), lanes, &frame);
    }
  }
}

/* How close the coded bits of a run of `run` places on the air are. */
static uint32_t closest_in_run(const uint32_t *bit_at, uint32_t count,
                               uint32_t first, uint32_t run) {
  uint32_t closest = count;
  for (uint32_t i = first; i < first + run; i++) {
    for (uint32_t j = first; j < i; j++) {
      const uint32_t a = bit_at[i];
      const uint32_t b = bit_at[j];
      const uint32_t apart = a > b ? a - b : b - a;
      closest = apart < closest ? apart : closest;
    }
  }
  return closest;
}

/* The order on the air: known strides, each place taken once by the definition,
 * and the bits of a pulse far apart. */
static void check_order(void) {
  static const uint32_t known[][2] = {
      {0, 1},         {1, 1},           {2, 1},       {3, 1},
      {8, 5},         {844, 521},       {4108, 2539}, {65548, 40511},
      {65536, 40503}, {1048576, 648049}};
  static uint32_t bit_at[5000];
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    const uint32_t stride = samara_ple_stride(known[i][0]);
    CHECK(stride == known[i][1], "stride %lu of %lu", (unsigned long)stride,
          (unsigned long)known[i][0]);
  }
  for (uint32_t count = 2; count < 5000; count += count < 300 ? 1 : 397) {
    const uint32_t stride = samara_ple_stride(count);
    uint32_t place = 0;
    memset(bit_at, 0xff, sizeof bit_at);
    for (uint32_t i = 0; i < count; i++) {
      CHECK(place == (uint64_t)i * stride % count, "place of bit %lu of %lu",
            (unsigned long)i, (unsigned long)count);
      CHECK(bit_at[place] == UINT32_MAX, "place %lu of %lu twice",
            (unsigned long)place, (unsigned long)count);
      bit_at[place] = i;
      place = samara_ple_next_place(place, stride, count);
    }
    for (uint32_t part = 4; part <= 16 && count >= 108; part *= 2) {
      CHECK(closest_in_run(bit_at, count, count / 3, count / part) >=
                3 * part / 10,
            "bits of a pulse in a frame of %lu", (unsigned long)count);
    }
  }
}

int main(void) {
  check_order();
  fill_random(air_link.key, sizeof air_link.key);
  check_scores();
  check_frames();
  check_shortlist();
  check_bound();
  check_stages();
  check_cold();
  check_cost();
  check_gaps();
  check_lock();
  check_thresholds();
  check_end_of_counters();
  check_losses();
  check_noise();
  check_replay();
  check_restarts();
  check_strangers();
  check_lengths();
  check_sensitivity();
  return check_report();
}
