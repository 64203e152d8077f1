/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_TESTS_FLASH_MAP_H
#define SAMARA_TESTS_FLASH_MAP_H

/* What samara/memories/zephyr.h needs of Zephyr's flash map, for a model. */

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct flash_area {
  uint8_t fa_id;
};

int flash_area_open(uint8_t id, const struct flash_area **area);
int flash_area_read(const struct flash_area *area, off_t offset, void *bytes,
                    size_t size);
int flash_area_write(const struct flash_area *area, off_t offset,
                     const void *bytes, size_t size);
int flash_area_erase(const struct flash_area *area, off_t offset, size_t size);
uint32_t flash_area_align(const struct flash_area *area);
uint8_t flash_area_erased_val(const struct flash_area *area);

#endif
