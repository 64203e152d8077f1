/* SPDX-License-Identifier: Apache-2.0 */
#include "store_chips.h"

#include "check.h"
#include "flash_model.h"
#include <string.h>

static const uint8_t *rp2040_cells(void);

#define SAMARA_STORE_BUS_BY_CALL
#define SAMARA_STM32L4_BANK_PAGES 2 /* so that both banks are used */
#define SAMARA_RP2040_CELLS (rp2040_cells())
#define SAMARA_MSP430_CELLS 0x4000u /* registers are below */
#include <samara/memories/esp_nvs.h>
#include <samara/memories/msp430.h>
#include <samara/memories/nrf51.h>
#include <samara/memories/nrf52.h>
#include <samara/memories/riot_mtd.h>
#include <samara/memories/rp2040.h>
#include <samara/memories/stm32l4.h>
#include <samara/memories/zephyr.h>

enum { polls_when_busy = 3, words = flash_size / 4, entries = 64 };

/* What a controller forgets at a reset. */
static struct {
  unsigned busy; /* polls that it will answer "busy" */
  uint32_t nrf52_config;
  uint16_t mode, clock; /* of an MSP430, without keys */
  bool is_unlocked;
  uint32_t control, status, ecc, access;
  unsigned keys; /* of the two that unlock */
  uint32_t low;  /* the first half of 8 bytes, and its place */
  uint32_t low_at;
  bool has_low;
  bool is_cached[words];
  uint32_t cache[words];
  bool interrupts_off;
  bool has_pending; /* an entry of NVS that is not committed */
  size_t pending;
  uint8_t entry[samara_esp_nvs_unit];
} now;

static bool has_entry[entries], kept_entries[entries];
static flash_model kept;

void refuse(const char *what) {
  flash.refused++;
  CHECK(false, "refused: %s", what);
}

static bool is_busy(void) {
  if (now.busy == 0) {
    return false;
  }
  now.busy--;
  return true;
}

static uint32_t cells_at(uint32_t address) {
  return samara_store_bus_word(flash.cells + address);
}

/* The NVMC of an nRF52. */

static void nrf52_change(uint32_t address, uint32_t word) {
  const uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8),
                            (uint8_t)(word >> 16), (uint8_t)(word >> 24)};
  if (now.busy != 0 || now.nrf52_config != 1 ||
      !flash_program(address, bytes, sizeof bytes)) {
    refuse("a word of the nRF52");
  }
  now.busy = polls_when_busy;
}

static void nrf52_set(uint32_t address, uint32_t word) {
  if (now.busy != 0) {
    refuse("a register of a busy nRF52");
  }
  if (address == SAMARA_NRF52_CONFIG) {
    now.nrf52_config = word;
  } else if (address == SAMARA_NRF52_ERASEPAGE && now.nrf52_config == 2) {
    if (!flash_erase_page(word)) {
      refuse("a page of the nRF52");
    }
    now.busy = polls_when_busy;
  } else {
    refuse("a register of the nRF52");
  }
}

/* The flash interface of an STM32L4. */

static bool stm32_is_locked(void) { return now.keys != 2; }

static void stm32_erase(uint32_t control) {
  const uint32_t page =
      (control >> 3 & 0xff) + ((control & SAMARA_STM32L4_CR_BANK_2) != 0
                                   ? SAMARA_STM32L4_BANK_PAGES
                                   : 0);
  if ((control >> 3 & 0xff) >= SAMARA_STM32L4_BANK_PAGES ||
      (control & SAMARA_STM32L4_CR_PAGE_ERASE) == 0 ||
      !flash_erase_page(page * samara_stm32l4_page_size)) {
    refuse("a page of the STM32");
  }
  now.busy = polls_when_busy;
}

static void stm32_set_control(uint32_t word) {
  if (stm32_is_locked() || now.busy != 0) {
    refuse("CR of a locked or busy STM32");
  } else if ((word & SAMARA_STM32L4_CR_LOCK) != 0) {
    now.keys = 0;
    now.control = SAMARA_STM32L4_CR_LOCK;
  } else {
    if ((word & SAMARA_STM32L4_CR_START) != 0 &&
        now.control != (word & ~SAMARA_STM32L4_CR_START)) {
      refuse("an erase that begins before its page is named");
    }
    now.control = word;
    if ((word & SAMARA_STM32L4_CR_START) != 0) {
      stm32_erase(word);
    }
  }
}

