/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_STORE_ZEPHYR_H
#define SAMARA_STORE_ZEPHYR_H

/* A partition of Zephyr's flash map as a memory of samara/store.h: every chip
 * whose flash memory Zephyr has a driver for. Include it in one source file.
 *
 *   static samara_store_zephyr partition;
 *   if (!samara_store_zephyr_open(&partition, FIXED_PARTITION_ID(samara),
 * 4096)) ... ring.memory = &partition.memory;
 *
 * Addresses count from the begin of the partition. The page size is that of the
 * chip's flash memory, or a multiple. Zephyr's write block may have up to 32
 * bytes. The partition must not be one that Zephyr's settings, NVS or a
 * bootloader write to.
 *
 * It was never built with Zephyr: a test compiles it against a model of
 * zephyr/storage/flash_map.h. */

#include <samara/store.h>
#include <zephyr/storage/flash_map.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct samara_store_zephyr {
  samara_store_memory memory;
  const struct flash_area *area;
} samara_store_zephyr;

static inline bool samara_zephyr_read(void *context, uint32_t address,
                                      uint8_t *bytes, size_t size) {
  const samara_store_zephyr *self = (const samara_store_zephyr *)context;
  return flash_area_read(self->area, (off_t)address, bytes, size) == 0;
}

static inline bool samara_zephyr_write(void *context, uint32_t address,
                                       const uint8_t *bytes, size_t size) {
  const samara_store_zephyr *self = (const samara_store_zephyr *)context;
  return flash_area_write(self->area, (off_t)address, bytes, size) == 0;
}

static inline bool samara_zephyr_erase(void *context, uint32_t address) {
  const samara_store_zephyr *self = (const samara_store_zephyr *)context;
  return flash_area_erase(self->area, (off_t)address, self->memory.page_size) ==
         0;
}

/* Opens a partition. False when there is none, or its write block is larger
 * than the store can write. */
static inline bool samara_store_zephyr_open(samara_store_zephyr *self,
                                            uint8_t partition,
                                            uint32_t page_size) {
  if (flash_area_open(partition, &self->area) != 0) {
    return false;
  }
  const uint32_t unit = flash_area_align(self->area);
  self->memory.read = samara_zephyr_read;
  self->memory.write = samara_zephyr_write;
  self->memory.erase = samara_zephyr_erase;
  self->memory.context = self;
  self->memory.page_size = page_size;
  self->memory.write_unit = (uint8_t)unit;
  self->memory.erased_value = flash_area_erased_val(self->area);
  return unit >= 1 && unit <= samara_store_write_unit_max;
}

#ifdef __cplusplus
}
#endif

#endif
