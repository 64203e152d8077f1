/* SPDX-License-Identifier: Apache-2.0 */
/* Template: AES by instructions that look up sixteen bytes at once in a table
 * of sixteen bytes, which is a register: no address depends on a secret. After
 * M. Hamburg, "Accelerating AES with Vector Permute Instructions" (CHES 2009).
 *
 * The file that includes it defines, for vectors of 16 bytes, PERMUTE_VECTOR,
 * PERMUTE_INLINE (storage and target of a function), PERMUTE_KERNEL (target),
 * PERMUTE_LANES (blocks at once), PERMUTE_NAME(f), and the functions
 * permute_load, permute_store, permute_xor, permute_byte (in all places),
 * permute_low, permute_high (nibbles) and permute_look(table, index), which is
 * 0 where an index has its highest bit set.
 *
 * A byte x is a pair (i, k) of GF(2^4), x = k + i s with s^2 + a s + a = 0.
 * With j = i + k and M = k^2 + a i k + a i^2,
 *
 *   p = 1 / (1/i + a/k) + j = M / (k + a i)
 *   q = 1 / (1/j + a/k) + i = M / (k + a j)
 *   1/x = (k + a i + i s) / M, linear in 1/p and 1/q,
 *
 * so that a linear function of 1/x is the sum of an entry of a table at p and
 * one of a table at q. 1/0 is an index with the highest bit set, whose entry
 * is 0. M is 0 for x = 0 alone, of which all comes out as 0.
 *
 * ShiftRows is left out: bytes stay where they are, and MixColumns and the
 * round keys look for them there. After four rounds they are in their places
 * again. The constant of SubBytes is in the round keys, except the first:
 * MixColumns does not change it. */

#include "block/aes_permute_tables.h"
#include "block/aes_words.h"

PERMUTE_INLINE PERMUTE_VECTOR permute_linear(PERMUTE_VECTOR x,
                                             const uint8_t low[16],
                                             const uint8_t high[16]) {
  return permute_xor(permute_look(permute_load(low), permute_low(x)),
                     permute_look(permute_load(high), permute_high(x)));
}

/* p and q of the text above. */
typedef struct permute_pair {
  PERMUTE_VECTOR p;
  PERMUTE_VECTOR q;
} permute_pair;

PERMUTE_INLINE permute_pair permute_invert(PERMUTE_VECTOR x) {
  const PERMUTE_VECTOR inverse = permute_load(permute_inverse);
  const PERMUTE_VECTOR k = permute_low(x);
  const PERMUTE_VECTOR i = permute_high(x);
  const PERMUTE_VECTOR j = permute_xor(i, k);
  const PERMUTE_VECTOR scaled = permute_look(permute_load(permute_scaled), k);
  const PERMUTE_VECTOR of_i = permute_xor(permute_look(inverse, i), scaled);
  const PERMUTE_VECTOR of_j = permute_xor(permute_look(inverse, j), scaled);
  const permute_pair pair = {permute_xor(permute_look(inverse, of_i), j),
                             permute_xor(permute_look(inverse, of_j), i)};
  return pair;
}

PERMUTE_INLINE PERMUTE_VECTOR permute_sum(permute_pair pair,
                                          const uint8_t u[16],
                                          const uint8_t t[16]) {
  return permute_xor(permute_look(permute_load(u), pair.p),
                     permute_look(permute_load(t), pair.q));
}

PERMUTE_INLINE PERMUTE_VECTOR permute_key(const uint32_t *round_keys,
                                          size_t i) {
  return permute_load((const uint8_t *)(round_keys + 4 * i));
}

/* SubBytes and MixColumns: with a' the next row down, 2 a + 3 a' + a'' + a'''
 * is the sum of 2 a + a', the same one row down, and a'''. */
PERMUTE_INLINE PERMUTE_VECTOR permute_round(PERMUTE_VECTOR x, unsigned shifts) {
  const permute_pair pair = permute_invert(x);
  const PERMUTE_VECTOR down = permute_load(permute_down[shifts % 4]);
  const PERMUTE_VECTOR up = permute_load(permute_up[shifts % 4]);
  const PERMUTE_VECTOR once = permute_sum(pair, permute_once_u, permute_once_t);
  const PERMUTE_VECTOR sum =
      permute_xor(permute_sum(pair, permute_twice_u, permute_twice_t),
                  permute_look(once, down));
  return permute_xor(permute_xor(sum, permute_look(sum, down)),
                     permute_look(once, up));
}

