/* SPDX-License-Identifier: Apache-2.0 */
#include "flash_model.h"

#include "check.h"
#include <limits.h>
#include <string.h>

flash_model flash;

void flash_init(unsigned unit, unsigned page) {
  memset(&flash, 0, sizeof flash);
  memset(flash.cells, 0xff, sizeof flash.cells);
  flash.unit = unit;
  flash.page = page;
  flash_stay_powered();
}

void flash_cut_after(unsigned long steps, flash_tear tear) {
  flash.cut_at = flash.steps + steps;
  flash.tear = tear;
}

void flash_stay_powered(void) { flash.cut_at = ULONG_MAX; }

bool flash_is_cut(void) { return flash.steps++ == flash.cut_at; }

/* What a cut leaves of a change to these bytes. */
static void tear(uint32_t address, const uint8_t *bytes, size_t size) {
  if (flash.tear == FLASH_NEW) {
    memcpy(flash.cells + address, bytes, size);
  } else if (flash.tear != FLASH_OLD) {
    fill_random(flash.cells + address, size);
    flash.broken[address / 4] = flash.tear == FLASH_BROKEN;
  }
  longjmp(flash.dark, 1);
}

static bool refuse(void) {
  flash.refused++;
  return false;
}

static bool is_erased(uint32_t address, size_t size) {
  for (size_t i = 0; i < size; i++) {
    if (flash.cells[address + i] != 0xff) {
      return false;
    }
  }
  return true;
}

bool flash_program(uint32_t address, const uint8_t *bytes, size_t size) {
  return address + size <= flash_size && is_erased(address, size)
             ? flash_overwrite(address, bytes, size)
             : refuse();
}

bool flash_overwrite(uint32_t address, const uint8_t *bytes, size_t size) {
  if (address % flash.unit != 0 || size % flash.unit != 0 ||
      address + size > flash_size) {
    return refuse();
  }
  for (uint32_t i = 0; i < size; i += flash.unit) {
    if (flash_is_cut()) {
      tear(address + i, bytes + i, flash.unit);
    }
    memcpy(flash.cells + address + i, bytes + i, flash.unit);
  }
  return true;
}

bool flash_erase_page(uint32_t address) {
  static uint8_t erased[flash_size];
  if (address % flash.page != 0 || address + flash.page > flash_size) {
    return refuse();
  }
  memset(erased, 0xff, flash.page);
  if (flash_is_cut()) {
    tear(address, erased, flash.page);
  }
  memcpy(flash.cells + address, erased, flash.page);
  memset(flash.broken + address / 4, 0, flash.page / 4 * sizeof(bool));
  return true;
}
