/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/ascon_aead128.h>

#include "aead/ascon_bytes.h"
#include "aead/ascon_interleaved.h"
#include "aead/define.h"
#include "arch/x86_64/ascon.h"
#include "common/bytes.h"
#include "common/overlap.h"
#include "common/stack.h"
#include "common/wiped.h"
#include <samara/memory.h>

#if SAMARA_ARCH_AVR
enum { ascon_stack = 64 };
#elif SAMARA_ASCON_INTERLEAVED
enum { ascon_stack = 224 };
#elif SAMARA_ARCH_RV32
enum { ascon_stack = 128 };
#else
#if defined(__riscv) && __riscv_xlen == 32
enum { ascon_stack = 320 };
#else
enum { ascon_stack = SAMARA_STACK_BYTES(240, 320, 256, 512) };
#endif

/* SP 800-232: the state is five 64-bit words, bytes of a word little-endian. */
typedef struct ascon_state {
  uint64_t words[5];
} ascon_state;

enum { ascon_rate = 16 };

#define ASCON_KEY(name, bytes)                                                 \
  uint64_t name[2] = {samara_load64_le(bytes), samara_load64_le((bytes) + 8)}; \
  SAMARA_WIPED(name)

SAMARA_INLINE uint64_t ascon_rotate_right(uint64_t word, unsigned count) {
  return word >> count | word << (64 - count);
}

/* Ascon-p with the last `rounds` of its constants (section 3). */
#if SAMARA_ARCH_MSP430
static void ascon_permute(ascon_state *s, unsigned rounds) {
  samara_ascon_msp430_permute(s->words, rounds == 12 ? 0xf0 : 0xb4);
}
#else
static void ascon_permute(ascon_state *s, unsigned rounds) {
  uint64_t x0 = s->words[0];
  uint64_t x1 = s->words[1];
  uint64_t x2 = s->words[2];
  uint64_t x3 = s->words[3];
  uint64_t x4 = s->words[4];
  for (unsigned i = 12 - rounds; i < 12; i++) {
    /* Constant of round i (3.2): 0xf0, 0xe1, ..., 0x4b. */
    x2 ^= (uint64_t)((0xf - i) << 4 | i);

    /* Substitution layer (3.3): 64 S-boxes side by side. */
    x0 ^= x4;
    x4 ^= x3;
    x2 ^= x1;
    const uint64_t t0 = x0 ^ (~x1 & x2);
    const uint64_t t1 = x1 ^ (~x2 & x3);
    const uint64_t t2 = x2 ^ (~x3 & x4);
    const uint64_t t3 = x3 ^ (~x4 & x0);
    const uint64_t t4 = x4 ^ (~x0 & x1);
    const uint64_t y0 = t0 ^ t4;
    const uint64_t y1 = t1 ^ t0;
    const uint64_t y2 = ~t2;
    const uint64_t y3 = t3 ^ t2;

    /* Linear diffusion layer (3.4). */
    x0 = y0 ^ ascon_rotate_right(y0, 19) ^ ascon_rotate_right(y0, 28);
    x1 = y1 ^ ascon_rotate_right(y1, 61) ^ ascon_rotate_right(y1, 39);
    x2 = y2 ^ ascon_rotate_right(y2, 1) ^ ascon_rotate_right(y2, 6);
    x3 = y3 ^ ascon_rotate_right(y3, 10) ^ ascon_rotate_right(y3, 17);
    x4 = t4 ^ ascon_rotate_right(t4, 7) ^ ascon_rotate_right(t4, 41);
  }
  s->words[0] = x0;
  s->words[1] = x1;
  s->words[2] = x2;
  s->words[3] = x3;
  s->words[4] = x4;
}
#endif

/* Fewer than 8 bytes, with the 1 bit that ends a string behind them. */
static uint64_t ascon_load_padded(const uint8_t *bytes, size_t size) {
  uint64_t word = (uint64_t)1 << (8 * size);
  for (size_t i = 0; i < size; i++) {
    word ^= (uint64_t)bytes[i] << (8 * i);
  }
  return word;
}

/* The last block of a string, fewer than 16 bytes, with its padding. */
static void ascon_absorb_last(ascon_state *s, const uint8_t *bytes,
                              size_t size) {
  if (size >= 8) {
    s->words[0] ^= samara_load64_le(bytes);
    s->words[1] ^= ascon_load_padded(bytes + 8, size - 8);
  } else {
    s->words[0] ^= ascon_load_padded(bytes, size);
  }
}

