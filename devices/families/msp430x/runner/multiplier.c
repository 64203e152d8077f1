/* SPDX-License-Identifier: Apache-2.0 */
#include "multiplier.h"

enum { MPY = 0x04c0, OP2 = 0x04c8, RESLO = 0x04ca, RESHI = 0x04cc };

bool multiplier_load(const multiplier *m, uint16_t address, uint16_t *value) {
  switch (address) {
  case MPY:
    *value = m->first;
    return true;
  case RESLO:
    *value = (uint16_t)m->result;
    return true;
  case RESHI:
    *value = (uint16_t)(m->result >> 16);
    return true;
  default:
    return false;
  }
}

bool multiplier_store(multiplier *m, uint16_t address, uint16_t value) {
  switch (address) {
  case MPY:
    m->first = value;
    return true;
  case OP2:
    m->result = (uint32_t)m->first * value;
    return true;
  default:
    return false;
  }
}
