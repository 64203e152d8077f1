/* SPDX-License-Identifier: Apache-2.0 */
#include "aead/grain128aead_word.h"

#include "aead/define.h"
#include "common/bytes.h"
#include "common/overlap.h"
#include "common/secret.h"
#include "common/stack.h"
#include "common/wiped.h"
#include "stream/grain128_generator.h"
#include <samara/memory.h>

/* After start-up the pre-output bits come in pairs, one pair for each bit that
 * is authenticated: the even bit encrypts it, the odd one enters the register
 * of the authenticator (specification, section 2.3). */

enum {
  grain128aead_stack =
      SAMARA_STACK_BYTES(SAMARA_ARCH_AVR_GRAIN ? 80 : 144, 256, 320, 512)
};

enum {
  grain128aead_stage_none = 0,
  grain128aead_stage_sealing = 1,
  grain128aead_stage_opening = 2
};

/* Bits 0, 2, ..., 30 of a word side by side in `even`, the others in `odd`. */
typedef struct grain128aead_halves {
  uint16_t even;
  uint16_t odd;
} grain128aead_halves;

#if SAMARA_ARCH_AVR_GRAIN

SAMARA_INLINE grain128aead_halves grain128aead_split(uint32_t word) {
  const uint32_t halves = samara_grain128aead_avr_split(word);
  const grain128aead_halves result = {(uint16_t)halves,
                                      (uint16_t)(halves >> 16)};
  return result;
}

#else

SAMARA_INLINE_IF_LARGE uint32_t grain128aead_even_bits(uint32_t word) {
  word &= 0x55555555;
  word = (word | word >> 1) & 0x33333333;
  word = (word | word >> 2) & 0x0f0f0f0f;
  word = (word | word >> 4) & 0x00ff00ff;
  return (word | word >> 8) & 0x0000ffff;
}

SAMARA_INLINE grain128aead_halves grain128aead_split(uint32_t word) {
  const grain128aead_halves result = {
      (uint16_t)grain128aead_even_bits(word),
      (uint16_t)grain128aead_even_bits(word >> 1)};
  return result;
}

#endif

/* Authenticates the low `count` bits of `bits`: for each that is 1 the register
 * is added to the accumulator; then the register moves on by one bit of
 * `fresh`. */