/* Initialisation (4.1.1): the constant names key, rate and rounds. */
static void ascon_start(ascon_state *s, const uint64_t key[2],
                        const uint8_t nonce[samara_ascon_aead128_nonce_size]) {
  s->words[0] = 0x00001000808c0001;
  s->words[1] = key[0];
  s->words[2] = key[1];
  s->words[3] = samara_load64_le(nonce);
  s->words[4] = samara_load64_le(nonce + 8);
  ascon_permute(s, 12);
  s->words[3] ^= key[0];
  s->words[4] ^= key[1];
}

/* Associated data, then the bit that separates it from the message. */
static void ascon_absorb(ascon_state *s, const uint8_t *data, size_t size) {
  if (size != 0) {
    for (; size >= ascon_rate; size -= ascon_rate) {
      s->words[0] ^= samara_load64_le(data);
      s->words[1] ^= samara_load64_le(data + 8);
      ascon_permute(s, 8);
      data += ascon_rate;
    }
    ascon_absorb_last(s, data, size);
    ascon_permute(s, 8);
  }
  s->words[4] ^= (uint64_t)1 << 63;
}

static void ascon_encrypt(ascon_state *s, uint8_t *output, const uint8_t *input,
                          size_t size) {
  for (; size >= ascon_rate; size -= ascon_rate) {
    for (unsigned i = 0; i < 2; i++) {
      s->words[i] ^= samara_load64_le(input + 8 * i);
      samara_store64_le(output + 8 * i, s->words[i]);
    }
    ascon_permute(s, 8);
    output += ascon_rate;
    input += ascon_rate;
  }
  ascon_absorb_last(s, input, size);
  for (size_t i = 0; i < size; i++) {
    output[i] = (uint8_t)(s->words[i / 8] >> (8 * (i % 8)));
  }
}

static void ascon_decrypt(ascon_state *s, uint8_t *output, const uint8_t *input,
                          size_t size) {
  for (; size >= ascon_rate; size -= ascon_rate) {
    for (unsigned i = 0; i < 2; i++) {
      const uint64_t in = samara_load64_le(input + 8 * i);
      samara_store64_le(output + 8 * i, s->words[i] ^ in);
      s->words[i] = in;
    }
    ascon_permute(s, 8);
    output += ascon_rate;
    input += ascon_rate;
  }
  for (size_t i = 0; i < size; i++) {
    output[i] = input[i] ^ (uint8_t)(s->words[i / 8] >> (8 * (i % 8)));
  }
  ascon_absorb_last(s, output, size);
}

/* Finalisation (4.1.1). */
static void ascon_finish(ascon_state *s, const uint64_t key[2],
                         uint8_t tag[samara_ascon_aead128_tag_size]) {
  s->words[2] ^= key[0];
  s->words[3] ^= key[1];
  ascon_permute(s, 12);
  samara_store64_le(tag, s->words[3] ^ key[0]);
  samara_store64_le(tag + 8, s->words[4] ^ key[1]);
}

#endif

SAMARA_NOT_INLINED static void
ascon_bare_seal(uint8_t *ciphertext, uint8_t tag[samara_ascon_aead128_tag_size],
                const uint8_t key[samara_ascon_aead128_key_size],
                const uint8_t nonce[samara_ascon_aead128_nonce_size],
                const uint8_t *associated_data, size_t associated_data_size,
                const uint8_t *message, size_t message_size) {
#if SAMARA_ARCH_RV32
  samara_ascon_rv32_message(key, nonce, associated_data, associated_data_size,
                            message, ciphertext, message_size, tag, 0);
#else
  ASCON_KEY(key_words, key);
  ascon_state s;
  SAMARA_WIPED(s);
  ascon_start(&s, key_words, nonce);
  ascon_absorb(&s, associated_data, associated_data_size);
  ascon_encrypt(&s, ciphertext, message, message_size);
  ascon_finish(&s, key_words, tag);
#endif
}

samara_result samara_ascon_aead128_seal(
    const uint8_t key[samara_ascon_aead128_key_size], uint8_t *ciphertext,
    uint8_t tag[samara_ascon_aead128_tag_size],
    const uint8_t nonce[samara_ascon_aead128_nonce_size],
    const uint8_t *associated_data, size_t associated_data_size,
    const uint8_t *message, size_t message_size) {
  if (samara_overlaps(ciphertext, message_size, message, message_size)) {
    return SAMARA_ERROR_OVERLAP;
  }
  ascon_bare_seal(ciphertext, tag, key, nonce, associated_data,
                  associated_data_size, message, message_size);
  return samara_leave(SAMARA_OK, ascon_stack);
}

