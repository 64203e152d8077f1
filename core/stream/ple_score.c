/* SPDX-License-Identifier: Apache-2.0 */
#include "arch/x86_64/cpu.h"
#include "common/secret.h"
#include "common/wiped.h"
#include "mode/names.h"
#include "stream/ple_frame.h"

/* 64 candidates at a time, on any machine. A machine with smaller registers
 * keeps no lanes in them: there the compiler chooses what is part of its
 * callers, or the code is four times as large. */
#define SAMARA_CIPHER ple64
#define SAMARA_LANE uint64_t
#define SAMARA_LANES 64
#if SAMARA_WORD_BITS == 64
#define SAMARA_LANE_FUNCTION SAMARA_INLINE
#else
#define SAMARA_LANE_FUNCTION static __attribute__((unused))
#endif
#include "stream/ple_lanes_template.h"

void samara_ple_score_64(uint64_t *scores, const ple_frame *frame,
                         const samara_ple_link *link, uint64_t first) {
  ple64_score(scores, frame, link, first);
}

#undef SAMARA_CIPHER
#undef SAMARA_LANE
#undef SAMARA_LANES
#undef SAMARA_LANE_FUNCTION

ple_scorer *samara_ple_scorer(unsigned index, unsigned *lanes) {
#if SAMARA_ARCH_X86_64
#if SAMARA_X86_64_SETS & SAMARA_X86_64_AVX512
  if (samara_x86_64_has(SAMARA_X86_64_AVX512) && index-- == 0) {
    *lanes = 512;
    return samara_ple_score_512_x86_64;
  }
#endif
  if (samara_x86_64_has(SAMARA_X86_64_AVX2) && index-- == 0) {
    *lanes = 256;
    return samara_ple_score_256_x86_64;
  }
#endif
  *lanes = 64;
  return index == 0 ? samara_ple_score_64 : NULL;
}
