/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_AEAD_ASCON_INTERLEAVED_H
#define SAMARA_AEAD_ASCON_INTERLEAVED_H

/* Ascon where a rotation of 32 bits is an instruction or less: the low half of
 * a word of the state has its even bits, the high half the odd ones. Assembly
 * are the permutation (arch/armv6m, arch/armv7m) and, in arch/armv7m, what
 * works on whole blocks. The functions are those of ascon_aead128.c, which
 * includes this file. */

#include "aead/ascon_words.h"
#include "common/bytes.h"
#include "common/stack.h"
#include <samara/ascon_aead128.h>
#include <stdbool.h>

#if SAMARA_ASCON_INTERLEAVED

typedef struct ascon_state {
  uint64_t words[5];
} ascon_state;

enum { ascon_rate = 16 };

/* Exchanges the bits `low` of `b` with those of `a` that are `shift` above. */
SAMARA_INLINE void ascon_exchange(uint32_t *a, uint32_t *b, unsigned shift,
                                  uint32_t low) {
  const uint32_t difference = (*a >> shift ^ *b) & low;
  *b ^= difference;
  *a ^= difference << shift;
}

/* A word as the state has it. */
SAMARA_NOT_INLINED static uint64_t ascon_enter(uint64_t word) {
  uint32_t even = (uint32_t)word;
  uint32_t odd = (uint32_t)(word >> 32);
  ascon_exchange(&even, &odd, 16, 0x0000ffff);
  ascon_exchange(&even, &odd, 8, 0x00ff00ff);
  ascon_exchange(&even, &odd, 4, 0x0f0f0f0f);
  ascon_exchange(&even, &odd, 2, 0x33333333);
  ascon_exchange(&even, &odd, 1, 0x55555555);
  return even | (uint64_t)odd << 32;
}

/* A word as SP 800-232 has it. */
SAMARA_NOT_INLINED static uint64_t ascon_leave(uint64_t word) {
  uint32_t low = (uint32_t)word;
  uint32_t high = (uint32_t)(word >> 32);
  ascon_exchange(&low, &high, 1, 0x55555555);
  ascon_exchange(&low, &high, 2, 0x33333333);
  ascon_exchange(&low, &high, 4, 0x0f0f0f0f);
  ascon_exchange(&low, &high, 8, 0x00ff00ff);
  ascon_exchange(&low, &high, 16, 0x0000ffff);
  return low | (uint64_t)high << 32;
}

#define ASCON_KEY(name, bytes)                                                 \
  uint64_t name[2] = {ascon_enter(samara_load64_le(bytes)),                    \
                      ascon_enter(samara_load64_le((bytes) + 8))};             \
  SAMARA_WIPED(name)

static void ascon_permute(ascon_state *s, unsigned rounds) {
#if SAMARA_ARCH_ARMV7M
  samara_ascon_armv7m_permute(s->words, rounds);
#else
  samara_ascon_armv6m_permute(s->words, rounds);
#endif
}

/* Initialisation (4.1.1): the constant names key, rate and rounds. */
static void ascon_start(ascon_state *s, const uint64_t key[2],
                        const uint8_t *nonce) {
  s->words[0] = 0x00008a0000400201; /* ascon_enter(0x00001000808c0001) */
  s->words[1] = key[0];
  s->words[2] = key[1];
  s->words[3] = ascon_enter(samara_load64_le(nonce));
  s->words[4] = ascon_enter(samara_load64_le(nonce + 8));
  ascon_permute(s, 12);
  s->words[3] ^= key[0];
  s->words[4] ^= key[1];
}

/* Whole blocks. `opening` says which side of them the state takes. */
#if SAMARA_ARCH_ARMV7M
SAMARA_INLINE void ascon_blocks(ascon_state *s, samara_ascon_bytes *bytes,
                                bool opening) {
  if (bytes->size >= ascon_rate) {
    samara_ascon_armv7m_blocks(s->words, bytes, opening ? UINT32_MAX : 0);
  }
}
#else
static void ascon_blocks(ascon_state *s, samara_ascon_bytes *bytes,
                         bool opening) {
  for (; bytes->size >= ascon_rate; bytes->size -= ascon_rate) {
    for (unsigned i = 0; i < 2; i++) {
      const uint64_t in = ascon_enter(samara_load64_le(bytes->input));
      const uint64_t sum = s->words[i] ^ in;
      if (bytes->output != NULL) {
        samara_store64_le(bytes->output, ascon_leave(sum));
        bytes->output += sizeof sum;
      }
      s->words[i] = opening ? in : sum;
      bytes->input += sizeof in;
    }
    ascon_permute(s, 8);
  }
}
#endif

/* The last block of a string, fewer than 16 bytes, with its padding. No output
 * for associated data. */
static void ascon_last(ascon_state *s, const samara_ascon_bytes *bytes,
                       bool opening) {
  if (bytes->size == 0) {
    s->words[0] ^= 1;
    return;
  }
  uint8_t kept[ascon_rate];
  samara_store64_le(kept, ascon_leave(s->words[0]));
  samara_store64_le(kept + 8, ascon_leave(s->words[1]));
  for (size_t i = 0; i < bytes->size; i++) {
    const uint8_t in = bytes->input[i];
    const uint8_t out = in ^ kept[i];
    if (bytes->output != NULL) {
      bytes->output[i] = out;
    }
    kept[i] = opening ? in : out;
  }
  kept[bytes->size] ^= 1;
  s->words[0] = ascon_enter(samara_load64_le(kept));
  s->words[1] = ascon_enter(samara_load64_le(kept + 8));
}

/* Associated data, then the bit that separates it from the message. */
static void ascon_absorb(ascon_state *s, const uint8_t *data, size_t size) {
  if (size != 0) {
    samara_ascon_bytes bytes = {data, NULL, size};
    ascon_blocks(s, &bytes, false);
    ascon_last(s, &bytes, false);
    ascon_permute(s, 8);
  }
  s->words[4] ^= (uint64_t)1 << 63;
}

static void ascon_encrypt(ascon_state *s, uint8_t *output, const uint8_t *input,
                          size_t size) {
  samara_ascon_bytes bytes = {input, output, size};
  ascon_blocks(s, &bytes, false);
  ascon_last(s, &bytes, false);
}

static void ascon_decrypt(ascon_state *s, uint8_t *output, const uint8_t *input,
                          size_t size) {
  samara_ascon_bytes bytes = {input, output, size};
  ascon_blocks(s, &bytes, true);
  ascon_last(s, &bytes, true);
}

/* Finalisation (4.1.1). */
static void ascon_finish(ascon_state *s, const uint64_t key[2], uint8_t *tag) {
  s->words[2] ^= key[0];
  s->words[3] ^= key[1];
  ascon_permute(s, 12);
  s->words[3] ^= key[0];
  s->words[4] ^= key[1];
  samara_store64_le(tag, ascon_leave(s->words[3]));
  samara_store64_le(tag + 8, ascon_leave(s->words[4]));
}

#endif

#endif
