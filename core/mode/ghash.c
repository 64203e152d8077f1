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

#if SAMARA_WORD_BITS == 64
#include "common/stack.h"

/* Products are made by Karatsuba's method, three instead of four: of lower
 * words, of upper words, and of the sums of both. So `count` blocks are three
 * times `count` words, and as many powers of the key three times `count`
 * factors. */

static void ghash_put_factor(uint64_t *words, unsigned count, unsigned i,
                             const uint64_t block[2]) {
  words[i] = block[0];
  words[count + i] = block[1];
  words[2 * count + i] = block[0] ^ block[1];
}

static void ghash_put_power(samara_carryless_factor *powers, unsigned count,
                            unsigned i, const uint64_t power[2]) {
  samara_carryless_prepare(&powers[i], power[0]);
  samara_carryless_prepare(&powers[count + i], power[1]);
  samara_carryless_prepare(&powers[2 * count + i], power[0] ^ power[1]);
}

/* The sum of the products of `count` blocks and as many powers. */
SAMARA_INLINE void ghash_multiply(uint64_t result[2], const uint64_t *words,
                                  const samara_carryless_factor *powers,
                                  unsigned count) {
  uint64_t parts[3][2];
  for (unsigned k = 0; k < 3; k++) {
    samara_carryless_sum(parts[k], words + k * count, powers + k * count,
                         count);
  }
  const uint64_t *low = parts[0];
  const uint64_t *high = parts[1];
  const uint64_t *middle = parts[2];
  const uint64_t product[4] = {
      low[0],
      low[1] ^ middle[0] ^ low[0] ^ high[0],
      high[0] ^ middle[1] ^ low[1] ^ high[1],
      high[1],
  };
  ghash_reduce(result, product);
}

/* value = (value + block) * key, for each block. */
SAMARA_NOT_INLINED static void
ghash_add_singly(samara_ghash *ghash, const uint8_t *blocks, size_t count) {
  samara_carryless_factor key[3];
  SAMARA_WIPED(key);
  uint64_t words[3];
  SAMARA_WIPED(words);
  ghash_put_power(key, 1, 0, ghash->key);
  for (; count != 0; count--, blocks += 16) {
    ghash_add_block(ghash->value, blocks);
    ghash_put_factor(words, 1, 0, ghash->value);
    ghash_multiply(ghash->value, words, key, 1);
  }
}

/* Many blocks are multiplied by powers of the key, four at a time: their sum is
 * put together and reduced once. */
enum { ghash_powers = 4, ghash_many = 16, ghash_stack = 2304 };

static void ghash_put_powers(samara_carryless_factor *powers,
                             const uint64_t key[2]) {
  samara_ghash power = {.key = {key[0], key[1]}, .value = {key[0], key[1]}};
  SAMARA_WIPED(power);
  static const uint8_t zeros[16] = {0};
  for (unsigned i = ghash_powers; i-- > 0;) {
    ghash_put_power(powers, ghash_powers, i, power.value);
    ghash_add_singly(&power, zeros, 1);
  }
}

/* `count` times four blocks. */
SAMARA_NOT_INLINED static void
ghash_add_fours(samara_ghash *ghash, const uint8_t *blocks, size_t count) {
  samara_carryless_factor powers[3 * ghash_powers];
  SAMARA_WIPED(powers);
  uint64_t words[3 * ghash_powers];
  SAMARA_WIPED(words);
  uint64_t *const value = ghash->value;
  ghash_put_powers(powers, ghash->key);
  for (; count != 0; count--) {
    for (unsigned i = 0; i < ghash_powers; i++, blocks += 16) {
      ghash_add_block(value, blocks);
      ghash_put_factor(words, ghash_powers, i, value);
      value[0] = 0;
      value[1] = 0;
    }
    ghash_multiply(value, words, powers, ghash_powers);
  }
}

static void ghash_portable_blocks(samara_ghash *ghash, const uint8_t *blocks,
                                  size_t count) {
  if (count >= ghash_many) {
    const size_t rest = count % ghash_powers;
    ghash_add_fours(ghash, blocks, count / ghash_powers);
    samara_wipe_stack(ghash_stack);
    blocks += 16 * (count - rest);
    count = rest;
  }
  if (count != 0) {
    ghash_add_singly(ghash, blocks, count);
  }
}

#else

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

#endif

#if SAMARA_GHASH_BY_BITS || SAMARA_WORD_BITS != 64
static void ghash_portable_blocks(samara_ghash *ghash, const uint8_t *blocks,
                                  size_t count) {
  for (; count != 0; count--) {
    ghash_add_block(ghash->value, blocks);
    ghash_multiply(ghash);
    blocks += 16;
  }
}
#endif

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