/* `count` blocks, known to the compiler, in place. */
PERMUTE_INLINE void permute_encrypt(const uint32_t *round_keys, unsigned rounds,
                                    PERMUTE_VECTOR *s, size_t count) {
  PERMUTE_VECTOR key = permute_key(round_keys, 0);
  PERMUTE_UNROLL
  for (size_t b = 0; b < count; b++) {
    s[b] = permute_xor(
        permute_linear(s[b], permute_to_field_low, permute_to_field_high), key);
  }
  for (unsigned i = 1; i < rounds; i++) {
    key = permute_key(round_keys, i);
    PERMUTE_UNROLL
    for (size_t b = 0; b < count; b++) {
      s[b] = permute_xor(permute_round(s[b], i), key);
    }
  }
  key = permute_key(round_keys, rounds);
  const PERMUTE_VECTOR shift = permute_load(permute_shift[rounds % 4]);
  PERMUTE_UNROLL
  for (size_t b = 0; b < count; b++) {
    s[b] = permute_look(permute_xor(permute_sum(permute_invert(s[b]),
                                                permute_last_u, permute_last_t),
                                    key),
                        shift);
  }
}

/* The sum 14 a + 11 a' + 13 a'' + 9 a''' of InvMixColumns, a' being the next
 * row down. */
PERMUTE_INLINE PERMUTE_VECTOR permute_inverse_mix(PERMUTE_VECTOR times14,
                                                  PERMUTE_VECTOR times11,
                                                  PERMUTE_VECTOR times13,
                                                  PERMUTE_VECTOR times9,
                                                  unsigned shifts) {
  const PERMUTE_VECTOR down = permute_load(permute_down[shifts % 4]);
  PERMUTE_VECTOR sum = permute_xor(permute_look(times9, down), times13);
  sum = permute_xor(permute_look(sum, down), times11);
  return permute_xor(permute_look(sum, down), times14);
}

/* The key of a round of the equivalent inverse cipher (FIPS 197, 5.3.5). */
PERMUTE_INLINE PERMUTE_VECTOR permute_inverse_key(const uint32_t *round_keys,
                                                  unsigned i) {
  const PERMUTE_VECTOR key = permute_key(round_keys, i);
  return permute_inverse_mix(
      permute_linear(key, permute_key14_low, permute_key14_high),
      permute_linear(key, permute_key11_low, permute_key11_high),
      permute_linear(key, permute_key13_low, permute_key13_high),
      permute_linear(key, permute_key9_low, permute_key9_high), i);
}

PERMUTE_INLINE PERMUTE_VECTOR permute_inverse_round(PERMUTE_VECTOR x,
                                                    unsigned shifts) {
  const permute_pair pair = permute_invert(x);
  return permute_inverse_mix(
      permute_sum(pair, permute_times14_u, permute_times14_t),
      permute_sum(pair, permute_times11_u, permute_times11_t),
      permute_sum(pair, permute_times13_u, permute_times13_t),
      permute_sum(pair, permute_times9_u, permute_times9_t), shifts);
}

PERMUTE_INLINE void permute_decrypt(const uint32_t *round_keys, unsigned rounds,
                                    PERMUTE_VECTOR *s, size_t count) {
  PERMUTE_VECTOR key = permute_key(round_keys, rounds);
  const PERMUTE_VECTOR shift = permute_load(permute_unshift[rounds % 4]);
  PERMUTE_UNROLL
  for (size_t b = 0; b < count; b++) {
    s[b] = permute_linear(permute_xor(permute_look(s[b], shift), key),
                          permute_to_inverse_low, permute_to_inverse_high);
  }
  for (unsigned i = rounds - 1; i > 0; i--) {
    key = permute_inverse_key(round_keys, i);
    PERMUTE_UNROLL
    for (size_t b = 0; b < count; b++) {
      s[b] = permute_xor(permute_inverse_round(s[b], i), key);
    }
  }
  key = permute_linear(permute_key(round_keys, 0), permute_to_byte_low,
                       permute_to_byte_high);
  PERMUTE_UNROLL
  for (size_t b = 0; b < count; b++) {
    s[b] = permute_xor(permute_sum(permute_invert(s[b]), permute_inverse_last_u,
                                   permute_inverse_last_t),
                       key);
  }
}

