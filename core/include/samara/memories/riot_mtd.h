/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_STORE_RIOT_MTD_H
#define SAMARA_STORE_RIOT_MTD_H

/* A memory technology device (MTD) of RIOT as a memory of samara/store.h: the
 * flash memory of a chip (mtd_flashpage), serial flash, EEPROM and FRAM.
 * Include it in one source file.
 *
 *   static samara_store_riot_mtd device;
 *   if (!samara_store_riot_mtd_open(&device, MTD_0)) ...
 *   ring.memory = &device.memory;
 *
 * Addresses count from the begin of the device; a page of the store is a sector
 * of it. Give rings sectors that no file system and no riotboot slot has. It
 * writes without RIOT's cycle of reading, erasing and writing a sector
 * (mtd_write_page): a power cut in that would lose all that the sector holds.
 *
 * SD cards write 512 bytes at once, and are refused. RIOT's mtd.h must have
 * write_size, which old releases do not.
 *
 * The tests compile it against a model of mtd.h. It ran by hand on RIOT's board
 * native64, where the device is a file, and never on a chip. */

#include <mtd.h>
#include <samara/store.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct samara_store_riot_mtd {
  samara_store_memory memory;
  mtd_dev_t *device;
} samara_store_riot_mtd;

static inline bool samara_riot_mtd_read(void *context, uint32_t address,
                                        uint8_t *bytes, size_t size) {
  const samara_store_riot_mtd *self = (const samara_store_riot_mtd *)context;
  return mtd_read(self->device, bytes, address, (uint32_t)size) == 0;
}

static inline bool samara_riot_mtd_write(void *context, uint32_t address,
                                         const uint8_t *bytes, size_t size) {
  const samara_store_riot_mtd *self = (const samara_store_riot_mtd *)context;
  const uint32_t page_size = self->device->page_size;
  return mtd_write_page_raw(self->device, bytes, address / page_size,
                            address % page_size, (uint32_t)size) == 0;
}

static inline bool samara_riot_mtd_erase(void *context, uint32_t address) {
  const samara_store_riot_mtd *self = (const samara_store_riot_mtd *)context;
  return mtd_erase_sector(self->device, address / self->memory.page_size, 1) ==
         0;
}

/* Opens a device, which it initialises. False when that fails, or the device
 * writes more at once than the store. */
static inline bool samara_store_riot_mtd_open(samara_store_riot_mtd *self,
                                              mtd_dev_t *device) {
  self->device = device;
  if (mtd_init(device) != 0) {
    return false;
  }
  const bool writes_over =
      (device->driver->flags & MTD_DRIVER_FLAG_DIRECT_WRITE) != 0;
  self->memory.read = samara_riot_mtd_read;
  self->memory.write = samara_riot_mtd_write;
  self->memory.erase = writes_over ? NULL : samara_riot_mtd_erase;
  self->memory.context = self;
  self->memory.page_size =
      writes_over ? 0 : device->pages_per_sector * device->page_size;
  self->memory.write_unit = (uint8_t)device->write_size;
  self->memory.erased_value = 0xff;
  return device->page_size != 0 && device->write_size >= 1 &&
         device->write_size <= samara_store_write_unit_max;
}

#ifdef __cplusplus
}
#endif

#endif
