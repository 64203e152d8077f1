/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads and stores of the AVR instruction set (manual 0856), decoded as far as
 * the address they touch. PUSH, POP and calls use the stack, which is never
 * where the registers are. */

#include "runner.h"

enum { X = 26, Y = 28, Z = 30 };

static int32_t pointer(const avr_t *avr, int low) {
  return avr->data[low] | avr->data[low + 1] << 8;
}

static uint16_t word_at(const avr_t *avr, uint32_t address) {
  return (uint16_t)(avr->flash[address] | avr->flash[address + 1] << 8);
}

/* LD and ST with X, Y, Z, plain, with post-increment or pre-decrement. */
static int32_t indirect(const avr_t *avr, unsigned mode) {
  switch (mode) {
  case 0xc:
  case 0xd:
    return pointer(avr, X);
  case 0xe:
    return pointer(avr, X) - 1;
  case 0x9:
    return pointer(avr, Y);
  case 0xa:
    return pointer(avr, Y) - 1;
  case 0x1:
    return pointer(avr, Z);
  case 0x2:
    return pointer(avr, Z) - 1;
  default: /* LPM, ELPM, POP, PUSH, XCH, ... */
    return -1;
  }
}

memory_access memory_access_of(const avr_t *avr) {
  const uint16_t opcode = word_at(avr, avr->pc);
  memory_access access = {-1, (opcode & 0x0200) != 0};
  if ((opcode & 0xfc00) == 0x9000) {
    const unsigned mode = opcode & 0xf;
    access.address =
        mode == 0 ? (int32_t)word_at(avr, avr->pc + 2) : indirect(avr, mode);
  } else if ((opcode & 0xd000) == 0x8000) { /* LDD, STD: 10q0 qqsd dddd yqqq */
    const int32_t offset =
        (opcode & 7) | (opcode >> 7 & 0x18) | (opcode >> 8 & 0x20);
    access.address = pointer(avr, opcode & 8 ? Y : Z) + offset;
  }
  return access;
}
