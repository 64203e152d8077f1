/* SPDX-License-Identifier: Apache-2.0 */
#include "arch/x86_64/lanes_modes.h"
#include "block/aes_rounds.h"
#include "common/wiped.h"
#include "mode/names.h"

#if SAMARA_ARCH_X86_64

/* Messages fewer than these are faster one by one. */
enum { aes_batch_few = 3 };

/* Bytes of stack that a kernel and what it calls use beside its state. */
enum { aes_batch_spilled = 2048 };

#define WIDE aesni_lanes
#define WIDE_BLOCKS 1
#include "arch/x86_64/wide_template.h"

#include "arch/x86_64/lanes_begin_template.h"

#include "arch/x86_64/aes_lanes_template.h"

#include "arch/x86_64/lanes_template.h"

#include "arch/x86_64/wide_end_template.h"

#if SAMARA_X86_64_SETS & SAMARA_X86_64_VAES256
#define WIDE vaes256_lanes
#define WIDE_BLOCKS 2
#include "arch/x86_64/wide_template.h"

#include "arch/x86_64/lanes_begin_template.h"

#include "arch/x86_64/aes_lanes_template.h"

#include "arch/x86_64/lanes_template.h"

#include "arch/x86_64/wide_end_template.h"
#else /* never called */
#define vaes256_lanes_batch aesni_lanes_batch
#define vaes256_lanes_batch_state aesni_lanes_batch_state
#endif

#if SAMARA_X86_64_SETS & SAMARA_X86_64_VAES512
#define WIDE vaes512_lanes
#define WIDE_BLOCKS 4
#include "arch/x86_64/wide_template.h"

#include "arch/x86_64/lanes_begin_template.h"

#include "arch/x86_64/aes_lanes_template.h"

#include "arch/x86_64/lanes_template.h"

#include "arch/x86_64/wide_end_template.h"
#else /* never called */
#define vaes512_lanes_batch aesni_lanes_batch
#define vaes512_lanes_batch_state aesni_lanes_batch_state
#endif

bool samara_aes_x86_64_batch(const samara_lanes_call *call,
                             samara_batch_message *messages, size_t count) {
  if (count < aes_batch_few || !samara_x86_64_has(SAMARA_X86_64_AES)) {
    return false;
  }
  if (!lanes_check_all(call, messages, count)) {
    return false;
  }
  if (samara_x86_64_has(SAMARA_X86_64_VAES512)) {
    vaes512_lanes_batch(call, messages, count);
    samara_wipe_stack(sizeof(vaes512_lanes_batch_state) + aes_batch_spilled);
  } else if (samara_x86_64_has(SAMARA_X86_64_VAES256)) {
    vaes256_lanes_batch(call, messages, count);
    samara_wipe_stack(sizeof(vaes256_lanes_batch_state) + aes_batch_spilled);
  } else {
    aesni_lanes_batch(call, messages, count);
    samara_wipe_stack(sizeof(aesni_lanes_batch_state) + aes_batch_spilled);
  }
  return true;
}

#endif
