/* SPDX-License-Identifier: Apache-2.0 */
#include "stream/grain128_lanes.h"

#include "arch/aarch64/cpu.h"
#include "common/secret.h"
#include "mode/names.h"

#if SAMARA_ARCH_AARCH64

/* Grain for many messages in the vector registers that each ARMv8 has: the
 * template of core/stream. A round takes about as many instructions as that of
 * 64 lanes in plain words. samara_leave clears the registers. */

#include <arm_neon.h>

typedef uint64_t lane128 __attribute__((vector_size(16)));

#define SAMARA_CIPHER grain_neon
#define SAMARA_LANE lane128
#define SAMARA_LANES 128
#define SAMARA_LANE_FUNCTION SAMARA_INLINE
#include "stream/grain128_lanes_template.h"

#undef SAMARA_CIPHER
#undef SAMARA_LANE
#undef SAMARA_LANES
#undef SAMARA_LANE_FUNCTION

#if SAMARA_AARCH64_AES

#define WITH_PMULL SAMARA_AARCH64_WITH_AES

WITH_PMULL static inline
    __attribute__((always_inline)) uint64x2_t grain_neon_times(uint64_t a,
                                                               uint64_t b) {
  return vreinterpretq_u64_p128(vmull_p64((poly64_t)a, (poly64_t)b));
}

/* Both halves that a lane's sum takes of each block lie in one register. */
WITH_PMULL static void grain_neon_add(grain128_rows *rows, unsigned first,
                                      const grain128_bits *bits) {
  const grain128_row *odd = rows->authenticating;
  for (unsigned i = 0; i < grain128_pieces; i++) {
    uint64x2_t before = vdupq_n_u64(0);
    uint64x2_t behind = vdupq_n_u64(0);
    for (unsigned j = 0; j < grain128_round_blocks; j++) {
      const uint64_t m = bits->words[j][i];
      before = veorq_u64(before, grain_neon_times(m, odd[j].words[first + i]));
      behind =
          veorq_u64(behind, grain_neon_times(m, odd[j + 1].words[first + i]));
    }
    rows->sums.words[first + i] ^=
        vgetq_lane_u64(before, 0) ^ vgetq_lane_u64(behind, 1);
  }
}

#undef WITH_PMULL

#endif

static void grain_neon_crypt(grain128_rows *rows, unsigned first,
                             const grain128_piece pieces[grain128_pieces],
                             bool whole, bool opening) {
#if SAMARA_AARCH64_AES
  if (samara_aarch64_has_aes()) {
    grain128_bits bits;
    samara_grain128_lanes_crypt(&bits, rows, first, pieces, whole, opening);
    grain_neon_add(rows, first, &bits);
    return;
  }
#endif
  samara_grain128_width_64.crypt(rows, first, pieces, whole, opening);
}

const grain128_width samara_grain128_width_128_aarch64 = {
    128,
    24,
    offsetof(grain_neon_state, registers.lfsr) / sizeof(lane128),
    grain_neon_load_planes,
    grain_neon_clock_planes,
    grain_neon_words,
    grain_neon_crypt};

#endif
