/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_BLOCK_AES_ROUNDS_H
#define SAMARA_BLOCK_AES_ROUNDS_H

/* The implementations of AES behind samara/aes.h: each expands a key of
 * key_words (4, 6, 8) words into 4 * (rounds + 1) words of round keys, with
 * rounds = key_words + 6, and works on `count` blocks. The round keys of one
 * implementation mean nothing to another. Output may be the input. */

#include "arch/aarch64/cpu.h"
#include "arch/x86_64/aes_modes.h"
#include "arch/x86_64/gcm_short.h"
#include "common/machine.h"
#include "common/stack.h"
#include <stdbool.h>

/* Not inlined: see common/stack.h. */
#define SAMARA_DECLARE_AES_ROUNDS(implementation)                              \
  SAMARA_NOT_INLINED void samara_aes_##implementation##_expand_key(            \
      uint32_t *round_keys, const uint8_t *key, unsigned key_words);           \
  SAMARA_NOT_INLINED void samara_aes_##implementation##_encrypt(               \
      const uint32_t *round_keys, unsigned rounds, uint8_t *output,            \
      const uint8_t *input, size_t count);                                     \
  SAMARA_NOT_INLINED void samara_aes_##implementation##_decrypt(               \
      const uint32_t *round_keys, unsigned rounds, uint8_t *output,            \
      const uint8_t *input, size_t count);

/* The whole blocks of a message of CCM: adds the plaintext to the CBC-MAC, and
 * encrypts or decrypts. Returns the bytes done: a multiple of 16, or 0. */
#define SAMARA_DECLARE_AES_CCM(implementation)                                 \
  SAMARA_NOT_INLINED size_t samara_aes_##implementation##_ccm(                 \
      const uint32_t *round_keys, unsigned rounds, bool opening,               \
      uint8_t *output, uint8_t mac[16], uint8_t counter[16],                   \
      const uint8_t *input, size_t size);

#if SAMARA_AES_TABLES
SAMARA_DECLARE_AES_ROUNDS(flash)
#define SAMARA_AES_PORTABLE(call) samara_aes_flash_##call

/* In assembly its index is the low byte of an address. */
#if SAMARA_ARCH_AVR
__attribute__((aligned(256)))
#endif
extern const uint8_t samara_aes_flash_s_box[256];
#if SAMARA_ARCH_AVR
__attribute__((
    aligned(256))) extern const uint8_t samara_aes_flash_inverse_s_box[256];
#endif
#else
SAMARA_DECLARE_AES_ROUNDS(bitsliced)
#if SAMARA_WORD_BITS == 64
SAMARA_DECLARE_AES_CCM(bitsliced)
/* CTR of any size, with the counter in bytes `first` to 15. */
bool samara_aes_bitsliced_ctr(const uint32_t *round_keys, unsigned rounds,
                              uint8_t *output, uint8_t counter[16],
                              unsigned first, const uint8_t *input,
                              size_t size);
#endif
#define SAMARA_AES_PORTABLE(call) samara_aes_bitsliced_##call
#endif

#if SAMARA_ARCH_MSP430_AES
/* 2 S and S of each byte in the low and the high byte, and 3 S and 2 S. */
extern const uint16_t samara_aes_msp430_a[256];
extern const uint16_t samara_aes_msp430_c[256];

/* Assembly, which leaves nothing of its own on the stack or in registers.
 * Encryption for all keys and the round keys of 128-bit keys; the rest is
 * portable and works with the same round keys. */
void samara_aes_msp430_expand_key128(uint32_t *round_keys, const uint8_t *key);
void samara_aes_msp430_encrypt_block(const uint32_t *round_keys,
                                     unsigned rounds, uint8_t *output,
                                     const uint8_t *input);

SAMARA_INLINE void samara_aes_msp430_encrypt(const uint32_t *round_keys,
                                             unsigned rounds, uint8_t *output,
                                             const uint8_t *input,
                                             size_t count) {
  for (; count != 0; count--, output += 16, input += 16) {
    samara_aes_msp430_encrypt_block(round_keys, rounds, output, input);
  }
}

