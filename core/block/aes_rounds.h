/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_BLOCK_AES_ROUNDS_H
#define SAMARA_BLOCK_AES_ROUNDS_H

/* The implementations of AES behind samara/aes.h: each expands a key of
 * key_words (4, 6, 8) words into 4 * (rounds + 1) words of round keys, with
 * rounds = key_words + 6, and works on `count` blocks. The round keys of one
 * implementation mean nothing to another. Output may be the input. */

#include "common/machine.h"
#include "common/stack.h"

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

#if SAMARA_FLASH_TABLES
SAMARA_DECLARE_AES_ROUNDS(flash)
#define SAMARA_AES_PORTABLE(call) samara_aes_flash_##call
#else
SAMARA_DECLARE_AES_ROUNDS(bitsliced)
#define SAMARA_AES_PORTABLE(call) samara_aes_bitsliced_##call
#endif

#define SAMARA_AES_STACK SAMARA_STACK_BYTES(48, 96, 320, 768)

#if SAMARA_ARCH_X86_64
SAMARA_DECLARE_AES_ROUNDS(x86_64)

/* libgcc asks the processor once, when the program starts. */
#define SAMARA_AES(call)                                                       \
  (__builtin_cpu_supports("aes") ? samara_aes_x86_64_##call                    \
                                 : SAMARA_AES_PORTABLE(call))
#elif SAMARA_ARCH_AVR_AES_ENGINE
SAMARA_DECLARE_AES_ROUNDS(engine)

/* The engine knows keys of 128 bits alone. SAMARA_CIPHER_ROUNDS is the
 * template's. */
#define SAMARA_AES(call)                                                       \
  (SAMARA_CIPHER_ROUNDS == 10 ? samara_aes_engine_##call                       \
                              : SAMARA_AES_PORTABLE(call))
#else
#define SAMARA_AES(call) SAMARA_AES_PORTABLE(call)
#endif

#endif
