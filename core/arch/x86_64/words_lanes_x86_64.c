/* SPDX-License-Identifier: Apache-2.0 */
#include "arch/x86_64/lanes_modes.h"
#include "arch/x86_64/words.h"
#include "common/bytes.h"
#include "common/stack.h"
#include "common/wiped.h"
#include "mode/names.h"

#if SAMARA_ARCH_X86_64

/* Messages fewer than these are faster one by one. */
enum { words_lanes_few = 3 };

/* Bytes of stack that a kernel and what it calls use beside its state. */
enum { words_lanes_spilled = 3072 };

/* Of Simon128/256, which has most. */
enum { words_lanes_rounds_max = 72 };

/* The derivation of samara/modspeck.h: a quarter of a key, 4, 6 or 8 bytes, is
 * a number. `derived` has room for 32 bytes. */

SAMARA_INLINE uint64_t words_lanes_part(const uint8_t *bytes, size_t size) {
  const uint64_t low = samara_load32_le(bytes);
  return size == 4 ? low
                   : low | (uint64_t)samara_load32_le(bytes + size - 4)
                               << (8 * (size - 4));
}

SAMARA_INLINE void words_lanes_derive(uint8_t *derived, const uint8_t *key,
                                      size_t key_size) {
  const size_t size = key_size / 4;
  const unsigned bits = (unsigned)(8 * size);
  uint64_t part[5];
  for (size_t i = 0; i < 4; i++) {
    part[i] = words_lanes_part(key + size * i, size);
  }
  part[4] = part[0] ^ part[1];
  for (unsigned i = 0; i < 4; i++) {
    const uint64_t mixed = part[i] ^ part[i + 1];
    const unsigned count = 7 * i;
    const uint64_t rotated =
        count == 0 ? mixed : mixed >> count | mixed << (bits - count);
    /* What is written too much, the next part overwrites. */
    samara_store64_le(derived + size * i, rotated);
  }
}

#define WIDE avx2_words
#define WIDE_BLOCKS 2
#define WIDE_WITHOUT_AES
#include "arch/x86_64/wide_template.h"

#include "arch/x86_64/wide_words_template.h"

#include "arch/x86_64/lanes_begin_template.h"

#include "arch/x86_64/words_lanes_template.h"

#include "arch/x86_64/lanes_template.h"

#include "arch/x86_64/wide_end_template.h"

#if SAMARA_X86_64_SETS & SAMARA_X86_64_AVX512
#define WIDE avx512_words
#define WIDE_BLOCKS 4
#include "arch/x86_64/wide_template.h"

#include "arch/x86_64/wide_words_template.h"

#include "arch/x86_64/lanes_begin_template.h"

#include "arch/x86_64/words_lanes_template.h"

#include "arch/x86_64/lanes_template.h"

#include "arch/x86_64/wide_end_template.h"
#else /* never called */
#define avx512_words_batch avx2_words_batch
#define avx512_words_batch_state avx2_words_batch_state
#endif

#undef WIDE_WITHOUT_AES

bool samara_words_x86_64_batch(const samara_lanes_call *call,
                               samara_batch_message *messages, size_t count) {
  if (count < words_lanes_few || !samara_x86_64_has(SAMARA_X86_64_AVX2) ||
      !lanes_check_all(call, messages, count)) {
    return false;
  }
  if (samara_x86_64_has(SAMARA_X86_64_AVX512)) {
    avx512_words_batch(call, messages, count);
    samara_wipe_stack(sizeof(avx512_words_batch_state) + words_lanes_spilled);
  } else {
    avx2_words_batch(call, messages, count);
    samara_wipe_stack(sizeof(avx2_words_batch_state) + words_lanes_spilled);
  }
  return true;
}

#endif