static void stm32_set(uint32_t address, uint32_t word) {
  switch (address) {
  case SAMARA_STM32L4_KEYR:
    /* A wrong key locks the real chip until its reset. */
    if (word != (now.keys == 0 ? 0x45670123u : 0xcdef89abu) || now.keys > 1) {
      refuse("a key of the STM32");
    }
    now.keys++;
    break;
  case SAMARA_STM32L4_SR:
    now.status &= ~word;
    break;
  case SAMARA_STM32L4_CR:
    stm32_set_control(word);
    break;
  case SAMARA_STM32L4_ECCR:
    now.ecc &= ~(word & SAMARA_STM32L4_ECC_DETECTED);
    break;
  case SAMARA_STM32L4_ACR:
    if ((word & SAMARA_STM32L4_DATA_CACHE_RESET) != 0) {
      if ((now.access & SAMARA_STM32L4_DATA_CACHE) != 0) {
        refuse("a reset of a cache that is on");
      }
      memset(now.is_cached, 0, sizeof now.is_cached);
    }
    now.access = word;
    break;
  default:
    refuse("a register of the STM32");
  }
}

/* 8 bytes are written together, the low word first. */
static void stm32_change(uint32_t address, uint32_t word) {
  if (stm32_is_locked() || now.busy != 0 || now.status != 0 ||
      now.control != SAMARA_STM32L4_CR_PROGRAM) {
    refuse("a write of an STM32 that is not ready");
  } else if (!now.has_low) {
    now.has_low = true;
    now.low = word;
    now.low_at = address;
  } else {
    uint8_t bytes[8];
    for (unsigned i = 0; i < 4; i++) {
      bytes[i] = (uint8_t)(now.low >> 8 * i);
      bytes[4 + i] = (uint8_t)(word >> 8 * i);
    }
    now.has_low = false;
    if (address != now.low_at + 4 || !flash_program(now.low_at, bytes, 8)) {
      refuse("8 bytes of the STM32");
    }
    now.busy = polls_when_busy;
  }
}

/* The entry of the vector table: the handler is called by the chip. */
static bool (*const volatile stm32_nmi)(void) = samara_stm32l4_nmi;

static uint32_t stm32_cell(uint32_t address) {
  uint8_t noise[4];
  if (flash.broken[address / 8 * 2]) {
    /* Not maskable: the handler runs before the read is used. */
    now.ecc |= SAMARA_STM32L4_ECC_DETECTED;
    if (!stm32_nmi() || stm32_nmi()) {
      refuse("an NMI that is not one");
    }
    fill_random(noise, sizeof noise);
    return samara_store_bus_word(noise);
  }
  if ((now.access & SAMARA_STM32L4_DATA_CACHE) == 0) {
    return cells_at(address);
  }
  if (!now.is_cached[address / 4]) {
    now.is_cached[address / 4] = true;
    now.cache[address / 4] = cells_at(address);
  }
  return now.cache[address / 4];
}

uint32_t samara_store_bus_get(uint32_t address) {
  switch (address) {
  case SAMARA_NRF52_READY:
    return !is_busy();
  case SAMARA_STM32L4_SR:
    return now.status | (is_busy() ? SAMARA_STM32L4_SR_BUSY : 0);
  case SAMARA_STM32L4_CR:
    return now.control;
  case SAMARA_STM32L4_ECCR:
    return now.ecc;
  case SAMARA_STM32L4_ACR:
    return now.access;
  default:
    if (now.busy != 0) {
      refuse("a read from a busy memory");
    }
    return address >= SAMARA_STM32L4_CELLS
               ? stm32_cell(address - SAMARA_STM32L4_CELLS)
               : cells_at(address);
  }
}

void samara_store_bus_set(uint32_t address, uint32_t word) {
  if (address >= SAMARA_STM32L4_ACR) {
    stm32_set(address, word);
  } else if (address >= 0x40000000u) {
    nrf52_set(address, word);
  } else if (address >= SAMARA_STM32L4_CELLS) {
    stm32_change(address - SAMARA_STM32L4_CELLS, word);
  } else {
    nrf52_change(address, word);
  }
}

/* The flash controller of an MSP430, at 4 MHz. */

/* A clock within 280 and 476 kHz, from MCLK. */
static bool msp430_has_clock(void) {
  const unsigned khz = 4000 / ((now.clock & 0x3fu) + 1);
  return (now.clock & 0xc0) == 0x40 && khz > 280 && khz < 476;
}

