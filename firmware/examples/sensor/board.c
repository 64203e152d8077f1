/* SPDX-License-Identifier: Apache-2.0 */
#include "board.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

enum { baud = 9600 };

/* The reference that is measured against the supply. */
#if defined(__AVR_ATmega128RFA1__)
/* Its monitor of the battery compares with thresholds: higher ones, and lower.
 */
enum {
  high_mv = 2550,
  high_step = 75,
  low_mv = 1700,
  low_step = 50,
  last = 15
};
#elif defined(__AVR_ATmega328P__)
enum { bandgap = 0x0e, bandgap_mv = 1100 };
#elif defined(__AVR_ATmega2560__)
enum { bandgap = 0x1e, bandgap_mv = 1100 };
#else
#error "board.c does not know this chip: add its channel of the reference"
#endif

void board_start(void) {
  UCSR0A = 1 << U2X0;
  UBRR0 = F_CPU / 8 / baud - 1;
  UCSR0B = 1 << TXEN0;
  sei();
}

bool board_write(void *context, const uint8_t *bytes, size_t size) {
  (void)context;
  for (size_t i = 0; i < size; i++) {
    loop_until_bit_is_set(UCSR0A, UDRE0);
    UCSR0A |= 1 << TXC0; /* writing it clears it */
    UDR0 = bytes[i];
  }
  loop_until_bit_is_set(UCSR0A, TXC0); /* before it sleeps */
  return true;
}

#if defined(__AVR_ATmega128RFA1__)
static bool is_above(uint8_t threshold) {
  BATMON = threshold;
  return bit_is_set(BATMON, BATMON_OK);
}

int board_measure(void) {
  for (int i = last; i >= 0; i--) {
    if (is_above((uint8_t)(1 << BATMON_HR | i))) {
      return high_mv + i * high_step;
    }
  }
  int i = last;
  while (i > 0 && !is_above((uint8_t)i)) {
    i--;
  }
  return low_mv + i * low_step;
}
#else
int board_measure(void) {
  ADMUX = 1 << REFS0 | bandgap;
  ADCSRA = 1 << ADEN | 1 << ADSC | 0x07;
  loop_until_bit_is_clear(ADCSRA, ADSC);
  const uint16_t found = ADC;
  ADCSRA = 0;
  return found == 0 ? 0 : (int)(1023UL * bandgap_mv / found);
}
#endif

EMPTY_INTERRUPT(WDT_vect)

void board_sleep(void) {
  wdt_reset();
  WDTCSR = 1 << WDCE | 1 << WDE;
  WDTCSR = 1 << WDIE | 1 << WDP2 | 1 << WDP0;
  set_sleep_mode(SLEEP_MODE_PWR_DOWN);
  sleep_mode();
}
