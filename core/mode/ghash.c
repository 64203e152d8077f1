/* SPDX-License-Identifier: Apache-2.0 */
#include "mode/ghash.h"

#include "common/bytes.h"
#include "common/carryless.h"
#include "common/secret.h"
#include "common/wiped.h"

#if SAMARA_GHASH_BY_BITS

enum { ghash_words = 4 };

static uint32_t ghash_load(const uint8_t bytes[4]) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 |
         (uint32_t)bytes[2] << 8 | bytes[3];
}

static void ghash_store(uint8_t bytes[4], uint32_t word) {
  bytes[0] = (uint8_t)(word >> 24);
  bytes[1] = (uint8_t)(word >> 16);
  bytes[2] = (uint8_t)(word >> 8);
  bytes[3] = (uint8_t)word;
}

/* The bits of so many bytes, without words of 64 bits, which cost these
 * machines hundreds of bytes of stack. */
static void ghash_put_bits(uint8_t bytes[8], size_t size) {
  const uint32_t low = (uint32_t)size;
  ghash_store(bytes, sizeof size > sizeof low ? (uint32_t)((uint64_t)size >> 29)
                                              : low >> 29);
  ghash_store(bytes + 4, low << 3);
}

static void ghash_add_block(uint32_t words[ghash_words],
                            const uint8_t bytes[16]) {
  for (unsigned i = 0; i < ghash_words; i++) {
    words[i] ^= ghash_load(bytes + 4 * i);
  }
}

static void ghash_put_block(uint8_t bytes[16],
                            const uint32_t words[ghash_words]) {
  for (unsigned i = 0; i < ghash_words; i++) {
    ghash_store(bytes + 4 * i, words[i]);
  }
}

#if SAMARA_ARCH_AVR
#define ghash_multiply samara_ghash_avr_multiply
#else
/* value = value * key, beginning with the coefficient of x^127. Times x is a
 * shift to the right; x^128 = x^7 + x^2 + x + 1. */
static void ghash_multiply(samara_ghash *ghash) {
  const uint32_t *h = ghash->key;
  uint32_t z0 = 0;
  uint32_t z1 = 0;
  uint32_t z2 = 0;
  uint32_t z3 = 0;
  for (unsigned i = ghash_words; i-- > 0;) {
    uint32_t bits = ghash->value[i];
    for (uint8_t j = 0; j < 32; j++) {
      const uint32_t overflow = samara_mask32(z3) & 0xe1000000;
      const uint32_t mask = samara_mask32(bits);
      z3 = (z3 >> 1 | z2 << 31) ^ (h[3] & mask);
      z2 = (z2 >> 1 | z1 << 31) ^ (h[2] & mask);
      z1 = (z1 >> 1 | z0 << 31) ^ (h[1] & mask);
      z0 = (z0 >> 1 ^ overflow) ^ (h[0] & mask);
      bits >>= 1;
    }
  }
  ghash->value[0] = z0;
  ghash->value[1] = z1;
  ghash->value[2] = z2;
  ghash->value[3] = z3;
}
#endif

#else

enum { ghash_words = 2 };

static void ghash_put_bits(uint8_t bytes[8], size_t size) {
  samara_store64_be(bytes, (uint64_t)size * 8);
}

static void ghash_add_block(uint64_t words[ghash_words],
                            const uint8_t bytes[16]) {
  words[1] ^= samara_load64_be(bytes);
  words[0] ^= samara_load64_be(bytes + 8);
}

static void ghash_put_block(uint8_t bytes[16],
                            const uint64_t words[ghash_words]) {
  samara_store64_be(bytes, words[1]);
  samara_store64_be(bytes + 8, words[0]);
}

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

#endif

static void ghash_portable_blocks(samara_ghash *ghash, const uint8_t *blocks,
                                  size_t count) {
  for (; count != 0; count--) {
    ghash_add_block(ghash->value, blocks);
    ghash_multiply(ghash);
    blocks += 16;
  }
}

