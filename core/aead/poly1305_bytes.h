/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_POLY1305_BYTES_H
#define SAMARA_POLY1305_BYTES_H

/* Poly1305 (RFC 8439, section 2.5) for AVRs with MUL: numbers of bytes, and a
 * block in assembly. poly1305.h chooses. */

#include "common/bytes.h"
#include "common/secret.h"

#if POLY1305_FORM == POLY1305_BYTES

enum { poly1305_block_size = 16 };

typedef struct poly1305_state {
  /* For samara_poly1305_avr_block, in this order. h is below 6 2^128 between
   * blocks. */
  uint8_t h[17];
  uint8_t r[16];
  uint8_t product[33];
  uint8_t pad[16]; /* s of the RFC */
} poly1305_state;

/* h = (h + block + 2^128) r, modulo 2^130 - 5. The state is as above, to the
 * product. It leaves nothing of its own on the stack or in registers. */
void samara_poly1305_avr_block(uint8_t *state, const uint8_t block[16]);

/* A one-time key of 32 bytes: r, of which bits are cleared, and s. */
static void poly1305_start(poly1305_state *s, const uint8_t key[32]) {
  samara_zero_bytes(s->h, sizeof s->h);
  samara_copy_bytes(s->r, key, sizeof s->r);
  for (unsigned i = 3; i < 16; i += 4) {
    s->r[i] = (uint8_t)(s->r[i] & 0x0f);
  }
  for (unsigned i = 4; i < 16; i += 4) {
    s->r[i] = (uint8_t)(s->r[i] & 0xfc);
  }
  samara_copy_bytes(s->pad, key + 16, sizeof s->pad);
}

/* A string, padded with zeros to whole blocks, which all count as whole
 * (section 2.8). */
static void poly1305_add(poly1305_state *s, const uint8_t *bytes, size_t size) {
  for (; size >= poly1305_block_size; size -= poly1305_block_size) {
    samara_poly1305_avr_block(s->h, bytes);
    bytes += poly1305_block_size;
  }
  if (size != 0) {
    uint8_t block[poly1305_block_size];
    samara_zero_bytes(block, sizeof block);
    samara_copy_bytes(block, bytes, size);
    samara_poly1305_avr_block(s->h, block);
  }
}

/* The tag: h modulo 2^130 - 5, plus s, modulo 2^128. Of h and h + 5 - 2^130 it
 * takes the one that is not negative. */
static void poly1305_finish(poly1305_state *s, uint8_t tag[16]) {
  uint16_t sum = (uint16_t)5 << 8;
  for (uint8_t i = 0; i < 17; i++) {
    sum = (uint16_t)((sum >> 8) + s->h[i]);
    s->product[i] = (uint8_t)sum;
  }
  const uint8_t mask = (uint8_t)(0 - samara_hide16((sum >> 2) & 1));
  sum = 0;
  for (uint8_t i = 0; i < 16; i++) {
    const uint8_t h = (uint8_t)((s->h[i] & ~mask) | (s->product[i] & mask));
    sum = (uint16_t)((sum >> 8) + h + s->pad[i]);
    tag[i] = (uint8_t)sum;
  }
}

#endif

#endif
