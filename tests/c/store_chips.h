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
} chip;

enum { chip_count = 11 };

extern const chip chips[chip_count];

/* Makes a chip's memory new; start() then is its reset. */
void chip_init(const chip *kind);

/* Keeps and brings back all that a chip keeps without power. */
void chip_save(void);
void chip_restore(void);

/* For models: a device did what its chip forbids. */
void refuse(const char *what);

/* A model in a file of its own. */
const samara_store_memory *start_stm32f1(void);

#endif
