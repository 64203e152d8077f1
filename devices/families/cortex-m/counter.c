/* SPDX-License-Identifier: Apache-2.0 */
/* Adds up what blocks of instructions take, as an emulator tells of each before
 * it runs it: on this machine, loaded into the bench. What a block takes is
 * asked for once and kept in a table that has a place for each halfword of the
 * program. samara/bench/simulators/unicorn.py has the same structures. */

#include <stddef.h>
#include <stdint.h>

enum { constants_max = 16, lines_max = 1024 };

typedef struct block {
  uint32_t size; /* 0 while nothing is known */
  uint32_t instructions;
  uint32_t cycles; /* without what a branch at its end adds when taken */
  uint32_t taken;  /* what it adds */
  uint32_t conditional;
  uint32_t constant_count;
  uint32_t constants[constants_max]; /* addresses of those that it loads */
} block;

/* Flash memory with wait states, behind lines of a buffer or cache: those of
 * instructions and those of data, or one for both. A line is in one of some
 * sets, by its place in the memory; of each, those used last are kept. */
typedef struct lines {
  uint32_t sets;
  uint32_t ways;            /* lines of each set; 0: none is kept */
  uint64_t kept[lines_max]; /* number and 1, the last used of a set first */
} lines;

typedef struct flash {
  uint32_t wait_states; /* 0: no flash memory is modelled */
  uint32_t line_bytes;
  uint32_t prefetches; /* whether the next line is read while one runs */
  uint32_t shares;     /* whether data are in the lines of instructions */
  uint64_t line;       /* that runs */
  uint64_t line_took;  /* cycles since it began */
  lines code;
  lines data;
} flash;

typedef struct counter {
  uint64_t cycles;
  uint64_t instructions;
  uint64_t limit;
  uint64_t end; /* of the last block */
  const block *last;
  block *blocks;
  uint64_t block_count;
  uint64_t first;        /* address of the program: that of the first block */
  uint32_t is_lost;      /* a block lies outside the program */
  uint32_t is_unaligned; /* a word was read or written where it may not lie */
  /* Fills in the table's entry for a block. */
  void (*learn)(uint64_t address, uint32_t size);
  int (*stop)(void *machine);
  flash flash;
} counter;

void counter_end_block(counter *count, uint64_t following);
void counter_begin_block(void *machine, uint64_t address, uint32_t size,
                         void *user);
void counter_check_address(void *machine, int type, uint64_t address, int size,
                           int64_t value, void *user);

/* Uses a line; returns whether it was held. */
static int use(lines *of, uint64_t line) {
  if (of->ways == 0) {
    return 0;
  }
  uint64_t *const set = &of->kept[line % of->sets * of->ways];
  const uint64_t name = line + 1; /* 0: no line yet */
  uint32_t at = 0;
  while (at < of->ways - 1 && set[at] != name) {
    at++;
  }
  const int was_held = set[at] == name;
  for (; at > 0; at--) {
    set[at] = set[at - 1];
  }
  set[0] = name;
  return was_held;
}

/* Returns what a line of instructions is waited for. */
static uint32_t waits_for(flash *of, uint64_t line) {
  const uint32_t states = of->wait_states;
  const int is_next = line == of->line + 1;
  if (use(&of->code, line)) {
    return 0;
  }
  if (of->prefetches && is_next) {
    return of->line_took < states ? states - (uint32_t)of->line_took : 0;
  }
  return states;
}

/* Returns what a block's instructions are waited for. Its cycles are taken to
 * be spread evenly over its bytes. */
static uint64_t waits_of(flash *of, uint64_t address, uint32_t size,
                         uint32_t cycles) {
  uint64_t waits = 0;
  const uint64_t end = address + size;
  while (address < end) {
    const uint64_t line = address / of->line_bytes;
    const uint64_t next = (line + 1) * of->line_bytes;
    const uint64_t part = (next < end ? next : end) - address;
    if (line != of->line) {
      waits += waits_for(of, line);
      of->line_took = 0;
    }
    of->line = line;
    of->line_took += cycles * part / size;
    address += part;
  }
  return waits;
}

/* Returns what a block's constants behind the code are waited for. */
static uint64_t waits_of_constants(flash *of, const block *now) {
  uint64_t waits = 0;
  lines *const among = of->shares ? &of->code : &of->data;
  for (uint32_t i = 0; i < now->constant_count; i++) {
    if (!use(among, now->constants[i] / of->line_bytes)) {
      waits += of->wait_states;
    }
  }
  return waits;
}

/* Adds what the last block's branch took, which the address of the next one
 * tells. */
void counter_end_block(counter *count, uint64_t following) {
  const block *last = count->last;
  if (last != NULL && !(last->conditional && following == count->end)) {
    count->cycles += last->taken;
    count->flash.line_took += last->taken;
  }
}

void counter_begin_block(void *machine, uint64_t address, uint32_t size,
                         void *user) {
  counter *count = user;
  counter_end_block(count, address);
  const uint64_t number = (address - count->first) / 2;
  if (number >= count->block_count) {
    count->is_lost = 1;
    count->stop(machine);
    return;
  }
  const block *now = &count->blocks[number];
  if (now->size != size) {
    count->learn(address, size);
  }
  count->cycles += now->cycles;
  if (count->flash.wait_states != 0) {
    count->cycles += waits_of(&count->flash, address, size, now->cycles);
    count->cycles += waits_of_constants(&count->flash, now);
  }
  count->instructions += now->instructions;
  count->last = now;
  count->end = address + size;
  if (count->cycles > count->limit) {
    count->stop(machine);
  }
}

/* For cores that fault at words and halfwords which do not lie at a multiple of
 * their size: the emulator would read and write them. */
void counter_check_address(void *machine, int type, uint64_t address, int size,
                           int64_t value, void *user) {
  counter *count = user;
  (void)type;
  (void)value;
  if (address % (uint64_t)size != 0) {
    count->is_unaligned = 1;
    count->stop(machine);
  }
}
