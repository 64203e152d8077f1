/* SPDX-License-Identifier: Apache-2.0 */
#include "aead/grain128aead_work.h"

#include "aead/grain128aead_bulk.h"
#include "aead/grain128aead_word.h"
#include "arch/x86_64/cpu.h"
#include "common/bytes.h"
#include "common/secret.h"
#include "stream/grain128_generator.h"

#if !SAMARA_ARCH_GRAIN128AEAD

/* After start-up the pre-output bits come in pairs, one pair for each bit that
 * is authenticated: the even bit encrypts it, the odd one enters the register
 * of the authenticator (specification, section 2.3). */

#if SAMARA_WORD_BITS == 32 && !defined(__AVR__)

/* Exchanges the bits `low` of `b` with those of `a` that are `shift` above. */
SAMARA_INLINE void grain128aead_exchange(uint32_t *a, uint32_t *b,
                                         unsigned shift, uint32_t low) {
  const uint32_t difference = (*a >> shift ^ *b) & low;
  *b ^= difference;
  *a ^= difference << shift;
}

/* The even bits of two words side by side, and the odd ones.
 *
 * A bit's number has five digits, and its word's number is a sixth. Each
 * exchange makes two of the six change places; all of them bring the lowest
 * digit to the word and move the others down by one. */
SAMARA_INLINE void grain128aead_split(uint32_t *even, uint32_t *odd,
                                      uint32_t low, uint32_t high) {
  grain128aead_exchange(&low, &high, 16, 0x0000ffff);
  grain128aead_exchange(&low, &high, 8, 0x00ff00ff);
  grain128aead_exchange(&low, &high, 4, 0x0f0f0f0f);
  grain128aead_exchange(&low, &high, 2, 0x33333333);
  grain128aead_exchange(&low, &high, 1, 0x55555555);
  *even = low;
  *odd = high;
}

#else

/* Bits 0, 2, ..., 30 side by side. */
SAMARA_INLINE_IF_LARGE uint32_t grain128aead_even_bits(uint32_t word) {
  word &= 0x55555555;
  word = (word | word >> 1) & 0x33333333;
  word = (word | word >> 2) & 0x0f0f0f0f;
  word = (word | word >> 4) & 0x00ff00ff;
  return (word | word >> 8) & 0x0000ffff;
}

/* The even bits of two words side by side, and the odd ones. */
SAMARA_INLINE void grain128aead_split(uint32_t *even, uint32_t *odd,
                                      uint32_t low, uint32_t high) {
  *even = grain128aead_even_bits(low) | grain128aead_even_bits(high) << 16;
  *odd = grain128aead_even_bits(low >> 1) | grain128aead_even_bits(high >> 1)
                                                << 16;
}

#endif

/* Authenticates 32 bits: for each that is 1 the register is added to the
 * accumulator; then the register moves on by one bit of `fresh`. */
SAMARA_INLINE_IF_LARGE void
grain128aead_authenticate(samara_grain128aead *state, uint32_t bits,
                          uint32_t fresh) {
#if SAMARA_ARCH_X86_64
  /* Without a call, which would leave words of the message on the stack. */
  if ((SAMARA_X86_64_SETS & SAMARA_X86_64_AES) != 0 &&
      __builtin_cpu_supports("pclmul")) {
    samara_grain128aead_word_x86_64(state, bits, fresh);
    return;
  }
#endif
#if SAMARA_ARCH_ARMV7M
  samara_grain128aead_armv7m_authenticate(state->accumulator, bits, fresh);
#elif SAMARA_ARCH_RV32
  samara_grain128aead_rv32_authenticate(state->accumulator, bits, fresh);
#elif SAMARA_WORD_BITS == 64
  uint64_t sum = 0;
  uint64_t shifted = state->authenticator[0] | (uint64_t)state->authenticator[1]
                                                   << 32;
  for (unsigned i = 0; i < 32; i++) {
    const uint64_t mask = (uint64_t)0 - (bits >> i & 1);
    sum ^= shifted & mask;
    shifted = shifted >> 1 | (uint64_t)(fresh >> i & 1) << 63;
  }
  state->accumulator[0] ^= (uint32_t)sum;
  state->accumulator[1] ^= (uint32_t)(sum >> 32);
  state->authenticator[0] = (uint32_t)shifted;
  state->authenticator[1] = (uint32_t)(shifted >> 32);
#else
  uint32_t low = state->authenticator[0];
  uint32_t high = state->authenticator[1];
  for (unsigned i = 0; i < 32; i++, bits >>= 1, fresh >>= 1) {
    const uint32_t mask = samara_mask32(bits);
    state->accumulator[0] ^= low & mask;
    state->accumulator[1] ^= high & mask;
    low = low >> 1 | high << 31;
    high = high >> 1 | fresh << 31;
  }
  state->authenticator[0] = low;
  state->authenticator[1] = high;
#endif
}

