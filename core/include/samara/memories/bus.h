/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_STORE_BUS_H
#define SAMARA_STORE_BUS_H

/* How the flash memories of chips (nrf52.h, stm32f1.h, msp430.h) reach
 * registers and cells: by words of 32 or 16 bits at absolute addresses. With
 * SAMARA_STORE_BUS_BY_CALL the application supplies the functions: a test has a
 * model of the chip there. */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef SAMARA_STORE_BUS_BY_CALL
uint32_t samara_store_bus_get(uint32_t address);
void samara_store_bus_set(uint32_t address, uint32_t word);
uint16_t samara_store_bus_get16(uint32_t address);
void samara_store_bus_set16(uint32_t address, uint16_t word);
#else
static inline uint32_t samara_store_bus_get(uint32_t address) {
  return *(const volatile uint32_t *)(uintptr_t)address;
}

static inline void samara_store_bus_set(uint32_t address, uint32_t word) {
  *(volatile uint32_t *)(uintptr_t)address = word;
}

static inline uint16_t samara_store_bus_get16(uint32_t address) {
  return *(const volatile uint16_t *)(uintptr_t)address;
}

static inline void samara_store_bus_set16(uint32_t address, uint16_t word) {
  *(volatile uint16_t *)(uintptr_t)address = word;
}
#endif

static inline uint8_t samara_store_bus_byte(uint32_t address) {
  const uint32_t word = samara_store_bus_get(address & ~(uint32_t)3);
  return (uint8_t)(word >> 8 * (address & 3));
}

static inline uint32_t samara_store_bus_word(const uint8_t *bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 |
         (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

#ifdef __cplusplus
}
#endif

#endif
