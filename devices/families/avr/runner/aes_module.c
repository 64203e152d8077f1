/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner.h"

#include <string.h>

enum { CONTROL = 0xc0, STATUS, STATE, KEY, INTERRUPTS };

enum { START = 0x80, AUTO = 0x40, RESET = 0x20, DECRYPT = 0x10, XOR = 0x04 };
enum { ERROR = 0x80, READY = 0x01 }; /* of STATUS */

bool aes_module_owns(int32_t address) {
  return address >= CONTROL && address <= INTERRUPTS;
}

/* libsimavr's chip has another peripheral at these addresses. */
void aes_module_take_place(avr_t *avr) {
  for (int address = CONTROL; address <= INTERRUPTS; address++) {
    memset(&avr->io[AVR_DATA_TO_IO(address)], 0, sizeof avr->io[0]);
  }
}

static void finish_when_due(aes_module *module, uint64_t now) {
  if ((module->control & START) == 0 || now < module->ready_at) {
    return;
  }
  module->control &= (uint8_t)~START;
  module->status |= READY;
  if (module->control & DECRYPT) {
    aes_block_decrypt(module->state, module->key);
  } else {
    aes_block_encrypt(module->state, module->key);
  }
}

static bool pointers_are_back(const aes_module *module) {
  return module->state_read == 0 && module->state_write == 0 &&
         module->key_read == 0 && module->key_write == 0;
}

static void set_pointers_back(aes_module *module) {
  module->state_read = module->state_write = 0;
  module->key_read = module->key_write = 0;
}

static void start(aes_module *module, uint64_t now) {
  module->control |= START;
  module->ready_at = now + AES_MODULE_CYCLES;
}

/* To touch CONTROL during a run is an error, and ends it here; so is a start
 * while a memory is written or read in part. */
static void store_control(aes_module *module, uint8_t value, uint64_t now) {
  const bool is_wrong = (module->control & START) ||
                        ((value & START) && !pointers_are_back(module));
  set_pointers_back(module);
  if (value & RESET) {
    *module = (aes_module){0};
    return;
  }
  module->control = value & (uint8_t)~START;
  if (is_wrong) {
    module->status |= ERROR;
  } else if (value & START) {
    start(module, now);
  }
}

static uint8_t load_control(aes_module *module) {
  const uint8_t value = module->control;
  if (value & START) {
    module->status |= ERROR;
    module->control &= (uint8_t)~START;
  }
  set_pointers_back(module);
  return value;
}

static uint8_t load_state(aes_module *module) {
  module->status &= (uint8_t)~READY;
  const uint8_t value = module->state[module->state_read];
  module->state_read = (module->state_read + 1) % 16;
  return value;
}

static void store_state(aes_module *module, uint8_t value, uint64_t now) {
  uint8_t *byte = &module->state[module->state_write];
  *byte = module->control & XOR ? *byte ^ value : value;
  module->state_write = (module->state_write + 1) % 16;
  if (module->control & XOR) {
    module->state_read = (module->state_read + 1) % 16;
  }
  if ((module->control & AUTO) && module->state_write == 0) {
    start(module, now);
  }
}

void aes_module_load(aes_module *module, avr_t *avr, int32_t address) {
  finish_when_due(module, avr->cycle);
  const bool is_open = (module->control & START) == 0;
  uint8_t value = 0;
  if (address == CONTROL) {
    value = load_control(module);
  } else if (address == STATUS) {
    value = module->status;
  } else if (address == INTERRUPTS) {
    value = module->interrupts;
  } else if (address == STATE && is_open) {
    value = load_state(module);
  } else if (address == KEY && is_open) {
    value = module->key[module->key_read];
    module->key_read = (module->key_read + 1) % 16;
  }
  avr->data[address] = value;
}

void aes_module_store(aes_module *module, avr_t *avr, int32_t address) {
  const uint8_t value = avr->data[address];
  finish_when_due(module, avr->cycle);
  const bool is_open = (module->control & START) == 0;
  if (address == CONTROL) {
    store_control(module, value, avr->cycle);
  } else if (address == STATUS) { /* ones clear */
    module->status &= (uint8_t)~value;
  } else if (address == INTERRUPTS) {
    module->interrupts = value;
  } else if (address == STATE && is_open) {
    store_state(module, value, avr->cycle);
  } else if (address == KEY && is_open) {
    module->key[module->key_write] = value;
    module->key_write = (module->key_write + 1) % 16;
  }
}