samara_result samara_ascon_aead128_open(
    const uint8_t key[samara_ascon_aead128_key_size], uint8_t *message,
    const uint8_t tag[samara_ascon_aead128_tag_size],
    const uint8_t nonce[samara_ascon_aead128_nonce_size],
    const uint8_t *associated_data, size_t associated_data_size,
    const uint8_t *ciphertext, size_t ciphertext_size) {
  return samara_ascon_aead128_open_truncated(
      key, message, tag, samara_ascon_aead128_tag_size, nonce, associated_data,
      associated_data_size, ciphertext, ciphertext_size);
}

static bool ascon_has_tag_size(size_t tag_size) {
  return tag_size == 0 || (tag_size >= samara_ascon_aead128_tag_size_min &&
                           tag_size <= samara_ascon_aead128_tag_size);
}

samara_result samara_ascon_aead128_seal_truncated(
    const uint8_t key[samara_ascon_aead128_key_size], uint8_t *ciphertext,
    uint8_t *tag, size_t tag_size,
    const uint8_t nonce[samara_ascon_aead128_nonce_size],
    const uint8_t *associated_data, size_t associated_data_size,
    const uint8_t *message, size_t message_size) {
  if (!ascon_has_tag_size(tag_size)) {
    return SAMARA_ERROR_TAG_SIZE;
  }
  uint8_t whole[samara_ascon_aead128_tag_size];
  SAMARA_WIPED(whole);
  const samara_result result =
      samara_ascon_aead128_seal(key, ciphertext, whole, nonce, associated_data,
                                associated_data_size, message, message_size);
  if (result == SAMARA_OK) {
    samara_copy_bytes(tag, whole, tag_size);
  }
  return result;
}

/* Whether the tag is right; when it is not, the message is zeros. */
SAMARA_NOT_INLINED static bool
ascon_bare_open(uint8_t *message, const uint8_t *tag, size_t tag_size,
                const uint8_t key[samara_ascon_aead128_key_size],
                const uint8_t nonce[samara_ascon_aead128_nonce_size],
                const uint8_t *associated_data, size_t associated_data_size,
                const uint8_t *ciphertext, size_t ciphertext_size) {
#if !SAMARA_ARCH_RV32
  ASCON_KEY(key_words, key);
#endif
  uint8_t expected[samara_ascon_aead128_tag_size];
  SAMARA_WIPED(expected);
#if SAMARA_ARCH_RV32
  samara_ascon_rv32_message(key, nonce, associated_data, associated_data_size,
                            ciphertext, message, ciphertext_size, expected,
                            UINT32_MAX);
#else
  ascon_state s;
  SAMARA_WIPED(s);
  ascon_start(&s, key_words, nonce);
  ascon_absorb(&s, associated_data, associated_data_size);
  ascon_decrypt(&s, message, ciphertext, ciphertext_size);
  ascon_finish(&s, key_words, expected);
#endif
  const bool genuine = samara_equal(expected, tag, tag_size);
  if (!genuine) {
    samara_wipe(message, ciphertext_size);
  }
  return genuine;
}

samara_result samara_ascon_aead128_open_truncated(
    const uint8_t key[samara_ascon_aead128_key_size], uint8_t *message,
    const uint8_t *tag, size_t tag_size,
    const uint8_t nonce[samara_ascon_aead128_nonce_size],
    const uint8_t *associated_data, size_t associated_data_size,
    const uint8_t *ciphertext, size_t ciphertext_size) {
  if (!ascon_has_tag_size(tag_size)) {
    return SAMARA_ERROR_TAG_SIZE;
  }
  if (samara_overlaps(message, ciphertext_size, ciphertext, ciphertext_size)) {
    return SAMARA_ERROR_OVERLAP;
  }
  const bool genuine =
      ascon_bare_open(message, tag, tag_size, key, nonce, associated_data,
                      associated_data_size, ciphertext, ciphertext_size);
  return samara_leave(genuine ? SAMARA_OK : SAMARA_ERROR_AUTHENTICATION,
                      ascon_stack);
}

#if SAMARA_ARCH_X86_64
#define ASCON_SEAL_TOGETHER(messages, count)                                   \
  samara_ascon_x86_64_batch(messages, count, false)
#define ASCON_OPEN_TOGETHER(messages, count)                                   \
  samara_ascon_x86_64_batch(messages, count, true)
SAMARA_DEFINE_AEAD_BATCH(ascon_aead128, seal, ASCON_SEAL_TOGETHER)
SAMARA_DEFINE_AEAD_BATCH(ascon_aead128, open, ASCON_OPEN_TOGETHER)
SAMARA_DEFINE_AEAD_TABLE(ascon_aead128)
#undef ASCON_SEAL_TOGETHER
#undef ASCON_OPEN_TOGETHER
#else
SAMARA_DEFINE_AEAD(ascon_aead128)
#endif
SAMARA_DEFINE_FRAME_CIPHER(ascon_aead128)
