/* SPDX-License-Identifier: Apache-2.0 */
/* Adds up what blocks of instructions take, as an emulator tells of each before
 * it runs it: on this machine, loaded into the bench. What a block takes is
 * asked for once and kept in a table that has a place for each halfword of the
 * program. samara/bench/simulators/unicorn.py has the same structures. */

#include <stddef.h>
#include <stdint.h>

typedef struct block {
  uint32_t size; /* 0 while nothing is known */
  uint32_t instructions;
  uint32_t cycles; /* without what a branch at its end adds when taken */
  uint32_t taken;  /* what it adds */
  uint32_t conditional;
} block;

typedef struct counter {
  uint64_t cycles;
  uint64_t instructions;
  uint64_t limit;
  uint64_t end; /* of the last block */
  const block *last;
  block *blocks;
  uint64_t block_count;
  uint32_t is_lost; /* a block lies outside the program */
  /* Fills in the table's entry for a block. */
  void (*learn)(uint64_t address, uint32_t size);
  int (*stop)(void *machine);
} counter;

void counter_end_block(counter *count, uint64_t following);
void counter_begin_block(void *machine, uint64_t address, uint32_t size,
                         void *user);

/* Adds what the last block's branch took, which the address of the next one
 * tells. */
void counter_end_block(counter *count, uint64_t following) {
  const block *last = count->last;
  if (last != NULL && !(last->conditional && following == count->end)) {
    count->cycles += last->taken;
  }
}

void counter_begin_block(void *machine, uint64_t address, uint32_t size,
                         void *user) {
  counter *count = user;
  counter_end_block(count, address);
  if (address / 2 >= count->block_count) {
    count->is_lost = 1;
    count->stop(machine);
    return;
  }
  const block *now = &count->blocks[address / 2];
  if (now->size != size) {
    count->learn(address, size);
  }
  count->cycles += now->cycles;
  count->instructions += now->instructions;
  count->last = now;
  count->end = address + size;
  if (count->cycles > count->limit) {
    count->stop(machine);
  }
}
