/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aes_engine.h"
#include "cache.h"
#include "multiplier.h"

/* A microcontroller with an MSP430X CPU that runs a program of the lower 64 KB,
 * in the instructions of the MSP430. */

enum { MEMORY_BYTES = 0x10000 };

enum { PC = 0, SP = 1, SR = 2, CG = 3 }; /* registers with a meaning */

typedef struct machine {
  uint8_t memory[MEMORY_BYTES];
  uint16_t registers[16];
  uint64_t cycles;
  uint32_t ram_start, ram_bytes;
  uint32_t fram_start; /* it ends with the memory */
  uint32_t stored;     /* lowest address of RAM that was written since reset */
  cache fram;
  multiplier multiplier;
  aes_engine aes;
  bool has_aes;
  uint64_t fram_writes;       /* of words and bytes, with the one that failed */
  uint64_t power_fails_after; /* so many of them */
  uint16_t fram_written_at;   /* by the last of them */
  const char *complaint;      /* why it cannot go on; NULL while it can */
} machine;

/* Reads and writes as the processor does it: with waits for FRAM, and with the
 * registers of peripherals. An odd address of a word is that below it. */
uint16_t machine_load(machine *m, uint16_t address, bool is_byte);
void machine_store(machine *m, uint16_t address, uint16_t value, bool is_byte);

/* Executes one instruction. */
void machine_step(machine *m);

/* Puts a program into memory, as an ELF file has it. */
bool machine_load_image(machine *m, const char *path);

#endif
