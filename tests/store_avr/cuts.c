/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Usage: cuts IMAGE MCU STEP LIVES
 *
 * Runs the firmware counter.c in libsimavr again and again. The EEPROM is kept
 * between the lives; each ends with a power cut in the write of a byte, which
 * is then old, new, erased or anything. Prints what it saw, and fails if a
 * number came back or more numbers were lost than STEP. */

#include <simavr/avr_eeprom.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static uint8_t eeprom[eeprom_size];
static unsigned writes_left, tear;
static bool dark;
static long used = -1; /* the highest number that was used */
static long reserved;  /* the lowest number that a life may begin with */
static long step, numbers, repeats, losses, errors, opened, torn_bytes;

static void see_number(struct avr_t *avr, avr_io_addr_t address, uint8_t kind,
                       void *context) {
  const long number = avr->data[gpior1] | (long)avr->data[gpior2] << 8;
  (void)context;
  avr->data[address] = kind;
  if (dark) {
    return;
  }
  errors += kind == 255;
  if (kind == 2) {
    opened++;
    repeats += number <= used;
    losses += number > reserved + step;
    reserved = number;
  } else if (kind == 1) {
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
static void see_write(struct avr_t *avr, avr_io_addr_t address, uint8_t value,
                      void *context) {
  const unsigned place = avr->data[eear] | (unsigned)avr->data[eear + 1] << 8;
  (void)address;
  (void)context;
  if ((value & start_write) == 0 || dark || place >= eeprom_size) {
    return;
  }
  if (writes_left-- == 0) {
    torn_bytes += tear % 4 != 1;
    eeprom[place] = torn(eeprom[place], avr->data[eedr]);
    dark = true;
    return;
  }
  eeprom[place] = avr->data[eedr];
}

static void quiet(avr_t *avr, const int level, const char *format,
                  va_list rest) {
  (void)avr, (void)level, (void)format, (void)rest;
}

static void live(elf_firmware_t *firmware, const char *mcu) {
  avr_t *avr = avr_make_mcu_by_name(mcu);
  if (avr == NULL || avr_init(avr) != 0) {
    fprintf(stderr, "cuts: %s is unknown to libsimavr\n", mcu);
    exit(2);
  }
  avr->frequency = 16000000;
  avr_load_firmware(avr, firmware);
  avr_eeprom_desc_t content = {.ee = eeprom, .offset = 0, .size = eeprom_size};
  avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &content);
  avr_register_io_write(avr, gpior0, see_number, NULL);
  avr_register_io_write(avr, eecr, see_write, NULL);
  dark = false;
  for (uint64_t limit = 40000000; !dark && avr->cycle < limit;) {
    const int state = avr_run(avr);
    if (state == cpu_Done || state == cpu_Crashed) {
      errors++;
      break;
    }
  }
  errors += !dark;
  avr_terminate(avr);
}

int main(int count, char **arguments) {
  if (count != 5) {
    fprintf(stderr, "usage: cuts IMAGE MCU STEP LIVES\n");
    return 2;
  }
  elf_firmware_t firmware = {0};
  avr_global_logger_set(quiet);
  if (elf_read_firmware(arguments[1], &firmware) != 0) {
    fprintf(stderr, "cuts: %s cannot be read\n", arguments[1]);
    return 2;
  }
  step = strtol(arguments[3], NULL, 10);
  memset(eeprom, 0xff, sizeof eeprom);
  const unsigned lives = (unsigned)strtol(arguments[4], NULL, 10);
  for (unsigned life = 0; life < lives; life++) {
    /* Each byte of a record, up to several records later, by turns. */
    writes_left = life * 7 % 61;
    tear = life / 3;
    live(&firmware, arguments[2]);
  }
  printf("lives %u, torn bytes %ld, opened %ld, numbers %ld, repeats %ld, "
         "losses %ld, errors %ld\n",
         lives, torn_bytes, opened, numbers, repeats, losses, errors);
  return repeats == 0 && losses == 0 && errors == 0 && numbers != 0 ? 0 : 1;
}
