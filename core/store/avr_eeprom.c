/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/store_avr_eeprom.h>

#ifdef __AVR__
#include <avr/io.h>
#endif

/* A C library that does not know the chip's EEPROM has no functions for it. */
#ifdef E2END
#include <avr/eeprom.h>

static bool avr_eeprom_read(void *context, uint32_t address, uint8_t *bytes,
                            size_t size) {
  (void)context;
  eeprom_read_block(bytes, (const void *)(uint16_t)address, size);
  return true;
}

/* Bytes that are right already are not written, and do not wear. */
static bool avr_eeprom_write(void *context, uint32_t address,
                             const uint8_t *bytes, size_t size) {
  (void)context;
  eeprom_update_block(bytes, (void *)(uint16_t)address, size);
  eeprom_busy_wait();
  return true;
}

const samara_store_memory samara_store_avr_eeprom = {.read = avr_eeprom_read,
                                                     .write = avr_eeprom_write,
                                                     .write_unit = 1,
                                                     .erased_value = 0xff};
#endif
