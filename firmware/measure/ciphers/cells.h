/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MEASURE_CELLS_H
#define MEASURE_CELLS_H

/* The memory of what survives resets: bytes that can be written over, in the
 * job's scratch. What a real EEPROM or flash takes for a write is not counted:
 * its data sheet has that. */

#include "measure.h"
#include <samara/store.h>

static uint8_t *measure_cells;

static bool read_cells(void *context, uint32_t address, uint8_t *bytes,
                       size_t size) {
  (void)context;
  for (size_t i = 0; i < size; i++) {
    bytes[i] = measure_cells[(size_t)address + i];
  }
  return true;
}

static bool write_cells(void *context, uint32_t address, const uint8_t *bytes,
                        size_t size) {
  (void)context;
  for (size_t i = 0; i < size; i++) {
    measure_cells[(size_t)address + i] = bytes[i];
  }
  return true;
}

static const samara_store_memory cells_memory = {.read = read_cells,
                                                 .write = write_cells,
                                                 .write_unit = 1,
                                                 .erased_value = 0xff};

/* Takes a job's scratch as a memory that was never written. */
static void erase_cells(const measure_job *job, size_t size) {
  measure_cells = job->scratch;
  for (size_t i = 0; i < size; i++) {
    measure_cells[i] = cells_memory.erased_value;
  }
}

#endif
