/* SPDX-License-Identifier: Apache-2.0 */
#include "block/aes_rounds.h"

#include "common/bytes.h"
#include "common/wiped.h"
#include "mode/counter.h"

#include "arch/avr/aes_engine.h"

#if SAMARA_ARCH_AVR_AES_ENGINE && defined(__AVR_XMEGA__)

/* AES-128 by the AES module of the ATxmega (manuals of XMEGA A, 8077, and of
 * XMEGA AU, 8331, chapter "AES and DES Crypto Engines"), 375 cycles a block.
 * A run leaves another round key in the key memory, so that each block begins
 * with the key. The bit of a finished run stays until the state is read or the
 * bit is written; so each start clears it. Behind each call the module is
 * reset, which wipes its memories.
 *
 * The module must not be used from an interrupt while a call is running, nor be
 * stopped by PR_AES_bm of PR.PRGEN: a call then waits for ever, and releases
 * nothing. Round keys: only the first, which is the key, is kept. */

static void engine_start(uint8_t control) {
  AES_STATUS = ENGINE_ERROR | ENGINE_DONE; /* ones clear */
  AES_CTRL = (uint8_t)(control | ENGINE_START);
}

static void engine_run(uint8_t control) {
  engine_start(control);
  engine_wait();
}

static void engine_leave(void) { AES_CTRL = ENGINE_RESET; }

static void engine_crypt(uint8_t control, const uint8_t *key, uint8_t *output,
                         const uint8_t *input, size_t count) {
  for (; count != 0; count--, output += 16, input += 16) {
    engine_set_key(key);
    AES_CTRL = control;
    engine_write(input);
    engine_run(control);
    engine_read(output);
  }
  engine_leave();
}

void samara_aes_engine_expand_key(uint32_t *round_keys, const uint8_t *key,
                                  unsigned key_words) {
  samara_copy_bytes((uint8_t *)round_keys, key, 4 * (size_t)key_words);
}

void samara_aes_engine_encrypt(const uint32_t *round_keys, unsigned rounds,
                               uint8_t *output, const uint8_t *input,
                               size_t count) {
  (void)rounds;
  engine_crypt(0, (const uint8_t *)round_keys, output, input, count);
}

/* The module adds the blocks behind the first to its last result by itself. */
void samara_aes_engine_absorb_blocks(const uint32_t *round_keys, uint8_t rounds,
                                     uint8_t *block, const uint8_t *input,
                                     size_t count) {
  (void)rounds;
  engine_set_key((const uint8_t *)round_keys);
  engine_write_sum(block, input);
  engine_run(0);
  while (--count != 0) {
    input += 16;
    engine_set_key((const uint8_t *)round_keys);
    AES_CTRL = ENGINE_CBC;
    engine_write(input);
    engine_run(ENGINE_CBC);
  }
  engine_read(block);
  engine_leave();
}

void samara_aes_engine_count_blocks(const uint32_t *round_keys, uint8_t rounds,
                                    uint8_t *output, const uint8_t *input,
                                    uint8_t *counter, uint8_t first,
                                    size_t count) {
  (void)rounds;
  samara_counter counted = samara_counter_load(counter);
  for (; count != 0; count--, output += 16, input += 16) {
    engine_set_key((const uint8_t *)round_keys);
    engine_write(counter);
    engine_start(0);
    samara_count_up(&counted, first); /* while the module works */
    engine_wait();
    engine_read_and_add(output, input);
  }
  engine_leave();
}

/* Decryption begins with the last round key, which any encryption leaves in the
 * key memory. Few modes decrypt; so it is asked for here and not in set_key.
 * What is encrypted for it does not matter. */
void samara_aes_engine_decrypt(const uint32_t *round_keys, unsigned rounds,
                               uint8_t *output, const uint8_t *input,
                               size_t count) {
  (void)rounds;
  uint8_t last[16];
  SAMARA_WIPED(last);
  engine_set_key((const uint8_t *)round_keys);
  engine_write((const uint8_t *)round_keys);
  engine_run(0);
  for (uint8_t i = 0; i < 16; i++) {
    last[i] = AES_KEY;
  }
  engine_crypt(ENGINE_DECRYPT, last, output, input, count);
}

#endif
