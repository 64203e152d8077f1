/* SPDX-License-Identifier: GPL-3.0-or-later */
/* AES-128 as the engine does it, round keys computed on the way. This runs on
 * the host inside a simulator: plain, with no secret to keep. */

#include "runner.h"

#include <string.h>

static uint8_t times_x(uint8_t byte) {
  return (uint8_t)((byte << 1) ^ ((byte >> 7) * 0x1b));
}

static uint8_t multiply(uint8_t a, uint8_t b) {
  uint8_t product = 0;
  for (; b != 0; b >>= 1, a = times_x(a)) {
    product ^= (b & 1) ? a : 0;
  }
  return product;
}

/* FIPS 197, 5.1.1: the inverse, x^254, through the affine map. */
static uint8_t substitute(uint8_t byte) {
  uint8_t inverse = 1;
  for (int i = 0; i < 254; i++) {
    inverse = multiply(inverse, byte);
  }
  uint8_t result = 0x63;
  for (int i = 0; i < 5; i++) {
    result ^= (uint8_t)(inverse << i | inverse >> (8 - i));
  }
  return result;
}

static uint8_t s_box[256];
static uint8_t inverse_s_box[256];

static void make_tables(void) {
  if (s_box[0] != 0) {
    return;
  }
  for (int i = 0; i < 256; i++) {
    s_box[i] = substitute((uint8_t)i);
    inverse_s_box[s_box[i]] = (uint8_t)i;
  }
}

static void add(uint8_t state[16], const uint8_t key[16]) {
  for (int i = 0; i < 16; i++) {
    state[i] ^= key[i];
  }
}

static void next_key(uint8_t key[16], uint8_t constant) {
  for (int i = 0; i < 4; i++) {
    key[i] ^= s_box[key[12 + (i + 1) % 4]];
  }
  key[0] ^= constant;
  for (int i = 4; i < 16; i++) {
    key[i] ^= key[i - 4];
  }
}

static void previous_key(uint8_t key[16], uint8_t constant) {
  for (int i = 15; i >= 4; i--) {
    key[i] ^= key[i - 4];
  }
  for (int i = 0; i < 4; i++) {
    key[i] ^= s_box[key[12 + (i + 1) % 4]];
  }
  key[0] ^= constant;
}

/* `turn` is 1 for ShiftRows, 3 for its inverse. */
static void substitute_and_shift(uint8_t state[16], const uint8_t box[256],
                                 int turn) {
  uint8_t from[16];
  memcpy(from, state, 16);
  for (int i = 0; i < 16; i++) {
    state[i] = box[from[(i + 4 * turn * (i % 4)) % 16]];
  }
}

static void mix_columns(uint8_t state[16], const uint8_t row[4]) {
  for (int column = 0; column < 16; column += 4) {
    uint8_t from[4];
    memcpy(from, state + column, 4);
    for (int r = 0; r < 4; r++) {
      uint8_t sum = 0;
      for (int i = 0; i < 4; i++) {
        sum ^= multiply(row[(i + 4 - r) % 4], from[i]);
      }
      state[column + r] = sum;
    }
  }
}

void aes_block_encrypt(uint8_t state[16], uint8_t key[16]) {
  static const uint8_t row[4] = {2, 3, 1, 1};
  make_tables();
  add(state, key);
  uint8_t constant = 1;
  for (int round = 1; round <= 10; round++) {
    next_key(key, constant);
    constant = times_x(constant);
    substitute_and_shift(state, s_box, 1);
    if (round < 10) {
      mix_columns(state, row);
    }
    add(state, key);
  }
}

void aes_block_decrypt(uint8_t state[16], uint8_t key[16]) {
  static const uint8_t row[4] = {14, 11, 13, 9};
  static const uint8_t constants[10] = {1,  2,  4,   8,    16,
                                        32, 64, 128, 0x1b, 0x36};
  make_tables();
  for (int round = 10; round >= 1; round--) {
    add(state, key);
    if (round < 10) {
      mix_columns(state, row);
    }
    substitute_and_shift(state, inverse_s_box, 3);
    previous_key(key, constants[round - 1]);
  }
  add(state, key);
}
