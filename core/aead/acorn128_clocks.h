/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_ACORN128_CLOCKS_H
#define SAMARA_ACORN128_CLOCKS_H

/* The state of ACORN-128 and its clocks, many in one step.
 *
 * acorn128_run(state, output, input, size, ca, cb, opening) does 8 clocks for
 * each byte of the input, or of zeros where that is NULL. The others are all
 * ones or 0: the control bits ca and cb; whether the input is ciphertext, of
 * which the state takes in the message. The output, unless it is NULL, is the
 * input + keystream.
 *
 * The 293 bits are six registers in a row and four bits behind them. At each
 * clock bit S61 + ... enters the first register, and so on up to the feedback,
 * which enters the last four bits. No tap lies within 32 bits of where its
 * register is filled, so that up to 32 clocks are one step on words:
 *
 *   register  bits        taps (bit of the state - first bit)
 *   A         S0..S60     0, 12, 23
 *   B         S61..S106   0, 5
 *   C         S107..S153  0, 4
 *   D         S154..S192  0, 6
 *   E         S193..S229  0, 3
 *   F         S230..S288  0, 5, 14
 *   last      S289..S292
 *
 * (Section 1.3.2 of the specification: first the taps are added to S289, S230,
 * S193, S154, S107 and S61, then keystream and feedback are computed.) */

#include "common/bytes.h"
#include "common/stack.h"

#if !SAMARA_ARCH_AVR /* there they are in acorn128_blocks.h */

/* 8 clocks where shifts are slow, 32 elsewhere. */
#if SAMARA_FLASH_TABLES
typedef uint8_t acorn128_word;
#else
typedef uint32_t acorn128_word;
#endif

enum {
  acorn128_a_bits = 61,
  acorn128_b_bits = 46,
  acorn128_c_bits = 47,
  acorn128_d_bits = 39,
  acorn128_e_bits = 37,
  acorn128_f_bits = 59,
  acorn128_last_bits = 4
};

/* What enters each register in a step, and the feedback. */
typedef struct acorn128_step {
  acorn128_word a, b, c, d, e;
  acorn128_word f; /* without the bits of `last` and the feedback */
  acorn128_word feedback;
  acorn128_word keystream;
} acorn128_step;

SAMARA_INLINE acorn128_word acorn128_majority(acorn128_word x, acorn128_word y,
                                              acorn128_word z) {
  return (x & y) ^ ((x ^ y) & z);
}

/* x ? y : z, bit by bit. */
SAMARA_INLINE acorn128_word acorn128_choose(acorn128_word x, acorn128_word y,
                                            acorn128_word z) {
  return z ^ (x & (y ^ z));
}

/* The functions of one step; TAP(s, register, bit) is defined below. */
#define ACORN128_STEP(s, bits, ca, cb, opening)                                \
  acorn128_step step;                                                          \
  {                                                                            \
    const acorn128_word a0 = TAP(s, a, 0);                                     \
    const acorn128_word a23 = TAP(s, a, 23);                                   \
    const acorn128_word b0 = TAP(s, b, 0);                                     \
    const acorn128_word b5 = TAP(s, b, 5);                                     \
    const acorn128_word c0 = TAP(s, c, 0);                                     \
    const acorn128_word c4 = TAP(s, c, 4);                                     \
    const acorn128_word d0 = TAP(s, d, 0);                                     \
    const acorn128_word d6 = TAP(s, d, 6);                                     \
    const acorn128_word e0 = TAP(s, e, 0);                                     \
    const acorn128_word e3 = TAP(s, e, 3);                                     \
    const acorn128_word f0 = TAP(s, f, 0);                                     \
    const acorn128_word f5 = TAP(s, f, 5);                                     \
    step.a = b0 ^ a23 ^ a0;                                                    \
    step.b = c0 ^ b5 ^ b0;                                                     \
    step.c = d0 ^ c4 ^ c0;                                                     \
    step.d = e0 ^ d6 ^ d0;                                                     \
    step.e = f0 ^ e3 ^ e0;                                                     \
    step.f = f5 ^ f0;                                                          \
    const acorn128_word a12 = TAP(s, a, 12);                                   \
    step.keystream = a12 ^ step.c ^ acorn128_majority(f5, step.a, step.d) ^    \
                     acorn128_choose(step.e, c4, b5);                          \
    step.feedback = a0 ^ (acorn128_word)~step.b ^                              \
                    acorn128_majority(TAP(s, f, 14), a23, d6) ^ ((ca) & e3) ^  \
                    ((cb) & step.keystream) ^ (bits) ^                         \
                    ((opening) & step.keystream);                              \
  }

#if SAMARA_FLASH_TABLES

/* Rows of one byte for each register, the oldest clocks first. A step reads the
 * rows from `first` on and adds one behind them, so that nothing moves but the
 * pointer. When there is no room behind them the rows go back to the beginning.
 */
enum {
  acorn128_registers = 6,
  acorn128_rows = 8, /* that hold 61 bits */
  acorn128_steps = 16
};

typedef struct acorn128_state {
  uint8_t rows[acorn128_registers * (acorn128_rows + acorn128_steps)];
  uint8_t *first;
  uint8_t last;
} acorn128_state;

enum { acorn128_a, acorn128_b, acorn128_c, acorn128_d, acorn128_e, acorn128_f };

