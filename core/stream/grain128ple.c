/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/grain128ple.h>

#include "arch/msp430/grain128_msp430.h"
#include "common/bytes.h"
#include "common/stack.h"
#include "common/wiped.h"
#include "stream/grain128_generator.h"
#include <samara/memory.h>

enum { ple_stack = SAMARA_STACK_BYTES(144, 288, 144, 384) };

SAMARA_NOT_INLINED static void
ple_bare_init(samara_grain128ple *state,
              const uint8_t key[samara_grain128ple_key_size],
              const uint8_t nonce[samara_grain128ple_nonce_size]) {
  samara_grain128_init(&state->generator, key, nonce);
  /* The clocks that fill the authenticator of Grain-128AEAD. */
  for (unsigned i = 0; i < 128 / 32; i++) {
    (void)samara_grain128_next(&state->generator);
  }
  state->pending = 0;
  state->pending_bits = 0;
}

void samara_grain128ple_init(
    samara_grain128ple *state, const uint8_t key[samara_grain128ple_key_size],
    const uint8_t nonce[samara_grain128ple_nonce_size]) {
  ple_bare_init(state, key, nonce);
  samara_wipe_stack(ple_stack);
}

/* The next `count` (1 to 32) keystream bits, in the low bits of the word. */
static uint32_t ple_take_bits(samara_grain128ple *state, unsigned count) {
  uint32_t bits = state->pending;
  unsigned available = state->pending_bits;
  if (available == 0 && count == 32) {
    /* Without the shifts, which take small machines a bit at a time. */
    return samara_grain128_next(&state->generator);
  }
  if (available < count) {
    const uint32_t fresh = samara_grain128_next(&state->generator);
    const unsigned used = count - available; /* of the fresh ones, 1 to 32 */
    bits |= fresh << available;
    state->pending = used < 32 ? fresh >> used : 0;
    state->pending_bits = (uint8_t)(32 - used);
  } else {
    state->pending = count < 32 ? bits >> count : 0;
    state->pending_bits = (uint8_t)(available - count);
  }
  return count < 32 ? bits & (((uint32_t)1 << count) - 1) : bits;
}

SAMARA_NOT_INLINED static void ple_bare_skip(samara_grain128ple *state,
                                             uint64_t bit_count) {
  for (; bit_count >= 32; bit_count -= 32) {
    (void)ple_take_bits(state, 32);
  }
  if (bit_count != 0) {
    (void)ple_take_bits(state, (unsigned)bit_count);
  }
}

void samara_grain128ple_skip(samara_grain128ple *state, uint64_t bit_count) {
  ple_bare_skip(state, bit_count);
  samara_wipe_stack(ple_stack);
}

#if SAMARA_ARCH_MSP430_GRAIN
/* Adds the keystream to whole words of 16 bits, up to 16 at a time, and returns
 * the number of bits: none if bits are pending. */
static size_t ple_xor_words(samara_grain128ple *state, uint8_t *bits,
                            size_t bit_count) {
  uint16_t words[16];
  const size_t rest = bit_count % 16;
  if (state->pending_bits != 0) {
    return 0;
  }
  for (size_t size = bit_count / 16; size != 0;) {
    const unsigned count = size < 16 ? (unsigned)size : 16;
    samara_grain128_msp430_clocks(&state->generator, words, count);
    samara_xor_bytes(bits, bits, (const uint8_t *)words, 2 * (size_t)count);
    bits += 2 * count;
    size -= count;
  }
  return bit_count - rest;
}
#endif

SAMARA_NOT_INLINED static void ple_bare_keystream(samara_grain128ple *state,
                                                  uint8_t *keystream,
                                                  size_t bit_count) {
#if SAMARA_ARCH_MSP430_GRAIN
  samara_zero_bytes(keystream, bit_count / 8);
  const size_t done = ple_xor_words(state, keystream, bit_count);
  keystream += done / 8;
  bit_count -= done;
#endif
  for (; bit_count >= 32; bit_count -= 32) {
    samara_store32_le(keystream, ple_take_bits(state, 32));
    keystream += 4;
  }
  for (; bit_count >= 8; bit_count -= 8) {
    *keystream++ = (uint8_t)ple_take_bits(state, 8);
  }
  if (bit_count != 0) {
    *keystream = (uint8_t)ple_take_bits(state, (unsigned)bit_count);
  }
}

