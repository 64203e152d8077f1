/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_GRAIN128AEAD_H
#define SAMARA_GRAIN128AEAD_H

/* Grain-128AEADv2 (finalist of the NIST Lightweight Cryptography project):
 * authenticated encryption with a key of 16 bytes, a nonce of 12 and a tag of
 * 8. Version 1, which much public code implements, gives other answers.
 *
 * A nonce used twice under a key gives away the difference of both messages,
 * never the key. At most 2^80 bits under one key and nonce (section 2.6): more
 * than a size_t can count.
 *
 * In one call, those of aead.h: seal and open, singly or in batches. In pieces:
 * init with the whole associated data, update with pieces of any length,
 * finish. A message has the same ciphertext and tag however it is cut. The
 * rules of aead.h for overlapping buffers hold for pieces too. */

#include <samara/aead.h>
#include <samara/grain128.h>
#include <samara/ieee802154_cipher.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  samara_grain128aead_key_size = 16,
  samara_grain128aead_nonce_size = 12,
  samara_grain128aead_tag_size = 8,
  samara_grain128aead_tag_size_min = 4
};

SAMARA_DECLARE_AEAD(grain128aead)
SAMARA_DECLARE_FRAME_CIPHER(grain128aead)

/* A message that comes in pieces. Plain memory without pointers. */
typedef struct samara_grain128aead {
  samara_grain128 generator;
#if defined(__AVR__) /* which has instructions for the first 64 bytes */
  uint8_t used;
  uint8_t stage;
#endif
  uint32_t accumulator[2];
  uint32_t authenticator[2]; /* the shift register R of the specification */
  uint32_t text;             /* of the word of 4 bytes that is under way */
  uint32_t even;             /* its pre-output bits */
  uint32_t odd;
#if defined(__AVR__)
  uint32_t more; /* with the three above: the assembly's 8 bytes */
#else
  uint8_t used;  /* bytes of it that are done, 0 to 3 */
  uint8_t stage; /* what may be called next; 0: nothing */
#endif
} samara_grain128aead;

/* Begins to seal; the associated data is needed whole, because its length is
 * authenticated first. */
void samara_grain128aead_seal_init(
    samara_grain128aead *state, const uint8_t key[samara_grain128aead_key_size],
    const uint8_t nonce[samara_grain128aead_nonce_size],
    const uint8_t *associated_data, size_t associated_data_size);

/* Encrypts the next `size` bytes. SAMARA_ERROR_STATE outside init..finish. */
SAMARA_MUST_CHECK samara_result
samara_grain128aead_seal_update(samara_grain128aead *state, uint8_t *ciphertext,
                                const uint8_t *message, size_t size);

/* Writes the tag and wipes the state. */
SAMARA_MUST_CHECK samara_result samara_grain128aead_seal_finish(
    samara_grain128aead *state, uint8_t tag[samara_grain128aead_tag_size]);

/* Opening in pieces RELEASES BYTES BEFORE THE TAG IS CHECKED. Do not act upon,
 * show or store as genuine what update writes before finish returns SAMARA_OK;
 * discard it when finish fails. Only Grain has this call: an attacker who sees
 * its unverified bytes learns the keystream of that message, but not the key or
 * the state. */
void samara_grain128aead_unverified_open_init(
    samara_grain128aead *state, const uint8_t key[samara_grain128aead_key_size],
    const uint8_t nonce[samara_grain128aead_nonce_size],
    const uint8_t *associated_data, size_t associated_data_size);

/* Decrypts the next `size` bytes, not yet verified. */
SAMARA_MUST_CHECK samara_result samara_grain128aead_unverified_open_update(
    samara_grain128aead *state, uint8_t *message, const uint8_t *ciphertext,
    size_t size);

/* SAMARA_OK when all that update released is genuine; otherwise
 * SAMARA_ERROR_AUTHENTICATION. Wipes the state. */
SAMARA_MUST_CHECK samara_result samara_grain128aead_unverified_open_finish(
    samara_grain128aead *state,
    const uint8_t tag[samara_grain128aead_tag_size]);

/* Wipes the state of a message that will not be finished. */
void samara_grain128aead_wipe(samara_grain128aead *state);

#ifdef __cplusplus
}
#endif

#endif
