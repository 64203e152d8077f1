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

/* One block with a 16-byte key; decryption starts from the last round key.
 * `key` is left as the round key that the run ended with. */
void aes_block_encrypt(uint8_t state[16], uint8_t key[16]);
void aes_block_decrypt(uint8_t state[16], uint8_t key[16]);

#endif
