/* SPDX-License-Identifier: Apache-2.0 */
/* USART 1 of an STM32F1, at the pins PA9 (sends) and PA10. After a reset the
 * clock is the internal 8 MHz, at which the flash memory has no wait states. */

#include "board.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))

#define RCC_APB2ENR REGISTER(0x40021018)
#define GPIOA_CRH REGISTER(0x40010804)
#define USART_SR REGISTER(0x40013800)
#define USART_DR REGISTER(0x40013804)
#define USART_BRR REGISTER(0x40013808)
#define USART_CR1 REGISTER(0x4001380c)

enum {
  port_a_on = 1 << 2,
  usart_on = 1 << 14,
  pins_9_and_10 = 0xff0,
  output_and_input = 0x4b0, /* alternate function; floating */
  receives = 1 << 2,
  sends = 1 << 3,
  enabled = 1 << 13,
  has_byte = 1 << 5,
  has_room = 1 << 7
};

void board_port_begin(void) {
  RCC_APB2ENR |= port_a_on | usart_on;
  GPIOA_CRH = (GPIOA_CRH & ~(uint32_t)pins_9_and_10) | output_and_input;
  USART_BRR = (BOARD_CLOCK_HZ + BOARD_BAUD / 2) / BOARD_BAUD;
  USART_CR1 = enabled | sends | receives;
}

void board_put(uint8_t byte) {
  while ((USART_SR & has_room) == 0) {
  }
  USART_DR = byte;
}

bool board_get(uint8_t *byte) {
  if ((USART_SR & has_byte) == 0) {
    return false;
  }
  *byte = (uint8_t)USART_DR;
  return true;
}