SAMARA_INLINE_IF_LARGE void
grain128aead_authenticate(samara_grain128aead *state, uint32_t bits,
                          uint32_t fresh, unsigned count) {
#if SAMARA_ARCH_AVR_GRAIN
  samara_grain128aead_avr_authenticate(state->accumulator, bits, fresh,
                                       (uint8_t)(count / 8));
#elif SAMARA_WORD_BITS == 64
  uint64_t sum = 0;
  uint64_t shifted = state->authenticator[0] | (uint64_t)state->authenticator[1]
                                                   << 32;
  for (unsigned i = 0; i < count; i++) {
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
  for (unsigned i = 0; i < count; i++, bits >>= 1, fresh >>= 1) {
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

SAMARA_INLINE void grain128aead_authenticate_word(samara_grain128aead *state,
                                                  uint32_t bits,
                                                  uint32_t fresh) {
#if SAMARA_ARCH_X86_64
  if (__builtin_cpu_supports("pclmul")) {
    samara_grain128aead_word_x86_64(state, bits, fresh);
    return;
  }
#endif
  grain128aead_authenticate(state, bits, fresh, 32);
}

/* The 16 pre-output bits of the next byte. A step makes 32: the second half
 * waits in `pending`. */
static uint32_t grain128aead_next_byte_pairs(samara_grain128aead *state) {
  if (state->pending_bytes != 0) {
    state->pending_bytes = 0;
    return state->pending;
  }
  const uint32_t word = samara_grain128_next(&state->generator);
  state->pending = (uint16_t)(word >> 16);
  state->pending_bytes = 1;
  return word & 0xffff;
}

static void grain128aead_authenticate_byte(samara_grain128aead *state,
                                           uint8_t byte) {
  grain128aead_authenticate(
      state, byte, grain128aead_split(grain128aead_next_byte_pairs(state)).odd,
      8);
}

static uint8_t grain128aead_crypt_byte(samara_grain128aead *state,
                                       uint8_t input, bool opening) {
  const grain128aead_halves bits =
      grain128aead_split(grain128aead_next_byte_pairs(state));
  const uint8_t output = (uint8_t)(input ^ bits.even);
  grain128aead_authenticate(state, opening ? output : input, bits.odd, 8);
  return output;
}

/* Four bytes from two steps of the generator, with none of them pending. */
SAMARA_INLINE void grain128aead_crypt_word(samara_grain128aead *state,
                                           uint8_t output[4],
                                           const uint8_t input[4],
                                           bool opening) {
  const grain128aead_halves first =
      grain128aead_split(samara_grain128_next(&state->generator));
  const grain128aead_halves second =
      grain128aead_split(samara_grain128_next(&state->generator));
  const uint32_t even = first.even | (uint32_t)second.even << 16;
  const uint32_t odd = first.odd | (uint32_t)second.odd << 16;
  const uint32_t in = samara_load32_le(input);
  const uint32_t out = in ^ even;
  grain128aead_authenticate_word(state, opening ? out : in, odd);
  samara_store32_le(output, out);
}

SAMARA_INLINE_IF_LARGE void grain128aead_crypt(samara_grain128aead *state,
                                               uint8_t *output,
                                               const uint8_t *input,
                                               size_t size, bool opening) {
  if (state->pending_bytes != 0 && size != 0) {
    *output++ = grain128aead_crypt_byte(state, *input++, opening);
    size--;
  }
  for (; size >= 4; size -= 4) {
    grain128aead_crypt_word(state, output, input, opening);
    output += 4;
    input += 4;
  }
  for (; size != 0; size--) {
    *output++ = grain128aead_crypt_byte(state, *input++, opening);
  }
}

/* These two and the start are calls of their own, so that what compilers keep
 * beside the state lies below the stack of the public calls. */
SAMARA_NOT_INLINED static void grain128aead_encrypt(samara_grain128aead *state,
                                                    uint8_t *output,
                                                    const uint8_t *input,
                                                    size_t size) {
  grain128aead_crypt(state, output, input, size, false);
}

SAMARA_NOT_INLINED static void grain128aead_decrypt(samara_grain128aead *state,
                                                    uint8_t *output,
                                                    const uint8_t *input,
                                                    size_t size) {
  grain128aead_crypt(state, output, input, size, true);
}

/* The length of the associated data, as DER encodes lengths: one byte below
 * 128; otherwise 128 plus the number of bytes that follow, highest first. */
static void grain128aead_authenticate_length(samara_grain128aead *state,
                                             size_t length) {
  if (length < 128) {
    grain128aead_authenticate_byte(state, (uint8_t)length);
    return;
  }
  unsigned bytes = 1;
  for (size_t rest = length >> 8; rest != 0; rest >>= 8) {
    bytes++;
  }
  grain128aead_authenticate_byte(state, (uint8_t)(128 + bytes));
  while (bytes-- != 0) {
    grain128aead_authenticate_byte(state, (uint8_t)(length >> (8 * bytes)));
  }
}

/* Registers and authenticator, and the length that precedes the data. */
SAMARA_NOT_INLINED static void
grain128aead_begin(samara_grain128aead *state,
                   const uint8_t key[samara_grain128aead_key_size],
                   const uint8_t nonce[samara_grain128aead_nonce_size],
                   size_t associated_data_size) {
  samara_grain128_init(&state->generator, key, nonce);
  for (unsigned i = 0; i < 2; i++) {
    state->accumulator[i] = samara_grain128_next(&state->generator);
  }
  for (unsigned i = 0; i < 2; i++) {
    state->authenticator[i] = samara_grain128_next(&state->generator);
  }
  state->pending = 0;
  state->pending_bytes = 0;
  grain128aead_authenticate_length(state, associated_data_size);
}

SAMARA_NOT_INLINED static void
grain128aead_absorb(samara_grain128aead *state, const uint8_t *associated_data,
                    size_t associated_data_size) {
  for (size_t i = 0; i < associated_data_size; i++) {
    grain128aead_authenticate_byte(state, associated_data[i]);
  }
}

static void grain128aead_start(
    samara_grain128aead *state, const uint8_t key[samara_grain128aead_key_size],
    const uint8_t nonce[samara_grain128aead_nonce_size],
    const uint8_t *associated_data, size_t associated_data_size) {
  grain128aead_begin(state, key, nonce, associated_data_size);
  grain128aead_absorb(state, associated_data, associated_data_size);
}

/* A last authenticated bit, a 1, ends the message. */
SAMARA_NOT_INLINED static void
grain128aead_finish(samara_grain128aead *state,
                    uint8_t tag[samara_grain128aead_tag_size]) {
  samara_store32_le(tag, state->accumulator[0] ^ state->authenticator[0]);
  samara_store32_le(tag + 4, state->accumulator[1] ^ state->authenticator[1]);
}

void samara_grain128aead_wipe(samara_grain128aead *state) {
  samara_wipe(state, sizeof *state);
}

void samara_grain128aead_seal_init(
    samara_grain128aead *state, const uint8_t key[samara_grain128aead_key_size],
    const uint8_t nonce[samara_grain128aead_nonce_size],
    const uint8_t *associated_data, size_t associated_data_size) {
  grain128aead_start(state, key, nonce, associated_data, associated_data_size);
  state->stage = grain128aead_stage_sealing;
  samara_wipe_stack(grain128aead_stack);
}

samara_result samara_grain128aead_seal_update(samara_grain128aead *state,
                                              uint8_t *ciphertext,
                                              const uint8_t *message,
                                              size_t size) {
  if (state->stage != grain128aead_stage_sealing) {
    return SAMARA_ERROR_STATE;
  }
  if (samara_overlaps(ciphertext, size, message, size)) {
    return SAMARA_ERROR_OVERLAP;
  }
  grain128aead_encrypt(state, ciphertext, message, size);
  return samara_leave(SAMARA_OK, grain128aead_stack);
}

samara_result
samara_grain128aead_seal_finish(samara_grain128aead *state,
                                uint8_t tag[samara_grain128aead_tag_size]) {
  if (state->stage != grain128aead_stage_sealing) {
    return SAMARA_ERROR_STATE;
  }
  grain128aead_finish(state, tag);
  samara_grain128aead_wipe(state);
  return samara_leave(SAMARA_OK, grain128aead_stack);
}

void samara_grain128aead_unverified_open_init(
    samara_grain128aead *state, const uint8_t key[samara_grain128aead_key_size],
    const uint8_t nonce[samara_grain128aead_nonce_size],
    const uint8_t *associated_data, size_t associated_data_size) {
  grain128aead_start(state, key, nonce, associated_data, associated_data_size);
  state->stage = grain128aead_stage_opening;
  samara_wipe_stack(grain128aead_stack);
}

samara_result samara_grain128aead_unverified_open_update(
    samara_grain128aead *state, uint8_t *message, const uint8_t *ciphertext,
    size_t size) {
  if (state->stage != grain128aead_stage_opening) {
    return SAMARA_ERROR_STATE;
  }
  if (samara_overlaps(message, size, ciphertext, size)) {
    return SAMARA_ERROR_OVERLAP;
  }
  grain128aead_decrypt(state, message, ciphertext, size);
  return samara_leave(SAMARA_OK, grain128aead_stack);
}

samara_result samara_grain128aead_unverified_open_finish(
    samara_grain128aead *state,
    const uint8_t tag[samara_grain128aead_tag_size]) {
  if (state->stage != grain128aead_stage_opening) {
    return SAMARA_ERROR_STATE;
  }
  uint8_t expected[samara_grain128aead_tag_size];
  SAMARA_WIPED(expected);
  grain128aead_finish(state, expected);
  samara_grain128aead_wipe(state);
  const bool genuine = samara_equal(expected, tag, sizeof expected);
  return samara_leave(genuine ? SAMARA_OK : SAMARA_ERROR_AUTHENTICATION,
                      grain128aead_stack);
}

samara_result samara_grain128aead_seal(
    const uint8_t key[samara_grain128aead_key_size], uint8_t *ciphertext,
    uint8_t tag[samara_grain128aead_tag_size],
    const uint8_t nonce[samara_grain128aead_nonce_size],
    const uint8_t *associated_data, size_t associated_data_size,
    const uint8_t *message, size_t message_size) {
  if (samara_overlaps(ciphertext, message_size, message, message_size)) {
    return SAMARA_ERROR_OVERLAP;
  }
  samara_grain128aead state;
  SAMARA_WIPED(state);
  grain128aead_start(&state, key, nonce, associated_data, associated_data_size);
  grain128aead_encrypt(&state, ciphertext, message, message_size);
  grain128aead_finish(&state, tag);
  return samara_leave(SAMARA_OK, grain128aead_stack);
}

samara_result samara_grain128aead_open(
    const uint8_t key[samara_grain128aead_key_size], uint8_t *message,
    const uint8_t tag[samara_grain128aead_tag_size],
    const uint8_t nonce[samara_grain128aead_nonce_size],
    const uint8_t *associated_data, size_t associated_data_size,
    const uint8_t *ciphertext, size_t ciphertext_size) {
  return samara_grain128aead_open_truncated(
      key, message, tag, samara_grain128aead_tag_size, nonce, associated_data,
      associated_data_size, ciphertext, ciphertext_size);
}

/* Whether a tag may have this size: 0 for encryption alone. */
static bool grain128aead_has_tag_size(size_t tag_size) {
  return tag_size == 0 || (tag_size >= samara_grain128aead_tag_size_min &&
                           tag_size <= samara_grain128aead_tag_size);
}

/* All but the checks and the start, which differ. */
static samara_result grain128aead_seal_started(samara_grain128aead *state,
                                               uint8_t *ciphertext,
                                               uint8_t *tag, size_t tag_size,
                                               const uint8_t *message,
                                               size_t message_size) {
  uint8_t whole[samara_grain128aead_tag_size];
  SAMARA_WIPED(whole);
  grain128aead_encrypt(state, ciphertext, message, message_size);
  grain128aead_finish(state, whole);
  for (size_t i = 0; i < tag_size && i < sizeof whole; i++) {
    tag[i] = whole[i];
  }
  return samara_leave(SAMARA_OK, grain128aead_stack);
}

static samara_result
grain128aead_open_started(samara_grain128aead *state, uint8_t *message,
                          const uint8_t *tag, size_t tag_size,
                          const uint8_t *ciphertext, size_t ciphertext_size) {
  uint8_t expected[samara_grain128aead_tag_size];
  SAMARA_WIPED(expected);
  grain128aead_decrypt(state, message, ciphertext, ciphertext_size);
  grain128aead_finish(state, expected);
  const bool genuine = samara_equal(expected, tag, tag_size);
  if (!genuine) {
    samara_wipe(message, ciphertext_size);
  }
  return samara_leave(genuine ? SAMARA_OK : SAMARA_ERROR_AUTHENTICATION,
                      grain128aead_stack);
}

samara_result samara_grain128aead_seal_truncated(
    const uint8_t key[samara_grain128aead_key_size], uint8_t *ciphertext,
    uint8_t *tag, size_t tag_size,
    const uint8_t nonce[samara_grain128aead_nonce_size],
    const uint8_t *associated_data, size_t associated_data_size,
    const uint8_t *message, size_t message_size) {
  if (!grain128aead_has_tag_size(tag_size)) {
    return SAMARA_ERROR_TAG_SIZE;
  }
  if (samara_overlaps(ciphertext, message_size, message, message_size)) {
    return SAMARA_ERROR_OVERLAP;
  }
  samara_grain128aead state;
  SAMARA_WIPED(state);
  grain128aead_start(&state, key, nonce, associated_data, associated_data_size);
  return grain128aead_seal_started(&state, ciphertext, tag, tag_size, message,
                                   message_size);
}

samara_result samara_grain128aead_open_truncated(
    const uint8_t key[samara_grain128aead_key_size], uint8_t *message,
    const uint8_t *tag, size_t tag_size,
    const uint8_t nonce[samara_grain128aead_nonce_size],
    const uint8_t *associated_data, size_t associated_data_size,
    const uint8_t *ciphertext, size_t ciphertext_size) {
  if (!grain128aead_has_tag_size(tag_size)) {
    return SAMARA_ERROR_TAG_SIZE;
  }
  if (samara_overlaps(message, ciphertext_size, ciphertext, ciphertext_size)) {
    return SAMARA_ERROR_OVERLAP;
  }
  samara_grain128aead state;
  SAMARA_WIPED(state);
  grain128aead_start(&state, key, nonce, associated_data, associated_data_size);
  return grain128aead_open_started(&state, message, tag, tag_size, ciphertext,
                                   ciphertext_size);
}

/* Frames: the level, the last byte of a frame's nonce, goes in front of the
 * associated data. It need not lie there in memory, so a frame is its own
 * associated data and no copy is made. */
static void grain128aead_start_frame(
    samara_grain128aead *state, const uint8_t key[samara_grain128aead_key_size],
    const uint8_t nonce[samara_ieee802154_nonce_size],
    const uint8_t *associated_data, size_t associated_data_size) {
  grain128aead_begin(state, key, nonce, 1 + associated_data_size);
  grain128aead_absorb(state, nonce + samara_grain128aead_nonce_size, 1);
  grain128aead_absorb(state, associated_data, associated_data_size);
}

static samara_result grain128aead_frame_seal(const uint8_t *key, uint8_t *mic,
                                             size_t mic_size,
                                             const uint8_t *nonce,
                                             const uint8_t *associated_data,
                                             size_t associated_data_size,
                                             uint8_t *text, size_t text_size) {
  samara_grain128aead state;
  SAMARA_WIPED(state);
  grain128aead_start_frame(&state, key, nonce, associated_data,
                           associated_data_size);
  return grain128aead_seal_started(&state, text, mic, mic_size, text,
                                   text_size);
}

static samara_result
grain128aead_frame_open(const uint8_t *key, const uint8_t *mic, size_t mic_size,
                        const uint8_t *nonce, const uint8_t *associated_data,
                        size_t associated_data_size, uint8_t *text,
                        size_t text_size) {
  samara_grain128aead state;
  SAMARA_WIPED(state);
  grain128aead_start_frame(&state, key, nonce, associated_data,
                           associated_data_size);
  return grain128aead_open_started(&state, text, mic, mic_size, text,
                                   text_size);
}

const samara_ieee802154_cipher samara_ieee802154_grain128aead = {
    samara_grain128aead_key_size, samara_grain128aead_tag_size, false,
    grain128aead_frame_seal, grain128aead_frame_open};

SAMARA_DEFINE_AEAD(grain128aead)