SAMARA_INLINE void samara_aes_msp430_expand_key(uint32_t *round_keys,
                                                const uint8_t *key,
                                                unsigned key_words) {
  if (key_words == 4) {
    samara_aes_msp430_expand_key128(round_keys, key);
  } else {
    samara_aes_flash_expand_key(round_keys, key, key_words);
  }
}

#define samara_aes_msp430_decrypt samara_aes_flash_decrypt
#define SAMARA_AES_SOFTWARE(call) samara_aes_msp430_##call
#elif SAMARA_ARCH_AVR
/* Assembly, which leaves nothing of its own on the stack or in registers. */
void samara_aes_avr_encrypt_block(const uint32_t *round_keys, uint8_t rounds,
                                  uint8_t *output, const uint8_t *input);
void samara_aes_avr_absorb_blocks(const uint32_t *round_keys, uint8_t rounds,
                                  uint8_t *block, const uint8_t *input,
                                  size_t count);
void samara_aes_avr_count_blocks(const uint32_t *round_keys, uint8_t rounds,
                                 uint8_t *output, const uint8_t *input,
                                 uint8_t *counter, uint8_t first, size_t count);
void samara_aes_avr_expand_key128(uint32_t *round_keys, const uint8_t *key);
void samara_aes_avr_expand_key_more(uint32_t *round_keys, const uint8_t *key,
                                    uint8_t key_words);
void samara_aes_avr_decrypt_block(const uint32_t *last_round_key,
                                  uint8_t rounds, uint8_t *output,
                                  const uint8_t *input);

SAMARA_INLINE void samara_aes_avr_encrypt(const uint32_t *round_keys,
                                          unsigned rounds, uint8_t *output,
                                          const uint8_t *input, size_t count) {
  for (; count != 0; count--, output += 16, input += 16) {
    samara_aes_avr_encrypt_block(round_keys, (uint8_t)rounds, output, input);
  }
}

SAMARA_INLINE void samara_aes_avr_expand_key(uint32_t *round_keys,
                                             const uint8_t *key,
                                             unsigned key_words) {
  if (key_words == 4) {
    samara_aes_avr_expand_key128(round_keys, key);
  } else {
    samara_aes_avr_expand_key_more(round_keys, key, (uint8_t)key_words);
  }
}

SAMARA_INLINE void samara_aes_avr_decrypt(const uint32_t *round_keys,
                                          unsigned rounds, uint8_t *output,
                                          const uint8_t *input, size_t count) {
  for (; count != 0; count--, output += 16, input += 16) {
    samara_aes_avr_decrypt_block(round_keys + 4 * rounds, (uint8_t)rounds,
                                 output, input);
  }
}

#define SAMARA_AES_SOFTWARE(call) samara_aes_avr_##call
#elif SAMARA_ARCH_ARMV7M || SAMARA_ARCH_RV32
/* Assembly for two blocks, which are `distance` bytes apart in input and
 * output: 0 for one block. */
#define SAMARA_DECLARE_AES_TWO(cpu, verb)                                      \
  void samara_aes_##cpu##_##verb##_two(const uint32_t *round_keys,             \
                                       uint32_t rounds, uint8_t *output,       \
                                       const uint8_t *input, size_t distance); \
                                                                               \
  SAMARA_INLINE void samara_aes_##cpu##_##verb(                                \
      const uint32_t *round_keys, unsigned rounds, uint8_t *output,            \
      const uint8_t *input, size_t count) {                                    \
    for (; count > 1; count -= 2, output += 32, input += 32) {                 \
      samara_aes_##cpu##_##verb##_two(round_keys, rounds, output, input, 16);  \
    }                                                                          \
    if (count != 0) {                                                          \
      samara_aes_##cpu##_##verb##_two(round_keys, rounds, output, input, 0);   \
    }                                                                          \
  }

#if SAMARA_ARCH_ARMV7M
SAMARA_DECLARE_AES_TWO(armv7m, encrypt)
SAMARA_DECLARE_AES_TWO(armv7m, decrypt)
/* SubWord (FIPS 197, 5.2). The rest of the key set-up is portable, with round
 * keys in the order that the assembly needs. */
