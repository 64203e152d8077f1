/* SPDX-License-Identifier: Apache-2.0 */
/* The instructions of the MSP430, and their cycles on the MSP430X CPU (CPUX).
 * Those that the MSP430X adds are refused: clang makes none. */

#include "machine.h"

enum { CARRY = 1, ZERO = 2, NEGATIVE = 4, CPU_OFF = 0x10, OVERFLOW = 0x100 };

/* Addressing modes of a source; a destination has the first two. */
enum { REGISTER = 0, INDEXED = 1, INDIRECT = 2, INCREMENTED = 3 };

/* What cycles depend on: a constant counts as a register. */
typedef enum kind { FROM_REGISTER, FROM_POINTER, FROM_CODE, FROM_MEMORY } kind;

typedef struct operand {
  kind kind;
  bool in_memory;
  bool absolute;
  uint16_t address; /* or the number of the register */
  uint16_t value;
} operand;

static uint16_t fetch(machine *m) {
  const uint16_t word = machine_load(m, m->registers[PC], false);
  m->registers[PC] = (uint16_t)(m->registers[PC] + 2);
  return word;
}

/* The constants of R2 and R3; true if the operand is one. */
static bool is_constant(unsigned reg, unsigned mode, uint16_t *value) {
  static const uint16_t of_cg[4] = {0, 1, 2, 0xffff};
  if (reg == CG) {
    *value = of_cg[mode];
    return true;
  }
  if (reg == SR && mode >= INDIRECT) {
    *value = mode == INDIRECT ? 4 : 8;
    return true;
  }
  return false;
}

/* x(Rn), EDE (whose register is the PC) or &EDE (whose register is 0). */
static uint16_t indexed(machine *m, unsigned reg) {
  const uint16_t base = reg == SR ? 0 : m->registers[reg];
  return (uint16_t)(base + fetch(m));
}

static void increment(machine *m, unsigned reg, bool is_byte) {
  const unsigned bytes = is_byte && reg != PC && reg != SP ? 1 : 2;
  m->registers[reg] = (uint16_t)(m->registers[reg] + bytes);
}

static operand source(machine *m, unsigned reg, unsigned mode, bool is_byte) {
  operand o = {.kind = FROM_REGISTER, .address = (uint16_t)reg};
  if (is_constant(reg, mode, &o.value)) {
    o.value &= is_byte ? 0xff : 0xffff;
    return o;
  }
  if (mode == REGISTER) {
    o.value = m->registers[reg] & (is_byte ? 0xff : 0xffff);
    return o;
  }
  o.in_memory = true;
  o.absolute = mode == INDEXED && reg == SR;
  o.address = mode == INDEXED ? indexed(m, reg) : m->registers[reg];
  o.kind = mode == INDEXED ? FROM_MEMORY : reg == PC ? FROM_CODE : FROM_POINTER;
  o.value = machine_load(m, o.address, is_byte);
  if (mode == INCREMENTED) {
    increment(m, reg, is_byte);
  }
  return o;
}

static void write_back(machine *m, const operand *o, uint16_t value,
                       bool is_byte) {
  if (o->in_memory) {
    machine_store(m, o->address, value, is_byte);
  } else if (o->address != CG) {
    m->registers[o->address] = value;
    m->registers[PC] &= 0xfffe;
    m->registers[SP] &= 0xfffe;
  }
}

static void set_flags(machine *m, unsigned flags) {
  const unsigned all = CARRY | ZERO | NEGATIVE | OVERFLOW;
  m->registers[SR] = (uint16_t)((m->registers[SR] & ~all) | flags);
}

static unsigned sign_and_zero(uint32_t result, uint32_t mask) {
  return ((result & mask) == 0 ? ZERO : 0) |
         (result & (mask / 2 + 1) ? NEGATIVE : 0);
}

static uint16_t sum(machine *m, uint32_t a, uint32_t b, uint32_t carry,
                    uint32_t mask) {
  const uint32_t result = a + b + carry;
  const uint32_t overflows = (a ^ result) & (b ^ result) & (mask / 2 + 1);
  set_flags(m, sign_and_zero(result, mask) | (result > mask ? CARRY : 0) |
                   (overflows ? OVERFLOW : 0));
  return (uint16_t)(result & mask);
}

static uint16_t logical(machine *m, uint16_t result, uint32_t mask,
                        bool overflows) {
  const unsigned flags = sign_and_zero(result, mask);
  set_flags(m, flags | (flags & ZERO ? 0 : CARRY) | (overflows ? OVERFLOW : 0));
  return result;
}

enum { MOV = 4, ADD, ADDC, SUBC, SUB, CMP, DADD, BIT, BIC, BIS, XOR, AND };

/* What an instruction of two operands computes; flags as it sets them. */
static uint16_t computed(machine *m, unsigned operation, uint16_t from,
                         uint16_t to, uint32_t mask) {
  const uint32_t carry = m->registers[SR] & CARRY;
  const uint32_t top = mask / 2 + 1;
  switch (operation) {
  case MOV:
    return from;
  case ADD:
    return sum(m, to, from, 0, mask);
  case ADDC:
    return sum(m, to, from, carry, mask);
  case SUBC:
    return sum(m, to, ~(uint32_t)from & mask, carry, mask);
  case SUB:
  case CMP:
    return sum(m, to, ~(uint32_t)from & mask, 1, mask);
  case BIC:
    return (uint16_t)(to & ~from);
  case BIS:
    return to | from;
  case XOR:
    return logical(m, to ^ from, mask, (to & from & top) != 0);
  case BIT:
  case AND:
    return logical(m, to & from, mask, false);
  default:
    m->complaint = "DADD is not simulated";
    return 0;
  }
}

