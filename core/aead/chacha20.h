/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_CHACHA20_H
#define SAMARA_CHACHA20_H

/* The keystream of ChaCha20 (RFC 8439, sections 2.3 and 2.4) from block 0 on,
 * one or several blocks at a time. */

#include "aead/chacha20_rounds.h"
#include "arch/x86_64/chacha20.h"
#include "common/bytes.h"

/* Blocks side by side: compilers have vectors of four words where registers are
 * long enough. */
#if SAMARA_WORD_BITS == 64 && defined(__GNUC__)
#define CHACHA20_LANES 4
typedef uint32_t chacha20_word __attribute__((vector_size(16)));
#define CHACHA20_LANE(word, lane) ((word)[lane])
#define CHACHA20_COUNT ((chacha20_word){0, 1, 2, 3})
#else
#define CHACHA20_LANES 1
typedef uint32_t chacha20_word;
#define CHACHA20_LANE(word, lane) (word)
#define CHACHA20_COUNT 0
#endif

enum {
  chacha20_block_size = 64,
  chacha20_stream_size = CHACHA20_LANES * chacha20_block_size
};

typedef struct chacha20_state {
  uint32_t words[16]; /* the counter is word 12 */
  uint8_t stream[chacha20_stream_size];
  size_t used; /* bytes of the stream */
} chacha20_state;

#if SAMARA_ARCH_AVR

SAMARA_INLINE void chacha20_rounds(chacha20_word x[16]) {
  samara_chacha20_avr_rounds(x);
}

#else

/* Rotations to the left. On 8-bit and 16-bit processors compilers shift bit by
 * bit: those of whole bytes come first. */
SAMARA_INLINE chacha20_word chacha20_rotate16(chacha20_word x) {
  return x << 16 | x >> 16;
}

SAMARA_INLINE chacha20_word chacha20_rotate8(chacha20_word x) {
  return x << 8 | x >> 24;
}

#if SAMARA_FLASH_TABLES

SAMARA_INLINE chacha20_word chacha20_rotate12(chacha20_word x) {
  x = chacha20_rotate8(x);
  for (unsigned i = 0; i < 4; i++) {
    x = x << 1 | x >> 31;
  }
  return x;
}

SAMARA_INLINE chacha20_word chacha20_rotate7(chacha20_word x) {
  x = chacha20_rotate8(x);
  return x >> 1 | x << 31;
}

#else

SAMARA_INLINE chacha20_word chacha20_rotate12(chacha20_word x) {
  return x << 12 | x >> 20;
}

SAMARA_INLINE chacha20_word chacha20_rotate7(chacha20_word x) {
  return x << 7 | x >> 25;
}

#endif

/* The quarter round (2.1). */
SAMARA_INLINE_IF_LARGE void chacha20_quarter(chacha20_word *a_word,
                                             chacha20_word *b_word,
                                             chacha20_word *c_word,
                                             chacha20_word *d_word) {
  chacha20_word a = *a_word;
  chacha20_word b = *b_word;
  chacha20_word c = *c_word;
  chacha20_word d = *d_word;
  a += b;
  d = chacha20_rotate16(d ^ a);
  c += d;
  b = chacha20_rotate12(b ^ c);
  a += b;
  d = chacha20_rotate8(d ^ a);
  c += d;
  b = chacha20_rotate7(b ^ c);
  *a_word = a;
  *b_word = b;
  *c_word = c;
  *d_word = d;
}

/* Ten times columns, then diagonals (2.3). */
SAMARA_INLINE void chacha20_rounds(chacha20_word x[16]) {
  for (unsigned round = 0; round < 10; round++) {
    for (unsigned i = 0; i < 4; i++) {
      chacha20_quarter(x + i, x + 4 + i, x + 8 + i, x + 12 + i);
    }
    for (unsigned i = 0; i < 4; i++) {
      chacha20_quarter(x + i, x + 4 + (i + 1) % 4, x + 8 + (i + 2) % 4,
                       x + 12 + (i + 3) % 4);
    }
  }
}

#endif

/* Writes the next blocks of the stream. What the counter does at its end does
 * not matter: a message never gets there. */
static __attribute__((noinline)) void chacha20_blocks(chacha20_state *s) {
  chacha20_word x[16];
  for (unsigned i = 0; i < 16; i++) {
    x[i] = s->words[i] + (chacha20_word){0};
  }
  x[12] += CHACHA20_COUNT;
  chacha20_rounds(x);
  for (unsigned i = 0; i < 16; i++) {
    for (uint32_t lane = 0; lane < CHACHA20_LANES; lane++) {
      const uint32_t counted = s->words[i] + (i == 12 ? lane : 0);
      samara_store32_le(s->stream + lane * chacha20_block_size + 4 * i,
                        CHACHA20_LANE(x[i], lane) + counted);
    }
  }
  s->words[12] += CHACHA20_LANES;
  s->used = 0;
}

/* Begins with block 0: whose first half is the key of the authenticator. */
static void chacha20_start(chacha20_state *s, const uint8_t key[32],
                           const uint8_t nonce[12]) {
  s->words[0] = 0x61707865; /* "expa", "nd 3", "2-by", "te k" */
  s->words[1] = 0x3320646e;
  s->words[2] = 0x79622d32;
  s->words[3] = 0x6b206574;
  for (unsigned i = 0; i < 8; i++) {
    s->words[4 + i] = samara_load32_le(key + 4 * i);
  }
  s->words[12] = 0;
  for (unsigned i = 0; i < 3; i++) {
    s->words[13 + i] = samara_load32_le(nonce + 4 * i);
  }
  chacha20_blocks(s);
}

/* Adds the stream from where it stands. */
static void chacha20_crypt(chacha20_state *s, uint8_t *output,
                           const uint8_t *input, size_t size) {
  while (size != 0) {
    if (s->used == chacha20_stream_size) {
#if SAMARA_ARCH_X86_64
      const size_t done =
          samara_chacha20_x86_64_crypt(s->words, output, input, size);
      output += done;
      input += done;
      size -= done;
#endif
      chacha20_blocks(s);
    }
    const size_t left = chacha20_stream_size - s->used;
    const size_t part = size < left ? size : left;
    samara_xor_bytes(output, input, s->stream + s->used, part);
    s->used += part;
    output += part;
    input += part;
    size -= part;
  }
}

#endif
