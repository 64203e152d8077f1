/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_TESTS_STORE_CHIPS_H
#define SAMARA_TESTS_STORE_CHIPS_H

/* The memories of chips (samara/memories/) on models of their controllers or of
 * the systems that they are reached by. Cells are those of flash_model.h. */

#include <samara/store.h>

typedef struct chip {
  const char *name;
  unsigned unit, page; /* of the cells */
  const samara_store_memory *(*start)(void);
  uint32_t first; /* of a ring in a memory without pages */
} chip;

enum { chip_count = 14 };

extern const chip chips[chip_count];

/* Makes a chip's memory new; start() then is its reset. */
void chip_init(const chip *kind);

/* Keeps and brings back all that a chip keeps without power. */
void chip_save(void);
void chip_restore(void);

/* For models: a device did what its chip forbids. */
void refuse(const char *what);

/* Models in files of their own. */
const samara_store_memory *start_stm32f1(void);
const samara_store_memory *start_msp430fr(void);
const samara_store_memory *start_msp430fr_syscfg(void);

#endif
