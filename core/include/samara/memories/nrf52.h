/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_STORE_NRF52_H
#define SAMARA_STORE_NRF52_H

/* The flash memory of an nRF52832, nRF52833 or nRF52840 as a memory of
 * samara/store.h. Include it in one source file.
 *
 * Addresses are those of the chip. Give rings whole pages of 4096 bytes that
 * the linker leaves free, such as the last four. Each word is written once
 * after its page was erased; the chip allows two times. The processor stands
 * still while a word is written (up to 41 us) and while a page is erased (up to
 * 90 ms), and interrupts wait.
 *
 * Not while a SoftDevice is enabled: the controller belongs to it then, and
 * what is written here is lost or ends the program. With Zephyr take
 * samara/memories/zephyr.h.
 *
 * It was never run on the chip. A test has a model of the controller, which
 * refuses what the product specification forbids. */

#include <samara/memories/bus.h>
#include <samara/store.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Registers of the NVMC. */
#define SAMARA_NRF52_READY 0x4001e400u
#define SAMARA_NRF52_CONFIG 0x4001e504u
#define SAMARA_NRF52_ERASEPAGE 0x4001e508u

enum { samara_nrf52_read_only, samara_nrf52_writes, samara_nrf52_erases };

static inline void samara_nrf52_wait(void) {
  while ((samara_store_bus_get(SAMARA_NRF52_READY) & 1) == 0) {
  }
}

static inline void samara_nrf52_begin(uint32_t mode) {
  samara_nrf52_wait();
  samara_store_bus_set(SAMARA_NRF52_CONFIG, mode);
}

static inline void samara_nrf52_end(void) {
  samara_nrf52_begin(samara_nrf52_read_only);
}

static inline bool samara_nrf52_read(void *context, uint32_t address,
                                     uint8_t *bytes, size_t size) {
  (void)context;
  for (size_t i = 0; i < size; i++) {
    bytes[i] = samara_store_bus_byte(address + (uint32_t)i);
  }
  return true;
}

static inline bool samara_nrf52_write(void *context, uint32_t address,
                                      const uint8_t *bytes, size_t size) {
  (void)context;
  samara_nrf52_begin(samara_nrf52_writes);
  for (size_t i = 0; i < size; i += 4) {
    samara_store_bus_set(address + (uint32_t)i,
                         samara_store_bus_word(bytes + i));
    samara_nrf52_wait();
  }
  samara_nrf52_end();
  return true;
}

static inline bool samara_nrf52_erase(void *context, uint32_t address) {
  (void)context;
  samara_nrf52_begin(samara_nrf52_erases);
  samara_store_bus_set(SAMARA_NRF52_ERASEPAGE, address);
  samara_nrf52_end();
  return true;
}

static const samara_store_memory samara_store_nrf52 = {samara_nrf52_read,
                                                       samara_nrf52_write,
                                                       samara_nrf52_erase,
                                                       NULL,
                                                       4096,
                                                       4,
                                                       0xff};

#ifdef __cplusplus
}
#endif

#endif
