/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the program of an ELF file on a simulated AVR, as its input says:
 *
 *   runner MMCU CLOCK_HZ IMAGE [aes-engine]
 *          [TIMING RAM_START RAM_BYTES FLASH_BYTES FLASH_AT]
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
 * TIMING, avrxm or avrxt, is a processor that libsimavr does not have. MMCU
 * then runs its instructions, and their cycles and the memory are its own:
 * flash memory can be loaded from as data from FLASH_AT on, or not if that is
 * 0, and a load or store that reaches neither it nor RAM is a crash.
 *
 * Numbers are decimal; addresses are in bytes. The core is stepped here, one
 * instruction at a time, and not by libsimavr's loop: so the stack pointer is
 * seen after each, as is what it writes, and a run begins and ends exactly at
 * an address. There are no interrupts. */

#include "runner.h"
#include "image.h"
#include "timing.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <simavr/sim_core.h>

/* A processor that libsimavr does not have. */
typedef struct other_core {
  core_timing timing;
  uint32_t ram_start, ram_bytes;
  uint32_t flash_bytes;
  uint32_t flash_at; /* where it begins in data memory; 0 if nowhere */
} other_core;

typedef struct machine {
  avr_t *avr;
  bool has_aes;
  aes_engine aes;    /* an ATmega's */
  aes_module xm_aes; /* an ATxmega's */
  other_core other;
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

/* The cycles that loading from flash memory as data takes on top: the manual's
 * least. */
enum { FLASH_AS_DATA_CYCLES = 1 };
/* XMEGA: reading a register takes a cycle less than reading RAM, by the
 * manual's predecessor 0856L. */
enum { REGISTER_CYCLES = -1 };

static bool is_within(uint32_t address, uint32_t start, uint32_t size) {
  return address >= start && address - start < size;
}

static bool is_of_aes(const machine *m, memory_access access) {
  return m->has_aes &&
         (m->other.timing == AVRE ? aes_engine_owns(access.address)
                                  : aes_module_owns(access.address));
}

static void load_of_aes(machine *m, memory_access access) {
  if (m->other.timing == AVRE) {
    aes_engine_load(&m->aes, m->avr, access.address);
  } else {
    aes_module_load(&m->xm_aes, m->avr, access.address);
  }
}

static void store_of_aes(machine *m, memory_access access) {
  if (m->other.timing == AVRE) {
    aes_engine_store(&m->aes, m->avr, access.address);
  } else {
    aes_module_store(&m->xm_aes, m->avr, access.address);
  }
}

/* Makes ready what an instruction of another core loads. Returns the cycles
 * that it takes beyond those that libsimavr counts. */
static int prepare(const machine *m, memory_access access) {
  avr_t *avr = m->avr;
  const other_core *other = &m->other;
  const uint16_t opcode =
      (uint16_t)(avr->flash[avr->pc] | avr->flash[avr->pc + 1] << 8);
  const int beyond = cycles_beyond_atmega(other->timing, opcode);
  const uint32_t address = (uint32_t)access.address;
  if (access.address < 0 ||
      is_within(address, other->ram_start, other->ram_bytes)) {
    return beyond;
  }
  if (is_of_aes(m, access)) {
    return beyond + (access.is_store ? 0 : REGISTER_CYCLES);
  }
  if (access.is_store || other->flash_at == 0 ||
      !is_within(address, other->flash_at, other->flash_bytes)) {
    snprintf(complaint, sizeof complaint, "there is no memory at 0x%" PRIx32,
             address);
    return beyond;
  }
  avr->data[address] = avr->flash[address - other->flash_at];
  return beyond + FLASH_AS_DATA_CYCLES;
}

/* Executes one instruction. Returns the address that it stores to, but for the
 * stack pointer; -1 if none. */
static int32_t step(machine *m) {
  const memory_access access = memory_access_of(m->avr);
  const int beyond = m->other.timing == AVRE ? 0 : prepare(m, access);
  const bool engine = is_of_aes(m, access);
  if (engine && !access.is_store) {
    load_of_aes(m, access);
  }
  m->avr->pc = avr_run_one(m->avr);
  m->avr->cycle += (avr_cycle_count_t)(int64_t)beyond;
  if (engine && access.is_store) {
    store_of_aes(m, access);
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
 * `out SREG`, `out SPL` is avr-gcc's sequence, and `out SPL`, `out SPH` on
 * XMEGA and after, which keeps interrupts off by itself. In between it may seem
 * 256 bytes lower than it ever gets. */
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
  const unsigned first = next_out(m->avr);
  const unsigned last = first == out_sph ? out_spl : out_sph;
  bool in_halves = first == out_sph || (first == out_spl && m->other.timing);
  do {
    in_halves = in_halves && next_out(m->avr) != last;
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

/* Gives a chip of libsimavr the memory of another. */
static void make_other(avr_t *avr, const other_core *other) {
  enum { whole_data_memory = 0xffff };
  avr->flashend = other->flash_bytes - 1;
  avr->ramend = other->flash_at != 0
                    ? whole_data_memory
                    : (uint16_t)(other->ram_start + other->ram_bytes - 1);
}

static avr_t *make_device(char **arguments, const other_core *other) {
  avr_t *avr = avr_make_mcu_by_name(arguments[1]);
  if (avr == NULL) {
    return NULL;
  }
  if (other->timing != AVRE) {
    make_other(avr, other);
  }
  avr_init(avr);
  avr->frequency = (uint32_t)strtoul(arguments[2], NULL, 10);
  avr->state = cpu_Running;
  return load_image(avr, arguments[3]) ? avr : NULL;
}

/* Reads TIMING and the numbers behind it. */
static bool read_other(other_core *other, char **words, int count) {
  enum { all_words = 5 };
  if (count != all_words) {
    return count == 0;
  }
  other->timing = strcmp(words[0], "avrxm") == 0   ? AVRXM
                  : strcmp(words[0], "avrxt") == 0 ? AVRXT
                                                   : AVRE;
  other->ram_start = (uint32_t)strtoul(words[1], NULL, 10);
  other->ram_bytes = (uint32_t)strtoul(words[2], NULL, 10);
  other->flash_bytes = (uint32_t)strtoul(words[3], NULL, 10);
  other->flash_at = (uint32_t)strtoul(words[4], NULL, 10);
  return other->timing != AVRE && other->ram_bytes > 0 &&
         other->flash_bytes > 0;
}

static void obey_lines(machine *m) {
  char *line = NULL;
  size_t size = 0;
  while (getline(&line, &size, stdin) > 0) {
    obey(m, line);
  }
  free(line);
}

int main(int count, char **arguments) {
  enum { image = 3 };
  machine m = {0};
  m.has_aes =
      count > image + 1 && strcmp(arguments[image + 1], "aes-engine") == 0;
  const int used = image + 1 + (m.has_aes ? 1 : 0);
  if (count < used || !read_other(&m.other, arguments + used, count - used)) {
    fprintf(stderr, "usage: runner MMCU CLOCK_HZ IMAGE [aes-engine] [TIMING"
                    " RAM_START RAM_BYTES FLASH_BYTES FLASH_AT]\n");
    return 2;
  }
  avr_global_logger_set(keep_complaint);
  m.avr = make_device(arguments, &m.other);
  if (m.avr == NULL) {
    fprintf(stderr, "runner: cannot run %s on %s\n", arguments[image],
            arguments[1]);
    return 2;
  }
  if (m.has_aes && m.other.timing != AVRE) {
    aes_module_take_place(m.avr);
  }
  obey_lines(&m);
  return 0;
}
