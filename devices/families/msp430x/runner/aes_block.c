/* SPDX-License-Identifier: Apache-2.0 */
/* AES as FIPS 197 writes it down, with tables that are computed. This runs on
 * the host inside a simulator: plain, with no secret to keep. */

#include "aes_block.h"

#include <string.h>

enum { MOST_ROUNDS = 14 };

static uint8_t s_box[256];
static uint8_t inverse_s_box[256];

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

/* 5.1.1: the inverse, which is the byte's power of 254, through the affine map.
 */
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

static void make_tables(void) {
  for (int i = 0; s_box[0] == 0 && i < 256; i++) {
    s_box[255 - i] = substitute((uint8_t)(255 - i));
    inverse_s_box[s_box[255 - i]] = (uint8_t)(255 - i);
  }
}

/* 5.2; returns the number of rounds. */
static unsigned expand(uint8_t keys[16 * (MOST_ROUNDS + 1)], const uint8_t *key,
                       size_t size) {
  const unsigned rounds = (unsigned)size / 4 + 6;
  uint8_t constant = 1;
  make_tables();
  memcpy(keys, key, size);
  for (size_t at = size; at < 16 * ((size_t)rounds + 1); at += 4) {
    uint8_t word[4];
    memcpy(word, keys + at - 4, 4);
    if (at % size == 0) {
      const uint8_t first = word[0];
      word[0] = s_box[word[1]] ^ constant;
      word[1] = s_box[word[2]];
      word[2] = s_box[word[3]];
      word[3] = s_box[first];
      constant = times_x(constant);
    } else if (size == 32 && at % size == 16) {
      for (int i = 0; i < 4; i++) {
        word[i] = s_box[word[i]];
      }
    }
    for (size_t i = 0; i < 4; i++) {
      keys[at + i] = keys[at + i - size] ^ word[i];
    }
  }
  return rounds;
}

static void add(uint8_t state[16], const uint8_t *key) {
  for (int i = 0; i < 16; i++) {
    state[i] ^= key[i];
  }
}

/* Each byte through a table, and row r moved by r columns: to the left, or to
 * the right for -1. */
static void substitute_and_shift(uint8_t state[16], const uint8_t table[256],
                                 int direction) {
  uint8_t before[16];
  memcpy(before, state, 16);
  for (int i = 0; i < 16; i++) {
    const int from = (i + 16 + direction * 4 * (i % 4)) % 16;
    state[i] = table[before[from]];
  }
}

/* Each column by a polynomial whose coefficients are `c`. */
static void mix(uint8_t state[16], const uint8_t c[4]) {
  uint8_t before[16];
  memcpy(before, state, 16);
  for (int i = 0; i < 16; i++) {
    state[i] = 0;
    for (int row = 0; row < 4; row++) {
      state[i] ^= multiply(before[i / 4 * 4 + row], c[(row - i % 4 + 4) % 4]);
    }
  }
}

void aes_block_encrypt(uint8_t state[16], const uint8_t *key, size_t key_size) {
  static const uint8_t forward[4] = {2, 3, 1, 1};
  uint8_t keys[16 * (MOST_ROUNDS + 1)];
  const unsigned rounds = expand(keys, key, key_size);
  add(state, keys);
  for (unsigned round = 1; round <= rounds; round++) {
    substitute_and_shift(state, s_box, 1);
    if (round != rounds) {
      mix(state, forward);
    }
    add(state, keys + (size_t)16 * round);
  }
}

void aes_block_decrypt(uint8_t state[16], const uint8_t *key, size_t key_size) {
  static const uint8_t backward[4] = {14, 11, 13, 9};
  uint8_t keys[16 * (MOST_ROUNDS + 1)];
  const unsigned rounds = expand(keys, key, key_size);
  for (unsigned round = rounds; round > 0; round--) {
    add(state, keys + (size_t)16 * round);
    if (round != rounds) {
      mix(state, backward);
    }
    substitute_and_shift(state, inverse_s_box, -1);
  }
  add(state, keys);
}
