/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/norx32.h>

#include "aead/calls.h"

enum { norx32_stack = SAMARA_STACK_BYTES(224, 256, 320, 512) };

/* Section 2 of the specification of version 3: 16 words of 32 bits, of which
 * the first 12 take in data. Bytes of a word are little-endian. */
enum { norx32_rate = 48, norx32_rounds = 4 };

typedef struct norx32_state {
  uint32_t words[16];
} norx32_state;

/* What separates the phases; added to the last word before a permutation. */
enum { norx32_header = 1, norx32_payload = 2, norx32_tag = 8 };

/* Rotations to the right by 8, 11, 16 and 31 bits. On 8-bit and 16-bit
 * processors compilers shift bit by bit: those of whole bytes come first. */
SAMARA_INLINE uint32_t norx32_rotate8(uint32_t x) { return x >> 8 | x << 24; }

SAMARA_INLINE uint32_t norx32_rotate16(uint32_t x) { return x >> 16 | x << 16; }

SAMARA_INLINE uint32_t norx32_rotate1(uint32_t x) { return x >> 1 | x << 31; }

SAMARA_INLINE uint32_t norx32_rotate31(uint32_t x) { return x << 1 | x >> 31; }

SAMARA_INLINE uint32_t norx32_rotate11(uint32_t x) {
#if SAMARA_FLASH_TABLES
  x = norx32_rotate8(x);
  return norx32_rotate1(norx32_rotate1(norx32_rotate1(x)));
#else
  return x >> 11 | x << 21;
#endif
}

/* H: an addition without its carries but the first. */
SAMARA_INLINE uint32_t norx32_mix(uint32_t x, uint32_t y) {
  return x ^ y ^ (x & y) << 1;
}

/* G (section 2.4) of the words of one column or diagonal. */
SAMARA_INLINE_IF_LARGE void norx32_quarter(uint32_t *a_word, uint32_t *b_word,
                                           uint32_t *c_word, uint32_t *d_word) {
  uint32_t a = *a_word;
  uint32_t b = *b_word;
  uint32_t c = *c_word;
  uint32_t d = *d_word;
  a = norx32_mix(a, b);
  d = norx32_rotate8(a ^ d);
  c = norx32_mix(c, d);
  b = norx32_rotate11(b ^ c);
  a = norx32_mix(a, b);
  d = norx32_rotate16(a ^ d);
  c = norx32_mix(c, d);
  b = norx32_rotate31(b ^ c);
  *a_word = a;
  *b_word = b;
  *c_word = c;
  *d_word = d;
}

/* F^4: columns, then diagonals. */
static void norx32_permute(norx32_state *s) {
  uint32_t *x = s->words;
  for (unsigned round = 0; round < norx32_rounds; round++) {
    for (unsigned i = 0; i < 4; i++) {
      norx32_quarter(x + i, x + 4 + i, x + 8 + i, x + 12 + i);
    }
    for (unsigned i = 0; i < 4; i++) {
      norx32_quarter(x + i, x + 4 + (i + 1) % 4, x + 8 + (i + 2) % 4,
                     x + 12 + (i + 3) % 4);
    }
  }
}

static void norx32_begin(norx32_state *s, uint32_t phase) {
  s->words[15] ^= phase;
  norx32_permute(s);
}

static void norx32_add_key(norx32_state *s, const uint8_t *key) {
  for (unsigned i = 0; i < 4; i++) {
    s->words[12 + i] ^= samara_load32_le(key + 4 * i);
  }
}

/* A byte of the part that takes in data. */
SAMARA_INLINE void norx32_add_byte(norx32_state *s, unsigned at, uint8_t byte) {
  s->words[at / 4] ^= (uint32_t)byte << (at % 4 * 8);
}

/* Behind the last block, shorter than the rate: 10*1 (section 2.3). */
static void norx32_pad(norx32_state *s, unsigned size) {
  norx32_add_byte(s, size, 0x01);
  norx32_add_byte(s, norx32_rate - 1, 0x80);
}

