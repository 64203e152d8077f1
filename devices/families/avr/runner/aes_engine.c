/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner.h"

#include <string.h>

enum { CONTROL = 0x13c, STATUS = 0x13d, STATE = 0x13e, KEY = 0x13f };

enum { REQUEST = 0x80, CBC = 0x20, DECRYPT = 0x08 }; /* of AES_CTRL */
enum { ERROR = 0x80, DONE = 0x01 };                  /* of AES_STATUS */

bool aes_engine_owns(int32_t address) {
  return address >= CONTROL && address <= KEY;
}

static void finish_when_due(aes_engine *engine, uint64_t now) {
  if (!engine->busy || now < engine->ready_at) {
    return;
  }
  engine->busy = false;
  engine->status = DONE;
  engine->control &= (uint8_t)~REQUEST;
  engine->state_index = 0;
  engine->key_index = 0;
}

void aes_engine_load(aes_engine *engine, avr_t *avr, int32_t address) {
  finish_when_due(engine, avr->cycle);
  uint8_t value = 0;
  switch (address) {
  case CONTROL: /* also sets the address counters back */
    value = engine->control;
    engine->state_index = 0;
    engine->key_index = 0;
    break;
  case STATUS:
    value = engine->status;
    break;
  case STATE:
    value = engine->busy ? 0 : engine->state[engine->state_index++ % 16];
    break;
  default:
    value = engine->busy ? 0 : engine->last_round_key[engine->key_index++ % 16];
    break;
  }
  avr->data[address] = value;
}

static void start(aes_engine *engine, uint64_t now) {
  uint8_t key[16];
  memcpy(key, engine->key, sizeof key);
  if (engine->control & DECRYPT) {
    aes_block_decrypt(engine->state, key);
  } else {
    aes_block_encrypt(engine->state, key);
  }
  memcpy(engine->last_round_key, key, sizeof key);
  engine->busy = true;
  engine->status = 0;
  engine->ready_at = now + AES_ENGINE_CYCLES;
}

static void store_state(aes_engine *engine, uint8_t value) {
  uint8_t *byte = &engine->state[engine->state_index++ % 16];
  /* CBC adds the new block to the last result; only encryption has it. */
  const bool chained = (engine->control & CBC) && !(engine->control & DECRYPT);
  *byte = chained ? *byte ^ value : value;
}

void aes_engine_store(aes_engine *engine, avr_t *avr, int32_t address) {
  const uint8_t value = avr->data[address];
  finish_when_due(engine, avr->cycle);
  if (engine->busy) { /* access during a run is an error, and lost */
    engine->status |= ERROR;
    return;
  }
  switch (address) {
  case CONTROL:
    engine->control = value;
    engine->state_index = 0;
    engine->key_index = 0;
    if (value & REQUEST) {
      start(engine, avr->cycle);
    }
    break;
  case STATE:
    store_state(engine, value);
    break;
  case KEY:
    engine->key[engine->key_index++ % 16] = value;
    break;
  default:
    break;
  }
}
