/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_AEAD_GRAIN128AEAD_WORK_H
#define SAMARA_AEAD_GRAIN128AEAD_WORK_H

/* The work of Grain-128AEADv2, without the checks and the wiping of the public
 * calls (grain128aead.c). grain128aead_work.c has it in C; a machine that has
 * all of it in core/arch sets SAMARA_ARCH_GRAIN128AEAD (common/machine.h).
 *
 * A message is processed in words of 4 bytes, each of 64 clocks. `used` bytes
 * of the current word have passed, 0 to 3; `text` has them, and `even` and
 * `odd` the pre-output bits of the word, in the form that suits the machine.
 *
 * These functions leave secrets on the stack: who calls them wipes it. */

#include "common/stack.h"
#include <samara/grain128aead.h>

/* Loads key and nonce, runs the 512 clocks of the start and authenticates the
 * length that precedes the associated data. Does not set `stage`. */
SAMARA_NOT_INLINED void
samara_grain128aead_begin(samara_grain128aead *state,
                          const uint8_t key[samara_grain128aead_key_size],
                          const uint8_t nonce[samara_grain128aead_nonce_size],
                          size_t associated_data_size);

/* Authenticates bytes. */
SAMARA_NOT_INLINED void samara_grain128aead_absorb(samara_grain128aead *state,
                                                   const uint8_t *data,
                                                   size_t size);

/* Encrypts or decrypts bytes and authenticates the message's. `output` is
 * `input` or does not overlap it. */
SAMARA_NOT_INLINED void samara_grain128aead_encrypt(samara_grain128aead *state,
                                                    uint8_t *output,
                                                    const uint8_t *input,
                                                    size_t size);
SAMARA_NOT_INLINED void samara_grain128aead_decrypt(samara_grain128aead *state,
                                                    uint8_t *output,
                                                    const uint8_t *input,
                                                    size_t size);

/* Ends the message and writes the tag; the state cannot be used any more. */
SAMARA_NOT_INLINED void
samara_grain128aead_finish(samara_grain128aead *state,
                           uint8_t tag[samara_grain128aead_tag_size]);

#endif
