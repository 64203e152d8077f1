/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Usage: every_cut IMAGE MCU STEP NUMBERS CUT
 *
 * Runs the firmware counter.c in libsimavr until it has used so many numbers
 * and writes its next record, and cuts the power in every cycle of that. The
 * EEPROM changes in no cycle but those in which a byte is written, which is
 * checked. So these are all that a cut can leave: the bytes before are
 * written, one holds any of the 256 values, and the rest is old. From each of
 * them the counter is opened, and takes its next number.
 *
 * With a CUT other than 0, that write of an earlier life is cut, too, so that
 * the store recovers from one cut when the next comes. Prints what it saw, and
 * fails if a number came back or more numbers were lost than STEP. */

#include "chip.h"

#include <simavr/avr_eeprom.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { bytes_max = 32, any_value = 0xa5 };

static uint8_t eeprom[eeprom_size];
static bool over;
static long used = -1, reserved; /* as in cuts.c */
static long step, numbers, repeats, losses, errors, opened;

/* The bytes of a record that is written after so many numbers. */
static long numbers_before, used_before, reserved_before;
static unsigned byte_count;
static struct {
  uint8_t before[eeprom_size];
  unsigned place;
} bytes[bytes_max];

static unsigned long writes_left; /* until the cut of the first life */

static void see_number(long number, uint8_t kind) {
  errors += kind == shows_error;
  if (kind == shows_opened) {
    opened++;
    repeats += number <= used;
    losses += number > reserved + step;
    reserved = number;
  } else if (kind == shows_number) {
    numbers++;
    repeats += number <= used;
    used = number;
    reserved = number + 1;
    over = byte_count != 0;
  }
}

static void cut_write(unsigned place, uint8_t value) {
  if (over) {
    return;
  }
  over = --writes_left == 0;
  eeprom[place] = over ? any_value : value;
}

static void keep_write(unsigned place, uint8_t value) {
  if (numbers >= numbers_before && !over && byte_count < bytes_max) {
    used_before = used;
    reserved_before = reserved;
    memcpy(bytes[byte_count].before, eeprom, sizeof eeprom);
    bytes[byte_count].place = place;
    byte_count++;
  }
  eeprom[place] = value;
}

/* Runs until the record is written: cycles of that. In each of them the EEPROM
 * is looked at, of which `eeprom` is a copy. */
static unsigned long write_record(avr_t *avr) {
  avr_eeprom_desc_t content = {.ee = NULL, .offset = 0, .size = eeprom_size};
  unsigned long cycles = 0;
  while (!over && errors == 0 && avr->cycle < 400000000) {
    const avr_cycle_count_t since = avr->cycle;
    const int state = avr_run(avr);
    errors += state == cpu_Done || state == cpu_Crashed;
    if (byte_count != 0) {
      cycles += avr->cycle - since;
      avr_ioctl(avr, AVR_IOCTL_EEPROM_GET, &content);
      errors += memcmp(content.ee, eeprom, sizeof eeprom) != 0;
    }
  }
  avr_terminate(avr);
  return cycles;
}

static void ignore_write(unsigned place, uint8_t value) {
  (void)place, (void)value;
}

/* A life of the counter from what a cut has left, to its first number. */
static void recover(elf_firmware_t *firmware, const char *mcu) {
  over = false;
  used = used_before;
  reserved = reserved_before;
  errors += !chip_live(
      chip_start(firmware, mcu, eeprom, see_number, ignore_write), &over);
}

static void recover_from_each(elf_firmware_t *firmware, const char *mcu) {
  for (unsigned i = 0; i < byte_count; i++) {
    for (unsigned value = 0; value < 256; value++) {
      memcpy(eeprom, bytes[i].before, sizeof eeprom);
      eeprom[bytes[i].place] = (uint8_t)value;
      recover(firmware, mcu);
    }
  }
}

int main(int count, char **arguments) {
  if (count != 6) {
    fprintf(stderr, "usage: every_cut IMAGE MCU STEP NUMBERS CUT\n");
    return 2;
  }
  const char *mcu = arguments[2];
  elf_firmware_t firmware = {0};
  chip_read(&firmware, arguments[1]);
  step = strtol(arguments[3], NULL, 10);
  numbers_before = strtol(arguments[4], NULL, 10);
  writes_left = strtoul(arguments[5], NULL, 10);
  memset(eeprom, 0xff, sizeof eeprom);
  if (writes_left != 0) {
    errors += !chip_live(
        chip_start(&firmware, mcu, eeprom, see_number, cut_write), &over);
    over = false;
  }
  const unsigned long cycles =
      write_record(chip_start(&firmware, mcu, eeprom, see_number, keep_write));
  recover_from_each(&firmware, mcu);
  printf("cycles %lu, bytes %u, opened %ld, numbers %ld, repeats %ld, "
         "losses %ld, errors %ld\n",
         cycles, byte_count, opened, numbers, repeats, losses, errors);
  return repeats == 0 && losses == 0 && errors == 0 && byte_count != 0 ? 0 : 1;
}
