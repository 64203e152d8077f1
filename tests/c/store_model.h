/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_TESTS_STORE_MODEL_H
#define SAMARA_TESTS_STORE_MODEL_H

/* A memory whose power is cut at any byte of any write or erase, and whose
 * cells wear out. */

#include <samara/store.h>
#include <setjmp.h>

enum { model_size_max = 2048 };

/* What a cut leaves in the write unit that is being changed, or in all of it.
 */
typedef enum model_tear {
  MODEL_OLD,
  MODEL_NEW,
  MODEL_ERASED,
  MODEL_RANDOM,     /* the unit; those before are new, those behind old */
  MODEL_MIXED,      /* each byte of the whole change is old or new */
  MODEL_ALL_RANDOM, /* each byte of the whole change is anything */
  MODEL_UNITS, /* each unit of the whole change is old or new, in no order */
  MODEL_TEARS
} model_tear;

typedef struct store_model {
  samara_store_memory memory;
  uint8_t bytes[model_size_max];
  uint32_t written[model_size_max]; /* how often each byte was written */
  uint8_t stuck_high[model_size_max], stuck_low[model_size_max]; /* bits */
  uint32_t size;
  /* Steps are write units: of a write, and of the page that is erased. */
  unsigned long steps;  /* so far */
  unsigned long cut_at; /* the power fails in this step; ULONG_MAX never */
  model_tear tear;
  jmp_buf dark;
  bool fails_to_read;
} store_model;

/* Bytes that can be written over: pages of 0; otherwise flash. */
void model_init(store_model *self, uint32_t size, uint32_t page_size,
                uint8_t write_unit, uint8_t erased_value);

/* The power fails in the given step from now on. */
void model_cut_after(store_model *self, unsigned long steps, model_tear tear);
void model_stay_powered(store_model *self);

#endif
