/* SPDX-License-Identifier: Apache-2.0 */
#ifndef AES_ENGINE_H
#define AES_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The AES256 accelerator of the MSP430FR59xx and FR69xx (SLAU367), as far as
 * the CPU drives it in words: control, status, key, data in and data out. Not
 * its XORing registers, its interrupt, its round keys, nor DMA. */
typedef struct aes_engine {
  uint16_t control;
  uint8_t key[32];
  uint8_t state[16];
  size_t key_bytes, in_bytes, out_bytes; /* how many were written or read */
  bool key_written, in_written, out_read;
  bool busy;
  uint64_t ready_at; /* cycle at which the run in progress ends */
} aes_engine;

/* Serve a register at a cycle; false if it is none of these. */
bool aes_engine_load(aes_engine *engine, uint16_t address, uint64_t now,
                     uint16_t *value);
bool aes_engine_store(aes_engine *engine, uint16_t address, uint64_t now,
                      uint16_t value);

#endif
