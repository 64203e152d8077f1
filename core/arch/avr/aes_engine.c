/* SPDX-License-Identifier: Apache-2.0 */
#include "block/aes_rounds.h"

#include "common/bytes.h"
#include "common/wiped.h"

#if SAMARA_ARCH_AVR_AES_ENGINE

/* AES-128 by the engine of the ATmega128RFA1 (data sheet 8266, 9.8.8), 384
 * cycles a block. AES_KEY and AES_STATE are windows that move on by themselves;
 * AES_CTRL sets them back. The engine keeps the key of the last call until it
 * is given another or reset. It must not be used from an interrupt while a call
 * is running. Round keys: only the first, which is the key, is kept. */

#include <avr/io.h>

enum { ENGINE_START = 0x80, ENGINE_DECRYPT = 0x08, ENGINE_DONE = 0x01 };

static void engine_set_key(const uint8_t key[16]) {
  AES_CTRL = 0;
  for (uint8_t i = 0; i < 16; i++) {
    AES_KEY = key[i];
  }
}

static void engine_run(uint8_t control) {
  AES_CTRL = (uint8_t)(control | ENGINE_START);
  while ((AES_STATUS & ENGINE_DONE) == 0) {
  }
}

static void engine_crypt(uint8_t control, uint8_t *output, const uint8_t *input,
                         size_t count) {
  for (; count != 0; count--, output += 16, input += 16) {
    AES_CTRL = control;
    for (uint8_t i = 0; i < 16; i++) {
      AES_STATE = input[i];
    }
    engine_run(control);
    for (uint8_t i = 0; i < 16; i++) {
      output[i] = AES_STATE;
    }
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
