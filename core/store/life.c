/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/store_life.h>

/* Of a ring with a payload the step is 1. */
static uint32_t records_of(uint32_t messages, uint32_t step) {
  return messages == 0 ? 0 : (messages - 1) / step + 1;
}

uint64_t samara_store_years(const samara_store_ring *ring, uint32_t endurance,
                            uint32_t messages_per_year,
                            uint32_t resets_per_year) {
  const uint32_t records = records_of(messages_per_year, ring->step);
  const uint32_t room = messages_per_year - records;
  const uint32_t per_year =
      records + (resets_per_year < room ? resets_per_year : room);
  return per_year == 0 ? UINT64_MAX
                       : samara_store_record_count(ring, endurance) / per_year;
}
