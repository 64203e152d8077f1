/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_POLY1305_WORDS_H
#define SAMARA_POLY1305_WORDS_H

/* Poly1305 (RFC 8439, section 2.5) for machines with products of 128 bits: h =
 * (h + block) r modulo 2^130 - 5 in words of 64 bits. see poly1305.h.
 *
 * r is of two words, of which the upper one is a multiple of 4: what overflows
 * 2^128 by it comes back 5/4 times. h is of two words and some bits above
 * 2^128, at most 6 in front of a block. */

#include "common/bytes.h"
#include "common/secret.h"

#if POLY1305_FORM == POLY1305_WORDS

__extension__ typedef unsigned __int128 poly1305_product;

enum { poly1305_block_size = 16 };

typedef struct poly1305_state {
  uint64_t h[3];
  uint64_t r[2];
  uint64_t pad[2]; /* s of the RFC */
} poly1305_state;

/* h = (h + block + 2^128) r. With h[2] below 7 and r below 2^124, no sum
 * overflows: h[2] r[0] is below 2^63. */
SAMARA_INLINE void poly1305_step(uint64_t h[3], const uint64_t r[2],
                                 uint64_t fold, const uint8_t block[16]) {
  poly1305_product sum = (poly1305_product)h[0] + samara_load64_le(block);
  const uint64_t h0 = (uint64_t)sum;
  sum = (poly1305_product)h[1] + samara_load64_le(block + 8) +
        (uint64_t)(sum >> 64);
  const uint64_t h1 = (uint64_t)sum;
  const uint64_t h2 = h[2] + 1 + (uint64_t)(sum >> 64);

  poly1305_product low =
      (poly1305_product)h0 * r[0] + (poly1305_product)h1 * fold;
  poly1305_product high =
      (poly1305_product)h0 * r[1] + (poly1305_product)h1 * r[0] + h2 * fold;
  high += (uint64_t)(low >> 64);
  const uint64_t top = h2 * r[0] + (uint64_t)(high >> 64);

  /* Bits from 2^130 on come back five times. */
  low = (poly1305_product)(uint64_t)low + (top >> 2) + (top & ~(uint64_t)3);
  h[0] = (uint64_t)low;
  high = (poly1305_product)(uint64_t)high + (uint64_t)(low >> 64);
  h[1] = (uint64_t)high;
  h[2] = (top & 3) + (uint64_t)(high >> 64);
}

/* A one-time key of 32 bytes: r, of which bits are cleared, and s. */
static void poly1305_start(poly1305_state *s, const uint8_t key[32]) {
  for (unsigned i = 0; i < 3; i++) {
    s->h[i] = 0;
  }
  s->r[0] = samara_load64_le(key) & 0x0ffffffc0fffffff;
  s->r[1] = samara_load64_le(key + 8) & 0x0ffffffc0ffffffc;
  s->pad[0] = samara_load64_le(key + 16);
  s->pad[1] = samara_load64_le(key + 24);
}

/* A string, padded with zeros to whole blocks, which all count as whole
 * (section 2.8). */
static void poly1305_add(poly1305_state *s, const uint8_t *bytes, size_t size) {
  const uint64_t r[2] = {s->r[0], s->r[1]};
  const uint64_t fold = r[1] + (r[1] >> 2);
  uint64_t h[3] = {s->h[0], s->h[1], s->h[2]};
  for (; size >= poly1305_block_size; size -= poly1305_block_size) {
    poly1305_step(h, r, fold, bytes);
    bytes += poly1305_block_size;
  }
  if (size != 0) {
    uint8_t block[poly1305_block_size];
    samara_zero_bytes(block, sizeof block);
    samara_copy_bytes(block, bytes, size);
    poly1305_step(h, r, fold, block);
  }
  for (unsigned i = 0; i < 3; i++) {
    s->h[i] = h[i];
  }
}

/* The tag: h modulo 2^130 - 5, plus s, modulo 2^128. Of h and h + 5 - 2^130 it
 * takes the one that is not negative; h is below 2^130 + 2^129. */
static void poly1305_finish(poly1305_state *s, uint8_t tag[16]) {
  poly1305_product sum = (poly1305_product)s->h[0] + 5;
  const uint64_t less0 = (uint64_t)sum;
  sum = (poly1305_product)s->h[1] + (uint64_t)(sum >> 64);
  const uint64_t less1 = (uint64_t)sum;
  const uint64_t above = s->h[2] + (uint64_t)(sum >> 64);
  const uint64_t mask = 0 - samara_hide64(above >> 2);
  const uint64_t h0 = (s->h[0] & ~mask) | (less0 & mask);
  const uint64_t h1 = (s->h[1] & ~mask) | (less1 & mask);
  sum = (poly1305_product)h0 + s->pad[0];
  samara_store64_le(tag, (uint64_t)sum);
  sum = (poly1305_product)h1 + s->pad[1] + (uint64_t)(sum >> 64);
  samara_store64_le(tag + 8, (uint64_t)sum);
}

#endif

#endif
