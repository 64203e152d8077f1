/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RUNNER_H
#define RUNNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <simavr/sim_avr.h>

/* The AES engine of the ATmega128RFA1 (datasheet 8266, 9.8.8), which libsimavr
 * has not: registers AES_CTRL, AES_STATUS, AES_STATE and AES_KEY at 0x13C to
 * 0x13F, beyond what libsimavr lets anyone hook. So each instruction is looked
 * at before it runs, and a load or store that touches them is served here. */
typedef struct aes_engine {
  uint8_t control;
  uint8_t status;
  uint8_t state[16];
  uint8_t key[16];            /* stays for the next run */
  uint8_t last_round_key[16]; /* what reading AES_KEY gives */
  uint8_t state_index;
  uint8_t key_index;
  uint64_t ready_at; /* cycle at which the run in progress ends */
  bool busy;
} aes_engine;

enum { AES_ENGINE_CYCLES = 384 }; /* 24 us at 16 MHz */

/* The AES module of the ATxmega: AES.CTRL, STATUS, STATE, KEY and INTCTRL from
 * 0xC0 on (avr/iox128a1.h). XMEGA A manual 8077I, 23.4.1: each memory has a
 * pointer for reading and one for writing, any access to CTRL sets them back,
 * and neither memory is reached during a run. XMEGA AU manual 8331, p. 316 to
 * 322: the time; START, RESET and XOR; an encryption leaves the last round key
 * in the key memory. Assumed, and core relies on none of it: that a decryption
 * leaves the first, when ERROR is set, that reading STATE clears the bit of a
 * finished run. There are no interrupts. */
typedef struct aes_module {
  uint8_t control; /* with START while a run is in progress */
  uint8_t status;
  uint8_t interrupts;
  uint8_t state[16];
  uint8_t key[16];
  uint8_t state_read, state_write; /* pointers */
  uint8_t key_read, key_write;
  uint64_t ready_at; /* cycle at which the run in progress ends */
} aes_module;

enum { AES_MODULE_CYCLES = 375 }; /* of the peripheral clock: here the CPU's */

/* The data address that the instruction at the program counter loads from or
 * stores to; -1 when it is another instruction. */
typedef struct memory_access {
  int32_t address;
  bool is_store;
} memory_access;

memory_access memory_access_of(const avr_t *avr);

bool aes_engine_owns(int32_t address);
/* Before a load: puts the register's value where the core will read it. */
void aes_engine_load(aes_engine *engine, avr_t *avr, int32_t address);
/* After a store: takes the value that the core has written. */
void aes_engine_store(aes_engine *engine, avr_t *avr, int32_t address);

/* The same of the ATxmega's. */
bool aes_module_owns(int32_t address);
void aes_module_load(aes_module *module, avr_t *avr, int32_t address);
void aes_module_store(aes_module *module, avr_t *avr, int32_t address);
/* Makes a chip of libsimavr have it. */
void aes_module_take_place(avr_t *avr);

/* One block with a 16-byte key; decryption starts from the last round key.
 * `key` is left as the round key that the run ended with. */
void aes_block_encrypt(uint8_t state[16], uint8_t key[16]);
void aes_block_decrypt(uint8_t state[16], uint8_t key[16]);

#endif
