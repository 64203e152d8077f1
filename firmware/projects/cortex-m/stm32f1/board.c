/* SPDX-License-Identifier: Apache-2.0 */
/* Registers and bits are those of the vendor's header stm32f103xb.h; how they
 * are used is in reference manual RM0008, and in the vendor's functions
 * (stm32f1xx-hal-driver). The clock is that of a reset, the
 * internal 8 MHz: the flash memory needs it, and stop mode comes back to it. */

#include "board.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))

#define RTC_CRH REGISTER(0x40002800)
#define RTC_CRL REGISTER(0x40002804)
#define RTC_PRLH REGISTER(0x40002808)
#define RTC_PRLL REGISTER(0x4000280c)
#define RTC_CNTH REGISTER(0x40002818)
#define RTC_CNTL REGISTER(0x4000281c)
#define RTC_ALRH REGISTER(0x40002820)
#define RTC_ALRL REGISTER(0x40002824)
#define PWR_CR REGISTER(0x40007000)
#define EXTI_IMR REGISTER(0x40010400)
#define EXTI_EMR REGISTER(0x40010404)
#define EXTI_RTSR REGISTER(0x40010408)
#define EXTI_PR REGISTER(0x40010414)
#define GPIOA_CRH REGISTER(0x40010804)
#define ADC_SR REGISTER(0x40012400)
#define ADC_CR2 REGISTER(0x40012408)
#define ADC_SMPR1 REGISTER(0x4001240c)
#define ADC_SQR3 REGISTER(0x40012434)
#define ADC_DR REGISTER(0x4001244c)
#define USART_SR REGISTER(0x40013800)
#define USART_DR REGISTER(0x40013804)
#define USART_BRR REGISTER(0x40013808)
#define USART_CR1 REGISTER(0x4001380c)
#define RCC_APB2ENR REGISTER(0x40021018)
#define RCC_APB1ENR REGISTER(0x4002101c)
#define RCC_BDCR REGISTER(0x40021020)
#define RCC_CSR REGISTER(0x40021024)
#define SCB_SCR REGISTER(0xe000ed10)

/* Pin PA9 sends to the modem: USART 1, 8 MHz / 9,600 baud. */
enum {
  port_a_on = 1 << 2,
  converter_on = 1 << 9,
  usart_on = 1 << 14,
  pin_9 = 0xf0,
  alternate_output = 0xa0,
  baud_9600 = 833,
  usart_sends = 1 << 13 | 1 << 3,
  is_out = 1 << 6
};

/* The real-time clock counts milliseconds of the internal 40 kHz, which are 30
 * to 60 kHz. No crystal is needed. */
enum {
  power_on = 1 << 28,
  backup_on = 1 << 27,
  regulator_low = 1 << 0, /* in stop mode */
  backup_writable = 1 << 8,
  slow_on = 1 << 0,
  slow_runs = 1 << 1,
  backup_reset = 1 << 16,
  clock_on = 1 << 15,
  clock_by_slow = 2 << 8,
  clock_alarm = 1 << 1, /* of CRL; its interrupt in CRH */
  clock_configures = 1 << 4,
  clock_is_idle = 1 << 5,
  slow_periods = 40,
  half_second = 500,
  line_17 = 1 << 17, /* of EXTI: the alarm */
  stops = 1 << 2
};

/* The reference of 1.2 V against the supply. */
enum {
  adc_on = 1 << 0,
  adc_calibrates = 1 << 2,
  adc_resets_calibration = 1 << 3,
  adc_by_program = 7 << 17, /* conversions begin by adc_starts */
  adc_starts = 1 << 22 | 1 << 20,
  adc_reference_on = 1 << 23,
  adc_ready = adc_on | adc_reference_on | adc_by_program,
  adc_is_done = 1 << 1,
  slow_samples = 7 << 21, /* 60 us, of channel 17 */
  reference = 17,
  reference_mv = 1200,
  last_code = 4095,
  reference_loops = 40 /* more than the 10 us that it takes to start */
};

static void wait_for_clock(void) {
  while ((RTC_CRL & clock_is_idle) == 0) {
  }
}

/* Its registers take what is written between these two. */
static void begin_clock(void) {
  wait_for_clock();
  RTC_CRL |= clock_configures;
}

static void end_clock(void) {
  RTC_CRL &= ~(uint32_t)clock_configures;
  wait_for_clock();
}

/* A battery may have kept another clock of the backup domain. */
static void start_clock(void) {
  RCC_APB1ENR |= power_on | backup_on;
  (void)RCC_APB1ENR; /* before the next line: they are on */
  PWR_CR = backup_writable | regulator_low;
  RCC_CSR |= slow_on;
  while ((RCC_CSR & slow_runs) == 0) {
  }
  RCC_BDCR = backup_reset;
  RCC_BDCR = 0;
  RCC_BDCR = clock_by_slow | clock_on;
  begin_clock();
  RTC_PRLH = 0;
  RTC_PRLL = slow_periods - 1;
  end_clock();
  RTC_CRH = clock_alarm;
  wait_for_clock();
  EXTI_RTSR = line_17;
  EXTI_IMR = line_17; /* so that it stays pending; it has no handler */
  EXTI_EMR = line_17; /* so that it wakes the processor */
  SCB_SCR = stops;
}

void board_start(void) {
  RCC_APB2ENR |= port_a_on | converter_on | usart_on;
  (void)RCC_APB2ENR;
  start_clock();
  USART_BRR = baud_9600;
  USART_CR1 = usart_sends;
  GPIOA_CRH = (GPIOA_CRH & ~(uint32_t)pin_9) | alternate_output;
  ADC_SMPR1 = slow_samples;
  ADC_SQR3 = reference;
}

bool board_write(void *context, const uint8_t *bytes, size_t size) {
  (void)context;
  for (size_t i = 0; i < size; i++) {
    USART_DR = bytes[i];
    while ((USART_SR & is_out) == 0) {
    }
  }
  return true;
}

static void calibrate(uint32_t step) {
  ADC_CR2 = adc_ready | step;
  while ((ADC_CR2 & step) != 0) {
  }
}

int board_measure(void) {
  ADC_CR2 = adc_ready;
  for (volatile int i = 0; i < reference_loops; i++) {
  }
  calibrate(adc_resets_calibration);
  calibrate(adc_calibrates);
  ADC_CR2 = adc_ready | adc_starts;
  while ((ADC_SR & adc_is_done) == 0) {
  }
  const uint32_t found = ADC_DR;
  ADC_CR2 = 0;
  return found == 0 ? 0 : (int)(reference_mv * last_code / found);
}

void board_sleep(void) {
  begin_clock();
  RTC_CNTH = 0;
  RTC_CNTL = 0;
  RTC_ALRH = 0;
  RTC_ALRL = half_second;
  end_clock();
  RTC_CRL &= ~(uint32_t)clock_alarm;
  EXTI_PR = line_17;
  while ((EXTI_PR & line_17) == 0) {
    __asm volatile("wfe\n\tnop"); /* the vendor's functions do so, too */
  }
}
