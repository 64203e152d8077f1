/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_ARCH_X86_64_LANES_CALL_H
#define SAMARA_ARCH_X86_64_LANES_CALL_H

/* What lanes_template.h does with the messages of a batch. */

#include "arch/x86_64/cpu.h"
#include <samara/batch.h>
#include <stdbool.h>

#if SAMARA_ARCH_X86_64

typedef enum samara_lanes_mode {
  samara_lanes_ccm,
  samara_lanes_gcm,
  samara_lanes_ctr,
  samara_lanes_cbc /* encrypts only */
} samara_lanes_mode;

typedef enum samara_lanes_cipher {
  samara_lanes_aes,
  samara_lanes_speck,
  samara_lanes_modspeck,
  samara_lanes_simon
} samara_lanes_cipher;

/* What is done with all messages of a batch. */
typedef struct samara_lanes_call {
  samara_lanes_mode mode;
  samara_lanes_cipher cipher;
  unsigned key_words; /* of 32 bits for AES, else of 64 */
  unsigned rounds;
  size_t tag_size; /* of CCM */
  bool opening;
  uint64_t sequence; /* the constants of Simon's round keys */
} samara_lanes_call;

#endif

#endif
