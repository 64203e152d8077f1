/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_STORE_RP2040_H
#define SAMARA_STORE_RP2040_H

/* The flash memory beside an RP2040 as a memory of samara/store.h, by the Pico
 * SDK (hardware_flash, hardware_sync). Include it in one source file.
 *
 * Addresses count from the begin of the flash memory. Give rings whole sectors
 * of 4096 bytes behind the program. The SDK programs pages of 256 bytes: what
 * is around a record is filled with ones there, which leave a cell as it is. So
 * a record takes 12 bytes and not 256.
 *
 * While it is changed, nothing can be read from the flash memory: interrupts
 * are off, for up to 3 ms for a record and 400 ms for a sector. The second core
 * must not run then, or only from RAM (multicore_lockout_start_blocking).
 *
 * It was never run on the chip: a test compiles it against a model of the SDK.
 */

#include <hardware/flash.h>
#include <hardware/sync.h>
#include <samara/memory.h>
#include <samara/store.h>

#ifndef SAMARA_RP2040_CELLS
#define SAMARA_RP2040_CELLS ((const uint8_t *)XIP_BASE)
#endif

#ifdef __cplusplus
extern "C" {
#endif

static inline bool samara_rp2040_read(void *context, uint32_t address,
                                      uint8_t *bytes, size_t size) {
  (void)context;
  for (size_t i = 0; i < size; i++) {
    bytes[i] = SAMARA_RP2040_CELLS[address + i];
  }
  return true;
}

static inline void samara_rp2040_program(uint32_t place, const uint8_t *page) {
  const uint32_t interrupts = save_and_disable_interrupts();
  flash_range_program(place, page, FLASH_PAGE_SIZE);
  restore_interrupts(interrupts);
}

static inline bool samara_rp2040_write(void *context, uint32_t address,
                                       const uint8_t *bytes, size_t size) {
  (void)context;
  uint8_t page[FLASH_PAGE_SIZE];
  size_t done = 0;
  while (done < size) {
    const uint32_t begin = (address + (uint32_t)done) % FLASH_PAGE_SIZE;
    for (uint32_t i = 0; i < FLASH_PAGE_SIZE; i++) {
      page[i] = i >= begin && done < size ? bytes[done++] : 0xff;
    }
    samara_rp2040_program((address + (uint32_t)done - 1) / FLASH_PAGE_SIZE *
                              FLASH_PAGE_SIZE,
                          page);
  }
  samara_wipe(page, sizeof page); /* it may have been a key */
  return true;
}

static inline bool samara_rp2040_erase(void *context, uint32_t address) {
  (void)context;
  const uint32_t interrupts = save_and_disable_interrupts();
  flash_range_erase(address, FLASH_SECTOR_SIZE);
  restore_interrupts(interrupts);
  return true;
}

static const samara_store_memory samara_store_rp2040 = {samara_rp2040_read,
                                                        samara_rp2040_write,
                                                        samara_rp2040_erase,
                                                        NULL,
                                                        FLASH_SECTOR_SIZE,
                                                        4,
                                                        0xff};

#ifdef __cplusplus
}
#endif

#endif
