/* SPDX-License-Identifier: Apache-2.0 */
#include "cache.h"

#include <stddef.h>

bool cache_is_possible(const cache *c) {
  return c->sets > 0 && c->ways > 0 && c->line_bytes > 0 &&
         c->sets <= CACHE_LINES_MOST && c->ways <= CACHE_LINES_MOST / c->sets;
}

/* The first place of the set of a line. */
static size_t set_of(const cache *c, uint32_t line) {
  return (size_t)(line % c->sets) * c->ways;
}

static size_t least_lately_used(const cache *c, size_t set) {
  size_t place = set;
  for (size_t i = set; i < set + c->ways; i++) {
    place = c->used[i] < c->used[place] ? i : place;
  }
  return place;
}

unsigned cache_read(cache *c, uint32_t address) {
  const uint32_t line = address / c->line_bytes;
  const size_t set = set_of(c, line);
  c->now++;
  for (size_t i = set; i < set + c->ways; i++) {
    if (c->line[i] == line + 1) {
      c->used[i] = c->now;
      return 0;
    }
  }
  const size_t place = least_lately_used(c, set);
  c->line[place] = line + 1;
  c->used[place] = c->now;
  return c->waits;
}

unsigned cache_write(cache *c, uint32_t address) {
  const uint32_t line = address / c->line_bytes;
  const size_t set = set_of(c, line);
  for (size_t i = set; i < set + c->ways; i++) {
    if (c->line[i] == line + 1) {
      c->line[i] = 0;
      c->used[i] = 0;
    }
  }
  return c->waits;
}
