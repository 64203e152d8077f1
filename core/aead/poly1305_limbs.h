/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_POLY1305_LIMBS_H
#define SAMARA_POLY1305_LIMBS_H

/* Poly1305 (RFC 8439, section 2.5): h = (h + block) r modulo 2^130 - 5.
 *
 * Numbers of 130 bits are limbs of 13 bits with products of 32 bits, or without
 * products. The long multiplication of the Cortex-M3 takes a time that depends
 * on the factors; that of 32 bits does not. poly1305.h says where other
 * forms are better.
 *
 * Limbs of h are at most a little longer than theirs: see poly1305_multiply. */

#include "common/bytes.h"
#include "common/secret.h"

#if POLY1305_FORM == POLY1305_LIMBS

typedef uint16_t poly1305_limb;
typedef uint32_t poly1305_sum;
enum { poly1305_bits = 13, poly1305_limbs = 10 };

enum {
  poly1305_block_size = 16,
  poly1305_mask = ((uint32_t)1 << poly1305_bits) - 1
};

typedef struct poly1305_state {
  poly1305_limb h[poly1305_limbs];
  /* 5 r, then r: what overflows 2^130 comes back five times. */
  poly1305_limb r[2 * poly1305_limbs];
  uint8_t pad[16]; /* s of the RFC */
} poly1305_state;

