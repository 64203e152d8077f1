/* SPDX-License-Identifier: Apache-2.0 */
#include "block/aes_rounds.h"

#include "common/bytes.h"
#include "common/wiped.h"
#include "mode/counter.h"

#include "arch/avr/aes_engine.h"

#if SAMARA_ARCH_AVR_AES_ENGINE && !defined(__AVR_XMEGA__)

/* AES-128 by the engine of the ATmega128RFA1 (data sheet 8266, 9.8.8), 384
 * cycles a block. The engine keeps the key of the last call until it is given
 * another or reset. It must not be used from an interrupt while a call is
 * running. Round keys: only the first, which is the key, is kept. */

static void engine_run(uint8_t control) {
  AES_CTRL = (uint8_t)(control | ENGINE_START);
  engine_wait();
}

static void engine_crypt(uint8_t control, uint8_t *output, const uint8_t *input,
                         size_t count) {
  for (; count != 0; count--, output += 16, input += 16) {
    AES_CTRL = control;
    engine_write(input);
    engine_run(control);
    engine_read(output);
  }
}

void samara_aes_engine_expand_key(uint32_t *round_keys, const uint8_t *key,
                                  unsigned key_words) {
  samara_copy_bytes((uint8_t *)round_keys, key, 4 * (size_t)key_words);
}

void samara_aes_engine_encrypt(const uint32_t *round_keys, unsigned rounds,
                               uint8_t *output, const uint8_t *input,
                               size_t count) {
  (void)rounds;
  engine_set_key((const uint8_t *)round_keys);
  engine_crypt(0, output, input, count);
}

/* The engine adds the blocks behind the first to its last result by itself. */
void samara_aes_engine_absorb_blocks(const uint32_t *round_keys, uint8_t rounds,
                                     uint8_t *block, const uint8_t *input,
                                     size_t count) {
  (void)rounds;
  engine_set_key((const uint8_t *)round_keys);
  AES_CTRL = 0;
  engine_write_sum(block, input);
  engine_run(0);
  while (--count != 0) {
    input += 16;
    AES_CTRL = ENGINE_CBC;
    engine_write(input);
    engine_run(ENGINE_CBC);
  }
  engine_read(block);
}

void samara_aes_engine_count_blocks(const uint32_t *round_keys, uint8_t rounds,
                                    uint8_t *output, const uint8_t *input,
                                    uint8_t *counter, uint8_t first,
                                    size_t count) {
  (void)rounds;
  engine_set_key((const uint8_t *)round_keys);
  samara_counter counted = samara_counter_load(counter);
  for (; count != 0; count--, output += 16, input += 16) {
    AES_CTRL = 0;
    engine_write(counter);
    AES_CTRL = ENGINE_START;
    samara_count_up(&counted, first); /* while the engine works */
    engine_wait();
    engine_read_and_add(output, input);
  }
}

/* Decryption begins with the last round key, which the engine tells after any
 * encryption. Few modes decrypt; so it is asked for here and not in set_key. */
void samara_aes_engine_decrypt(const uint32_t *round_keys, unsigned rounds,
                               uint8_t *output, const uint8_t *input,
                               size_t count) {
  (void)rounds;
  uint8_t last[16];
  SAMARA_WIPED(last);
  engine_set_key((const uint8_t *)round_keys);
  engine_run(0);
  for (uint8_t i = 0; i < 16; i++) {
    last[i] = AES_KEY;
  }
  engine_set_key(last);
  engine_crypt(ENGINE_DECRYPT, output, input, count);
}

#endif
