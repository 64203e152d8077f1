/* SPDX-License-Identifier: Apache-2.0 */
/* UART 0 of an nRF51 or nRF52. */

#include "board.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))

#define UART_STARTRX REGISTER(0x40002000)
#define UART_STARTTX REGISTER(0x40002008)
#define UART_RXDRDY REGISTER(0x40002108)
#define UART_TXDRDY REGISTER(0x4000211c)
#define UART_ENABLE REGISTER(0x40002500)
#define UART_PSELTXD REGISTER(0x4000250c)
#define UART_PSELRXD REGISTER(0x40002514)
#define UART_RXD REGISTER(0x40002518)
#define UART_TXD REGISTER(0x4000251c)
#define UART_BAUDRATE REGISTER(0x40002524)

enum { uart_on = 4, baud_step = 0x1000 };

/* In steps of 16 MHz / 2^32, of which the lower 12 bits are 0. */
static const uint32_t rate =
    (uint32_t)(((uint64_t)BOARD_BAUD * 4294967296u / 16000000u +
                baud_step / 2) &
               ~(uint64_t)(baud_step - 1));

void board_port_begin(void) {
  UART_PSELTXD = BOARD_TRANSMIT_PIN;
  UART_PSELRXD = BOARD_RECEIVE_PIN;
  UART_BAUDRATE = rate;
  UART_ENABLE = uart_on;
  UART_STARTTX = 1;
  UART_STARTRX = 1;
}

void board_put(uint8_t byte) {
  UART_TXDRDY = 0;
  UART_TXD = byte;
  while (UART_TXDRDY == 0) {
  }
}

bool board_get(uint8_t *byte) {
  if (UART_RXDRDY == 0) {
    return false;
  }
  UART_RXDRDY = 0;
  *byte = (uint8_t)UART_RXD;
  return true;
}
