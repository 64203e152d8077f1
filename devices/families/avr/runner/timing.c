/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the cycles of AVRxm and AVRxt differ from those of the ATmega (AVRe):
 * AVR Instruction Set Manual DS40002198, tables 5-2 to 5-5 and the
 * table of cycles of each instruction in section 6. What is not here takes as
 * long on all three. */

#include "timing.h"

#include <stddef.h>

typedef struct difference {
  uint16_t mask;
  uint16_t opcode;
  int8_t avrxm;
  int8_t avrxt;
} difference;

/* The first row that fits counts. LD and ST through Y and Z without anything
 * are LDD and STD with a displacement of 0. */
static const difference differences[] = {
    {0xfe07, 0x8000, 0, 0},   /* LD Y, LD Z: 2, 2, 2 */
    {0xd200, 0x8000, +1, 0},  /* LDD: 2, 3, 2 */
    {0xfe07, 0x8200, -1, -1}, /* ST Y, ST Z: 2, 1, 1 */
    {0xd200, 0x8200, 0, -1},  /* STD: 2, 2, 1 */
    {0xfe0f, 0x9000, +1, +1}, /* LDS: 2, 3, 3 */
    {0xfe0f, 0x9002, +1, 0},  /* LD -Z: 2, 3, 2 */
    {0xfe0f, 0x900a, +1, 0},  /* LD -Y */
    {0xfe0f, 0x900e, +1, 0},  /* LD -X */
    {0xfe0f, 0x9201, -1, -1}, /* ST Z+: 2, 1, 1 */
    {0xfe0f, 0x9209, -1, -1}, /* ST Y+ */
    {0xfe0f, 0x920c, -1, -1}, /* ST X */
    {0xfe0f, 0x920d, -1, -1}, /* ST X+ */
    {0xfe0f, 0x9202, 0, -1},  /* ST -Z: 2, 2, 1 */
    {0xfe0f, 0x920a, 0, -1},  /* ST -Y */
    {0xfe0f, 0x920e, 0, -1},  /* ST -X */
    {0xfe0f, 0x920f, -1, -1}, /* PUSH: 2, 1, 1 */
    {0xffef, 0x9509, -1, -1}, /* ICALL, EICALL: 3 or 4, 2 or 3 */
    {0xfe0e, 0x940e, -1, -1}, /* CALL: 4 or 5, 3 or 4 */
    {0xf000, 0xd000, -1, -1}, /* RCALL: 3 or 4, 2 or 3 */
    {0xfd00, 0x9800, -1, -1}, /* CBI, SBI: 2, 1, 1 */
    {0xfd00, 0x9900, +1, 0},  /* SBIC, SBIS: 1 to 3, 2 to 4, 1 to 3 */
};

int cycles_beyond_atmega(core_timing timing, uint16_t opcode) {
  if (timing == AVRE) {
    return 0;
  }
  for (size_t i = 0; i < sizeof differences / sizeof *differences; i++) {
    const difference *row = &differences[i];
    if ((opcode & row->mask) == row->opcode) {
      return timing == AVRXM ? row->avrxm : row->avrxt;
    }
  }
  return 0;
}
