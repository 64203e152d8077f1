/* SPDX-License-Identifier: Apache-2.0 */

/* Firmware: takes numbers from a counter in the EEPROM, and shows each in two
 * registers; writing the third says that it is used. 1: a number, 2: the number
 * with which the counter opened, 255: an error. */

#include <avr/io.h>
#include <samara/store_avr_eeprom.h>

static samara_store_counter counter = {.ring = {
                                           .memory = &samara_store_avr_eeprom,
                                           .first = 16,
                                           .size = 12 * 8,
                                           .step = STEP,
                                           .id = 1,
                                       }};

static void show(uint64_t number, uint8_t kind) {
  GPIOR1 = (uint8_t)number;
  GPIOR2 = (uint8_t)(number >> 8);
  GPIOR0 = kind;
}

int main(void) {
  samara_store_result result = samara_store_counter_open(&counter);
  if (result == SAMARA_STORE_ERROR_BLANK || result == SAMARA_STORE_ERROR_LOST) {
    /* Provisioning was cut: no number was used. The runner knows better. */
    result = samara_store_start(&counter.ring, 0, NULL);
    if (result == SAMARA_STORE_OK) {
      result = samara_store_counter_open(&counter);
    }
  }
  show(counter.next, result == SAMARA_STORE_OK ? 2 : 255);
  for (;;) {
    uint64_t number = 0;
    result = samara_store_counter_take(&counter, &number);
    show(number, result == SAMARA_STORE_OK ? 1 : 255);
  }
}
