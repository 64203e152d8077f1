/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MULTIPLIER_H
#define MULTIPLIER_H

#include <stdbool.h>
#include <stdint.h>

/* The multiplier of 16 bits without signs, of what MPY32 can do: registers MPY,
 * OP2, RESLO and RESHI. */
typedef struct multiplier {
  uint16_t first;
  uint32_t result;
} multiplier;

/* Serve a register; false if it is none of these. */
bool multiplier_load(const multiplier *m, uint16_t address, uint16_t *value);
bool multiplier_store(multiplier *m, uint16_t address, uint16_t value);

#endif
