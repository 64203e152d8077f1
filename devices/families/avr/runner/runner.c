/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the program of an ELF file on a simulated AVR, as its input says:
 *
 *   runner MMCU CLOCK_HZ IMAGE [aes-engine]
 *
 *   w ADDRESS HEX...           writes bytes into data memory
 *   r ADDRESS SIZE             answers them in hex
 *   g ADDRESS LIMIT FLOOR      runs until the program counter is there and
 *                              answers `ok CYCLES INSTRUCTIONS STACK`, or
 *                              `crash REASON`: an instruction that does not
 *                              exist, the end of the program passed, a stack
 *                              that sinks below FLOOR, more cycles than LIMIT.
 *                              STACK is how many bytes below its first stack
 *                              pointer it took by moving that or by writing
 *
 * Numbers are decimal; addresses are in bytes. The core is stepped here, one
 * instruction at a time, and not by libsimavr's loop: so the stack pointer is
 * seen after each, as is what it writes, and a run begins and ends exactly at
 * an address. There are no interrupts. */

#include "runner.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <simavr/sim_core.h>
#include <simavr/sim_elf.h>

typedef struct machine {
  avr_t *avr;
  aes_engine aes;
  bool has_aes;
} machine;

/* What libsimavr complained about last: it goes on after some errors. */
static char complaint[160];

static void keep_complaint(avr_t *avr, const int level, const char *format,
                           va_list arguments) {
  (void)avr;
  if (level == LOG_ERROR && complaint[0] == '\0') {
    vsnprintf(complaint, sizeof complaint, format, arguments);
    complaint[strcspn(complaint, "\n")] = '\0';
  }
}

static unsigned stack_pointer(const avr_t *avr) {
  return avr->data[R_SPL] | (unsigned)avr->data[R_SPH] << 8;
}

/* Executes one instruction. Returns the address that it stores to, but for the
 * stack pointer; -1 if none. */
static int32_t step(machine *m) {
  const memory_access access = memory_access_of(m->avr);
  const bool engine = m->has_aes && aes_engine_owns(access.address);
  if (engine && !access.is_store) {
    aes_engine_load(&m->aes, m->avr, access.address);
  }
  m->avr->pc = avr_run_one(m->avr);
  if (engine && access.is_store) {
    aes_engine_store(&m->aes, m->avr, access.address);
  }
  return access.is_store ? access.address : -1;
}

static const char *why_crashed(const avr_t *avr, unsigned sp, unsigned floor) {
  if (complaint[0] != '\0') {
    return complaint;
  }
  if (avr->state != cpu_Running) {
    return "the processor stopped";
  }
  if (avr->pc >= avr->codeend || avr->pc == 0) {
    return "the program ran out of its code";
  }
  return sp < floor ? "the stack reached the data" : NULL;
}

/* A new stack pointer is written in halves, with interrupts off: `out SPH`,
 * `out SREG`, `out SPL` is avr-gcc's sequence. In between it may seem 256 bytes
 * lower than it ever gets. */
enum { opcode_out = 0xfe0f, out_sph = 0xbe0e, out_spl = 0xbe0d };

static unsigned next_out(const avr_t *avr) {
  const unsigned opcode =
      avr->flash[avr->pc] | (unsigned)avr->flash[avr->pc + 1] << 8;
  return opcode & opcode_out;
}

/* Executes one instruction, or all that write one stack pointer. Returns how
 * many; `stored` is where the last of them stored. */
static unsigned step_to_whole_sp(machine *m, int32_t *stored) {
  enum { longest_sequence = 3 };
  unsigned instructions = 0;
  bool in_halves = next_out(m->avr) == out_sph;
  do {
    in_halves = in_halves && next_out(m->avr) != out_spl;
    *stored = step(m);
    instructions++;
  } while (in_halves && instructions < longest_sequence);
  return instructions;
}