/* Associated data; nothing is done when there is none. */
static void norx32_absorb(norx32_state *s, const uint8_t *data, size_t size) {
  if (size == 0) {
    return;
  }
  for (; size >= norx32_rate; size -= norx32_rate, data += norx32_rate) {
    norx32_begin(s, norx32_header);
    for (unsigned i = 0; i < norx32_rate / 4; i++) {
      s->words[i] ^= samara_load32_le(data + 4 * i);
    }
  }
  norx32_begin(s, norx32_header);
  for (unsigned i = 0; i < size; i++) {
    norx32_add_byte(s, i, data[i]);
  }
  norx32_pad(s, (unsigned)size);
}

/* Initialisation (2.5): nonce, key, constants, of which the last are changed by
 * the parameters: bits of a word, rounds, parallelism and bits of the tag. */
static void norx32_start(norx32_state *s, const uint8_t *key,
                         const uint8_t *nonce, const uint8_t *data,
                         size_t size) {
  for (unsigned i = 0; i < 4; i++) {
    s->words[i] = samara_load32_le(nonce + 4 * i);
    s->words[4 + i] = samara_load32_le(key + 4 * i);
  }
  s->words[8] = 0xa3d8d930;
  s->words[9] = 0x3fa8b72c;
  s->words[10] = 0xed84eb49;
  s->words[11] = 0xedca4787;
  s->words[12] = 0x335463eb ^ 32;
  s->words[13] = 0xf994220b ^ norx32_rounds;
  s->words[14] = 0xbe0bf5c9 ^ 1;
  s->words[15] = 0xd7c49104 ^ 8 * samara_norx32_tag_size;
  norx32_permute(s);
  norx32_add_key(s, key);
  norx32_absorb(s, data, size);
}

/* The state holds the ciphertext afterwards, whichever way it goes. */
static void norx32_crypt_block(norx32_state *s, uint8_t *output,
                               const uint8_t *input, bool opening) {
  for (unsigned i = 0; i < norx32_rate / 4; i++) {
    const uint32_t in = samara_load32_le(input + 4 * i);
    const uint32_t out = s->words[i] ^ in;
    s->words[i] = opening ? in : out;
    samara_store32_le(output + 4 * i, out);
  }
}

static void norx32_crypt_last(norx32_state *s, uint8_t *output,
                              const uint8_t *input, unsigned size,
                              bool opening) {
  for (unsigned i = 0; i < size; i++) {
    const uint8_t in = input[i];
    const uint8_t out = in ^ (uint8_t)(s->words[i / 4] >> (i % 4 * 8));
    norx32_add_byte(s, i, opening ? out : in);
    output[i] = out;
  }
  norx32_pad(s, size);
}

/* The message; nothing is done when there is none. */
static void norx32_crypt(norx32_state *s, uint8_t *output, const uint8_t *input,
                         size_t size, bool opening) {
  if (size == 0) {
    return;
  }
  for (; size >= norx32_rate; size -= norx32_rate) {
    norx32_begin(s, norx32_payload);
    norx32_crypt_block(s, output, input, opening);
    output += norx32_rate;
    input += norx32_rate;
  }
  norx32_begin(s, norx32_payload);
  norx32_crypt_last(s, output, input, (unsigned)size, opening);
}

/* Finalisation (2.6). */
static void norx32_finish(norx32_state *s, const uint8_t *key,
                          uint8_t tag[samara_norx32_tag_size]) {
  norx32_begin(s, norx32_tag);
  norx32_add_key(s, key);
  norx32_permute(s);
  norx32_add_key(s, key);
  for (unsigned i = 0; i < 4; i++) {
    samara_store32_le(tag + 4 * i, s->words[12 + i]);
  }
}

SAMARA_DEFINE_AEAD_WORK(norx32)
SAMARA_DEFINE_AEAD_CALLS(norx32, norx32_stack)
SAMARA_DEFINE_AEAD(norx32)
SAMARA_DEFINE_FRAME_CIPHER(norx32)