SAMARA_INLINE void acorn128_clear(acorn128_state *s) {
  samara_zero_bytes(s->rows, sizeof s->rows);
  s->first = s->rows;
  s->last = 0;
}

#define ACORN128_BYTE(first, name, bit)                                        \
  (first)[(bit) / 8 * acorn128_registers + acorn128_##name]
#define TAP(first, name, bit)                                                  \
  ((bit) % 8 == 0                                                              \
       ? ACORN128_BYTE(first, name, bit)                                       \
       : (uint8_t)(ACORN128_BYTE(first, name, bit) >> (bit) % 8 |              \
                   ACORN128_BYTE(first, name, (bit) + 8) << (8 - (bit) % 8)))

/* Adds 8 bits behind those of a register, which end within a byte. */
#define ACORN128_ENTER(first, name, word)                                      \
  do {                                                                         \
    enum { at = acorn128_##name##_bits };                                      \
    const uint8_t entering = (word);                                           \
    ACORN128_BYTE(first, name, at) |= (uint8_t)(entering << at % 8);           \
    ACORN128_BYTE(first, name, at + 8) = (uint8_t)(entering >> (8 - at % 8));  \
  } while (0)

/* The place of the rows is not kept in the state while they are changed: the
 * compiler would read it again after each byte, which might be a part of it. */
SAMARA_NOT_INLINED static void acorn128_run(acorn128_state *s, uint8_t *output,
                                            const uint8_t *input, size_t size,
                                            uint8_t ca, uint8_t cb,
                                            uint8_t opening) {
  uint8_t *first = s->first;
  uint8_t last = s->last;
  for (; size != 0; size--) {
    const uint8_t bits = input == NULL ? 0 : *input++;
    ACORN128_STEP(first, bits, ca, cb, opening)
    ACORN128_ENTER(first, a, step.a);
    ACORN128_ENTER(first, b, step.b);
    ACORN128_ENTER(first, c, step.c);
    ACORN128_ENTER(first, d, step.d);
    ACORN128_ENTER(first, e, step.e);
    ACORN128_ENTER(first, f,
                   step.f ^ last ^
                       (uint8_t)(step.feedback << acorn128_last_bits));
    last = step.feedback >> (8 - acorn128_last_bits);
    if (output != NULL) {
      *output++ = bits ^ step.keystream;
    }
    first += acorn128_registers;
    if (first == s->rows + acorn128_registers * acorn128_steps) {
      for (unsigned i = 0; i < acorn128_registers * acorn128_rows; i++) {
        s->rows[i] = *first++;
      }
      first = s->rows;
    }
  }
  s->first = first;
  s->last = last;
}

#undef ACORN128_ENTER
#undef ACORN128_BYTE

#else

/* A word for each register, its oldest bit the lowest. */
typedef struct acorn128_state {
  uint64_t a, b, c, d, e, f;
  uint32_t last;
} acorn128_state;

SAMARA_INLINE void acorn128_clear(acorn128_state *s) {
  *s = (acorn128_state){0};
}

#define TAP(s, name, bit) ((uint32_t)((s)->name >> (bit)))

/* `clocks` bits, of which the word may have more, behind those of a register.
 */
#define ACORN128_ENTER(s, name, word, clocks)                                  \
  (s)->name = (s)->name >> (clocks) |                                          \
              ((uint64_t)(word) & (((uint64_t)1 << (clocks)) - 1))             \
                  << (acorn128_##name##_bits - (clocks))

/* Returns the keystream. */
SAMARA_INLINE uint32_t acorn128_clock(acorn128_state *s, uint32_t bits,
                                      uint32_t ca, uint32_t cb,
                                      uint32_t opening, unsigned clocks) {
  ACORN128_STEP(s, bits, ca, cb, opening)
  const uint64_t feedback =
      (uint64_t)step.feedback << (64 - clocks) >> (64 - clocks);
  const uint64_t last = s->last | feedback << acorn128_last_bits;
  ACORN128_ENTER(s, a, step.a, clocks);
  ACORN128_ENTER(s, b, step.b, clocks);
  ACORN128_ENTER(s, c, step.c, clocks);
  ACORN128_ENTER(s, d, step.d, clocks);
  ACORN128_ENTER(s, e, step.e, clocks);
  ACORN128_ENTER(s, f, step.f ^ (uint32_t)last, clocks);
  s->last = (uint32_t)(last >> clocks);
  return step.keystream;
}

SAMARA_NOT_INLINED static void acorn128_run(acorn128_state *s, uint8_t *output,
                                            const uint8_t *input, size_t size,
                                            uint32_t ca, uint32_t cb,
                                            uint32_t opening) {
  size_t i = 0;
  for (; size - i >= 4; i += 4) {
    const uint32_t bits = input == NULL ? 0 : samara_load32_le(input + i);
    const uint32_t stream = acorn128_clock(s, bits, ca, cb, opening, 32);
    if (output != NULL) {
      samara_store32_le(output + i, bits ^ stream);
    }
  }
  for (; i < size; i++) {
    const uint8_t bits = input == NULL ? 0 : input[i];
    const uint32_t stream = acorn128_clock(s, bits, ca, cb, opening, 8);
    if (output != NULL) {
      output[i] = (uint8_t)(bits ^ stream);
    }
  }
}

#undef ACORN128_ENTER

#endif

#undef TAP
#undef ACORN128_STEP

#endif

#endif
