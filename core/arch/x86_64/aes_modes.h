/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_ARCH_X86_64_AES_MODES_H
#define SAMARA_ARCH_X86_64_AES_MODES_H

/* Modes of AES in kernels that work on several blocks at a time, behind the
 * functions of core/mode. The round keys are those of aes_x86_64.c. Each kernel
 * exists for the sets of instructions of cpu.h; the functions without a set in
 * their names choose. Contracts, registers and ideas are in the templates.
 *
 * All leave nothing of secrets in the registers that samara_leave does not
 * clear, and wipe the stack below themselves. */

#include "arch/x86_64/cpu.h"
#include "arch/x86_64/lanes_call.h"
#include "common/stack.h"
#include <samara/batch.h>

#if SAMARA_ARCH_X86_64

#define SAMARA_DECLARE_AES_MODES(set)                                          \
  void samara_aes_##set##_ctr(                                                 \
      const uint32_t *round_keys, unsigned rounds, uint8_t *output,            \
      uint8_t counter[16], unsigned first, const uint8_t *input, size_t size); \
  void samara_aes_##set##_ghash(uint8_t value[16], const uint8_t *powers,      \
                                const uint8_t *blocks, size_t count);          \
  void samara_aes_##set##_gcm_seal(                                            \
      const uint32_t *round_keys, unsigned rounds, uint8_t value[16],          \
      const uint8_t *powers, uint8_t *output, uint8_t counter[16],             \
      const uint8_t *input, size_t count);

SAMARA_DECLARE_AES_MODES(aesni)
SAMARA_DECLARE_AES_MODES(vaes256)
SAMARA_DECLARE_AES_MODES(vaes512)

/* Sets that the library is built without are never chosen. */
#if !(SAMARA_X86_64_SETS & SAMARA_X86_64_VAES256)
#define samara_aes_vaes256_ctr samara_aes_aesni_ctr
#define samara_aes_vaes256_ghash samara_aes_aesni_ghash
#define samara_aes_vaes256_gcm_seal samara_aes_aesni_gcm_seal
#endif
#if !(SAMARA_X86_64_SETS & SAMARA_X86_64_VAES512)
#define samara_aes_vaes512_ctr samara_aes_aesni_ctr
#define samara_aes_vaes512_ghash samara_aes_aesni_ghash
#define samara_aes_vaes512_gcm_seal samara_aes_aesni_gcm_seal
#endif

/* The whole blocks of a message of CCM: adds the plaintext to the CBC-MAC, and
 * encrypts or decrypts. Returns the bytes done: a multiple of 16, or 0. */
size_t samara_aes_x86_64_ccm(const uint32_t *round_keys, unsigned rounds,
                             bool opening, uint8_t *output, uint8_t mac[16],
                             uint8_t counter[16], const uint8_t *input,
                             size_t size);

/* Works on the messages of a batch, each with its own key, and fills in results
 * and sizes; false, and no output written, when they are better handled one by
 * one: few messages, nonces of GCM that have not 12 bytes, counters that carry
 * out of their lower half. */
bool samara_aes_x86_64_batch(const samara_lanes_call *call,
                             samara_batch_message *messages, size_t count);

/* count_and_add of ctr_template.h, whole; false, and nothing done, on a
 * processor without AES-NI. */
bool samara_aes_x86_64_ctr(const uint32_t *round_keys, unsigned rounds,
                           uint8_t *output, uint8_t counter[16], unsigned first,
                           const uint8_t *input, size_t size);

#endif

#endif
