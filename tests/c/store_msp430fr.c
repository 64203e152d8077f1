/* SPDX-License-Identifier: Apache-2.0 */

/* The FRAM of an MSP430FR2xxx, whose SYSCFG0 protects it (SLAU445, 1.9.3), and
 * of an MSP430FR59xx, which has no such register. The first 512 bytes of the
 * cells are those from 0x1800, the others the program's. */

#include "check.h"
#include "flash_model.h"
#include "store_chips.h"
#include <string.h>

#define SAMARA_STORE_BUS_BY_CALL
#define samara_store_bus_get msp430fr_get
#define samara_store_bus_set msp430fr_set
#define samara_store_bus_get16 msp430fr_get16
#define samara_store_bus_set16 msp430fr_set16
#define SAMARA_MSP430FR_CELLS 0x10000u /* registers are below */
#include <samara/memories/msp430fr.h>

/* FRWPOA, which the memory has to leave as it is, and both protections. */
enum { offset_of_program = 0x14, all_protected = offset_of_program | 3 };

static struct {
  bool has_protection;
  uint16_t protection; /* the low byte of SYSCFG0 */
} now;

uint32_t msp430fr_get(uint32_t address) {
  (void)address;
  refuse("32 bits of an MSP430FR that are read");
  return 0;
}

void msp430fr_set(uint32_t address, uint32_t word) {
  (void)address;
  (void)word;
  refuse("32 bits of an MSP430FR that are written");
}

uint16_t msp430fr_get16(uint32_t address) {
  if (address == SAMARA_MSP430FR_SYSCFG0 && now.has_protection) {
    return 0x9600 | now.protection;
  }
  const uint32_t place = address - SAMARA_MSP430FR_CELLS;
  if (address < SAMARA_MSP430FR_CELLS || place % 2 != 0 ||
      place + 2 > flash_size ||
      (now.has_protection && now.protection != all_protected)) {
    refuse("a read from an MSP430FR that is unprotected, or from elsewhere");
    return 0;
  }
  return (uint16_t)(flash.cells[place] | flash.cells[place + 1] << 8);
}

static void set_protection(uint16_t word) {
  if (!now.has_protection || (word & 0xff00) != 0xa500 ||
      (word & 0xfc) != offset_of_program) {
    refuse("SYSCFG0 of an MSP430FR");
  }
  now.protection = word & 0xff;
}

/* Exactly the protection of this place is open. */
static bool is_open(uint32_t place) {
  const unsigned open = place < samara_msp430fr_data_end ? all_protected & ~2
                                                         : all_protected & ~1;
  return !now.has_protection || now.protection == open;
}

void msp430fr_set16(uint32_t address, uint16_t word) {
  const uint8_t bytes[2] = {(uint8_t)word, (uint8_t)(word >> 8)};
  const uint32_t place = address - SAMARA_MSP430FR_CELLS;
  if (address == SAMARA_MSP430FR_SYSCFG0) {
    set_protection(word);
  } else if (address < SAMARA_MSP430FR_CELLS || !is_open(place) ||
             !flash_overwrite(place, bytes, sizeof bytes)) {
    refuse("a write to an MSP430FR");
  }
}

const samara_store_memory *start_msp430fr(void) {
  memset(&now, 0, sizeof now);
  return &samara_store_msp430fr;
}

const samara_store_memory *start_msp430fr_syscfg(void) {
  now.has_protection = true;
  now.protection = all_protected;
  return &samara_store_msp430fr_syscfg;
}
