/* SPDX-License-Identifier: Apache-2.0 */
#include "board.h"

#define BYTE(address) (*(volatile uint8_t *)(address))
#define WORD(address) (*(volatile uint16_t *)(address))

#define IE1 BYTE(0x0000)
#define IFG1 BYTE(0x0002)
#define ME1 BYTE(0x0004)
#define P3DIR BYTE(0x001a)
#define P3SEL BYTE(0x001b)
#define DCOCTL BYTE(0x0056)
#define BCSCTL1 BYTE(0x0057)
#define U0CTL BYTE(0x0070)
#define U0TCTL BYTE(0x0071)
#define U0MCTL BYTE(0x0073)
#define U0BR0 BYTE(0x0074)
#define U0BR1 BYTE(0x0075)
#define U0TXBUF BYTE(0x0077)
#define ADC12MCTL9 BYTE(0x0089)
#define WDTCTL WORD(0x0120)
#define ADC12MEM9 WORD(0x0152)
#define ADC12CTL0 WORD(0x01a0)
#define ADC12CTL1 WORD(0x01a2)

enum {
  /* The highest range of the oscillator, tap 5: 4 MHz, give or take a sixth.
   * Nothing here needs it to be exact. XT2 is off. */
  tap_5 = 5 << 5,
  range_7 = 0x80 | 7,
  utxd0 = 1 << 4,
  uart_sends = 1 << 7, /* in ME1 */
  uart_takes = 1 << 7, /* in IFG1 */
  reset = 1,
  eight_bits = 1 << 4,
  by_aclk = 1 << 4,
  is_out = 1,
  /* 9,600 baud of 32,768 Hz: 3 and a fraction (SLAU049, table 13-2). */
  divider = 3,
  fraction = 0x4a,
  watchdog_interrupt = 1
};

enum {
  watchdog_off = 0x5a80,
  /* Interval timer of 8,192 periods of ACLK, from 0: a quarter of a second. */
  quarter_second = 0x5a1d,
  quarters = 2
};

enum {
  adc_on = 0x10,
  reference_on = 0x20, /* 1.5 V */
  adc_enabled = 0x02,
  adc_starts = 0x01,
  adc_slow = 0x0f00, /* samples for 1024 clocks */
  adc_timed = 0x0200,
  adc_first = 9 << 12, /* any result does; the simulator has number 9 */
  adc_busy = 0x01,
  half_supply = 0x1b, /* channel 11 against the reference */
  reference_mv = 1500,
  reference_ms = 17
};

void board_start(void) {
  DCOCTL = tap_5;
  BCSCTL1 = range_7;
  P3SEL |= utxd0;
  P3DIR |= utxd0;
  U0CTL = reset | eight_bits;
  U0TCTL = by_aclk;
  U0BR0 = divider;
  U0BR1 = 0;
  U0MCTL = fraction;
  ME1 |= uart_sends;
  U0CTL = eight_bits;
}

bool board_write(void *context, const uint8_t *bytes, size_t size) {
  (void)context;
  for (size_t i = 0; i < size; i++) {
    U0TXBUF = bytes[i];
    while ((IFG1 & uart_takes) == 0) {
    }
    while ((U0TCTL & is_out) == 0) {
    }
  }
  return true;
}

/* At least so long, with 5 MHz. */
static void wait(uint8_t ms) {
  enum { loops = 1250 }; /* of four cycles */
  for (; ms > 0; ms--) {
    for (uint16_t i = loops; i > 0; i--) {
      __asm volatile("nop");
    }
  }
}

int board_measure(void) {
  ADC12CTL0 = adc_slow | reference_on | adc_on;
  ADC12CTL1 = adc_first | adc_timed;
  ADC12MCTL9 = half_supply;
  wait(reference_ms);
  ADC12CTL0 = adc_slow | reference_on | adc_on | adc_enabled;
  ADC12CTL0 = adc_slow | reference_on | adc_on | adc_enabled | adc_starts;
  while ((ADC12CTL1 & adc_busy) != 0) {
  }
  const uint32_t found = ADC12MEM9;
  ADC12CTL0 = adc_slow; /* ends conversions first */
  ADC12CTL0 = 0;
  return (int)(found * (2 * reference_mv) / 4095);
}

/* Wakes what called board_sleep: clears the bits of LPM3 that reti restores. */
__attribute__((naked)) void board_watchdog(void) {
  __asm__("bic #0x00d0, 0(r1)\n\treti");
}

void board_sleep(void) {
  IE1 |= watchdog_interrupt;
  for (uint8_t i = 0; i < quarters; i++) {
    WDTCTL = quarter_second;
    /* Interrupts on and asleep by one instruction: none is missed. */
    __asm volatile("bis #0x00d8, r2\n\tnop\n\tdint\n\tnop" ::: "memory");
  }
  WDTCTL = watchdog_off;
  IE1 &= (uint8_t)~watchdog_interrupt;
}
