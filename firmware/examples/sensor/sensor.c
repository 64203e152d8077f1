/* SPDX-License-Identifier: Apache-2.0 */

/* A sensor on an ATmega328P: it measures its supply voltage, sends it sealed
 * through a serial radio, and sleeps. Key and counters are in the EEPROM, so
 * that a reset repeats no nonce. record.h comes from the host:
 *
 *   samara node init host --link rf-serial --port /dev/ttyUSB0 --for-device
 * record.h make PORT=/dev/ttyACM0 flash samara node listen host
 *
 * Set the fuse EESAVE before the first start: without it, programming erases
 * the EEPROM, and the record must not be adopted a second time. */

#include "record.h"
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <samara/node.h>
#include <samara/store_avr_eeprom.h>
#include <stdlib.h>
#include <string.h>

#ifndef STEP
#define STEP 16 /* messages in one record of the EEPROM */
#endif

enum { longest = 16, unit_size = 60 /* with packets of 12 bytes */ };

static samara_node_record_key key;
static uint8_t wire[unit_size];

static bool to_radio(void *context, const uint8_t *bytes, size_t size) {
  (void)context;
  for (size_t i = 0; i < size; i++) {
    loop_until_bit_is_set(UCSR0A, UDRE0);
    UCSR0A |= 1 << TXC0; /* writing it clears it */
    UDR0 = bytes[i];
  }
  loop_until_bit_is_set(UCSR0A, TXC0); /* before it sleeps */
  return true;
}

static samara_node node = {.aead = &SAMARA_NODE_RECORD_AEAD,
                           .key_state = &key,
                           .key_state_size = sizeof key,
                           .memory = &samara_store_avr_eeprom,
                           .first = 16, /* byte 0 suffers from brown-outs */
                           .size = E2END + 1 - 16,
                           .step = STEP,
                           .receive_step = 1,
                           .write = to_radio,
                           .message_size_max = longest,
                           .wire = wire,
                           .wire_size = sizeof wire};

static void start_uart(void) {
  UBRR0 = F_CPU / 8 / 9600 - 1;
  UCSR0A = 1 << U2X0;
  UCSR0B = 1 << TXEN0;
}

/* The supply in millivolts: the bandgap of 1.1 V measured against it. */
static uint16_t supply_mv(void) {
  ADMUX = 1 << REFS0 | 0x0e;
  ADCSRA = 1 << ADEN | 1 << ADSC | 0x07;
  loop_until_bit_is_clear(ADCSRA, ADSC);
  const uint16_t found = ADC;
  ADCSRA = 0;
  return found == 0 ? 0 : (uint16_t)(1100UL * 1023 / found);
}

EMPTY_INTERRUPT(WDT_vect)

/* About half a second of power-down. */
static void sleep_a_while(void) {
  wdt_reset();
  WDTCSR = 1 << WDCE | 1 << WDE;
  WDTCSR = 1 << WDIE | 1 << WDP2 | 1 << WDP0;
  set_sleep_mode(SLEEP_MODE_PWR_DOWN);
  sleep_mode();
}

int main(void) {
  char text[longest];
  start_uart();
  sei();
  int result = samara_node_open(&node);
  if (result == SAMARA_STORE_ERROR_BLANK) {
    result =
        samara_node_adopt(&node, samara_node_record, sizeof samara_node_record);
    result = result == 0 ? samara_node_open(&node) : result;
  }
  while (result == 0) {
    strcat(itoa((int)supply_mv(), text, 10), " mV");
    result = samara_node_send(&node, (const uint8_t *)text, strlen(text));
    sleep_a_while();
  }
  for (;;) { /* no sound counter, no message */
    sleep_a_while();
  }
}
