/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_STORE_MSP430_H
#define SAMARA_STORE_MSP430_H

/* The flash memory of an MSP430x1xx, such as the MSP430F1611, as memories of
 * samara/store.h: the main memory with segments of 512 bytes, and the
 * information memory with two of 128. Include it in one source file.
 *
 * Addresses are those of the chip. Give rings whole segments that the linker
 * leaves free, and not the last one, which has the interrupt vectors. Each word
 * is written once after its segment was erased.
 *
 * A word takes 35 clocks of the timing generator to write and a segment 4819 to
 * erase: 96 us and 13 ms here. That clock must be within 257 and 476 kHz; above
 * 280 kHz, the words of 64 bytes stay within the 4 ms that these may be under
 * voltage. By default it is MCLK / 11, for 3.1 to 5.2 MHz. For another clock
 * set SAMARA_MSP430_FLASH_CLOCK to the low byte of register FCTL2.
 *
 * While the memory changes, the code that runs from it stands still and
 * interrupts are off. The watchdog goes on: stop it, or clear it before each
 * call of the store, and let it wait longer than an erase. The supply must be
 * 2.7 V or more.
 *
 * It was never run on the chip. A test has a model of the controller, which
 * refuses what the user's guide SLAU049 (chapter 5) forbids. */

#include <samara/memories/bus.h>
#include <samara/store.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef SAMARA_MSP430_FLASH_CLOCK
#define SAMARA_MSP430_FLASH_CLOCK (0x40 | (11 - 1)) /* MCLK / 11 */
#endif

#ifndef SAMARA_MSP430_CELLS
#define SAMARA_MSP430_CELLS 0u /* a test has its cells elsewhere */
#endif

/* Registers of the flash controller. */
#define SAMARA_MSP430_FCTL1 0x0128u
#define SAMARA_MSP430_FCTL2 0x012au
#define SAMARA_MSP430_FCTL3 0x012cu

/* Without the key in the high byte, a write to them resets the chip. */
#define SAMARA_MSP430_KEY 0xa500u

enum {
  samara_msp430_erases = 0x02, /* FCTL1: a segment, by a write into it */
  samara_msp430_writes = 0x40,
  samara_msp430_busy = 0x01, /* FCTL3 */
  samara_msp430_violation = 0x04,
  samara_msp430_lock = 0x10,
  samara_msp430_segment = 512,
  samara_msp430_information_segment = 128
};

#ifdef __MSP430__
/* Switches interrupts off, and returns the status register as it was. */
static inline uint16_t samara_msp430_interrupts_off(void) {
  uint16_t status;
  __asm__ volatile("mov r2, %0\n\tdint\n\tnop" : "=r"(status)::"memory");
  return status;
}

static inline void samara_msp430_interrupts_as(uint16_t status) {
  if ((status & 8) != 0) { /* GIE */
    __asm__ volatile("eint\n\tnop" ::: "memory");
  }
}
#else
uint16_t samara_msp430_interrupts_off(void);
void samara_msp430_interrupts_as(uint16_t status);
#endif

static inline uint16_t samara_msp430_wait(void) {
  uint16_t status;
  do {
    status = samara_store_bus_get16(SAMARA_MSP430_FCTL3);
  } while ((status & samara_msp430_busy) != 0);
  return status;
}

static inline void samara_msp430_begin(uint16_t mode) {
  (void)samara_msp430_wait();
  samara_store_bus_set16(SAMARA_MSP430_FCTL2,
                         SAMARA_MSP430_KEY | SAMARA_MSP430_FLASH_CLOCK);
  samara_store_bus_set16(SAMARA_MSP430_FCTL3, SAMARA_MSP430_KEY);
  samara_store_bus_set16(SAMARA_MSP430_FCTL1, SAMARA_MSP430_KEY | mode);
}

static inline void samara_msp430_end(void) {
  samara_store_bus_set16(SAMARA_MSP430_FCTL1, SAMARA_MSP430_KEY);
  samara_store_bus_set16(SAMARA_MSP430_FCTL3,
                         SAMARA_MSP430_KEY | samara_msp430_lock);
}

/* Changes a word, or erases the segment that it is in. No interrupt comes in:
 * the vectors cannot be read then. Whether the controller did it. */
static inline bool samara_msp430_change(uint32_t address, uint16_t word) {
  const uint16_t status = samara_msp430_interrupts_off();
  samara_store_bus_set16(SAMARA_MSP430_CELLS + address, word);
  const bool done = (samara_msp430_wait() & samara_msp430_violation) == 0;
  samara_msp430_interrupts_as(status);
  return done;
}

static inline bool samara_msp430_read(void *context, uint32_t address,
                                      uint8_t *bytes, size_t size) {
  (void)context;
  for (size_t i = 0; i < size; i++) {
    const uint32_t place = SAMARA_MSP430_CELLS + address + (uint32_t)i;
    const uint16_t word = samara_store_bus_get16(place & ~(uint32_t)1);
    bytes[i] = (uint8_t)((place & 1) != 0 ? word >> 8 : word);
  }
  return true;
}

static inline bool samara_msp430_write(void *context, uint32_t address,
                                       const uint8_t *bytes, size_t size) {
  (void)context;
  bool done = true;
  samara_msp430_begin(samara_msp430_writes);
  for (size_t i = 0; i < size && done; i += 2) {
    const uint16_t word = (uint16_t)(bytes[i] | (uint16_t)bytes[i + 1] << 8);
    done = samara_msp430_change(address + (uint32_t)i, word);
  }
  samara_msp430_end();
  return done;
}

static inline bool samara_msp430_erase(void *context, uint32_t address) {
  (void)context;
  samara_msp430_begin(samara_msp430_erases);
  const bool done = samara_msp430_change(address, 0);
  samara_msp430_end();
  return done;
}

static const samara_store_memory samara_store_msp430 = {samara_msp430_read,
                                                        samara_msp430_write,
                                                        samara_msp430_erase,
                                                        NULL,
                                                        samara_msp430_segment,
                                                        2,
                                                        0xff};

/* The information memory has room for one ring: its two segments, from 0x1000.
 */
static const samara_store_memory samara_store_msp430_information = {
    samara_msp430_read,
    samara_msp430_write,
    samara_msp430_erase,
    NULL,
    samara_msp430_information_segment,
    2,
    0xff};

#ifdef __cplusplus
}
#endif

#endif
