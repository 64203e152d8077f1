/* SPDX-License-Identifier: Apache-2.0 */
/* XTEA (Needham and Wheeler, 1997) with big-endian words, as an example of a
 * block cipher for `samara bench add`. It has the interface of crypto_block.h,
 * which the bench supplies. */

#include <stdint.h>

#include "crypto_block.h"

#define ROUNDS 32
#define DELTA UINT32_C(0x9e3779b9)

static uint32_t load(const unsigned char *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 |
         (uint32_t)bytes[2] << 8 | bytes[3];
}

static void store(unsigned char *bytes, uint32_t word) {
  for (uint8_t i = 0; i < 4; i++) {
    bytes[i] = (unsigned char)(word >> (24 - 8 * i));
  }
}

static uint32_t mix(uint32_t word) {
  return ((word << 4) ^ (word >> 5)) + word;
}

void crypto_block_set_key(void *state, const unsigned char *key) {
  uint32_t *round_keys = state;
  uint32_t sum = 0;
  for (uint8_t i = 0; i < ROUNDS; i++) {
    *round_keys++ = sum + load(key + 4 * (sum & 3));
    sum += DELTA;
    *round_keys++ = sum + load(key + 4 * (sum >> 11 & 3));
  }
}

void crypto_block_encrypt(const void *state, unsigned char *block) {
  const uint32_t *round_keys = state;
  uint32_t left = load(block);
  uint32_t right = load(block + 4);
  for (uint8_t i = 0; i < ROUNDS; i++) {
    left += mix(right) ^ *round_keys++;
    right += mix(left) ^ *round_keys++;
  }
  store(block, left);
  store(block + 4, right);
}

void crypto_block_decrypt(const void *state, unsigned char *block) {
  const uint32_t *round_keys = (const uint32_t *)state + 2 * ROUNDS;
  uint32_t left = load(block);
  uint32_t right = load(block + 4);
  for (uint8_t i = 0; i < ROUNDS; i++) {
    right -= mix(left) ^ *--round_keys;
    left -= mix(right) ^ *--round_keys;
  }
  store(block, left);
  store(block + 4, right);
}
