/* SPDX-License-Identifier: Apache-2.0 */
#include "mode/ghash.h"

#include "common/bytes.h"
#include "common/carryless.h"
#include <samara/memory.h>

/* Takes a product of 255 bits modulo x^128 + x^7 + x^2 + x + 1. The bits of a
 * GHASH word run backwards, so the product comes one bit too far down, and
 * multiplying by x is a shift to the right. */
static void ghash_reduce(uint64_t result[2], const uint64_t product[4]) {
  uint64_t p[4];
  for (unsigned i = 3; i > 0; i--) {
    p[i] = product[i] << 1 | product[i - 1] >> 63;
  }
  p[0] = product[0] << 1;
  for (unsigned i = 0; i < 2; i++) {
    p[i + 2] ^= p[i] ^ p[i] >> 1 ^ p[i] >> 2 ^ p[i] >> 7;
    p[i + 1] ^= p[i] << 63 ^ p[i] << 62 ^ p[i] << 57;
  }
  result[0] = p[2];
  result[1] = p[3];
}

/* value = value * key, by Karatsuba: three products instead of four. */
static void ghash_multiply(samara_ghash *ghash) {
  const uint64_t *a = ghash->value;
  const uint64_t *b = ghash->key;
  uint64_t low[2];
  uint64_t high[2];
  uint64_t middle[2];
  samara_carryless64(low, a[0], b[0]);
  samara_carryless64(high, a[1], b[1]);
  samara_carryless64(middle, a[0] ^ a[1], b[0] ^ b[1]);
  const uint64_t product[4] = {
      low[0],
      low[1] ^ middle[0] ^ low[0] ^ high[0],
      high[0] ^ middle[1] ^ low[1] ^ high[1],
      high[1],
  };
  ghash_reduce(ghash->value, product);
}

static void ghash_portable_blocks(samara_ghash *ghash, const uint8_t *blocks,
                                  size_t count) {
  for (; count != 0; count--) {
    ghash->value[1] ^= samara_load64_be(blocks);
    ghash->value[0] ^= samara_load64_be(blocks + 8);
    ghash_multiply(ghash);
    blocks += 16;
  }
}

static void ghash_add_blocks(samara_ghash *ghash, const uint8_t *blocks,
                             size_t count) {
#if SAMARA_ARCH_X86_64
  if (__builtin_cpu_supports("pclmul") && __builtin_cpu_supports("ssse3")) {
    samara_ghash_x86_64_blocks(ghash, blocks, count);
    return;
  }
#endif
  ghash_portable_blocks(ghash, blocks, count);
}

void samara_ghash_init(samara_ghash *ghash, const uint8_t key[16]) {
  ghash->key[1] = samara_load64_be(key);
  ghash->key[0] = samara_load64_be(key + 8);
  ghash->value[0] = 0;
  ghash->value[1] = 0;
}

void samara_ghash_update(samara_ghash *ghash, const uint8_t *bytes,
                         size_t size) {
  const size_t rest = size % 16;
  ghash_add_blocks(ghash, bytes, size / 16);
  if (rest != 0) {
    uint8_t last[16] = {0};
    samara_copy_bytes(last, bytes + size - rest, rest);
    ghash_add_blocks(ghash, last, 1);
    samara_wipe(last, sizeof last);
  }
}

void samara_ghash_finish(samara_ghash *ghash, uint8_t hash[16],
                         size_t associated_data_size, size_t message_size) {
  uint8_t lengths[16];
  samara_store64_be(lengths, (uint64_t)associated_data_size * 8);
  samara_store64_be(lengths + 8, (uint64_t)message_size * 8);
  ghash_add_blocks(ghash, lengths, 1);
  samara_store64_be(hash, ghash->value[1]);
  samara_store64_be(hash + 8, ghash->value[0]);
  samara_wipe(ghash, sizeof *ghash);
}