/* Limb `i` of a number of 17 bytes. */
SAMARA_INLINE poly1305_limb poly1305_limb_of(const uint8_t bytes[17],
                                             unsigned i) {
  const unsigned bit = poly1305_bits * i;
  const uint8_t *from = bytes + bit / 8;
  const uint32_t word =
      (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16;
  return (poly1305_limb)(word >> bit % 8 & poly1305_mask);
}

/* 5 x. Of a sum that is hidden a compiler makes no multiplication. */
SAMARA_INLINE poly1305_limb poly1305_five_times(poly1305_limb x) {
#if SAMARA_MULTIPLIES
  return (poly1305_limb)(5 * x);
#else
  return (poly1305_limb)(samara_hide16((uint16_t)(x << 2)) + x);
#endif
}

/* Bits above those of a limb go on to the next one, those of the last come back
 * to the first. */
SAMARA_INLINE void poly1305_carry(poly1305_limb h[poly1305_limbs]) {
  poly1305_limb carry = 0;
  for (unsigned i = 0; i < poly1305_limbs; i++) {
    h[i] = (poly1305_limb)(h[i] + carry);
    carry = h[i] >> poly1305_bits;
    h[i] &= poly1305_mask;
  }
  h[0] = (poly1305_limb)(h[0] + poly1305_five_times(carry));
}

#if SAMARA_MULTIPLIES

/* The limbs of h r, and five times what is above 2^130. With limbs of 13 bits:
 * those of h have no more than 2^14 + 2^10, so that five products with
 * 5 r < 2^15.4 and what is carried are less than 2^32. */
SAMARA_INLINE poly1305_sum
poly1305_product(poly1305_limb product[poly1305_limbs], poly1305_state *s) {
  poly1305_sum carry = 0;
  for (unsigned i = 0; i < poly1305_limbs; i++) {
    const poly1305_limb *r = s->r + poly1305_limbs + i;
    poly1305_sum sum = carry;
    carry = 0;
    for (unsigned j = 0; j < poly1305_limbs; j++) {
      sum += (poly1305_sum)*r-- * s->h[j];
      if (poly1305_bits == 13 && j == 4) {
        carry = sum >> poly1305_bits;
        sum &= poly1305_mask;
      }
    }
    carry += sum >> poly1305_bits;
    product[i] = (poly1305_limb)(sum & poly1305_mask);
  }
  return 5 * carry;
}

#else

/* The same by shifts and additions: from the highest bit of the limbs of h to
 * the lowest, the limbs of the product are doubled, and limbs of r added to
 * them under masks of that bit.
 *
 * Carried, limbs of h are less than 2^13, the first less than 2^13 + 2^4: ten
 * products with 5 r < 2^15.4 and what is carried are less than 2^32. */
SAMARA_INLINE uint32_t poly1305_product(poly1305_limb product[poly1305_limbs],
                                        poly1305_state *s) {
  uint32_t sums[poly1305_limbs] = {0};
  uint16_t bits[poly1305_limbs]; /* those to come, from bit 15 */
  poly1305_carry(s->h);
  for (unsigned j = 0; j < poly1305_limbs; j++) {
    bits[j] = (uint16_t)(s->h[j] << (15 - poly1305_bits));
  }
  for (unsigned bit = 0; bit <= poly1305_bits; bit++) {
    uint16_t masks[poly1305_limbs];
    for (unsigned j = 0; j < poly1305_limbs; j++) {
      masks[j] = samara_mask16(bits[j] >> 15);
      bits[j] = (uint16_t)(bits[j] << 1);
    }
    for (unsigned i = 0; i < poly1305_limbs; i++) {
      const uint16_t *r = s->r + poly1305_limbs + i;
      uint32_t sum = sums[i] << 1;
      for (unsigned j = 0; j < poly1305_limbs; j++) {
        sum += (uint16_t)(*r-- & masks[j]);
      }
      sums[i] = sum;
    }
  }
  uint32_t carry = 0;
  for (unsigned i = 0; i < poly1305_limbs; i++) {
    carry += sums[i];
    product[i] = (uint16_t)(carry & poly1305_mask);
    carry >>= poly1305_bits;
  }
  return samara_hide32(carry << 2) + carry;
}

#endif

/* h = h r, with limbs of at most 2^13 + 2^9 where they have 13 bits. */
static void poly1305_multiply(poly1305_state *s) {
  poly1305_limb product[poly1305_limbs];
  poly1305_sum carry = poly1305_product(product, s);
  carry += product[0];
  s->h[0] = (poly1305_limb)(carry & poly1305_mask);
  s->h[1] = (poly1305_limb)(product[1] + (carry >> poly1305_bits));
  for (unsigned i = 2; i < poly1305_limbs; i++) {
    s->h[i] = product[i];
  }
}

/* 16 bytes or, at the end of a string, fewer: zeros behind them. The block
 * always counts as whole (section 2.8 pads with zeros). */
static void poly1305_block(poly1305_state *s, const uint8_t *block,
                           size_t size) {
  uint8_t bytes[17];
  samara_zero_bytes(bytes, sizeof bytes);
  samara_copy_bytes(bytes, block, size);
  bytes[16] = 1;
  for (unsigned i = 0; i < poly1305_limbs; i++) {
    s->h[i] = (poly1305_limb)(s->h[i] + poly1305_limb_of(bytes, i));
  }
  poly1305_multiply(s);
}

/* A one-time key of 32 bytes: r, of which bits are cleared, and s. */
static void poly1305_start(poly1305_state *s, const uint8_t key[32]) {
  uint8_t bytes[17];
  samara_copy_bytes(bytes, key, 16);
  for (unsigned i = 3; i < 16; i += 4) {
    bytes[i] &= 0x0f;
  }
  for (unsigned i = 4; i < 16; i += 4) {
    bytes[i] &= 0xfc;
  }
  bytes[16] = 0;
  for (unsigned i = 0; i < poly1305_limbs; i++) {
    const poly1305_limb limb = poly1305_limb_of(bytes, i);
    s->h[i] = 0;
    s->r[i] = poly1305_five_times(limb);
    s->r[poly1305_limbs + i] = limb;
  }
  samara_copy_bytes(s->pad, key + 16, sizeof s->pad);
}

/* A string, padded with zeros to whole blocks. */
static void poly1305_add(poly1305_state *s, const uint8_t *bytes, size_t size) {
  for (; size > poly1305_block_size; size -= poly1305_block_size) {
    poly1305_block(s, bytes, poly1305_block_size);
    bytes += poly1305_block_size;
  }
  if (size != 0) {
    poly1305_block(s, bytes, size);
  }
}

/* h modulo 2^130 - 5: of h and h + 5 - 2^130 the one that is not negative. */
SAMARA_INLINE void poly1305_reduce(poly1305_state *s) {
  poly1305_limb less[poly1305_limbs];
  poly1305_limb carry = 5;
  poly1305_carry(s->h);
  poly1305_carry(s->h);
  for (unsigned i = 0; i < poly1305_limbs; i++) {
    less[i] = (poly1305_limb)(s->h[i] + carry);
    carry = less[i] >> poly1305_bits;
    less[i] &= poly1305_mask;
  }
  const poly1305_limb mask = (poly1305_limb)samara_mask32(carry);
  for (unsigned i = 0; i < poly1305_limbs; i++) {
    s->h[i] = (s->h[i] & (poly1305_limb)~mask) | (less[i] & mask);
  }
}

/* The tag: h + s modulo 2^128. */
static void poly1305_finish(poly1305_state *s, uint8_t tag[16]) {
  poly1305_reduce(s);
  poly1305_sum bits = 0;
  unsigned count = 0;
  unsigned next = 0;
  uint16_t sum = 0;
  for (unsigned i = 0; i < 16; i++) {
    while (count < 8) {
      bits |= (poly1305_sum)s->h[next++] << count;
      count += poly1305_bits;
    }
    sum = (uint16_t)((sum >> 8) + (uint8_t)bits + s->pad[i]);
    tag[i] = (uint8_t)sum;
    bits >>= 8;
    count -= 8;
  }
}

#endif

#endif
