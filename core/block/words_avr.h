/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_BLOCK_WORDS_AVR_H
#define SAMARA_BLOCK_WORDS_AVR_H

/* Speck and Simon in assembly (arch/avr), for words of 16, 24, 32, 48 and 64
 * bits. It leaves nothing of its own on the stack or in registers. Output may
 * be the input. Round keys of 24 and 48 bits are in words of 32 and 64 bits,
 * whose upper bits are neither read nor written. */

#include "common/machine.h"

/* Whether words of 32 bits have assembly of their own, with products of
 * secrets: all that a key does. */
#if SAMARA_ARCH_AVR && SAMARA_MULTIPLIES && defined(__AVR_HAVE_MUL__)
#define SAMARA_AVR_WORDS_OF_32 1
#else
#define SAMARA_AVR_WORDS_OF_32 0
#endif

#if SAMARA_ARCH_AVR

/* encrypt: round_keys is the first one. decrypt: the end of the last one.
 * expand: round_keys has room for `rounds` words, key has key_words words.
 * schedule (Speck): the key is in the first key_words round keys already; the
 * argument `key` is not used. */
#define SAMARA_DECLARE_AVR_BLOCK(cipher, bits)                                 \
  void samara_##cipher##_avr_encrypt##bits(const void *round_keys,             \
                                           uint8_t rounds, uint8_t *output,    \
                                           const uint8_t *input);              \
  void samara_##cipher##_avr_decrypt##bits(const void *round_keys,             \
                                           uint8_t rounds, uint8_t *output,    \
                                           const uint8_t *input);

#define SAMARA_DECLARE_AVR_SPECK(bits)                                         \
  SAMARA_DECLARE_AVR_BLOCK(speck, bits)                                        \
  void samara_speck_avr_expand##bits(void *round_keys, const uint8_t *key,     \
                                     uint8_t rounds, uint8_t key_words);       \
  void samara_speck_avr_schedule##bits(void *round_keys, const uint8_t *key,   \
                                       uint8_t rounds, uint8_t key_words);

SAMARA_DECLARE_AVR_SPECK(16)
SAMARA_DECLARE_AVR_SPECK(24)
SAMARA_DECLARE_AVR_SPECK(32)
SAMARA_DECLARE_AVR_SPECK(48)
SAMARA_DECLARE_AVR_SPECK(64)

/* sequence: 62 bits (simon.c), that of the first round key made is the lowest.
 */
#define SAMARA_DECLARE_AVR_SIMON(bits)                                         \
  SAMARA_DECLARE_AVR_BLOCK(simon, bits)                                        \
  void samara_simon_avr_expand##bits(uint64_t sequence, void *round_keys,      \
                                     const uint8_t *key, uint8_t rounds,       \
                                     uint8_t key_words);

SAMARA_DECLARE_AVR_SIMON(16)
SAMARA_DECLARE_AVR_SIMON(24)
SAMARA_DECLARE_AVR_SIMON(32)
SAMARA_DECLARE_AVR_SIMON(48)
SAMARA_DECLARE_AVR_SIMON(64)

/* The key derivation of ModSpeck for keys of 128, 192 and 256 bits. */
void samara_modspeck_avr_derive128(void *derived, const uint8_t *key);
void samara_modspeck_avr_derive192(void *derived, const uint8_t *key);
void samara_modspeck_avr_derive256(void *derived, const uint8_t *key);

#endif

#endif
