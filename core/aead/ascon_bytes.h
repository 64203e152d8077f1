/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_AEAD_ASCON_BYTES_H
#define SAMARA_AEAD_ASCON_BYTES_H

/* Ascon where words have 8 bits: the state is 40 bytes, and the permutation is
 * assembly (arch/avr). The functions are those of ascon_aead128.c, which
 * includes this file; words of 64 bits would be a load and a store of each byte
 * more, and kilobytes of code. */

#include "aead/ascon_permutation.h"
#include "common/bytes.h"
#include <samara/ascon_aead128.h>

#if SAMARA_ARCH_AVR

typedef struct ascon_state {
  uint8_t bytes[40];
} ascon_state;

enum {
  ascon_rate = 16,
  ascon_of_key = 16,
  ascon_of_nonce = 24,
  ascon_twelve_rounds = 0xf0,
  ascon_eight_rounds = 0xb4
};

/* A key needs no loading. */
#define ASCON_KEY(name, bytes) const uint8_t *const name = (bytes)

static void ascon_add(ascon_state *s, uint8_t place, const uint8_t *bytes,
                      size_t size) {
  samara_xor_bytes(s->bytes + place, s->bytes + place, bytes, size);
}

static void ascon_permute(ascon_state *s) {
  samara_ascon_avr_permute(s->bytes, ascon_eight_rounds);
}

/* Initialisation (4.1.1). */
static void ascon_start(ascon_state *s, const uint8_t *key,
                        const uint8_t *nonce) {
  static const uint8_t constant[8] SAMARA_FLASH = {1, 0,    0x8c, 0x80,
                                                   0, 0x10, 0,    0};
  for (uint8_t i = 0; i < 8; i++) {
    s->bytes[i] = SAMARA_READ_FLASH(constant, i);
    s->bytes[8 + i] = key[i];
  }
  for (uint8_t i = 0; i < 8; i++) {
    s->bytes[16 + i] = key[8 + i];
  }
  samara_copy_bytes(s->bytes + ascon_of_nonce, nonce,
                    samara_ascon_aead128_nonce_size);
  samara_ascon_avr_permute(s->bytes, ascon_twelve_rounds);
  ascon_add(s, 24, key, samara_ascon_aead128_key_size);
}

/* The last block of a string, fewer than 16 bytes, with its padding. */
static void ascon_absorb_last(ascon_state *s, const uint8_t *bytes,
                              size_t size) {
  ascon_add(s, 0, bytes, size);
  s->bytes[size] ^= 1;
}

/* Associated data, then the bit that separates it from the message. */
static void ascon_absorb(ascon_state *s, const uint8_t *data, size_t size) {
  if (size != 0) {
    for (; size >= ascon_rate; size -= ascon_rate) {
      ascon_add(s, 0, data, ascon_rate);
      ascon_permute(s);
      data += ascon_rate;
    }
    ascon_absorb_last(s, data, size);
    ascon_permute(s);
  }
  s->bytes[39] ^= 0x80;
}

static void ascon_encrypt(ascon_state *s, uint8_t *output, const uint8_t *input,
                          size_t size) {
  for (;;) {
    const size_t part = size < ascon_rate ? size : ascon_rate;
    ascon_add(s, 0, input, part);
    samara_copy_bytes(output, s->bytes, part);
    if (part < ascon_rate) {
      s->bytes[part] ^= 1;
      return;
    }
    ascon_permute(s);
    output += ascon_rate;
    input += ascon_rate;
    size -= ascon_rate;
  }
}

static void ascon_decrypt(ascon_state *s, uint8_t *output, const uint8_t *input,
                          size_t size) {
  for (;;) {
    const size_t part = size < ascon_rate ? size : ascon_rate;
    /* The output, then the input in the state: output may be the input. */
    samara_xor_bytes(output, input, s->bytes, part);
    samara_xor_bytes(s->bytes, s->bytes, output, part);
    if (part < ascon_rate) {
      s->bytes[part] ^= 1;
      return;
    }
    ascon_permute(s);
    output += ascon_rate;
    input += ascon_rate;
    size -= ascon_rate;
  }
}

/* Finalisation (4.1.1). */
static void ascon_finish(ascon_state *s, const uint8_t *key, uint8_t *tag) {
  ascon_add(s, 16, key, samara_ascon_aead128_key_size);
  samara_ascon_avr_permute(s->bytes, ascon_twelve_rounds);
  samara_xor_bytes(tag, s->bytes + 24, key, samara_ascon_aead128_tag_size);
}

#endif

#endif
