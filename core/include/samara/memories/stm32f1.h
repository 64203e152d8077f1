/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_STORE_STM32F1_H
#define SAMARA_STORE_STM32F1_H

/* The flash memory of an STM32F100 to F103 with up to 128 KB as a memory of
 * samara/store.h: pages of 1024 bytes, half-words that are written once after
 * their page was erased. Include it in one source file. For a chip with 256 to
 * 512 KB, and for an STM32F105 or F107, set SAMARA_STM32F1_PAGE_SIZE to 2048.
 * The second bank of a chip with more is not reached.
 *
 * Addresses count from the begin of the flash memory, 0x08000000. Give rings
 * whole pages that the linker leaves free.
 *
 * A half-word takes up to 70 us to write and a page up to 40 ms to erase. The
 * code that runs from this memory stands still meanwhile, and so do
 * interrupts. The internal oscillator of 8 MHz (HSI) must be on. Stop the
 * watchdogs, or let them wait longer than an erase.
 *
 * It was never run on the chip. Addresses and bits are those of the vendor's
 * header stm32f103xb.h. A test has a model of the controller, which refuses
 * what programming manual PM0075 forbids. */

#include <samara/memories/bus.h>
#include <samara/store.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef SAMARA_STM32F1_PAGE_SIZE
#define SAMARA_STM32F1_PAGE_SIZE 1024
#endif

#define SAMARA_STM32F1_CELLS 0x08000000u
/* Registers of the flash controller. */
#define SAMARA_STM32F1_KEYR 0x40022004u
#define SAMARA_STM32F1_SR 0x4002200cu
#define SAMARA_STM32F1_CR 0x40022010u
#define SAMARA_STM32F1_AR 0x40022014u

#define SAMARA_STM32F1_SR_BUSY ((uint32_t)1 << 0)
#define SAMARA_STM32F1_SR_NOT_ERASED ((uint32_t)1 << 2)
#define SAMARA_STM32F1_SR_PROTECTED ((uint32_t)1 << 4)
#define SAMARA_STM32F1_SR_DONE ((uint32_t)1 << 5)
#define SAMARA_STM32F1_CR_PROGRAM ((uint32_t)1 << 0)
#define SAMARA_STM32F1_CR_PAGE_ERASE ((uint32_t)1 << 1)
#define SAMARA_STM32F1_CR_START ((uint32_t)1 << 6)
#define SAMARA_STM32F1_CR_LOCK ((uint32_t)1 << 7)

/* Waits; whether nothing was refused. */
static inline bool samara_stm32f1_is_done(void) {
  uint32_t status;
  /* Chips that copy this one are busy a cycle later. */
  (void)samara_store_bus_get(SAMARA_STM32F1_SR);
  do {
    status = samara_store_bus_get(SAMARA_STM32F1_SR);
  } while ((status & SAMARA_STM32F1_SR_BUSY) != 0);
  return (status &
          (SAMARA_STM32F1_SR_NOT_ERASED | SAMARA_STM32F1_SR_PROTECTED)) == 0;
}

/* Lets the controller take changes, and clears what others left. */
static inline void samara_stm32f1_begin(uint32_t control) {
  (void)samara_stm32f1_is_done();
  if ((samara_store_bus_get(SAMARA_STM32F1_CR) & SAMARA_STM32F1_CR_LOCK) != 0) {
    samara_store_bus_set(SAMARA_STM32F1_KEYR, 0x45670123u);
    samara_store_bus_set(SAMARA_STM32F1_KEYR, 0xcdef89abu);
  }
  /* Written ones clear these bits. */
  samara_store_bus_set(SAMARA_STM32F1_SR, SAMARA_STM32F1_SR_NOT_ERASED |
                                              SAMARA_STM32F1_SR_PROTECTED |
                                              SAMARA_STM32F1_SR_DONE);
  samara_store_bus_set(SAMARA_STM32F1_CR, control);
}

static inline void samara_stm32f1_end(void) {
  samara_store_bus_set(SAMARA_STM32F1_CR, SAMARA_STM32F1_CR_LOCK);
}

static inline bool samara_stm32f1_read(void *context, uint32_t address,
                                       uint8_t *bytes, size_t size) {
  (void)context;
  for (size_t i = 0; i < size; i++) {
    bytes[i] =
        samara_store_bus_byte(SAMARA_STM32F1_CELLS + address + (uint32_t)i);
  }
  return true;
}

static inline bool samara_stm32f1_write(void *context, uint32_t address,
                                        const uint8_t *bytes, size_t size) {
  (void)context;
  bool done = true;
  samara_stm32f1_begin(SAMARA_STM32F1_CR_PROGRAM);
  for (size_t i = 0; i < size && done; i += 2) {
    const uint16_t half = (uint16_t)(bytes[i] | (uint16_t)bytes[i + 1] << 8);
    samara_store_bus_set16(SAMARA_STM32F1_CELLS + address + (uint32_t)i, half);
    done = samara_stm32f1_is_done();
  }
  samara_stm32f1_end();
  return done;
}

static inline bool samara_stm32f1_erase(void *context, uint32_t address) {
  (void)context;
  samara_stm32f1_begin(SAMARA_STM32F1_CR_PAGE_ERASE);
  samara_store_bus_set(SAMARA_STM32F1_AR, SAMARA_STM32F1_CELLS + address);
  samara_store_bus_set(SAMARA_STM32F1_CR,
                       SAMARA_STM32F1_CR_PAGE_ERASE | SAMARA_STM32F1_CR_START);
  const bool done = samara_stm32f1_is_done();
  samara_stm32f1_end();
  return done;
}

static const samara_store_memory samara_store_stm32f1 = {
    samara_stm32f1_read,
    samara_stm32f1_write,
    samara_stm32f1_erase,
    NULL,
    SAMARA_STM32F1_PAGE_SIZE,
    2,
    0xff};

#ifdef __cplusplus
}
#endif

#endif
