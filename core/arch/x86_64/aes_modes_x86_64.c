/* SPDX-License-Identifier: Apache-2.0 */
#include "arch/x86_64/aes_modes.h"
#include "common/bytes.h"
#include "common/wiped.h"
#include "mode/counter.h"
#include "mode/gcm_sizes.h"
#include "mode/ghash.h"
#include "mode/names.h"

#if SAMARA_ARCH_X86_64

#include <immintrin.h>

#define WIDE aesni
#define WIDE_BLOCKS 1
#include "arch/x86_64/wide_template.h"

#include "arch/x86_64/aes_modes_template.h"

#include "arch/x86_64/wide_end_template.h"

#if SAMARA_X86_64_SETS & SAMARA_X86_64_VAES256
#define WIDE vaes256
#define WIDE_BLOCKS 2
#include "arch/x86_64/wide_template.h"

#include "arch/x86_64/aes_modes_template.h"

#include "arch/x86_64/wide_end_template.h"
#endif

#if SAMARA_X86_64_SETS & SAMARA_X86_64_VAES512
#define WIDE vaes512
#define WIDE_BLOCKS 4
#include "arch/x86_64/wide_template.h"

#include "arch/x86_64/aes_modes_template.h"

#include "arch/x86_64/wide_end_template.h"
#endif

/* Wide vectors are for long messages: some processors lower their clock for
 * the widest. */
enum { modes_short = 128 };

bool samara_aes_x86_64_ctr(const uint32_t *round_keys, unsigned rounds,
                           uint8_t *output, uint8_t counter[16], unsigned first,
                           const uint8_t *input, size_t size) {
  if (!samara_x86_64_has(SAMARA_X86_64_AES)) {
    return false;
  }
  if (size >= modes_short && samara_x86_64_has(SAMARA_X86_64_VAES512)) {
    samara_aes_vaes512_ctr(round_keys, rounds, output, counter, first, input,
                           size);
  } else if (size >= modes_short && samara_x86_64_has(SAMARA_X86_64_VAES256)) {
    samara_aes_vaes256_ctr(round_keys, rounds, output, counter, first, input,
                           size);
  } else {
    samara_aes_aesni_ctr(round_keys, rounds, output, counter, first, input,
                         size);
  }
  return true;
}

void samara_ghash_x86_64_hash(uint8_t value[16], const uint8_t *powers,
                              const uint8_t *blocks, size_t count) {
  if (samara_x86_64_has(SAMARA_X86_64_VAES512)) {
    samara_aes_vaes512_ghash(value, powers, blocks, count);
  } else if (samara_x86_64_has(SAMARA_X86_64_VAES256)) {
    samara_aes_vaes256_ghash(value, powers, blocks, count);
  } else {
    samara_aes_aesni_ghash(value, powers, blocks, count);
  }
}

#endif
