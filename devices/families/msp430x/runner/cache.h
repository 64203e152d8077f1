/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CACHE_H
#define CACHE_H

#include <stdbool.h>
#include <stdint.h>

/* The cache in front of FRAM: a read of a line that it does not hold waits. In
 * a set, the line that was used least lately gives way. What is written goes to
 * the memory, and the line is forgotten. */

enum { CACHE_LINES_MOST = 64 };

typedef struct cache {
  unsigned waits; /* cycles for each line that is read from the memory */
  unsigned sets, ways, line_bytes;
  uint32_t line[CACHE_LINES_MOST]; /* address over line_bytes, and 1 */
  uint64_t used[CACHE_LINES_MOST];
  uint64_t now;
} cache;

/* Whether there is a cache of this shape. */
bool cache_is_possible(const cache *c);

/* The cycles that an access waits. */
unsigned cache_read(cache *c, uint32_t address);
unsigned cache_write(cache *c, uint32_t address);

#endif