/* Table "Format I" of the CPUX chapter of TI's guides (SLAU445, 4-10). */
static unsigned cycles_of_two(const operand *from, const operand *to,
                              unsigned operation) {
  static const unsigned to_register[4] = {1, 2, 2, 3};
  static const unsigned to_pc[4] = {3, 4, 3, 5};
  static const unsigned to_memory[4] = {4, 5, 5, 6};
  if (to->in_memory) {
    const bool fewer = operation == MOV || operation == CMP || operation == BIT;
    return to_memory[from->kind] - (fewer ? 1 : 0);
  }
  return to->address == PC ? to_pc[from->kind] : to_register[from->kind];
}

static void two_operands(machine *m, uint16_t opcode) {
  const unsigned operation = opcode >> 12;
  const bool is_byte = (opcode & 0x40) != 0;
  const uint32_t mask = is_byte ? 0xff : 0xffff;
  const operand from =
      source(m, (opcode >> 8) & 15, (opcode >> 4) & 3, is_byte);
  const unsigned reg = opcode & 15;
  operand to = {.address = (uint16_t)reg, .in_memory = (opcode & 0x80) != 0};
  if (to.in_memory) {
    to.address = indexed(m, reg);
    /* MOV does not read what it overwrites. */
    to.value = operation == MOV ? 0 : machine_load(m, to.address, is_byte);
  } else {
    to.value = (uint16_t)(m->registers[reg] & mask);
  }
  const uint16_t result = computed(m, operation, from.value, to.value, mask);
  m->cycles += cycles_of_two(&from, &to, operation);
  if (operation != CMP && operation != BIT) {
    write_back(m, &to, result, is_byte);
  }
}

static void push(machine *m, uint16_t value, bool is_byte) {
  m->registers[SP] = (uint16_t)(m->registers[SP] - 2);
  machine_store(m, m->registers[SP], value, is_byte);
}

enum { RRC = 0, SWPB, RRA, SXT, PUSH, CALL, RETI };

/* Table "Format II" of the CPUX chapter of TI's guides (SLAU445, 4-9). */
static unsigned cycles_of_one(const operand *o, unsigned operation) {
  static const unsigned rotating[4] = {1, 3, 3, 4};
  static const unsigned pushing[4] = {3, 3, 3, 4};
  static const unsigned calling[4] = {4, 4, 4, 5};
  switch (operation) {
  case PUSH:
    return pushing[o->kind];
  case CALL:
    return calling[o->kind] + (o->absolute ? 1 : 0);
  default:
    return rotating[o->kind];
  }
}

/* The shifted operand; `in` comes in at the top. */
static uint16_t rotated(machine *m, uint16_t value, uint32_t in,
                        uint32_t mask) {
  const uint32_t result = ((uint32_t)value >> 1) | in;
  set_flags(m, sign_and_zero(result, mask) | (value & CARRY));
  return (uint16_t)result;
}

static uint16_t changed(machine *m, unsigned operation, uint16_t value,
                        uint32_t mask) {
  const uint32_t top = mask / 2 + 1;
  switch (operation) {
  case RRC:
    return rotated(m, value, m->registers[SR] & CARRY ? top : 0, mask);
  case RRA:
    return rotated(m, value, value & top, mask);
  case SWPB:
    return (uint16_t)(value << 8 | value >> 8);
  default:
    value = (uint16_t)((value & 0xff) | (value & 0x80 ? 0xff00 : 0));
    return logical(m, value, mask, false);
  }
}

static void one_operand(machine *m, uint16_t opcode) {
  const unsigned operation = (opcode >> 7) & 7;
  const bool is_byte = (opcode & 0x40) != 0;
  if (operation >= RETI) {
    m->complaint = "RETI and CALLA are not simulated";
    return;
  }
  const operand o = source(m, opcode & 15, (opcode >> 4) & 3, is_byte);
  m->cycles += cycles_of_one(&o, operation);
  if (operation == PUSH) {
    push(m, o.value, is_byte);
  } else if (operation == CALL) {
    push(m, m->registers[PC], false);
    m->registers[PC] = o.value & 0xfffe;
  } else {
    const uint32_t mask = is_byte ? 0xff : 0xffff;
    write_back(m, &o, changed(m, operation, o.value, mask), is_byte);
  }
}

static bool is_taken(const machine *m, unsigned condition) {
  const unsigned flags = m->registers[SR];
  const bool less = ((flags & NEGATIVE) != 0) != ((flags & OVERFLOW) != 0);
  switch (condition) {
  case 0:
    return !(flags & ZERO);
  case 1:
    return flags & ZERO;
  case 2:
    return !(flags & CARRY);
  case 3:
    return flags & CARRY;
  case 4:
    return flags & NEGATIVE;
  case 5:
    return !less;
  case 6:
    return less;
  default:
    return true;
  }
}

/* Two cycles, taken or not. */
static void jump(machine *m, uint16_t opcode) {
  const int words = (opcode & 0x1ff) - (opcode & 0x200);
  m->cycles += 2;
  if (is_taken(m, (opcode >> 10) & 7)) {
    m->registers[PC] = (uint16_t)(m->registers[PC] + 2 * words);
  }
}

void machine_step(machine *m) {
  const uint16_t opcode = fetch(m);
  if (opcode >= 0x4000) {
    two_operands(m, opcode);
  } else if (opcode >= 0x2000) {
    jump(m, opcode);
  } else if (opcode >= 0x1000 && opcode < 0x1400) {
    one_operand(m, opcode);
  } else {
    m->complaint = "invalid opcode: the MSP430 has no such instruction";
  }
  if (m->registers[SR] & CPU_OFF) {
    m->complaint = "the processor is switched off, and nothing wakes it";
  }
}