static void msp430_set_register(uint32_t address, uint16_t word) {
  if (now.busy != 0 || (word & 0xff00) != SAMARA_MSP430_KEY) {
    refuse("a register of a busy MSP430, or without its key");
  }
  switch (address) {
  case SAMARA_MSP430_FCTL1:
    now.mode = word & 0xff;
    break;
  case SAMARA_MSP430_FCTL2:
    now.clock = word & 0xff;
    break;
  case SAMARA_MSP430_FCTL3:
    now.is_unlocked = (word & samara_msp430_lock) == 0;
    now.status = word & samara_msp430_violation;
    break;
  default:
    refuse("a register of the MSP430");
  }
}

/* A violation is told in FCTL3, and nothing is changed. */
static bool msp430_changed(uint32_t address, uint16_t word) {
  const uint8_t bytes[2] = {(uint8_t)word, (uint8_t)(word >> 8)};
  if (!now.is_unlocked || address % 2 != 0) {
    return false;
  }
  return now.mode == samara_msp430_writes ? flash_program(address, bytes, 2)
         : now.mode == samara_msp430_erases
             ? flash_erase_page(address - address % flash.page)
             : false;
}

void samara_store_bus_set16(uint32_t address, uint16_t word) {
  if (address < SAMARA_MSP430_CELLS) {
    msp430_set_register(address, word);
    return;
  }
  if (now.busy != 0 || !now.interrupts_off || !msp430_has_clock()) {
    refuse("a change of an MSP430 that is not ready");
  }
  if (!msp430_changed(address - SAMARA_MSP430_CELLS, word)) {
    refuse("cells of the MSP430");
    now.status = samara_msp430_violation;
  }
  now.busy = polls_when_busy;
}

uint16_t samara_store_bus_get16(uint32_t address) {
  if (address == SAMARA_MSP430_FCTL3) {
    return (uint16_t)(0x9600 | now.status | (is_busy() ? 1 : 0));
  }
  if (now.busy != 0 || now.is_unlocked || now.mode != 0 || address % 2 != 0) {
    refuse("a read from an MSP430 that is busy, or still unlocked");
  }
  return (uint16_t)cells_at(address - SAMARA_MSP430_CELLS);
}

enum { msp430_status = 0x00da };

uint16_t samara_msp430_interrupts_off(void) {
  now.interrupts_off = true;
  return msp430_status;
}

void samara_msp430_interrupts_as(uint16_t status) {
  if (status != msp430_status || now.busy != 0) {
    refuse("interrupts while an MSP430 is busy");
  }
  now.interrupts_off = false;
}

/* The Pico SDK: ones leave cells as they are. */

static const uint8_t *rp2040_cells(void) {
  if (now.interrupts_off) {
    refuse("a read while cells are changed");
  }
  return flash.cells;
}

uint32_t save_and_disable_interrupts(void) {
  now.interrupts_off = true;
  return 0x55;
}

void restore_interrupts(uint32_t state) {
  CHECK(state == 0x55, "interrupts are as before");
  now.interrupts_off = false;
}

void flash_range_program(uint32_t offset, const uint8_t *bytes, size_t count) {
  if (!now.interrupts_off || offset % FLASH_PAGE_SIZE != 0 ||
      count % FLASH_PAGE_SIZE != 0) {
    refuse("a page of the RP2040");
  }
  for (uint32_t i = 0; i < count; i += 4) {
    if (samara_store_bus_word(bytes + i) != 0xffffffffu &&
        !flash_program(offset + i, bytes + i, 4)) {
      refuse("bytes of the RP2040");
    }
  }
}

void flash_range_erase(uint32_t offset, size_t count) {
  if (!now.interrupts_off || count != FLASH_SECTOR_SIZE ||
      !flash_erase_page(offset)) {
    refuse("a sector of the RP2040");
  }
}

/* Zephyr's flash map: a partition that begins behind the first page. */

enum { zephyr_begin = 4096 };

static const struct flash_area zephyr_area = {3};

int flash_area_open(uint8_t id, const struct flash_area **area) {
  *area = &zephyr_area;
  return id == zephyr_area.fa_id ? 0 : -2;
}

int flash_area_read(const struct flash_area *area, off_t offset, void *bytes,
                    size_t size) {
  (void)area;
  memcpy(bytes, flash.cells + zephyr_begin + offset, size);
  return 0;
}

