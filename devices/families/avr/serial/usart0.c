/* SPDX-License-Identifier: Apache-2.0 */
/* Timer 1, and USART 0 of an ATmega, which an Arduino has behind its USB port:
 * 8 bits, no parity, one stop bit, as after a reset. */

#include "board.h"

/* In steps of 8 cycles (double speed), rounded. */
enum {
  rate = (BOARD_CLOCK_HZ + 4 * BOARD_BAUD) / (8 * BOARD_BAUD) - 1,
  coarse = 1 << CS12 | 1 << CS10,
  fine = 1 << CS10
};

/* Made by 8 * (rate + 1), in permille of BOARD_BAUD. */
#define MADE (BOARD_CLOCK_HZ * 125 / (rate + 1) / BOARD_BAUD)
_Static_assert(rate >= 0 && rate <= 0xfff && MADE >= 975 && MADE <= 1025,
               "BAUD: the clock does not give this baud rate");

void board_port_begin(void) {
  UBRR0H = (uint8_t)(rate >> 8);
  UBRR0L = (uint8_t)rate;
  UCSR0A = 1 << U2X0;
  UCSR0B = 1 << RXEN0 | 1 << TXEN0;
}

void board_put(uint8_t byte) {
  while ((UCSR0A & 1 << UDRE0) == 0) {
  }
  UDR0 = byte;
}

bool board_get(uint8_t *byte) {
  if ((UCSR0A & 1 << RXC0) == 0) {
    return false;
  }
  *byte = UDR0;
  return true;
}

void board_timer_begin(uint8_t pass) {
  TCCR1A = 0;
  TCCR1B = 0;
  TCNT1 = 0;
  TCCR1B = pass == 0 ? fine : coarse;
}

uint32_t board_timer_between(void) {
  return (uint16_t)(board_ended - board_began);
}
