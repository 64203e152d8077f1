/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_TESTS_FLASH_MODEL_H
#define SAMARA_TESTS_FLASH_MODEL_H

/* A flash memory that refuses what real ones refuse: a second write of a unit
 * that is not erased, and places that are no multiple of the unit or the page.
 * Its power is cut at any unit that is written and at any page that is erased.
 */

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { flash_size = 16384 };

typedef enum flash_tear {
  FLASH_OLD,
  FLASH_NEW,
  FLASH_RANDOM,
  FLASH_BROKEN, /* with a check that cannot be corrected, where it has one */
  FLASH_TEARS
} flash_tear;

typedef struct flash_model {
  uint8_t cells[flash_size];
  bool broken[flash_size / 4]; /* units that cannot be corrected */
  unsigned unit, page;
  unsigned long steps, cut_at;
  flash_tear tear;
  unsigned refused;
  jmp_buf dark;
} flash_model;

extern flash_model flash;

void flash_init(unsigned unit, unsigned page);
void flash_cut_after(unsigned long steps, flash_tear tear);
void flash_stay_powered(void);

/* Answer whether the place is allowed and was erased; flash_overwrite is for an
 * EEPROM, which need not be. */
bool flash_program(uint32_t address, const uint8_t *bytes, size_t size);
bool flash_overwrite(uint32_t address, const uint8_t *bytes, size_t size);
bool flash_erase_page(uint32_t address);

/* Whether the power fails now. */
bool flash_is_cut(void);

#endif
