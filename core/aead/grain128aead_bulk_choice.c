/* SPDX-License-Identifier: Apache-2.0 */
#include "aead/grain128aead_bulk.h"

#include "arch/x86_64/cpu.h"
#include <stdbool.h>

#if SAMARA_WORD_BITS == 64

/* Which implementations this processor can run. */

grain128aead_bulk_call *samara_grain128aead_bulk(unsigned index) {
#if SAMARA_ARCH_X86_64
  const bool has_avx2 = samara_x86_64_has(SAMARA_X86_64_AVX2) &&
                        samara_x86_64_has(SAMARA_X86_64_AES);
#if SAMARA_X86_64_SETS & SAMARA_X86_64_VBMI2
  if (has_avx2 && samara_x86_64_has(SAMARA_X86_64_VBMI2) && index-- == 0) {
    return samara_grain128aead_bulk_vbmi2_x86_64;
  }
#endif
  if (has_avx2 && index-- == 0) {
    return samara_grain128aead_bulk_avx2_x86_64;
  }
#endif
  return index == 0 ? samara_grain128aead_bulk_64 : NULL;
}

#endif
