/* SPDX-License-Identifier: Apache-2.0 */
#include "stream/grain128_lanes.h"

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

/* The whole round of one lane: `input` is read before `output` is written. */
SAMARA_INLINE void
lanes_crypt_round(uint8_t *output, const uint8_t *input, const uint8_t *other,
                  grain128_bits *bits,
                  const uint64_t encrypting[grain128_round_blocks],
                  unsigned index, bool opening) {
  uint64_t in[grain128_round_blocks];
  for (unsigned j = 0; j < grain128_round_blocks; j++) {
    in[j] = samara_load64_le(input + 8 * (size_t)j);
  }
  for (unsigned j = 0; j < grain128_round_blocks; j++) {
    const uint64_t out = in[j] ^ encrypting[j];
    samara_store64_le(output + 8 * (size_t)j, out);
    bits->words[j][index] =
        (opening ? out : in[j]) | samara_load64_le(other + 8 * (size_t)j);
  }
}

/* A piece of 8 bytes and more that fills the round behind `before` bytes: whole
 * words of it, the first moved up. The bytes that its block has no room for are
 * written again with the next one; everything is read before. */
SAMARA_INLINE void
lanes_crypt_end(const grain128_piece *piece, grain128_bits *bits,
                const uint64_t encrypting[grain128_round_blocks],
                unsigned index, bool opening) {
  const unsigned from = piece->before / 8;
  uint64_t in[grain128_round_blocks];
  unsigned j = 0;
  for (; j < grain128_round_blocks; j++) {
    in[j] =
        j < from ? 0
        : j == from
            ? samara_load64_le(piece->input)
            : samara_load64_le(piece->input + 8 * (size_t)j - piece->before);
  }
  for (j = 0; j < grain128_round_blocks; j++) {
    const uint64_t other = samara_load64_le(piece->other + 8 * (size_t)j);
    const unsigned up = j == from ? piece->before % 8 * 8 : 0;
    const uint64_t out = in[j] ^ encrypting[j] >> up;
    bits->words[j][index] = other;
    if (j >= from) {
      bits->words[j][index] |= (opening ? out : in[j]) << up;
      samara_store64_le(
          piece->output + (j == from ? 0 : 8 * (size_t)j - piece->before), out);
    }
  }
}

void samara_grain128_lanes_crypt(grain128_bits *bits, const grain128_rows *rows,
                                 unsigned first,
                                 const grain128_piece pieces[grain128_pieces],
                                 bool whole, bool opening) {
  static const uint8_t none[grain128_round_bytes] = {0};
  for (unsigned i = 0; i < grain128_pieces; i++) {
    const grain128_piece *piece = &pieces[i];
    uint64_t own[grain128_round_blocks];
    for (unsigned j = 0; j < grain128_round_blocks; j++) {
      own[j] = rows->encrypting[j].words[first + i];
    }
    if (whole || piece->size == grain128_round_bytes) {
      lanes_crypt_round(piece->output, piece->input, none, bits, own, i,
                        opening);
      continue;
    }
    if (piece->size >= 8 &&
        piece->before + piece->size == grain128_round_bytes) {
      lanes_crypt_end(piece, bits, own, i, opening);
      continue;
    }
    uint8_t text[grain128_round_bytes] = {0};
    uint8_t inside[grain128_round_bytes] = {0};
    if (piece->size != 0) { /* or the pointers may be NULL */
      __builtin_memcpy(text + piece->before, piece->input, piece->size);
      __builtin_memset(inside + piece->before, 0xff, piece->size);
    }
    for (unsigned j = 0; j < grain128_round_blocks; j++) {
      own[j] &= samara_load64_le(inside + 8 * (size_t)j);
    }
    lanes_crypt_round(text, text, piece->other, bits, own, i, opening);
    if (piece->size != 0) {
      __builtin_memcpy(piece->output, text + piece->before, piece->size);
    }
  }
}

/* The upper half of a product is the lower half of the reversed factors'
 * product, reversed and moved on by one. */
static void grain64_crypt(grain128_rows *rows, unsigned first,
                          const grain128_piece pieces[grain128_pieces],
                          bool whole, bool opening) {
  const grain128_row *odd = rows->authenticating;
  grain128_bits bits;
  samara_grain128_lanes_crypt(&bits, rows, first, pieces, whole, opening);
  for (unsigned i = 0; i < grain128_pieces; i++) {
    uint64_t upper = 0;
    uint64_t lower = 0;
    for (unsigned j = 0; j < grain128_round_blocks; j++) {
      const uint64_t m = bits.words[j][i];
      upper ^= samara_carryless_low64(
          samara_reverse64(m), samara_reverse64(odd[j + 1].words[first + i]));
      lower ^= samara_carryless_low64(m, odd[j].words[first + i]);
    }
    rows->sums.words[first + i] ^= samara_reverse64(upper) >> 1 ^ lower;
  }
}

const grain128_width samara_grain128_width_64 = {
    64,
    16,
    offsetof(grain64_state, registers.lfsr) / sizeof(uint64_t),
    grain64_load_planes,
    grain64_clock_planes,
    grain64_words,
    grain64_crypt};

#undef SAMARA_CIPHER
#undef SAMARA_LANE
#undef SAMARA_LANES
#undef SAMARA_LANE_FUNCTION

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