static void go(machine *m, uint32_t until, uint64_t limit, unsigned floor) {
  avr_t *avr = m->avr;
  const uint64_t start = avr->cycle;
  const unsigned first = stack_pointer(avr);
  uint64_t instructions = 0;
  unsigned lowest = first; /* the byte above is the lowest that is taken */
  const char *crash = NULL;
  complaint[0] = '\0';
  while (avr->pc != until && crash == NULL) {
    int32_t stored = -1;
    instructions += step_to_whole_sp(m, &stored);
    const unsigned sp = stack_pointer(avr);
    lowest = sp < lowest ? sp : lowest;
    if (stored >= (int32_t)floor && stored <= (int32_t)lowest) {
      lowest = (unsigned)stored - 1;
    }
    crash = why_crashed(avr, sp, floor);
    if (crash == NULL && avr->cycle - start > limit) {
      crash = "it takes more cycles than the limit";
    }
  }
  if (crash != NULL) {
    printf("crash %s at 0x%" PRIx32 "\n", crash, avr->pc);
  } else {
    printf("ok %" PRIu64 " %" PRIu64 " %u\n", avr->cycle - start, instructions,
           first - lowest);
  }
}

static bool is_data(const avr_t *avr, unsigned long address,
                    unsigned long size) {
  return address <= avr->ramend && size <= avr->ramend + 1ul - address;
}

static void write_memory(avr_t *avr, unsigned long address, const char *hex) {
  unsigned byte = 0;
  for (; sscanf(hex, "%2x", &byte) == 1 && is_data(avr, address, 1); hex += 2) {
    avr->data[address++] = (uint8_t)byte;
  }
}

static void read_memory(avr_t *avr, unsigned long address, unsigned long size) {
  READ_SREG_INTO(avr, avr->data[R_SREG]); /* kept elsewhere while it runs */
  for (; size > 0 && is_data(avr, address, size); size--) {
    printf("%02x", avr->data[address++]);
  }
  printf("\n");
}

static void obey(machine *m, char *line) {
  char *rest = line + 1;
  const unsigned long first = strtoul(rest, &rest, 10);
  if (line[0] == 'w') {
    write_memory(m->avr, first, rest + strspn(rest, " "));
    return;
  }
  const uint64_t second = strtoull(rest, &rest, 10);
  const unsigned long third = strtoul(rest, &rest, 10);
  if (line[0] == 'g') {
    go(m, (uint32_t)first, second, (unsigned)third);
  } else if (line[0] == 'r') {
    read_memory(m->avr, first, (unsigned long)second);
  } else {
    printf("unknown\n");
  }
  fflush(stdout);
}

static avr_t *make_device(const char *mmcu, unsigned long clock_hz,
                          const char *image) {
  avr_t *avr = avr_make_mcu_by_name(mmcu);
  static elf_firmware_t firmware;
  if (avr == NULL || elf_read_firmware(image, &firmware) != 0) {
    return NULL;
  }
  avr_init(avr);
  avr_load_firmware(avr, &firmware);
  avr->frequency = (uint32_t)clock_hz;
  avr->state = cpu_Running;
  return avr;
}

int main(int count, char **arguments) {
  if (count < 4) {
    fprintf(stderr, "usage: runner MMCU CLOCK_HZ IMAGE [aes-engine]\n");
    return 2;
  }
  avr_global_logger_set(keep_complaint);
  machine m = {0};
  m.has_aes = count > 4 && strcmp(arguments[4], "aes-engine") == 0;
  m.avr =
      make_device(arguments[1], strtoul(arguments[2], NULL, 10), arguments[3]);
  if (m.avr == NULL) {
    fprintf(stderr, "runner: cannot run %s on %s\n", arguments[3],
            arguments[1]);
    return 2;
  }
  char *line = NULL;
  size_t size = 0;
  while (getline(&line, &size, stdin) > 0) {
    obey(&m, line);
  }
  free(line);
  return 0;
}
