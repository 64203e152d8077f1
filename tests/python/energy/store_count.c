/* SPDX-License-Identifier: Apache-2.0
 *
 * What core/store counts: lines of 11 numbers come in, lines of 7 go out.
 */
#include <samara/store_life.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { memory_size = 1 << 20 };

static uint8_t cells[memory_size];
static uint32_t page;
static unsigned long writes;
static unsigned long erases;
/* The write, of those to come, that the power is cut in; 0: none. */
static unsigned long cut;
static bool is_off; /* from that write on until the next reset */

static bool cell_read(void *context, uint32_t address, uint8_t *bytes,
                      size_t size) {
  (void)context;
  memcpy(bytes, cells + address, size);
  return true;
}

static bool cell_write(void *context, uint32_t address, const uint8_t *bytes,
                       size_t size) {
  (void)context;
  if (is_off) {
    return false;
  }
  writes++;
  is_off = cut != 0 && --cut == 0;
  memcpy(cells + address, bytes, is_off ? size / 2 : size);
  return !is_off;
}

static bool cell_erase(void *context, uint32_t address) {
  (void)context;
  if (is_off) {
    return false;
  }
  erases++;
  memset(cells + address, 0xff, page);
  return true;
}

/* Takes numbers, with a reset after each `between` of them; 0: without. Answers
 * how many were skipped. */
static unsigned long live(const samara_store_ring *settings,
                          unsigned long messages, unsigned long between) {
  samara_store_counter counter = {.ring = *settings};
  uint64_t number = 0;
  unsigned long taken = 0;
  if (samara_store_start(&counter.ring, 0, NULL) != SAMARA_STORE_OK) {
    return 0;
  }
  writes = erases = 0;
  while (taken < messages) {
    counter.ring = *settings;
    is_off = false;
    if (samara_store_counter_open(&counter) != SAMARA_STORE_OK) {
      return 0;
    }
    for (unsigned long sent = 0; taken < messages; sent++, taken++) {
      if ((between != 0 && sent == between) ||
          samara_store_counter_take(&counter, &number) != SAMARA_STORE_OK) {
        break;
      }
    }
  }
  return (unsigned long)number + 1 - messages;
}

/* The numbers of a line: whether there was one. */
static bool read_numbers(unsigned long *numbers, size_t count) {
  char line[256];
  if (fgets(line, sizeof line, stdin) == NULL) {
    return false;
  }
  char *rest = line;
  for (size_t i = 0; i < count; i++) {
    numbers[i] = strtoul(rest, &rest, 10);
  }
  return true;
}

int main(void) {
  unsigned long asked[11];
  while (read_numbers(asked, 11)) {
    page = (uint32_t)asked[1];
    cut = asked[8];
    const samara_store_memory memory = {.read = cell_read,
                                        .write = cell_write,
                                        .erase = page != 0 ? cell_erase : NULL,
                                        .page_size = page,
                                        .write_unit = (uint8_t)asked[0],
                                        .erased_value = 0xff};
    const samara_store_ring ring = {.memory = &memory,
                                    .size = (uint32_t)asked[2],
                                    .step = (uint32_t)asked[4],
                                    .id = 1,
                                    .payload_size = (uint8_t)asked[3]};
    memset(cells, 0xff, sizeof cells);
    writes = erases = 0;
    const bool valid = samara_store_is_valid(&ring);
    const unsigned long skipped =
        valid && asked[6] != 0 ? live(&ring, asked[6], asked[7]) : 0;
    const uint64_t years =
        valid ? samara_store_years(&ring, (uint32_t)asked[5],
                                   (uint32_t)asked[9], (uint32_t)asked[10])
              : 0;
    printf("%d %lu %llu %lu %lu %lu %llu\n", valid,
           (unsigned long)(valid ? samara_store_slot_count(&ring) : 0),
           valid ? (unsigned long long)samara_store_record_count(
                       &ring, (uint32_t)asked[5])
                 : 0ULL,
           writes, erases, skipped, (unsigned long long)years);
  }
  return 0;
}
