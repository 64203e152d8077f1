/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_ARCH_X86_64_LANES_CALL_H
#define SAMARA_ARCH_X86_64_LANES_CALL_H

/* What lanes_template.h does with the messages of a batch. */

#include "arch/x86_64/cpu.h"
#include <samara/batch.h>

#if SAMARA_ARCH_X86_64

typedef enum samara_lanes_mode {
  samara_lanes_ccm,
  samara_lanes_gcm,
  samara_lanes_ctr,
  samara_lanes_cbc /* encrypts only */
} samara_lanes_mode;

/* What is done with all messages of a batch. */
typedef struct samara_lanes_call {
  samara_lanes_mode mode;
  unsigned key_words;
  size_t tag_size; /* of CCM */
  bool opening;
} samara_lanes_call;

#endif

#endif
