/* SPDX-License-Identifier: Apache-2.0 */
#include "stream/grain128_lanes.h"

#include "arch/x86_64/cpu.h"

#if SAMARA_WORD_BITS == 64

/* Which widths this processor can run. */

const grain128_width *samara_grain128_width(unsigned index) {
#if SAMARA_ARCH_X86_64
#if SAMARA_X86_64_SETS & SAMARA_X86_64_VAES512
  if (samara_x86_64_has(SAMARA_X86_64_VAES512) && index-- == 0) {
    return &samara_grain128_width_512_x86_64;
  }
#endif
  if (samara_x86_64_has(SAMARA_X86_64_AVX2) &&
      samara_x86_64_has(SAMARA_X86_64_AES) && index-- == 0) {
    return &samara_grain128_width_256_x86_64;
  }
#elif SAMARA_ARCH_AARCH64
  if (index-- == 0) {
    return &samara_grain128_width_128_aarch64;
  }
#endif
  return index == 0 ? &samara_grain128_width_64 : NULL;
}

const grain128_width *samara_grain128_width_for(size_t count) {
  const grain128_width *width = NULL;
  for (unsigned i = 0; (width = samara_grain128_width(i)) != NULL; i++) {
    if (count >= width->few) {
      break;
    }
  }
  return width;
}

void samara_grain128_lanes_clear(void) {
#if SAMARA_ARCH_X86_64
  /* Whatever sets this library may use: the C library takes what there is. */
  if ((samara_x86_64_sets() & SAMARA_X86_64_AVX512) != 0) {
    samara_grain128_clear_512_x86_64();
  }
#endif
}

#endif
