/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Usage: cuts IMAGE MCU STEP LIVES
 *
 * Runs the firmware counter.c in libsimavr again and again. The EEPROM is kept
 * between the lives; each ends with a power cut in the write of a byte, which
 * is then old, new, erased or anything. Prints what it saw, and fails if a
 * number came back or more numbers were lost than STEP: then at once. */

#include "chip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t eeprom[eeprom_size];
static unsigned writes_left, tear;
static bool dark;
static long used = -1; /* the highest number that was used */
static long reserved;  /* the lowest number that a life may begin with */
static long step, numbers, repeats, losses, errors, opened, torn_bytes;

static void see_number(long number, uint8_t kind) {
  if (dark) {
    return;
  }
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
  }
}

/* Marsaglia's xorshift generator: any byte, the same in each run. */
static uint8_t any_byte(void) {
  static uint32_t state = 1;
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return (uint8_t)(state >> 24);
}

static uint8_t torn(uint8_t old, uint8_t new) {
  const uint8_t results[] = {old, new, 0xff, any_byte()};
  return results[tear % 4];
}

/* The write takes effect at once in libsimavr. What a cut leaves of it is put
 * into the copy, with which the next life begins. */
static void see_write(unsigned place, uint8_t value) {
  if (dark) {
    return;
  }
  if (writes_left-- == 0) {
    torn_bytes += tear % 4 != 1;
    eeprom[place] = torn(eeprom[place], value);
    dark = true;
    return;
  }
  eeprom[place] = value;
}

static void live(elf_firmware_t *firmware, const char *mcu) {
  dark = false;
  errors += !chip_live(chip_start(firmware, mcu, eeprom, see_number, see_write),
                       &dark);
}

int main(int count, char **arguments) {
  if (count != 5) {
    fprintf(stderr, "usage: cuts IMAGE MCU STEP LIVES\n");
    return 2;
  }
  elf_firmware_t firmware = {0};
  chip_read(&firmware, arguments[1]);
  step = strtol(arguments[3], NULL, 10);
  memset(eeprom, 0xff, sizeof eeprom);
  const unsigned lives = (unsigned)strtol(arguments[4], NULL, 10);
  unsigned life = 0;
  /* One number that came back is enough: a faulty store may run for minutes. */
  for (; life < lives && repeats + losses == 0; life++) {
    /* Each byte of a record, up to several records later, by turns. */
    writes_left = life * 7 % 61;
    tear = life / 3;
    live(&firmware, arguments[2]);
  }
  printf("lives %u, torn bytes %ld, opened %ld, numbers %ld, repeats %ld, "
         "losses %ld, errors %ld\n",
         life, torn_bytes, opened, numbers, repeats, losses, errors);
  return repeats == 0 && losses == 0 && errors == 0 && numbers != 0 ? 0 : 1;
}
