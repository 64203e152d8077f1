/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_STORE_MSP430FR_H
#define SAMARA_STORE_MSP430FR_H

/* The FRAM of an MSP430FR as a memory of samara/store.h. Include it in one
 * source file.
 *
 * Addresses are those of the chip, below 64 KB. Give rings places that the
 * linker leaves free. Nothing is erased, and a record is written over an older
 * one by words of 16 bits. The controller ends the word that it has begun when
 * the power fails, as TI's engineers say of the MSP430FR2476. The store does
 * not rely on it.
 *
 * - samara_store_msp430fr: FR57xx to FR69xx. These write to FRAM as to RAM
 *   unless their memory protection unit (MPU) forbids it. If the application
 *   uses the MPU, the segment of the rings must stay writable. A write that is
 *   refused without a reset is an error of the store, which reads back what it
 *   writes.
 * - samara_store_msp430fr_syscfg: FR2xxx and FR4xxx. These protect the
 * program's FRAM and the 512 bytes from 0x1800 by two bits of SYSCFG0. The
 * memory clears the bit of its place for each write, and then puts back what
 * was there. No interrupt handler may change SYSCFG0.
 *
 * Programming a chip can write its whole FRAM: tell the programmer to leave the
 * rings, or counters begin again.
 *
 * It was never run on the chip. A test has a model of the protection, another
 * cuts the power of whole programs in a simulator at each word. */

#include <samara/memories/bus.h>
#include <samara/store.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef SAMARA_MSP430FR_CELLS
#define SAMARA_MSP430FR_CELLS 0u /* a test has its cells elsewhere */
#endif

#define SAMARA_MSP430FR_SYSCFG0 0x0160u

/* Without the password in the high byte, a write to it is ignored. */
#define SAMARA_MSP430FR_PASSWORD 0xa500u

enum {
  samara_msp430fr_protects_program = 0x01, /* PFWP */
  samara_msp430fr_protects_data = 0x02,    /* DFWP */
  samara_msp430fr_data_end = 0x1a00
};

static inline bool samara_msp430fr_read(void *context, uint32_t address,
                                        uint8_t *bytes, size_t size) {
  (void)context;
  for (size_t i = 0; i < size; i++) {
    const uint32_t place = SAMARA_MSP430FR_CELLS + address + (uint32_t)i;
    const uint16_t word = samara_store_bus_get16(place & ~(uint32_t)1);
    bytes[i] = (uint8_t)((place & 1) != 0 ? word >> 8 : word);
  }
  return true;
}

static inline bool samara_msp430fr_write(void *context, uint32_t address,
                                         const uint8_t *bytes, size_t size) {
  (void)context;
  for (size_t i = 0; i < size; i += 2) {
    const uint16_t word = (uint16_t)(bytes[i] | (uint16_t)bytes[i + 1] << 8);
    samara_store_bus_set16(SAMARA_MSP430FR_CELLS + address + (uint32_t)i, word);
  }
  return true;
}

static inline void samara_msp430fr_protect(uint16_t bits) {
  samara_store_bus_set16(SAMARA_MSP430FR_SYSCFG0,
                         SAMARA_MSP430FR_PASSWORD | bits);
}

static inline bool samara_msp430fr_unprotected_write(void *context,
                                                     uint32_t address,
                                                     const uint8_t *bytes,
                                                     size_t size) {
  const uint16_t before =
      samara_store_bus_get16(SAMARA_MSP430FR_SYSCFG0) & 0xff;
  const uint16_t bit = address < samara_msp430fr_data_end
                           ? samara_msp430fr_protects_data
                           : samara_msp430fr_protects_program;
  samara_msp430fr_protect(before & (uint16_t)~bit);
  const bool done = samara_msp430fr_write(context, address, bytes, size);
  samara_msp430fr_protect(before);
  return done;
}

static const samara_store_memory samara_store_msp430fr = {
    samara_msp430fr_read, samara_msp430fr_write, NULL, NULL, 0, 2, 0xff};

static const samara_store_memory samara_store_msp430fr_syscfg = {
    samara_msp430fr_read,
    samara_msp430fr_unprotected_write,
    NULL,
    NULL,
    0,
    2,
    0xff};

#ifdef __cplusplus
}
#endif

#endif
