/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_STORE_STM32L4_H
#define SAMARA_STORE_STM32L4_H

/* The flash memory of an STM32L4 with pages of 2 KiB (L43x, L45x, L47x, L48x)
 * as a memory of samara/store.h. Include it in one source file.
 *
 * Addresses count from the begin of the flash memory, 0x08000000. Give rings
 * whole pages that the linker leaves free. On L47x and L48x set
 * SAMARA_STM32L4_BANK_PAGES to 256 (1 MB), 128 (512 KB) or 64 (256 KB), the
 * pages of one of their two banks. Code runs from the other bank or waits.
 *
 * The memory has an error-correcting code over each 8 bytes, which are written
 * together and once. A power cut can leave 8 bytes that the code cannot
 * correct. Reading them raises the non-maskable interrupt, so the application
 * needs
 *
 *   void NMI_Handler(void) {
 *     if (!samara_stm32l4_nmi()) { ... }   another cause
 *   }
 *
 * Without it a device hangs after such a cut. The store takes the record for
 * damaged then.
 *
 * It was never run on the chip. A test has a model of the controller, which
 * refuses what reference manual RM0351 forbids. */

#include <samara/memories/bus.h>
#include <samara/store.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef SAMARA_STM32L4_BANK_PAGES
#define SAMARA_STM32L4_BANK_PAGES 256
#endif

#define SAMARA_STM32L4_CELLS 0x08000000u
/* Registers of the flash interface. */
#define SAMARA_STM32L4_ACR 0x40022000u
#define SAMARA_STM32L4_KEYR 0x40022008u
#define SAMARA_STM32L4_SR 0x40022010u
#define SAMARA_STM32L4_CR 0x40022014u
#define SAMARA_STM32L4_ECCR 0x40022018u

#define SAMARA_STM32L4_SR_ERRORS 0x0000c3fau
#define SAMARA_STM32L4_SR_BUSY ((uint32_t)1 << 16)
#define SAMARA_STM32L4_CR_PROGRAM ((uint32_t)1 << 0)
#define SAMARA_STM32L4_CR_PAGE_ERASE ((uint32_t)1 << 1)
#define SAMARA_STM32L4_CR_BANK_2 ((uint32_t)1 << 11)
#define SAMARA_STM32L4_CR_START ((uint32_t)1 << 16)
#define SAMARA_STM32L4_CR_LOCK ((uint32_t)1 << 31)
#define SAMARA_STM32L4_ECC_DETECTED ((uint32_t)1 << 31)
#define SAMARA_STM32L4_DATA_CACHE ((uint32_t)1 << 10)
#define SAMARA_STM32L4_DATA_CACHE_RESET ((uint32_t)1 << 12)

enum { samara_stm32l4_page_size = 2048 };

/* For NMI_Handler: whether bytes that cannot be corrected were the cause. */
static inline bool samara_stm32l4_nmi(void) {
  const uint32_t found = samara_store_bus_get(SAMARA_STM32L4_ECCR);
  if ((found & SAMARA_STM32L4_ECC_DETECTED) == 0) {
    return false;
  }
  /* Written ones clear it; the corrected errors' bit stays. */
  samara_store_bus_set(SAMARA_STM32L4_ECCR,
                       (found & 0x01000000u) | SAMARA_STM32L4_ECC_DETECTED);
  return true;
}

/* Waits; whether nothing was refused. */
static inline bool samara_stm32l4_is_done(void) {
  uint32_t status;
  do {
    status = samara_store_bus_get(SAMARA_STM32L4_SR);
  } while ((status & SAMARA_STM32L4_SR_BUSY) != 0);
  return (status & SAMARA_STM32L4_SR_ERRORS) == 0;
}

/* Lets the controller take changes, and clears errors of others. */
static inline void samara_stm32l4_begin(uint32_t control) {
  (void)samara_stm32l4_is_done();
  if ((samara_store_bus_get(SAMARA_STM32L4_CR) & SAMARA_STM32L4_CR_LOCK) != 0) {
    samara_store_bus_set(SAMARA_STM32L4_KEYR, 0x45670123u);
    samara_store_bus_set(SAMARA_STM32L4_KEYR, 0xcdef89abu);
  }
  samara_store_bus_set(SAMARA_STM32L4_SR, SAMARA_STM32L4_SR_ERRORS);
  samara_store_bus_set(SAMARA_STM32L4_CR, control);
}

/* The data cache may hold what the cells had before. */
static inline void samara_stm32l4_forget_cached(void) {
  const uint32_t access = samara_store_bus_get(SAMARA_STM32L4_ACR);
  if ((access & SAMARA_STM32L4_DATA_CACHE) != 0) {
    const uint32_t off = access & ~SAMARA_STM32L4_DATA_CACHE;
    samara_store_bus_set(SAMARA_STM32L4_ACR, off);
    samara_store_bus_set(SAMARA_STM32L4_ACR,
                         off | SAMARA_STM32L4_DATA_CACHE_RESET);
    samara_store_bus_set(SAMARA_STM32L4_ACR, off);
    samara_store_bus_set(SAMARA_STM32L4_ACR, access);
  }
}

static inline void samara_stm32l4_end(void) {
  samara_store_bus_set(SAMARA_STM32L4_CR, SAMARA_STM32L4_CR_LOCK);
  samara_stm32l4_forget_cached();
}

static inline bool samara_stm32l4_read(void *context, uint32_t address,
                                       uint8_t *bytes, size_t size) {
  (void)context;
  for (size_t i = 0; i < size; i++) {
    bytes[i] =
        samara_store_bus_byte(SAMARA_STM32L4_CELLS + address + (uint32_t)i);
  }
  return true;
}

static inline bool samara_stm32l4_write(void *context, uint32_t address,
                                        const uint8_t *bytes, size_t size) {
  (void)context;
  bool done = true;
  samara_stm32l4_begin(SAMARA_STM32L4_CR_PROGRAM);
  for (size_t i = 0; i < size && done; i += 8) {
    const uint32_t place = SAMARA_STM32L4_CELLS + address + (uint32_t)i;
    samara_store_bus_set(place, samara_store_bus_word(bytes + i));
    samara_store_bus_set(place + 4, samara_store_bus_word(bytes + i + 4));
    done = samara_stm32l4_is_done();
  }
  samara_stm32l4_end();
  return done;
}

static inline bool samara_stm32l4_erase(void *context, uint32_t address) {
  (void)context;
  const uint32_t page = address / samara_stm32l4_page_size;
  const uint32_t bank =
      page < SAMARA_STM32L4_BANK_PAGES ? 0 : SAMARA_STM32L4_CR_BANK_2;
  const uint32_t control = SAMARA_STM32L4_CR_PAGE_ERASE | bank |
                           page % SAMARA_STM32L4_BANK_PAGES << 3;
  samara_stm32l4_begin(control);
  samara_store_bus_set(SAMARA_STM32L4_CR, control | SAMARA_STM32L4_CR_START);
  const bool done = samara_stm32l4_is_done();
  samara_stm32l4_end();
  return done;
}

static const samara_store_memory samara_store_stm32l4 = {
    samara_stm32l4_read,
    samara_stm32l4_write,
    samara_stm32l4_erase,
    NULL,
    samara_stm32l4_page_size,
    8,
    0xff};

#ifdef __cplusplus
}
#endif

#endif
