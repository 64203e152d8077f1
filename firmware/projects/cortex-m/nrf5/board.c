/* SPDX-License-Identifier: Apache-2.0 */
#include "board.h"

/* The pin that the modem is connected to. */
enum { transmit_pin = 9 };

#define REGISTER(address) (*(volatile uint32_t *)(address))

#define CLOCK_LFCLKSTART REGISTER(0x40000008)
#define CLOCK_LFCLKSTARTED REGISTER(0x40000104)
#define CLOCK_LFCLKSRC REGISTER(0x40000518)

#define UART_STARTTX REGISTER(0x40002008)
#define UART_TXDRDY REGISTER(0x4000211c)
#define UART_ENABLE REGISTER(0x40002500)
#define UART_PSELTXD REGISTER(0x4000250c)
#define UART_TXD REGISTER(0x4000251c)
#define UART_BAUDRATE REGISTER(0x40002524)

#define RTC_START REGISTER(0x4000b000)
#define RTC_COMPARE0 REGISTER(0x4000b140)
#define RTC_INTENSET REGISTER(0x4000b304)
#define RTC_COUNTER REGISTER(0x4000b504)
#define RTC_CC0 REGISTER(0x4000b540)

#define TEMP_START REGISTER(0x4000c000)
#define TEMP_DATARDY REGISTER(0x4000c100)
#define TEMP_VALUE REGISTER(0x4000c508)

#define NVIC_ICPR REGISTER(0xe000e280)
#define SCB_SCR REGISTER(0xe000ed10)

enum {
  baud_9600 = 0x00275000,
  crystal = 1,
  uart_on = 4,
  compare0 = 1 << 16,
  rtc_interrupt = 1 << 11,
  pending_wakes = 1 << 4, /* SEVONPEND: no handler is needed */
  half_second = 16384,
  counter_bits = 0xffffff
};

void board_start(void) {
  CLOCK_LFCLKSRC = crystal;
  CLOCK_LFCLKSTART = 1;
  while (CLOCK_LFCLKSTARTED == 0) {
  }
  SCB_SCR = pending_wakes;
  RTC_INTENSET = compare0;
  RTC_START = 1;
  UART_PSELTXD = transmit_pin;
  UART_BAUDRATE = baud_9600;
  UART_ENABLE = uart_on;
  UART_STARTTX = 1;
}

bool board_write(void *context, const uint8_t *bytes, size_t size) {
  (void)context;
  for (size_t i = 0; i < size; i++) {
    UART_TXDRDY = 0;
    UART_TXD = bytes[i];
    while (UART_TXDRDY == 0) {
    }
  }
  return true;
}

int board_measure(void) {
  TEMP_DATARDY = 0;
  TEMP_START = 1;
  while (TEMP_DATARDY == 0) {
  }
  return (int32_t)TEMP_VALUE / 4;
}

void board_sleep(void) {
  RTC_COMPARE0 = 0;
  (void)RTC_COMPARE0; /* before the next line: it was cleared */
  NVIC_ICPR = rtc_interrupt;
  RTC_CC0 = (RTC_COUNTER + half_second) & counter_bits;
  while (RTC_COMPARE0 == 0) {
    __asm volatile("wfe");
  }
}
