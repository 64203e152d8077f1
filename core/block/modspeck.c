/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/modspeck.h>

#include "block/words_avr.h"
#include "common/bytes.h"
#include "common/stack.h"
#include "common/wiped.h"

#if SAMARA_ARCH_AVR

/* The derivation of samara/modspeck.h; key_size is a constant. */
SAMARA_INLINE void modspeck_derive(uint8_t *derived, const uint8_t *bytes,
                                   size_t key_size) {
  if (key_size == 16) {
    samara_modspeck_avr_derive128(derived, bytes);
  } else if (key_size == 24) {
    samara_modspeck_avr_derive192(derived, bytes);
  } else {
    samara_modspeck_avr_derive256(derived, bytes);
  }
}

#else

enum { modspeck_parts = 4, modspeck_eta = 7 };

/* Rotates a little-endian integer of `size` bytes right by `count` bits, a
 * public number below 8 * size. */
static void modspeck_rotate_right(uint8_t *output, const uint8_t *input,
                                  size_t size, unsigned count) {
  const unsigned bytes = count / 8;
  const unsigned bits = count % 8;
  for (size_t i = 0; i < size; i++) {
    const unsigned low = input[(i + bytes) % size];
    const unsigned high = input[(i + bytes + 1) % size];
    output[i] = (uint8_t)((high << 8 | low) >> bits);
  }
}

/* The derivation of samara/modspeck.h, with key_size a multiple of four. */
static void modspeck_derive(uint8_t *derived, const uint8_t *bytes,
                            size_t key_size) {
  const size_t size = key_size / modspeck_parts;
  uint8_t mixed[32];
  SAMARA_WIPED(mixed);
  samara_copy_bytes(mixed, bytes, key_size);
  for (unsigned part = 0; part < modspeck_parts; part++) {
    uint8_t *own = mixed + size * part;
    const uint8_t *next = mixed + size * ((part + 1) % modspeck_parts);
    samara_xor_bytes(own, own, next, size);
  }
  for (unsigned part = 0; part < modspeck_parts; part++) {
    modspeck_rotate_right(derived + size * part, mixed + size * part, size,
                          modspeck_eta * part);
  }
}

#endif

/* Speck with another key. */
#define SAMARA_DERIVE_KEY modspeck_derive
#define SAMARA_SET_KEY_STACK SAMARA_STACK_BYTES(160, 112, 256, 512)

#if SAMARA_ARCH_MSP430
#define SAMARA_SPECK_ENCRYPT samara_speck128_128_encrypt
#endif
#define SAMARA_CIPHER modspeck128_128
#define SAMARA_CIPHER_WORD uint64_t
#define SAMARA_CIPHER_WORD_BITS 64
#define SAMARA_CIPHER_KEY_WORDS 2
#define SAMARA_CIPHER_ROUNDS 32
#include "block/speck_template.h"
#undef SAMARA_SPECK_ENCRYPT

#define SAMARA_CIPHER modspeck128_192
#define SAMARA_CIPHER_WORD uint64_t
#define SAMARA_CIPHER_WORD_BITS 64
#define SAMARA_CIPHER_KEY_WORDS 3
#define SAMARA_CIPHER_ROUNDS 33
#include "block/speck_template.h"

#define SAMARA_CIPHER modspeck128_256
#define SAMARA_CIPHER_WORD uint64_t
#define SAMARA_CIPHER_WORD_BITS 64
#define SAMARA_CIPHER_KEY_WORDS 4
#define SAMARA_CIPHER_ROUNDS 34
#include "block/speck_template.h"

#undef SAMARA_DERIVE_KEY
#undef SAMARA_SET_KEY_STACK
