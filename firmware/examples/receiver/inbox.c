/* SPDX-License-Identifier: Apache-2.0 */
#include "inbox.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

#ifndef USART_RX_vect
#define USART_RX_vect USART0_RX_vect
#endif

enum { size = 128 }; /* a power of 2 */

static volatile uint8_t bytes_in[size];
static volatile uint8_t end;   /* written by the interrupt alone */
static volatile uint8_t begin; /* written by the program alone */

static uint8_t after(uint8_t place) { return (uint8_t)((place + 1) % size); }

ISR(USART_RX_vect) {
  const uint8_t byte = UDR0;
  if (after(end) != begin) {
    bytes_in[end] = byte;
    end = after(end);
  }
}

void inbox_start(void) { UCSR0B |= 1 << RXEN0 | 1 << RXCIE0; }

size_t inbox_take(uint8_t *bytes, size_t room) {
  size_t taken = 0;
  while (taken < room && begin != end) {
    bytes[taken++] = bytes_in[begin];
    begin = after(begin);
  }
  return taken;
}

/* The instruction after sei() is carried out before any interrupt: no byte can
 * come between the question and the sleep. */
void inbox_wait(void) {
  set_sleep_mode(SLEEP_MODE_IDLE);
  cli();
  while (begin == end) {
    sleep_enable();
    sei();
    sleep_cpu();
    sleep_disable();
    cli();
  }
  sei();
}
