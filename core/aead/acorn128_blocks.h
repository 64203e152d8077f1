/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_ACORN128_BLOCKS_H
#define SAMARA_ACORN128_BLOCKS_H

/* The state of ACORN-128 and its clocks where 32 of them are assembly. The
 * functions are those of acorn128_clocks.h. */

#include "arch/avr/acorn128_avr.h"
#include "common/bytes.h"
#include "common/stack.h"
#include "common/wiped.h"

#if SAMARA_ARCH_AVR

typedef uint8_t acorn128_word;

enum { acorn128_blocks = 2 * acorn128_avr_block, acorn128_step_bytes = 4 };

typedef struct acorn128_state {
  uint8_t blocks[acorn128_blocks];
} acorn128_state;

SAMARA_INLINE void acorn128_clear(acorn128_state *s) {
  samara_zero_bytes(s->blocks, sizeof s->blocks);
}

/* 8, 16 or 24 clocks. 32 are done, and then the rows of those that are too many
 * are left out: the others move up, behind the rows that were there before. */
SAMARA_NOT_INLINED static void acorn128_part(acorn128_state *s, uint8_t *output,
                                             const uint8_t *input, uint8_t size,
                                             uint8_t flags) {
  uint8_t older[acorn128_avr_block];
  SAMARA_WIPED(older);
  uint8_t bytes[acorn128_step_bytes] = {0};
  SAMARA_WIPED(bytes);
  samara_copy_bytes(older, s->blocks, sizeof older);
  if (input != NULL) {
    samara_copy_bytes(bytes, input, size);
  }
  samara_acorn128_avr_clocks(s->blocks, bytes, bytes, 1,
                             flags | acorn128_avr_input | acorn128_avr_output);
  if (output != NULL) {
    samara_copy_bytes(output, bytes, size);
  }
  const uint8_t gone = (uint8_t)(size * acorn128_avr_row);
  const uint8_t kept = (uint8_t)(acorn128_avr_block - gone);
  for (uint8_t i = acorn128_blocks; i != kept;) {
    i--;
    s->blocks[i] = s->blocks[i - kept];
  }
  samara_copy_bytes(s->blocks, older + gone, kept);
}

SAMARA_NOT_INLINED static void acorn128_run(acorn128_state *s, uint8_t *output,
                                            const uint8_t *input, size_t size,
                                            uint8_t ca, uint8_t cb,
                                            uint8_t opening) {
  enum { words_at_once = 254 }; /* an even number: see the assembly */
  const uint8_t flags =
      (uint8_t)((ca & acorn128_avr_ca) | (cb & acorn128_avr_cb) |
                (opening & acorn128_avr_opening) |
                (input != NULL ? acorn128_avr_input : 0) |
                (output != NULL ? acorn128_avr_output : 0));
  while (size >= acorn128_step_bytes) {
    const size_t whole = size / acorn128_step_bytes;
    const uint8_t words =
        (uint8_t)(whole < words_at_once ? whole : words_at_once);
    const size_t done = (size_t)words * acorn128_step_bytes;
    samara_acorn128_avr_clocks(s->blocks, output, input, words, flags);
    input = input == NULL ? NULL : input + done;
    output = output == NULL ? NULL : output + done;
    size -= done;
  }
  if (size != 0) {
    acorn128_part(s, output, input, (uint8_t)size, flags);
  }
}

#endif

#endif
