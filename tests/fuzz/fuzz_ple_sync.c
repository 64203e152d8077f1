/* SPDX-License-Identifier: Apache-2.0 */

/* The state machine of a receiver under any order of frames, of any length and
 * content, and of answers: a search changes nothing, only higher counters are
 * accepted, and windows stay within the counters that are left. */

#include "input.h"
#include <samara/ple_sync.h>

static uint64_t fuzz_number(fuzz_input *input) {
  uint64_t number = 0;
  for (int i = 0; i < 8; i++) {
    number = number << 8 | fuzz_byte(input);
  }
  return number;
}

static int alike(const void *left, const void *right, size_t size) {
  return memcmp(left, right, size) == 0;
}

static void check_windows(const samara_ple_sync *sync) {
  for (unsigned i = 0; i < 3; i++) {
    uint64_t first;
    const uint32_t count = samara_ple_sync_window(sync, i, &first);
    fuzz_require(first >= sync->next);
    fuzz_require(count <= UINT64_MAX - first);
    fuzz_require(i < 2 || count == 0);
  }
}

/* How many searches one input gets: each tries 4096 counters. */
enum { searches_max = 4 };

static void try_frame(const samara_ple_sync *sync, fuzz_input *input,
                      unsigned *searches) {
  const samara_ple_sync before = *sync;
  samara_ple_link link = {.direction = fuzz_byte(input)};
  samara_ple_sync_found found;
  const size_t size = fuzz_byte(input);
  int8_t *soft = (int8_t *)fuzz_take(input, size);
  const uint64_t first = fuzz_number(input);
  if (samara_ple_sync_scan(&found, &link, first, fuzz_byte(input), 0, soft,
                           size)) {
    fuzz_require(found.counter - first < found.tested && found.margin >= 0);
  }
  if (sync->stage == samara_ple_sync_locked && *searches < searches_max) {
    *searches += 1;
    if (samara_ple_sync_search(sync, &found, &link, soft, size)) {
      fuzz_require(found.counter >= sync->next);
      fuzz_require(found.counter - sync->next < samara_ple_sync_wide_window);
    }
  }
  fuzz_require(alike(&before, sync, sizeof before));
  free(soft);
}

static void accept(samara_ple_sync *sync, uint64_t counter) {
  const samara_ple_sync before = *sync;
  if (samara_ple_sync_accept(sync, counter) == SAMARA_OK) {
    fuzz_require(counter >= before.next && sync->next == counter + 1);
  } else {
    fuzz_require(counter < before.next || counter == UINT64_MAX);
    fuzz_require(alike(&before, sync, sizeof before));
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  fuzz_input input = {bytes, size};
  samara_ple_sync sync;
  unsigned searches = 0;
  samara_ple_sync_init(&sync, fuzz_number(&input));
  for (unsigned i = 0; input.size != 0 && i < 200; i++) {
    const uint64_t next = sync.next;
    switch (fuzz_byte(&input) % 4) {
    case 0:
      try_frame(&sync, &input, &searches);
      break;
    case 1:
      accept(&sync, fuzz_number(&input));
      break;
    case 2:
      accept(&sync, sync.next + fuzz_byte(&input));
      break;
    default:
      samara_ple_sync_miss(&sync);
    }
    fuzz_require(sync.next >= next);
    check_windows(&sync);
  }
  return 0;
}
