/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_AEAD_GRAIN128AEAD_BULK_H
#define SAMARA_AEAD_GRAIN128AEAD_BULK_H

/* Long messages of Grain-128AEADv2 on machines with words of 64 bits, 64 bytes
 * at a time: 1024 clocks in one go.
 *
 * Nothing but the NFSR depends on its own last bits. The LFSR is linear, so
 * that with its recurrence also the eighth power of it holds: eight times as
 * long, with byte distances (grain128aead_bulk_template.h). The pre-output is a
 * function of both streams, computed for as many clocks as a register has bits.
 * The authenticator is a product of polynomials, as in grain128aead_batch.c. */

#include "common/machine.h"
#include <samara/grain128aead.h>

/* What is done with bytes; absorbing is authentication alone. */
enum grain128aead_way {
  grain128aead_absorbing,
  grain128aead_sealing,
  grain128aead_opening
};

#if SAMARA_WORD_BITS == 64

enum {
  grain128aead_bulk_bytes = 64, /* of a message, at a time */
  grain128aead_bulk_words = grain128aead_bulk_bytes / 8,
  grain128aead_bulk_stream = 2 * grain128aead_bulk_bytes /* bytes of clocks */
};

/* Secret: to be wiped. Byte 0 of both streams begins at the current clock. */
typedef struct grain128aead_bulk {
  uint8_t nfsr[16 + grain128aead_bulk_stream + 16]; /* the last 16 stay 0 */
  uint8_t lfsr[2 * grain128aead_bulk_stream];
  uint64_t last[3];  /* bits 0 to 63, 32 to 95, 64 to 127 of the NFSR */
  uint64_t ahead[2]; /* samara_grain128aead_bulk_ahead of the first two */
  uint64_t even[grain128aead_bulk_words];
  uint64_t odd[1 + grain128aead_bulk_words]; /* turned around */
  uint64_t sum;                              /* turned around */
} __attribute__((aligned(64))) grain128aead_bulk;

/* The stack of a call, with the object, which the caller wipes with it. */
enum { grain128aead_bulk_stack = sizeof(grain128aead_bulk) + 1024 };

/* Processes the whole pieces of grain128aead_bulk_bytes of `size` bytes and
 * returns how many bytes that is; `output` is not written when absorbing. Needs
 * `used` of the state to be 0. Leaves the stack as it is. */
typedef size_t grain128aead_bulk_call(samara_grain128aead *state,
                                      uint8_t *output, const uint8_t *input,
                                      size_t size, enum grain128aead_way way);

/* Those that this processor can run, the fastest first; NULL after the last. */
grain128aead_bulk_call *samara_grain128aead_bulk(unsigned index);

grain128aead_bulk_call samara_grain128aead_bulk_64;
#if SAMARA_ARCH_X86_64
grain128aead_bulk_call samara_grain128aead_bulk_avx2_x86_64;
grain128aead_bulk_call samara_grain128aead_bulk_vbmi2_x86_64;
#endif

#define SAMARA_ROTATE(word, count)                                             \
  ((word) >> (count) | (word) << (64 - (count)))

/* b11 b13 + b17 b18 + b22 b24 b25 + b26 of the NFSR's feedback, for 32 clocks
 * from bit 0 of the word on; the upper half has no meaning. */
SAMARA_INLINE uint64_t samara_grain128aead_bulk_ahead(uint64_t b0) {
  const uint64_t b2 = SAMARA_ROTATE(b0, 2);
  const uint64_t from22 =
      (b0 & b2 & SAMARA_ROTATE(b0, 3)) ^ SAMARA_ROTATE(b0, 4);
  return SAMARA_ROTATE(b0 & b2, 11) ^
         SAMARA_ROTATE(b0 & SAMARA_ROTATE(b0, 1), 17) ^
         SAMARA_ROTATE(from22, 22);
}

/* The two registers and the authenticator, out of a state and back. */
void samara_grain128aead_bulk_begin(grain128aead_bulk *bulk,
                                    const samara_grain128aead *state);
void samara_grain128aead_bulk_end(const grain128aead_bulk *bulk,
                                  samara_grain128aead *state);

#endif

#endif
