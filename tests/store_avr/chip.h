/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CHIP_H
#define CHIP_H

/* An AVR with the firmware counter.c in libsimavr, and its registers. */

#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <stdbool.h>
#include <stdint.h>

enum {
  eeprom_size = 1024,
  gpior0 = 0x3e,
  gpior1 = 0x4a,
  gpior2 = 0x4b,
  eecr = 0x3f,
  eedr = 0x40,
  eear = 0x41,
  start_write = 1 << 1 /* EEPE */
};

/* What the firmware shows in its third register. */
enum { shows_number = 1, shows_opened = 2, shows_error = 255 };

/* Reads firmware; ends the program when it cannot be read. */
void chip_read(elf_firmware_t *firmware, const char *image);

/* A chip after a reset. The functions are called for each number that the
 * firmware shows, and before each byte that it writes to the EEPROM. */
avr_t *chip_start(elf_firmware_t *firmware, const char *mcu, uint8_t *eeprom,
                  void (*see_number)(long number, uint8_t kind),
                  void (*see_write)(unsigned place, uint8_t value));

/* Runs it until *is_over, and removes it: whether it came so far. */
bool chip_live(avr_t *avr, const bool *is_over);

#endif