void samara_grain128ple_keystream(samara_grain128ple *state, uint8_t *keystream,
                                  size_t bit_count) {
  ple_bare_keystream(state, keystream, bit_count);
  samara_wipe_stack(ple_stack);
}

SAMARA_NOT_INLINED static void ple_bare_xor(samara_grain128ple *state,
                                            uint8_t *bits, size_t bit_offset,
                                            size_t bit_count) {
  if (bit_count == 0) {
    return; /* `bits` may be a null pointer, which takes no offset */
  }
  bits += bit_offset / 8;
  const unsigned head_offset = (unsigned)(bit_offset % 8);
  if (head_offset != 0) {
    const unsigned room = 8 - head_offset;
    const unsigned head = bit_count < room ? (unsigned)bit_count : room;
    *bits ^= (uint8_t)(ple_take_bits(state, head) << head_offset);
    bits++;
    bit_count -= head;
  }
#if SAMARA_ARCH_MSP430_GRAIN
  const size_t done = ple_xor_words(state, bits, bit_count);
  bits += done / 8;
  bit_count -= done;
#endif
  for (; bit_count >= 32; bit_count -= 32) {
    samara_store32_le(bits, samara_load32_le(bits) ^ ple_take_bits(state, 32));
    bits += 4;
  }
  for (; bit_count >= 8; bit_count -= 8) {
    *bits ^= (uint8_t)ple_take_bits(state, 8);
    bits++;
  }
  if (bit_count != 0) {
    *bits ^= (uint8_t)ple_take_bits(state, (unsigned)bit_count);
  }
}

void samara_grain128ple_xor(samara_grain128ple *state, uint8_t *bits,
                            size_t bit_offset, size_t bit_count) {
  ple_bare_xor(state, bits, bit_offset, bit_count);
  samara_wipe_stack(ple_stack);
}

/* `value`, or -value where the low bit of `bits` is set, cut off at the highest
 * value of the type: negating the lowest gives highest + 1. */
SAMARA_INLINE int32_t ple_flip(int32_t value, uint32_t bits, int32_t highest) {
  const int32_t sign = -(int32_t)(bits & 1);
  const int32_t flipped = (value ^ sign) - sign;
  const int32_t beyond = (int32_t)((uint32_t)(highest - flipped) >> 31);
  return flipped - beyond;
}

/* Flips the sign bit (IEEE 754 binary32), without floating-point arithmetic. */
SAMARA_INLINE float ple_flip_float32(float value, uint32_t bits) {
  union {
    float number;
    uint32_t pattern;
  } word = {.number = value};
  word.pattern ^= bits << 31;
  return word.number;
}

/* The three functions that flip soft values differ in `flipped` alone: one
 * value, given `value` and the keystream in the low bits of `bits`. */
#define PLE_DEFINE_FLIP(name, type, flipped)                                   \
  SAMARA_NOT_INLINED static void ple_bare_##name(samara_grain128ple *state,    \
                                                 type *values, size_t count) { \
    while (count != 0) {                                                       \
      const unsigned part = count < 32 ? (unsigned)count : 32;                 \
      uint32_t bits = ple_take_bits(state, part);                              \
      for (unsigned i = 0; i < part; i++, bits >>= 1) {                        \
        const type value = values[i];                                          \
        values[i] = (flipped);                                                 \
      }                                                                        \
      values += part;                                                          \
      count -= part;                                                           \
    }                                                                          \
  }                                                                            \
  void samara_grain128ple_##name(samara_grain128ple *state, type *values,      \
                                 size_t count) {                               \
    ple_bare_##name(state, values, count);                                     \
    samara_wipe_stack(ple_stack);                                              \
  }

PLE_DEFINE_FLIP(flip_int8, int8_t, (int8_t)ple_flip(value, bits, INT8_MAX))
PLE_DEFINE_FLIP(flip_int16, int16_t, (int16_t)ple_flip(value, bits, INT16_MAX))
PLE_DEFINE_FLIP(flip_float32, float, ple_flip_float32(value, bits))

void samara_grain128ple_wipe(samara_grain128ple *state) {
  samara_wipe(state, sizeof *state);
}
