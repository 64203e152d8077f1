/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/modspeck.h>

#include "common/bytes.h"
#include <samara/memory.h>

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
  samara_wipe(mixed, sizeof mixed);
}

#define MODSPECK_DEFINE(cipher, speck, key_bytes)                              \
  void samara_##cipher##_set_key(samara_##cipher##_key *key,                   \
                                 const uint8_t bytes[key_bytes]) {             \
    uint8_t derived[key_bytes];                                                \
    modspeck_derive(derived, bytes, sizeof derived);                           \
    samara_##speck##_set_key(key, derived);                                    \
    samara_wipe(derived, sizeof derived);                                      \
  }                                                                            \
  void samara_##cipher##_encrypt(const samara_##cipher##_key *key,             \
                                 uint8_t ciphertext[16],                       \
                                 const uint8_t plaintext[16]) {                \
    samara_##speck##_encrypt(key, ciphertext, plaintext);                      \
  }                                                                            \
  void samara_##cipher##_decrypt(const samara_##cipher##_key *key,             \
                                 uint8_t plaintext[16],                        \
                                 const uint8_t ciphertext[16]) {               \
    samara_##speck##_decrypt(key, plaintext, ciphertext);                      \
  }                                                                            \
  void samara_##cipher##_wipe(samara_##cipher##_key *key) {                    \
    samara_wipe(key, sizeof *key);                                             \
  }

MODSPECK_DEFINE(modspeck128_128, speck128_128, 16)
MODSPECK_DEFINE(modspeck128_192, speck128_192, 24)
MODSPECK_DEFINE(modspeck128_256, speck128_256, 32)

#define SAMARA_CIPHER modspeck128_128
#include "mode/block_modes_template.h"
#define SAMARA_CIPHER modspeck128_192
#include "mode/block_modes_template.h"
#define SAMARA_CIPHER modspeck128_256
#include "mode/block_modes_template.h"
