/* SPDX-License-Identifier: Apache-2.0 */
#include "aead/grain128aead_work.h"

#include "arch/msp430/grain128_msp430.h"
#include "common/bytes.h"
#include "stream/grain128_generator.h"

#if SAMARA_ARCH_MSP430_GRAIN && SAMARA_ARCH_GRAIN128AEAD

/* Grain-128AEAD on the assembly of grain128_msp430.c or
 * grain128_small_msp430.c. A byte takes one pass of 16 clocks, whose pre-output
 * is one word, so that nothing of a word is ever left: `even`, `odd` and `used`
 * have no use here, and `text` has none but in the small variant, where it says
 * whether to decrypt. */

void samara_grain128aead_begin(
    samara_grain128aead *state, const uint8_t key[samara_grain128aead_key_size],
    const uint8_t nonce[samara_grain128aead_nonce_size],
    size_t associated_data_size) {
  samara_grain128_init(&state->generator, key, nonce);
  /* Accumulator and register, which follows it. */
  samara_grain128_msp430_clocks(&state->generator,
                                (uint16_t *)state->accumulator, 8);
  /* The length of the associated data, as DER encodes lengths: see
   * grain128aead_work.c. A size has 16 bits. */
  uint8_t code[3] = {0x82, (uint8_t)(associated_data_size >> 8),
                     (uint8_t)associated_data_size};
  uint8_t *first = code;
  if (associated_data_size <= 0xff) {
    *++first = 0x81;
  }
  if (associated_data_size < 128) {
    first++;
  }
  samara_grain128aead_absorb(state, first, (size_t)(code + 3 - first));
}

/* A last authenticated bit, a 1, ends the message. */
void samara_grain128aead_finish(samara_grain128aead *state,
                                uint8_t tag[samara_grain128aead_tag_size]) {
  const uint8_t *sums = (const uint8_t *)state->accumulator;
  for (unsigned i = 0; i < samara_grain128aead_tag_size; i++) {
    tag[i] = sums[i] ^ sums[i + 8];
  }
}

#endif
