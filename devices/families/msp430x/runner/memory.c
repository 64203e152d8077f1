/* SPDX-License-Identifier: Apache-2.0 */
#include "machine.h"

/* The registers of the peripherals are below; of these the program writes the
 * watchdog's, which stays off. */
enum { PERIPHERALS_END = 0x1000, WATCHDOG = 0x015c };

static bool is_ram(const machine *m, uint32_t address) {
  return address >= m->ram_start && address - m->ram_start < m->ram_bytes;
}

static bool is_fram(const machine *m, uint32_t address) {
  return address >= m->fram_start;
}

static uint16_t load_register(machine *m, uint16_t address) {
  uint16_t value = 0;
  const bool served =
      multiplier_load(&m->multiplier, address, &value) ||
      (m->has_aes && aes_engine_load(&m->aes, address, m->cycles, &value));
  if (!served) {
    m->complaint = "it reads a register that is not simulated";
  }
  return value;
}

static void store_register(machine *m, uint16_t address, uint16_t value) {
  const bool served =
      address == WATCHDOG || multiplier_store(&m->multiplier, address, value) ||
      (m->has_aes && aes_engine_store(&m->aes, address, m->cycles, value));
  if (!served) {
    m->complaint = "it writes a register that is not simulated";
  }
}

/* Whether an access of the processor is one to a register: of words alone. */
static bool is_register(machine *m, uint16_t address, bool is_byte) {
  if (address >= PERIPHERALS_END) {
    return false;
  }
  if (is_byte) {
    m->complaint = "it reads or writes a byte of a register";
  }
  return true;
}

uint16_t machine_load(machine *m, uint16_t address, bool is_byte) {
  if (!is_byte) {
    address &= 0xfffe;
  }
  if (is_register(m, address, is_byte)) {
    return load_register(m, address);
  }
  if (is_fram(m, address)) {
    m->cycles += cache_read(&m->fram, address);
  } else if (!is_ram(m, address)) {
    m->complaint = "there is no memory where it reads";
  }
  const uint16_t low = m->memory[address];
  return is_byte ? low : (uint16_t)(low | m->memory[address + 1] << 8);
}

/* Counts a write to FRAM. Whether the power fails in its place. */
static bool is_cut(machine *m, uint16_t address) {
  m->fram_written_at = address;
  if (m->fram_writes++ != m->power_fails_after) {
    return false;
  }
  m->complaint = "the power fails";
  return true;
}

void machine_store(machine *m, uint16_t address, uint16_t value, bool is_byte) {
  if (!is_byte) {
    address &= 0xfffe;
  }
  if (is_register(m, address, is_byte)) {
    store_register(m, address, value);
    return;
  }
  if (is_ram(m, address)) {
    m->stored = address < m->stored ? address : m->stored;
  } else if (is_fram(m, address)) {
    m->cycles += cache_write(&m->fram, address);
    if (is_cut(m, address)) {
      return;
    }
  } else {
    m->complaint = "there is no memory where it writes";
  }
  m->memory[address] = (uint8_t)value;
  if (!is_byte) {
    m->memory[address + 1] = (uint8_t)(value >> 8);
  }
}
