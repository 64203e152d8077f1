/* SPDX-License-Identifier: Apache-2.0 */
#include "stream/grain128_lanes.h"

#include "arch/x86_64/cpu.h"
#include "common/bytes.h"
#include "common/carryless.h"
#include "common/secret.h"
#include "mode/names.h"

#if SAMARA_WORD_BITS == 64

/* 64 lanes, on any machine. */
#define SAMARA_CIPHER grain64
#define SAMARA_LANE uint64_t
#define SAMARA_LANES 64
#define SAMARA_LANE_FUNCTION SAMARA_INLINE
#include "stream/grain128_lanes_template.h"

static void grain64_load_planes(grain128_planes *planes,
                                const grain128_row fresh[4]) {
  grain64_load(planes, fresh);
}

static void grain64_clock_planes(grain128_planes *planes, unsigned step) {
  grain64_clock(planes, step);
}

static void grain64_words(grain128_row *row, const grain128_planes *planes,
                          int first, int step) {
  grain64_output(row, planes, first, step);
}

/* The upper half of a product is the lower half of the reversed factors'
 * product, reversed and moved on by one. */
static void grain64_sums(grain128_row *sums,
                         const grain128_row bits[grain128_round_blocks],
                         const grain128_row odd[grain128_round_blocks + 1]) {
  for (unsigned i = 0; i < 64; i++) {
    uint64_t upper = 0;
    uint64_t lower = 0;
    for (unsigned j = 0; j < grain128_round_blocks; j++) {
      const uint64_t m = bits[j].words[i];
      upper ^= samara_carryless_low64(samara_reverse64(m),
                                      samara_reverse64(odd[j + 1].words[i]));
      lower ^= samara_carryless_low64(m, odd[j].words[i]);
    }
    sums->words[i] ^= samara_reverse64(upper) >> 1 ^ lower;
  }
}

const grain128_width samara_grain128_width_64 = {
    64,
    16,
    offsetof(grain64_state, registers.lfsr) / sizeof(uint64_t),
    grain64_load_planes,
    grain64_clock_planes,
    grain64_words,
    grain64_sums};

#undef SAMARA_CIPHER
#undef SAMARA_LANE
#undef SAMARA_LANES
#undef SAMARA_LANE_FUNCTION

const grain128_width *samara_grain128_width(unsigned index) {
#if SAMARA_ARCH_X86_64
  if (samara_x86_64_has(SAMARA_X86_64_VAES512) && index-- == 0) {
    return &samara_grain128_width_512_x86_64;
  }
  if (samara_x86_64_has(SAMARA_X86_64_AVX2) &&
      samara_x86_64_has(SAMARA_X86_64_AES) && index-- == 0) {
    return &samara_grain128_width_256_x86_64;
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

void samara_grain128_lanes_init(grain128_lanes *lanes,
                                const grain128_width *width) {
  /* Lanes that were never loaded run along: they too are defined. */
  __builtin_memset(lanes, 0, sizeof *lanes);
  lanes->width = width;
}

void samara_grain128_lanes_put(
    grain128_lanes *lanes, unsigned lane,
    const uint8_t key[samara_grain128_key_size],
    const uint8_t nonce[samara_grain128_nonce_size]) {
  const uint64_t ones = 0x7fffffff; /* 31 ones, then a zero */
  lanes->fresh[0].words[lane] = samara_load64_le(key);
  lanes->fresh[1].words[lane] = samara_load64_le(key + 8);
  lanes->fresh[2].words[lane] = samara_load64_le(nonce);
  lanes->fresh[3].words[lane] = samara_load32_le(nonce + 8) | ones << 32;
  lanes->starts = true;
}

void samara_grain128_lanes_load(grain128_lanes *lanes) {
  if (lanes->starts) {
    lanes->width->load(&lanes->planes, lanes->fresh);
    __builtin_memset(lanes->fresh, 0, sizeof lanes->fresh);
  }
}

void samara_grain128_lanes_clock(grain128_lanes *lanes, unsigned block) {
  const unsigned last = grain128_round_blocks - 1;
  lanes->width->clock(&lanes->planes, lanes->starts ? block : last);
  if (block == last) {
    lanes->starts = false;
  }
}

/* The first 32 * 4 planes of a register, for one lane. */
static void lanes_get_register(uint32_t words[4], const uint64_t *planes,
                               unsigned plane_words, unsigned lane) {
  const uint64_t *column = planes + lane % plane_words;
  for (unsigned i = 0; i < 128; i++) {
    const uint32_t bit =
        (uint32_t)(column[i * plane_words] >> (lane / plane_words)) & 1;
    words[i / 32] = (i % 32 == 0 ? 0 : words[i / 32]) | bit << i % 32;
  }
}

void samara_grain128_lanes_get(samara_grain128 *generator,
                               const grain128_lanes *lanes, unsigned lane) {
  const unsigned plane_words = lanes->width->lanes / 64;
  const uint64_t *nfsr = lanes->planes.words;
  const uint64_t *lfsr = nfsr + (size_t)plane_words * lanes->width->lfsr;
  lanes_get_register(generator->nfsr, nfsr, plane_words, lane);
  lanes_get_register(generator->lfsr, lfsr, plane_words, lane);
}

#endif