int flash_area_write(const struct flash_area *area, off_t offset,
                     const void *bytes, size_t size) {
  (void)area;
  const bool done = flash_program(zephyr_begin + (uint32_t)offset, bytes, size);
  if (!done) {
    refuse("a write of Zephyr");
  }
  return done ? 0 : -5;
}

int flash_area_erase(const struct flash_area *area, off_t offset, size_t size) {
  (void)area;
  const bool done =
      size == flash.page && flash_erase_page(zephyr_begin + (uint32_t)offset);
  if (!done) {
    refuse("a page of Zephyr");
  }
  return done ? 0 : -5;
}

uint32_t flash_area_align(const struct flash_area *area) {
  (void)area;
  return flash.unit;
}

uint8_t flash_area_erased_val(const struct flash_area *area) {
  (void)area;
  return 0xff;
}

/* RIOT's MTD: pages that make up sectors, or an EEPROM that writes over. */

enum { mtd_page = 256 };

static bool mtd_is_inside(const mtd_dev_t *mtd, uint32_t address,
                          uint32_t size) {
  const uint32_t whole =
      mtd->sector_count * mtd->pages_per_sector * mtd->page_size;
  return mtd->driver != NULL && address <= whole && size <= whole - address;
}

int mtd_init(mtd_dev_t *mtd) { return mtd->driver != NULL ? 0 : -19; }

int mtd_read(mtd_dev_t *mtd, void *bytes, uint32_t address, uint32_t count) {
  if (!mtd_is_inside(mtd, address, count)) {
    refuse("a read of MTD");
    return -75;
  }
  memcpy(bytes, flash.cells + address, count);
  return 0;
}

int mtd_write_page_raw(mtd_dev_t *mtd, const void *bytes, uint32_t page,
                       uint32_t offset, uint32_t size) {
  const uint32_t address = page * mtd->page_size + offset;
  const bool over = (mtd->driver->flags & MTD_DRIVER_FLAG_DIRECT_WRITE) != 0;
  if (offset >= mtd->page_size || offset % mtd->write_size != 0 ||
      size % mtd->write_size != 0 || !mtd_is_inside(mtd, address, size) ||
      !(over ? flash_overwrite(address, bytes, size)
             : flash_program(address, bytes, size))) {
    refuse("a write of MTD");
    return -22;
  }
  return 0;
}

int mtd_erase_sector(mtd_dev_t *mtd, uint32_t sector, uint32_t count) {
  const uint32_t size = mtd->pages_per_sector * mtd->page_size;
  if (count != 1 || !mtd_is_inside(mtd, sector * size, size) ||
      !flash_erase_page(sector * size)) {
    refuse("a sector of MTD");
    return -75;
  }
  return 0;
}

/* ESP-IDF's NVS: an entry is replaced as a whole or not. */

esp_err_t nvs_open(const char *name, nvs_open_mode_t mode,
                   nvs_handle_t *handle) {
  *handle = 9;
  return strcmp(name, "samara") == 0 && mode == NVS_READWRITE ? ESP_OK : -1;
}

static unsigned entry_of(nvs_handle_t handle, const char *key) {
  unsigned number = 0;
  if (handle != 9 || key[0] != 's' || strlen(key) != 9) {
    refuse("the name of an entry");
  }
  for (const char *digit = key + 1; *digit != 0; digit++) {
    number = 16 * number +
             (unsigned)(*digit <= '9' ? *digit - '0' : *digit - 'a' + 10);
  }
  if (number >= entries) {
    refuse("an entry of NVS");
  }
  return number;
}

esp_err_t nvs_get_blob(nvs_handle_t handle, const char *key, void *value,
                       size_t *size) {
  const unsigned number = entry_of(handle, key);
  if (!has_entry[number]) {
    return ESP_ERR_NVS_NOT_FOUND;
  }
  memcpy(value, flash.cells + (size_t)number * samara_esp_nvs_unit,
         samara_esp_nvs_unit);
  return *size == samara_esp_nvs_unit ? ESP_OK : -1;
}

/* It is durable when it is committed. */
esp_err_t nvs_set_blob(nvs_handle_t handle, const char *key, const void *value,
                       size_t size) {
  now.pending = entry_of(handle, key);
  now.has_pending = true;
  memcpy(now.entry, value, sizeof now.entry);
  return size == samara_esp_nvs_unit ? ESP_OK : -1;
}

