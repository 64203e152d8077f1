/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/acorn128.h>

#include "aead/acorn128_clocks.h"
#include "aead/calls.h"

/* Behind the others: on machines where it is empty, nothing that is compiled
 * changes its place. */
#include "aead/acorn128_blocks.h"

/* clang unrolls a step of 8 clocks, of builds for machines with slow shifts, so
 * that it takes 1.6 KiB of stack on a machine of 64 bits. */
enum { acorn128_stack = SAMARA_STACK_BYTES(288, 288, 384, 2048) };

/* All ones; the other value of a control bit is 0. */
static const acorn128_word acorn128_on = (acorn128_word)-1;

/* Takes in what is no message: ca = cb = 1. */
static void acorn128_absorb(acorn128_state *s, const uint8_t *input,
                            size_t size) {
  if (size != 0) {
    acorn128_run(s, NULL, input, size, acorn128_on, acorn128_on, 0);
  }
}

/* Behind associated data and message: a one and 255 zeros, the second half of
 * them with ca = 0, so that none of it can be taken for data. */
static void acorn128_pad(acorn128_state *s, acorn128_word cb) {
#if SAMARA_ARCH_AVR
  const uint8_t one[4] = {1}; /* a step, and not the parts of two */
  acorn128_run(s, NULL, one, 4, acorn128_on, cb, 0);
  acorn128_run(s, NULL, NULL, 12, acorn128_on, cb, 0);
#else
  const uint8_t one = 1;
  acorn128_run(s, NULL, &one, 1, acorn128_on, cb, 0);
  acorn128_run(s, NULL, NULL, 15, acorn128_on, cb, 0);
#endif
  acorn128_run(s, NULL, NULL, 16, 0, cb, 0);
}

/* Initialisation (1.3.3): 1792 clocks take in the key, the nonce, and the key
 * twelve times more, its first bit inverted the first time. */
static void acorn128_start(acorn128_state *s, const uint8_t *key,
                           const uint8_t *nonce, const uint8_t *data,
                           size_t size) {
  uint8_t changed[samara_acorn128_key_size];
  SAMARA_WIPED(changed);
  samara_copy_bytes(changed, key, sizeof changed);
  changed[0] ^= 1;
  acorn128_clear(s);
  for (unsigned part = 0; part < 14; part++) {
    const uint8_t *input = part == 1 ? nonce : part == 2 ? changed : key;
    acorn128_absorb(s, input, samara_acorn128_key_size);
  }
  acorn128_absorb(s, data, size);
  acorn128_pad(s, acorn128_on);
}

/* Encryption (1.3.5): the state takes in the message. */
static void acorn128_crypt(acorn128_state *s, uint8_t *output,
                           const uint8_t *input, size_t size, bool opening) {
  if (size != 0) {
    acorn128_run(s, output, input, size, acorn128_on, 0,
                 opening ? acorn128_on : 0);
  }
  acorn128_pad(s, 0);
}

/* Finalisation (1.3.6): 768 clocks; the tag is the keystream of the last 128.
 */
static void acorn128_finish(acorn128_state *s, const uint8_t *key,
                            uint8_t tag[samara_acorn128_tag_size]) {
  (void)key;
  acorn128_run(s, NULL, NULL, 80, acorn128_on, acorn128_on, 0);
  acorn128_run(s, tag, NULL, samara_acorn128_tag_size, acorn128_on, acorn128_on,
               0);
}

SAMARA_DEFINE_AEAD_WORK(acorn128)
SAMARA_DEFINE_AEAD_CALLS(acorn128, acorn128_stack)
SAMARA_DEFINE_AEAD(acorn128)
SAMARA_DEFINE_FRAME_CIPHER(acorn128)
