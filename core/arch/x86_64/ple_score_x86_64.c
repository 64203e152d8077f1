/* SPDX-License-Identifier: Apache-2.0 */
#include "arch/x86_64/cpu.h"
#include "common/wiped.h"
#include "mode/names.h"
#include "stream/grain128_clocks.h"
#include "stream/ple_frame.h"

#if SAMARA_ARCH_X86_64

/* The same in the wide registers of AVX2 (2013 on) and AVX-512 (2017 on). The
 * compiler translates operations on a vector as a whole; ple_score.c asks the
 * processor before they are called. */

#define PLE_WITH(features)                                                     \
  SAMARA_ALWAYS_INLINE static inline __attribute__((unused, target(features)))

typedef uint64_t ple_lane256 __attribute__((vector_size(32)));
typedef uint64_t ple_lane512 __attribute__((vector_size(64)));

#define SAMARA_CIPHER ple256
#define SAMARA_LANE ple_lane256
#define SAMARA_LANES 256
#define SAMARA_LANE_ASSEMBLY samara_grain128_clocks_256_x86_64
#define SAMARA_LANE_FUNCTION PLE_WITH("avx2")
#include "stream/ple_lanes_template.h"

__attribute__((target("avx2"))) void
samara_ple_score_256_x86_64(uint64_t *scores, const ple_frame *frame,
                            const samara_ple_link *link, uint64_t first) {
  ple256_score(scores, frame, link, first);
  SAMARA_X86_64_CLEAR_256();
}

#undef SAMARA_CIPHER
#undef SAMARA_LANE
#undef SAMARA_LANES
#undef SAMARA_LANE_FUNCTION
#undef SAMARA_LANE_ASSEMBLY

#if SAMARA_X86_64_SETS & SAMARA_X86_64_AVX512

#define SAMARA_CIPHER ple512
#define SAMARA_LANE ple_lane512
#define SAMARA_LANES 512
#define SAMARA_LANE_ASSEMBLY samara_grain128_clocks_512_x86_64
#define SAMARA_LANE_FUNCTION PLE_WITH("avx512f")
#include "stream/ple_lanes_template.h"

__attribute__((target("avx512f"))) void
samara_ple_score_512_x86_64(uint64_t *scores, const ple_frame *frame,
                            const samara_ple_link *link, uint64_t first) {
  ple512_score(scores, frame, link, first);
  SAMARA_X86_64_CLEAR_512();
}

#undef SAMARA_CIPHER
#undef SAMARA_LANE
#undef SAMARA_LANES
#undef SAMARA_LANE_FUNCTION
#undef SAMARA_LANE_ASSEMBLY

#endif

#undef PLE_WITH

#endif
