/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chip.h"

#include <simavr/avr_eeprom.h>
#include <stdio.h>
#include <stdlib.h>

static void (*number_seen)(long number, uint8_t kind);
static void (*write_seen)(unsigned place, uint8_t value);

static void see_kind(struct avr_t *avr, avr_io_addr_t address, uint8_t kind,
                     void *context) {
  (void)context;
  avr->data[address] = kind;
  number_seen(avr->data[gpior1] | (long)avr->data[gpior2] << 8, kind);
}

static void see_control(struct avr_t *avr, avr_io_addr_t address, uint8_t value,
                        void *context) {
  const unsigned place = avr->data[eear] | (unsigned)avr->data[eear + 1] << 8;
  (void)address, (void)context;
  if ((value & start_write) != 0 && place < eeprom_size) {
    write_seen(place, avr->data[eedr]);
  }
}

static void quiet(avr_t *avr, const int level, const char *format,
                  va_list rest) {
  (void)avr, (void)level, (void)format, (void)rest;
}

void chip_read(elf_firmware_t *firmware, const char *image) {
  avr_global_logger_set(quiet);
  if (elf_read_firmware(image, firmware) != 0) {
    fprintf(stderr, "%s cannot be read\n", image);
    exit(2);
  }
}

avr_t *chip_start(elf_firmware_t *firmware, const char *mcu, uint8_t *eeprom,
                  void (*see_number)(long number, uint8_t kind),
                  void (*see_write)(unsigned place, uint8_t value)) {
  avr_t *avr = avr_make_mcu_by_name(mcu);
  if (avr == NULL || avr_init(avr) != 0) {
    fprintf(stderr, "%s is unknown to libsimavr\n", mcu);
    exit(2);
  }
  avr->frequency = 16000000;
  avr_load_firmware(avr, firmware);
  avr_eeprom_desc_t content = {.ee = eeprom, .offset = 0, .size = eeprom_size};
  avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &content);
  number_seen = see_number;
  write_seen = see_write;
  avr_register_io_write(avr, gpior0, see_kind, NULL);
  avr_register_io_write(avr, eecr, see_control, NULL);
  return avr;
}

bool chip_live(avr_t *avr, const bool *is_over) {
  bool runs = true;
  while (runs && !*is_over && avr->cycle < 40000000) {
    const int state = avr_run(avr);
    runs = state != cpu_Done && state != cpu_Crashed;
  }
  avr_terminate(avr);
  return *is_over;
}