/* SubWord (FIPS 197, 5.2). */
PERMUTE_KERNEL static uint32_t permute_sub_word(uint32_t word) {
  uint8_t bytes[16] = {0};
  SAMARA_WIPED(bytes);
  __builtin_memcpy(bytes, &word, sizeof word);
  const PERMUTE_VECTOR x = permute_linear(
      permute_load(bytes), permute_to_field_low, permute_to_field_high);
  permute_store(bytes, permute_xor(permute_sum(permute_invert(x),
                                               permute_last_u, permute_last_t),
                                   permute_byte(0x63)));
  __builtin_memcpy(&word, bytes, sizeof word);
  return word;
}

PERMUTE_KERNEL void PERMUTE_NAME(expand_key)(uint32_t *round_keys,
                                             const uint8_t *key,
                                             unsigned key_words) {
  samara_aes_expand_words(round_keys, key, key_words, permute_sub_word);
  const unsigned rounds = key_words + 6;
  for (unsigned i = 0; i <= rounds; i++) {
    PERMUTE_VECTOR k = permute_key(round_keys, i);
    if (i != 0) {
      k = permute_look(permute_xor(k, permute_byte(0x63)),
                       permute_load(permute_unshift[i % 4]));
    }
    if (i != rounds) {
      k = permute_linear(k, permute_to_field_low, permute_to_field_high);
    }
    permute_store((uint8_t *)(round_keys + 4 * (size_t)i), k);
  }
}

#define PERMUTE_DEFINE(direction)                                              \
  PERMUTE_INLINE void permute_##direction##_some(                              \
      const uint32_t *round_keys, unsigned rounds, uint8_t *output,            \
      const uint8_t *input, size_t count) {                                    \
    PERMUTE_VECTOR s[PERMUTE_LANES];                                           \
    PERMUTE_UNROLL                                                             \
    for (size_t b = 0; b < count; b++) {                                       \
      s[b] = permute_load(input + 16 * b);                                     \
    }                                                                          \
    permute_##direction(round_keys, rounds, s, count);                         \
    PERMUTE_UNROLL                                                             \
    for (size_t b = 0; b < count; b++) {                                       \
      permute_store(output + 16 * b, s[b]);                                    \
    }                                                                          \
  }                                                                            \
                                                                               \
  PERMUTE_KERNEL void PERMUTE_NAME(direction)(                                 \
      const uint32_t *round_keys, unsigned rounds, uint8_t *output,            \
      const uint8_t *input, size_t count) {                                    \
    for (; count >= PERMUTE_LANES; count -= PERMUTE_LANES) {                   \
      permute_##direction##_some(round_keys, rounds, output, input,            \
                                 PERMUTE_LANES);                               \
      output += 16 * PERMUTE_LANES;                                            \
      input += 16 * PERMUTE_LANES;                                             \
    }                                                                          \
    for (; count != 0; count--) {                                              \
      permute_##direction##_some(round_keys, rounds, output, input, 1);        \
      output += 16;                                                            \
      input += 16;                                                             \
    }                                                                          \
  }

PERMUTE_DEFINE(encrypt)
PERMUTE_DEFINE(decrypt)

#undef PERMUTE_DEFINE

/* CCM. */

#define permute_pairs_load permute_load
#define permute_pairs_store permute_store
#define permute_pairs_xor permute_xor

PERMUTE_INLINE void permute_pairs_encrypt(const uint32_t *round_keys,
                                          unsigned rounds,
                                          PERMUTE_VECTOR pair[2]) {
  permute_encrypt(round_keys, rounds, pair, 2);
}

#define PAIRS_VECTOR PERMUTE_VECTOR
#define PAIRS_INLINE PERMUTE_INLINE
#define PAIRS_KERNEL PERMUTE_KERNEL
#define PAIRS_NAME PERMUTE_NAME
#define PAIRS_LOCAL(word) permute_pairs_##word
#include "block/aes_pairs_template.h"