esp_err_t nvs_commit(nvs_handle_t handle) {
  const bool cut = flash_is_cut();
  if (now.has_pending && (!cut || flash.tear == FLASH_NEW)) {
    memcpy(flash.cells + now.pending * sizeof now.entry, now.entry,
           sizeof now.entry);
    has_entry[now.pending] = true;
  }
  now.has_pending = false;
  if (cut) {
    longjmp(flash.dark, 1);
  }
  return handle == 9 ? ESP_OK : -1;
}

/* Resets, and what they leave. */

static void forget(void) {
  memset(&now, 0, sizeof now);
  now.control = SAMARA_STM32L4_CR_LOCK;
}

static const samara_store_memory *start_nrf52(void) {
  forget();
  return &samara_store_nrf52;
}

static const samara_store_memory *start_nrf51(void) {
  forget();
  return &samara_store_nrf51;
}

static const samara_store_memory *start_msp430(void) {
  forget();
  return &samara_store_msp430;
}

static const samara_store_memory *start_msp430_information(void) {
  forget();
  return &samara_store_msp430_information;
}

static const samara_store_memory *start_stm32(void) {
  forget();
  now.access = SAMARA_STM32L4_DATA_CACHE | 4;
  now.status = 1 << 7; /* an error of somebody else */
  return &samara_store_stm32l4;
}

static const samara_store_memory *start_rp2040(void) {
  forget();
  return &samara_store_rp2040;
}

static const samara_store_memory *start_zephyr(void) {
  static samara_store_zephyr partition;
  forget();
  CHECK(!samara_store_zephyr_open(&partition, 4, 2048), "no partition");
  CHECK(samara_store_zephyr_open(&partition, 3, 2048), "a partition");
  return &partition.memory;
}

static const samara_store_memory *start_mtd(uint8_t flags, uint32_t unit) {
  static const mtd_desc_t drivers[] = {{0}, {MTD_DRIVER_FLAG_DIRECT_WRITE}};
  static mtd_dev_t device;
  static samara_store_riot_mtd opened;
  forget();
  device = (mtd_dev_t){NULL, 8, 8, mtd_page, unit};
  CHECK(!samara_store_riot_mtd_open(&opened, &device), "no driver");
  device.driver = &drivers[flags];
  device.write_size = 512;
  CHECK(!samara_store_riot_mtd_open(&opened, &device), "an SD card");
  device.write_size = unit;
  CHECK(samara_store_riot_mtd_open(&opened, &device), "a device");
  return &opened.memory;
}

static const samara_store_memory *start_mtd_flash(void) {
  return start_mtd(0, 4);
}

static const samara_store_memory *start_mtd_eeprom(void) {
  return start_mtd(MTD_DRIVER_FLAG_DIRECT_WRITE, 1);
}

static const samara_store_memory *start_esp_nvs(void) {
  static samara_store_esp_nvs storage;
  forget();
  CHECK(!samara_store_esp_nvs_open(&storage, "another"), "no namespace");
  CHECK(samara_store_esp_nvs_open(&storage, "samara"), "a namespace");
  return &storage.memory;
}

const chip chips[chip_count] = {
    {"nRF51", 4, 1024, start_nrf51, 0},
    {"nRF52", 4, 4096, start_nrf52, 0},
    {"MSP430", 2, 512, start_msp430, 0},
    {"MSP430 information", 2, 128, start_msp430_information, 0},
    {"MSP430FR", 2, 512, start_msp430fr, 0},
    {"MSP430FR2 data", 2, 512, start_msp430fr_syscfg, 0x1800},
    {"MSP430FR2 program", 2, 512, start_msp430fr_syscfg, 0x1a00},
    {"STM32F1", 2, 1024, start_stm32f1, 0},
    {"STM32L4", 8, 2048, start_stm32, 0},
    {"RP2040", 4, 4096, start_rp2040, 0},
    {"Zephyr", 16, 2048, start_zephyr, 0},
    {"RIOT flash", 4, 2048, start_mtd_flash, 0},
    {"RIOT EEPROM", 1, 2048, start_mtd_eeprom, 0},
    {"ESP NVS", 32, 4096, start_esp_nvs, 0}};

void chip_init(const chip *kind) {
  flash_init(kind->unit, kind->page);
  memset(has_entry, 0, sizeof has_entry);
}

void chip_save(void) {
  kept = flash;
  memcpy(kept_entries, has_entry, sizeof has_entry);
}

void chip_restore(void) {
  flash = kept;
  memcpy(has_entry, kept_entries, sizeof has_entry);
}