uint32_t samara_aes_armv7m_sub_word(uint32_t bytes);
#define samara_aes_armv7m_expand_key samara_aes_bitsliced_expand_key
#define SAMARA_AES_SOFTWARE(call) samara_aes_armv7m_##call
#else
void samara_aes_rv32_expand_key(uint32_t *round_keys, const uint8_t *key,
                                unsigned key_words);
SAMARA_DECLARE_AES_TWO(rv32, encrypt)
SAMARA_DECLARE_AES_TWO(rv32, decrypt)
#define SAMARA_AES_SOFTWARE(call) samara_aes_rv32_##call
#endif

#else
#define SAMARA_AES_SOFTWARE(call) SAMARA_AES_PORTABLE(call)
#endif

#if SAMARA_AES_WITHOUT_TABLES
#define SAMARA_AES_STACK 352
#elif SAMARA_ARCH_RV32
#define SAMARA_AES_STACK 112
#else
#define SAMARA_AES_STACK SAMARA_STACK_BYTES(48, 96, 352, 768)
#endif

/* Behind the decryption of a block. */
#if (SAMARA_ARCH_AVR && !SAMARA_ARCH_AVR_AES_ENGINE) ||                        \
    SAMARA_ARCH_MSP430_AES_ENGINE || SAMARA_ARCH_RV32
#define SAMARA_AES_DECRYPT_STACK 0
#else
#define SAMARA_AES_DECRYPT_STACK SAMARA_AES_STACK
#endif

/* What is to be wiped behind the calls of a block and of a key, if they are
 * not assembly that wipes what it has used. SAMARA_CIPHER_ROUNDS is the
 * template's. */
#if SAMARA_ARCH_AVR_AES_ENGINE
#define SAMARA_AES_ENCRYPT_STACK                                               \
  (SAMARA_CIPHER_ROUNDS == 10 || SAMARA_ARCH_AVR ? 0 : SAMARA_AES_STACK)
#define SAMARA_AES_KEY_STACK                                                   \
  (SAMARA_CIPHER_ROUNDS == 10 ? 16 : SAMARA_AES_STACK)
#elif SAMARA_ARCH_AVR || SAMARA_ARCH_RV32
#define SAMARA_AES_ENCRYPT_STACK 0
#define SAMARA_AES_KEY_STACK 0
#elif SAMARA_ARCH_MSP430_AES_ENGINE
#define SAMARA_AES_ENCRYPT_STACK 0
#define SAMARA_AES_KEY_STACK 16
#elif SAMARA_ARCH_MSP430_AES
#define SAMARA_AES_ENCRYPT_STACK 0
#define SAMARA_AES_KEY_STACK (SAMARA_CIPHER_ROUNDS == 10 ? 0 : SAMARA_AES_STACK)
#else
#define SAMARA_AES_ENCRYPT_STACK SAMARA_AES_STACK
#define SAMARA_AES_KEY_STACK SAMARA_AES_STACK
#endif

/* Behind the calls of a mode, which are C: what assembly saves is theirs. */
#if SAMARA_ARCH_RV32
#define SAMARA_AES_MODE_STACK SAMARA_AES_STACK
#else
#define SAMARA_AES_MODE_STACK SAMARA_AES_ENCRYPT_STACK
#endif

#if SAMARA_ARCH_X86_64
SAMARA_DECLARE_AES_ROUNDS(x86_64)
SAMARA_DECLARE_AES_ROUNDS(ssse3)
SAMARA_DECLARE_AES_CCM(ssse3)

#define SAMARA_AES(call)                                                       \
  (samara_x86_64_has(SAMARA_X86_64_AES)     ? samara_aes_x86_64_##call         \
   : samara_x86_64_has(SAMARA_X86_64_SSSE3) ? samara_aes_ssse3_##call          \
                                            : SAMARA_AES_PORTABLE(call))

#define SAMARA_CIPHER_CTR(key, output, counter, first, input, size)            \
  (samara_aes_x86_64_ctr((key)->round_keys, SAMARA_CIPHER_ROUNDS, output,      \
                         counter, first, input, size) ||                       \
   (!samara_x86_64_has(SAMARA_X86_64_AES) &&                                   \
    !samara_x86_64_has(SAMARA_X86_64_SSSE3) &&                                 \
    samara_aes_bitsliced_ctr((key)->round_keys, SAMARA_CIPHER_ROUNDS, output,  \
                             counter, first, input, size)))