/* The pre-output bits of the next word. */
SAMARA_INLINE_IF_LARGE void grain128aead_next_word(samara_grain128aead *state) {
  const uint32_t low = samara_grain128_next(&state->generator);
  const uint32_t high = samara_grain128_next(&state->generator);
  grain128aead_split(&state->even, &state->odd, low, high);
}

/* One byte: `text` and `even` move on by a byte each time. */
static uint8_t grain128aead_byte(samara_grain128aead *state, uint8_t input,
                                 enum grain128aead_way way) {
  if (state->used == 0) {
    grain128aead_next_word(state);
  }
  const uint8_t output = (uint8_t)(input ^ state->even);
  const uint8_t byte = way == grain128aead_opening ? output : input;
  state->text = state->text >> 8 | (uint32_t)byte << 24;
  state->even >>= 8;
  state->used = (uint8_t)((state->used + 1) % 4);
  if (state->used == 0) {
    grain128aead_authenticate(state, state->text, state->odd);
  }
  return output;
}

/* Four bytes, with none of a word used. No output when absorbing. */
SAMARA_INLINE void grain128aead_word(samara_grain128aead *state,
                                     uint8_t output[4], const uint8_t input[4],
                                     enum grain128aead_way way) {
  grain128aead_next_word(state);
  const uint32_t in = samara_load32_le(input);
  const uint32_t out = in ^ state->even;
  grain128aead_authenticate(state, way == grain128aead_opening ? out : in,
                            state->odd);
  if (way != grain128aead_absorbing) {
    samara_store32_le(output, out);
  }
}

SAMARA_INLINE_IF_LARGE void grain128aead_process(samara_grain128aead *state,
                                                 uint8_t *output,
                                                 const uint8_t *input,
                                                 size_t size,
                                                 enum grain128aead_way way) {
  while (size != 0) {
#if SAMARA_WORD_BITS == 64
    if (state->used == 0 && size >= grain128aead_bulk_bytes) {
      const size_t done =
          samara_grain128aead_bulk(0)(state, output, input, size, way);
      samara_wipe_stack(grain128aead_bulk_stack);
      input += done;
      output += way == grain128aead_absorbing ? 0 : done;
      size -= done;
      continue;
    }
#endif
    if (state->used == 0 && size >= 4) {
      grain128aead_word(state, output, input, way);
      input += 4;
      output += way == grain128aead_absorbing ? 0 : 4;
      size -= 4;
      continue;
    }
    const uint8_t byte = grain128aead_byte(state, *input++, way);
    if (way != grain128aead_absorbing) {
      *output++ = byte;
    }
    size--;
  }
}

void samara_grain128aead_absorb(samara_grain128aead *state, const uint8_t *data,
                                size_t size) {
  uint8_t none[1];
  grain128aead_process(state, none, data, size, grain128aead_absorbing);
}

void samara_grain128aead_encrypt(samara_grain128aead *state, uint8_t *output,
                                 const uint8_t *input, size_t size) {
  grain128aead_process(state, output, input, size, grain128aead_sealing);
}

void samara_grain128aead_decrypt(samara_grain128aead *state, uint8_t *output,
                                 const uint8_t *input, size_t size) {
  grain128aead_process(state, output, input, size, grain128aead_opening);
}

/* The length of the associated data, as DER encodes lengths: one byte below
 * 128; otherwise 128 plus the number of bytes that follow, highest first. */
static void grain128aead_absorb_length(samara_grain128aead *state,
                                       size_t length) {
  uint8_t code[1 + sizeof length];
  uint8_t *first = code + sizeof code;
  size_t rest = length;
  do {
    *--first = (uint8_t)rest;
    rest >>= 8;
  } while (rest != 0);
  if (length >= 128) {
    const size_t bytes = (size_t)(code + sizeof code - first);
    *--first = (uint8_t)(128 + bytes);
  }
  samara_grain128aead_absorb(state, first,
                             (size_t)(code + sizeof code - first));
}

void samara_grain128aead_begin(
    samara_grain128aead *state, const uint8_t key[samara_grain128aead_key_size],
    const uint8_t nonce[samara_grain128aead_nonce_size],
    size_t associated_data_size) {
  samara_grain128_init(&state->generator, key, nonce);
  for (unsigned i = 0; i < 2; i++) {
    state->accumulator[i] = samara_grain128_next(&state->generator);
  }
  for (unsigned i = 0; i < 2; i++) {
    state->authenticator[i] = samara_grain128_next(&state->generator);
  }
  state->text = 0;
  state->even = 0;
  state->odd = 0;
  state->used = 0;
  grain128aead_absorb_length(state, associated_data_size);
}

/* A last authenticated bit, a 1, ends the message. Zeros behind it, which add
 * nothing, complete the word. */
void samara_grain128aead_finish(samara_grain128aead *state,
                                uint8_t tag[samara_grain128aead_tag_size]) {
  uint8_t byte = 1;
  do {
    (void)grain128aead_byte(state, byte, grain128aead_absorbing);
    byte = 0;
  } while (state->used != 0);
  samara_store32_le(tag, state->accumulator[0]);
  samara_store32_le(tag + 4, state->accumulator[1]);
}

#endif
