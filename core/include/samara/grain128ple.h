/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_GRAIN128PLE_H
#define SAMARA_GRAIN128PLE_H

/* Grain-128PLE: Grain-128AEADv2 without its authenticator, for encryption at
 * the physical layer, between channel coding and modulation. One keystream bit
 * is added to each coded bit; nothing is added to the frame.
 *
 * RESEARCH ONLY, and NOT AUTHENTICATED. It hides the content of a frame, not
 * its presence, length or modulation. A flipped bit on the air flips the bit in
 * the frame. The encryption of coded bits gives an attacker a linear relation
 * for every parity check; with a nonce used twice he learns both frames from
 * them.
 *
 * A receiver decrypts soft values (log-likelihood ratios): it flips the sign
 * where the keystream bit is 1, which costs no sensitivity. To decide on bits
 * first and decrypt them afterwards costs 2 to 2.5 dB.
 *
 * A state is a position in one keystream. Every call goes on at the bit where
 * the last one stopped. Bit i of packed bits is bit i % 8, from the least
 * significant, of byte i / 8. At most 2^80 bits under one key and nonce: more
 * than can be counted here. */

#include <samara/batch.h>
#include <samara/grain128.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { samara_grain128ple_key_size = 16, samara_grain128ple_nonce_size = 12 };

typedef struct samara_grain128ple {
  samara_grain128 generator;
  uint32_t pending;     /* keystream bits not yet used, the next in bit 0 */
  uint8_t pending_bits; /* 0 to 31 */
} samara_grain128ple;

/* Bit 0 of the keystream: all 512 start-up clocks are run here. */
void samara_grain128ple_init(
    samara_grain128ple *state, const uint8_t key[samara_grain128ple_key_size],
    const uint8_t nonce[samara_grain128ple_nonce_size]);

/* Skips `bit_count` keystream bits. The time grows with the count, because
 * Grain cannot jump. */
void samara_grain128ple_skip(samara_grain128ple *state, uint64_t bit_count);

/* Writes `bit_count` keystream bits, packed, into (bit_count + 7) / 8 bytes;
 * unused bits of the last byte are zero. */
void samara_grain128ple_keystream(samara_grain128ple *state, uint8_t *keystream,
                                  size_t bit_count);

/* Encrypts or decrypts packed bits in place: bits bit_offset to
 * bit_offset + bit_count - 1 of `bits`; all others keep their value. */
void samara_grain128ple_xor(samara_grain128ple *state, uint8_t *bits,
                            size_t bit_offset, size_t bit_count);

/* Decrypts soft values in place: flips the sign where the keystream bit is 1.
 * The lowest integer, which has no negative, becomes the highest. */
void samara_grain128ple_flip_int8(samara_grain128ple *state, int8_t *values,
                                  size_t count);
void samara_grain128ple_flip_int16(samara_grain128ple *state, int16_t *values,
                                   size_t count);
void samara_grain128ple_flip_float32(samara_grain128ple *state, float *values,
                                     size_t count);

/* The first bit_count keystream bits for each of `count` keys and nonces. */
void samara_grain128ple_keystream_batch(const samara_batch_keystream *streams,
                                        size_t count);

/* Wipes the state. A wiped state gives a keystream of zeros, which hides
 * nothing: initialise it again before it is used. */
void samara_grain128ple_wipe(samara_grain128ple *state);

#ifdef __cplusplus
}
#endif

#endif