#define SAMARA_CIPHER_CCM(key, opening, output, mac, counter, input, size)     \
  SAMARA_AES(ccm)                                                              \
  ((key)->round_keys, SAMARA_CIPHER_ROUNDS, opening, output, mac, counter,     \
   input, size)
#define SAMARA_CIPHER_BATCH(mode_name, messages, count, size, opens)           \
  samara_aes_x86_64_batch(                                                     \
      &(samara_lanes_call){.mode = samara_lanes_##mode_name,                   \
                           .cipher = samara_lanes_aes,                         \
                           .key_words = SAMARA_CIPHER_KEY_WORDS,               \
                           .rounds = SAMARA_CIPHER_ROUNDS,                     \
                           .tag_size = (size),                                 \
                           .opening = (opens)},                                \
      messages, count)
#define SAMARA_CIPHER_GCM_SEAL(key, ghash, output, counter, input, size)       \
  samara_aes_x86_64_gcm_seal((key)->round_keys, SAMARA_CIPHER_ROUNDS, ghash,   \
                             output, counter, input, size)
#define SAMARA_CIPHER_GCM_SHORT(key, prepared, output, nonce, data, data_size, \
                                input, size)                                   \
  {(key)->round_keys,                                                          \
   SAMARA_CIPHER_ROUNDS,                                                       \
   prepared,                                                                   \
   output,                                                                     \
   nonce,                                                                      \
   data,                                                                       \
   data_size,                                                                  \
   input,                                                                      \
   size}
#elif SAMARA_ARCH_AARCH64
SAMARA_DECLARE_AES_ROUNDS(aarch64)
SAMARA_DECLARE_AES_ROUNDS(neon)
SAMARA_DECLARE_AES_CCM(aarch64)
SAMARA_DECLARE_AES_CCM(neon)

#define SAMARA_AES(call)                                                       \
  (samara_aarch64_has_aes() ? samara_aes_aarch64_##call                        \
                            : samara_aes_neon_##call)

#define SAMARA_CIPHER_CCM(key, opening, output, mac, counter, input, size)     \
  SAMARA_AES(ccm)                                                              \
  ((key)->round_keys, SAMARA_CIPHER_ROUNDS, opening, output, mac, counter,     \
   input, size)
#elif SAMARA_ARCH_AVR_AES_ENGINE || SAMARA_ARCH_MSP430_AES_ENGINE
SAMARA_DECLARE_AES_ROUNDS(engine)
void samara_aes_engine_absorb_blocks(const uint32_t *round_keys, uint8_t rounds,
                                     uint8_t *block, const uint8_t *input,
                                     size_t count);
void samara_aes_engine_count_blocks(const uint32_t *round_keys, uint8_t rounds,
                                    uint8_t *output, const uint8_t *input,
                                    uint8_t *counter, uint8_t first,
                                    size_t count);

#if SAMARA_ARCH_MSP430_AES_ENGINE
#define SAMARA_AES(call) samara_aes_engine_##call
#else
/* That of the AVR knows keys of 128 bits alone. */
#define SAMARA_AES(call)                                                       \
  (SAMARA_CIPHER_ROUNDS == 10 ? samara_aes_engine_##call                       \
                              : SAMARA_AES_SOFTWARE(call))
#endif
#else
#define SAMARA_AES(call) SAMARA_AES_SOFTWARE(call)
#if SAMARA_WORD_BITS == 64 && !SAMARA_AES_TABLES
#define SAMARA_CIPHER_CTR(key, output, counter, first, input, size)            \
  samara_aes_bitsliced_ctr((key)->round_keys, SAMARA_CIPHER_ROUNDS, output,    \
                           counter, first, input, size)
#define SAMARA_CIPHER_CCM(key, opening, output, mac, counter, input, size)     \
  SAMARA_AES(ccm)                                                              \
  ((key)->round_keys, SAMARA_CIPHER_ROUNDS, opening, output, mac, counter,     \
   input, size)
#endif
#endif

#endif