#ifdef SAMARA_GHASH_PERMUTE
/* Blocks for which the table, which takes the time of two, does not pay. */
enum { ghash_few = 3 };

#if SAMARA_ARCH_X86_64
static bool ghash_permutes(void) {
  return samara_x86_64_has(SAMARA_X86_64_SSSE3);
}
#else
static bool ghash_permutes(void) { return true; }
#endif

static void ghash_permute_prepare(samara_ghash *ghash) {
  uint8_t key[16];
  SAMARA_WIPED(key);
  if (!ghash->has_powers) {
    ghash_put_block(key, ghash->key);
    SAMARA_GHASH_PERMUTE(ghash_prepare)(ghash->powers, key);
    ghash->has_powers = true;
  }
}

static void ghash_permute_blocks(samara_ghash *ghash, const uint8_t *blocks,
                                 size_t count) {
  uint8_t value[16];
  SAMARA_WIPED(value);
  ghash_permute_prepare(ghash);
  ghash_put_block(value, ghash->value);
  SAMARA_GHASH_PERMUTE(ghash)(value, ghash->powers, blocks, count);
  ghash->value[1] = samara_load64_be(value);
  ghash->value[0] = samara_load64_be(value + 8);
}
#endif

static void ghash_add_blocks(samara_ghash *ghash, const uint8_t *blocks,
                             size_t count) {
#if SAMARA_ARCH_X86_64
  if (samara_x86_64_has(SAMARA_X86_64_AES)) {
    samara_ghash_x86_64_blocks(ghash, blocks, count);
    return;
  }
#elif SAMARA_ARCH_AARCH64
  if (samara_aarch64_has_aes()) {
    samara_ghash_aarch64_blocks(ghash, blocks, count);
    return;
  }
#endif
#ifdef SAMARA_GHASH_PERMUTE
  if (ghash_permutes() && (ghash->has_powers || count >= ghash_few)) {
    ghash_permute_blocks(ghash, blocks, count);
    return;
  }
#endif
  ghash_portable_blocks(ghash, blocks, count);
}

void samara_ghash_restart(samara_ghash *ghash) {
  for (unsigned i = 0; i < ghash_words; i++) {
    ghash->value[i] = 0;
  }
}

void samara_ghash_init(samara_ghash *ghash, const uint8_t key[16]) {
  samara_ghash_restart(ghash);
  for (unsigned i = 0; i < ghash_words; i++) {
    ghash->key[i] = 0;
  }
  ghash_add_block(ghash->key, key);
#ifdef SAMARA_GHASH_PERMUTE
  ghash->has_powers = false;
#endif
}

void samara_ghash_prepare(samara_ghash *ghash) {
#if SAMARA_ARCH_X86_64
  if (samara_x86_64_has(SAMARA_X86_64_AES)) {
    samara_ghash_x86_64_prepare(ghash);
    return;
  }
#elif SAMARA_ARCH_AARCH64
  if (samara_aarch64_has_aes()) {
    return;
  }
#endif
#ifdef SAMARA_GHASH_PERMUTE
  if (ghash_permutes()) {
    ghash_permute_prepare(ghash);
  }
#else
  (void)ghash;
#endif
}

void samara_ghash_update(samara_ghash *ghash, const uint8_t *bytes,
                         size_t size) {
  const size_t rest = size % 16;
  ghash_add_blocks(ghash, bytes, size / 16);
  if (rest != 0) {
    uint8_t last[16] = {0};
    SAMARA_WIPED(last);
    samara_copy_bytes(last, bytes + size - rest, rest);
    ghash_add_blocks(ghash, last, 1);
  }
}

void samara_ghash_finish(samara_ghash *ghash, uint8_t hash[16],
                         size_t associated_data_size, size_t message_size) {
  uint8_t lengths[16];
  ghash_put_bits(lengths, associated_data_size);
  ghash_put_bits(lengths + 8, message_size);
  ghash_add_blocks(ghash, lengths, 1);
  ghash_put_block(hash, ghash->value);
}
