/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the program of an ELF file on a simulated MSP430FR, as its input says:
 *
 *   runner IMAGE RAM_START RAM_BYTES FRAM_START WAITS SETS WAYS LINE_BYTES
 *          [aes-engine]
 *
 *   w ADDRESS HEX...           writes bytes into memory
 *   r ADDRESS SIZE             answers them in hex
 *   g ADDRESS LIMIT FLOOR      runs until the program counter is there and
 *                              answers `ok CYCLES INSTRUCTIONS STACK`, or
 *                              `crash REASON`: an instruction or a register
 *                              that is not simulated, an access to no memory, a
 *                              stack that sinks below FLOOR, more cycles than
 *                              LIMIT. STACK is how many bytes below its first
 *                              stack pointer it took by moving that or by
 *                              writing
 *   e                          answers what the AES engine holds, in hex: 32
 *                              bytes of the key and 16 of data
 *   x                          answers R4 to R15 in hex, low byte first
 *   p COUNT                    lets the power fail in place of a write to FRAM,
 *                              the first after COUNT others; never if negative
 *   n                          answers how many writes to FRAM there were since
 *                              p, and the address of the last one, with that
 *                              in whose place the power failed
 *   z                          begins anew as after a power cut: FRAM is as it
 *                              was, each byte of RAM 0xa5
 *
 * Numbers are decimal. FRAM reaches from FRAM_START to the end of 64 KB; in
 * front of it is a cache of SETS times WAYS lines, and a line that it does not
 * hold takes WAITS cycles more. There are no interrupts. */

#include "machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How far the stack reached in a run. */
typedef struct depth {
  unsigned first, lowest;
} depth;

static void look_at_stack(depth *d, const machine *m, unsigned floor) {
  const unsigned sp = m->registers[SP];
  d->lowest = sp < d->lowest ? sp : d->lowest;
  if (m->stored >= floor && m->stored < d->lowest) {
    d->lowest = m->stored;
  }
}

static const char *why_crashed(const machine *m, uint64_t cycles,
                               uint64_t limit, unsigned floor) {
  if (m->complaint != NULL) {
    return m->complaint;
  }
  if (m->registers[SP] < floor) {
    return "the stack reached the data";
  }
  return cycles > limit ? "it takes more cycles than the limit" : NULL;
}

static void go(machine *m, uint32_t until, uint64_t limit, unsigned floor) {
  const uint64_t start = m->cycles;
  uint64_t instructions = 0;
  depth d = {m->registers[SP], m->registers[SP]};
  const char *crash = NULL;
  m->complaint = NULL;
  while (m->registers[PC] != until && crash == NULL) {
    m->stored = MEMORY_BYTES;
    machine_step(m);
    instructions++;
    look_at_stack(&d, m, floor);
    crash = why_crashed(m, m->cycles - start, limit, floor);
  }
  if (crash != NULL) {
    printf("crash %s at 0x%" PRIx16 "\n", crash, m->registers[PC]);
  } else {
    printf("ok %" PRIu64 " %" PRIu64 " %u\n", m->cycles - start, instructions,
           d.first - d.lowest);
  }
}

static void write_memory(machine *m, unsigned long address, const char *hex) {
  unsigned byte = 0;
  for (; sscanf(hex, "%2x", &byte) == 1 && address < MEMORY_BYTES; hex += 2) {
    m->memory[address++] = (uint8_t)byte;
  }
}

static void write_hex(const uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) {
    printf("%02x", bytes[i]);
  }
}

static void read_memory(const machine *m, unsigned long address,
                        uint64_t size) {
  if (address < MEMORY_BYTES) {
    const uint64_t room = MEMORY_BYTES - address;
    write_hex(m->memory + address, (size_t)(size < room ? size : room));
  }
  printf("\n");
}

static void tell_engine(const aes_engine *engine) {
  write_hex(engine->key, sizeof engine->key);
  write_hex(engine->state, sizeof engine->state);
  printf("\n");
}

static void tell_registers(const machine *m) {
  const size_t count = sizeof m->registers / sizeof m->registers[0];
  for (size_t i = 4; i < count; i++) {
    printf("%s%02x%02x", i > 4 ? " " : "", m->registers[i] & 0xff,
           m->registers[i] >> 8);
  }
  printf("\n");
}

static void begin(machine *m) {
  enum { reset_vector = 0xfffe };
  memset(m->registers, 0, sizeof m->registers);
  m->registers[PC] =
      (uint16_t)(m->memory[reset_vector] | m->memory[reset_vector + 1] << 8);
}

static void lose_power(machine *m) {
  memset(m->memory + m->ram_start, 0xa5, m->ram_bytes);
  memset(&m->multiplier, 0, sizeof m->multiplier);
  memset(&m->aes, 0, sizeof m->aes);
  begin(m);
}

static void let_power_fail(machine *m, uint64_t after) {
  m->fram_writes = 0;
  m->power_fails_after = after;
}

static void obey(machine *m, char *line) {
  char *rest = line + 1;
  const unsigned long first = strtoul(rest, &rest, 10);
  if (line[0] == 'w') {
    write_memory(m, first, rest + strspn(rest, " "));
    return;
  }
  const uint64_t second = strtoull(rest, &rest, 10);
  const unsigned long third = strtoul(rest, &rest, 10);
  if (line[0] == 'g') {
    go(m, (uint32_t)first, second, (unsigned)third);
  } else if (line[0] == 'r') {
    read_memory(m, first, second);
  } else if (line[0] == 'p') {
    let_power_fail(m, first);
    return;
  } else if (line[0] == 'z') {
    lose_power(m);
    return;
  } else if (line[0] == 'n') {
    printf("%" PRIu64 " %" PRIu16 "\n", m->fram_writes, m->fram_written_at);
  } else if (line[0] == 'e') {
    tell_engine(&m->aes);
  } else if (line[0] == 'x') {
    tell_registers(m);
  } else {
    printf("unknown\n");
  }
  fflush(stdout);
}

static void obey_lines(machine *m) {
  char *line = NULL;
  size_t size = 0;
  while (getline(&line, &size, stdin) > 0) {
    obey(m, line);
  }
  free(line);
}

static uint32_t number(const char *word) {
  return (uint32_t)strtoul(word, NULL, 10);
}

/* Reads the words behind the image. */
static bool make(machine *m, char **words, int count) {
  enum { numbers = 7 };
  if (count < numbers || count > numbers + 1) {
    return false;
  }
  m->ram_start = number(words[0]);
  m->ram_bytes = number(words[1]);
  m->fram_start = number(words[2]);
  m->fram = (cache){.waits = number(words[3]),
                    .sets = number(words[4]),
                    .ways = number(words[5]),
                    .line_bytes = number(words[6])};
  m->has_aes = count > numbers && strcmp(words[numbers], "aes-engine") == 0;
  return (count == numbers || m->has_aes) && cache_is_possible(&m->fram) &&
         m->fram_start < MEMORY_BYTES;
}

int main(int count, char **arguments) {
  static machine m;
  m.power_fails_after = UINT64_MAX;
  if (count < 2 || !make(&m, arguments + 2, count - 2)) {
    fprintf(stderr, "usage: runner IMAGE RAM_START RAM_BYTES FRAM_START WAITS"
                    " SETS WAYS LINE_BYTES [aes-engine]\n");
    return 2;
  }
  if (!machine_load_image(&m, arguments[1])) {
    fprintf(stderr, "runner: cannot load %s\n", arguments[1]);
    return 2;
  }
  begin(&m);
  obey_lines(&m);
  return 0;
}
