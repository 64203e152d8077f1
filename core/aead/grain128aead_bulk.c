/* SPDX-License-Identifier: Apache-2.0 */
#include "aead/grain128aead_bulk.h"

#include "common/bytes.h"
#include "common/carryless.h"
#include "mode/names.h"

#if SAMARA_WORD_BITS == 64

/* In plain words, on any machine. */
#define SAMARA_CIPHER grain_bulk64
#define SAMARA_LANE uint64_t
#define SAMARA_LANE_BYTES 8
#define SAMARA_LANE_FUNCTION SAMARA_INLINE
#define SAMARA_LANE_SHIFT(low, high, count)                                    \
  ((low) >> (count) | (high) << (64 - (count)))
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define SAMARA_LANE_ORDER(lane) __builtin_bswap64(lane)
#else
#define SAMARA_LANE_ORDER(lane) (lane)
#endif

SAMARA_INLINE uint64_t grain_bulk64_ahead(uint64_t b0) {
  return samara_grain128aead_bulk_ahead(b0);
}

/* Exchanges the bits of `mask` with those `shift` places above. */
SAMARA_INLINE uint64_t bulk_exchange(uint64_t word, unsigned shift,
                                     uint64_t mask) {
  const uint64_t changes = (word ^ word >> shift) & mask;
  return word ^ changes ^ changes << shift;
}

/* Half a word of each: even bits go down, odd bits up. */
SAMARA_INLINE void grain_bulk64_split(grain128aead_bulk *bulk, unsigned from,
                                      uint64_t lane) {
  uint64_t *even = &bulk->even[from / 16];
  uint64_t *odd = &bulk->odd[1 + from / 16];
  lane = bulk_exchange(lane, 1, 0x2222222222222222);
  lane = bulk_exchange(lane, 2, 0x0c0c0c0c0c0c0c0c);
  lane = bulk_exchange(lane, 4, 0x00f000f000f000f0);
  lane = bulk_exchange(lane, 8, 0x0000ff000000ff00);
  lane = bulk_exchange(lane, 16, 0x00000000ffff0000);
  const uint64_t turned = samara_reverse64(lane >> 32);
  if (from % 16 == 0) {
    *even = lane & 0xffffffff;
    *odd = turned;
  } else {
    *even |= lane << 32;
    *odd |= turned >> 32;
  }
}

#include "aead/grain128aead_bulk_template.h"

/* The upper half of a product is the lower half of the reversed factors'
 * product, reversed and moved on by one. */
static void grain_bulk64_crypt(grain128aead_bulk *bulk, uint8_t *output,
                               const uint8_t *input,
                               enum grain128aead_way way) {
  uint64_t upper = 0;
  uint64_t lower = 0;
  for (unsigned i = 0; i < grain128aead_bulk_words; i++) {
    const uint64_t in = samara_load64_le(input + 8 * i);
    const uint64_t out = in ^ bulk->even[i];
    const uint64_t bits = way == grain128aead_opening ? out : in;
    lower ^= samara_carryless_low64(bits, bulk->odd[i]);
    upper ^= samara_carryless_low64(samara_reverse64(bits),
                                    samara_reverse64(bulk->odd[i + 1]));
    if (way != grain128aead_absorbing) {
      samara_store64_le(output + 8 * i, out);
    }
  }
  bulk->sum ^= lower ^ samara_reverse64(upper) >> 1;
}

size_t samara_grain128aead_bulk_64(samara_grain128aead *state, uint8_t *output,
                                   const uint8_t *input, size_t size,
                                   enum grain128aead_way way) {
  grain128aead_bulk bulk;
  size_t done = 0;
  samara_grain128aead_bulk_begin(&bulk, state);
  for (; size - done >= grain128aead_bulk_bytes;
       done += grain128aead_bulk_bytes) {
    grain_bulk64_clocks(&bulk);
    grain_bulk64_crypt(&bulk,
                       way == grain128aead_absorbing ? output : output + done,
                       input + done, way);
  }
  samara_grain128aead_bulk_end(&bulk, state);
  return done;
}

#undef SAMARA_CIPHER
#undef SAMARA_LANE
#undef SAMARA_LANE_BYTES
#undef SAMARA_LANE_FUNCTION
#undef SAMARA_LANE_SHIFT
#undef SAMARA_LANE_ORDER

/* The LFSR's next 1024 bits, 32 at a time; bits 0 to 63, 32 to 95 and 64 to 127
 * are in words of their own. */
static void bulk_begin_lfsr(uint8_t *s, const uint32_t lfsr[4]) {
  uint64_t s0 = lfsr[0] | (uint64_t)lfsr[1] << 32;
  uint64_t s32 = lfsr[1] | (uint64_t)lfsr[2] << 32;
  uint64_t s64 = lfsr[2] | (uint64_t)lfsr[3] << 32;
  for (unsigned i = 0; i < grain128aead_bulk_stream; i += 4) {
    const uint64_t next =
        s0 ^ s0 >> 7 ^ s32 >> 6 ^ s64 >> 6 ^ s64 >> 17 ^ s64 >> 32;
    samara_store32_le(s + i, (uint32_t)s0);
    s0 = s32;
    s32 = s64;
    s64 = s64 >> 32 | next << 32;
  }
}

void samara_grain128aead_bulk_begin(grain128aead_bulk *bulk,
                                    const samara_grain128aead *state) {
  const uint64_t authenticator =
      state->authenticator[0] | (uint64_t)state->authenticator[1] << 32;
  __builtin_memset(bulk->nfsr, 0, sizeof bulk->nfsr);
  for (unsigned i = 0; i < 4; i++) {
    samara_store32_le(bulk->nfsr + 4 * i, state->generator.nfsr[i]);
  }
  bulk->last[0] = samara_load64_le(bulk->nfsr);
  bulk->last[1] = samara_load64_le(bulk->nfsr + 4);
  bulk->last[2] = samara_load64_le(bulk->nfsr + 8);
  bulk->ahead[0] = samara_grain128aead_bulk_ahead(bulk->last[0]);
  bulk->ahead[1] = samara_grain128aead_bulk_ahead(bulk->last[1]);
  bulk_begin_lfsr(bulk->lfsr, state->generator.lfsr);
  bulk->odd[grain128aead_bulk_words] = samara_reverse64(authenticator);
  bulk->sum = 0;
}

void samara_grain128aead_bulk_end(const grain128aead_bulk *bulk,
                                  samara_grain128aead *state) {
  const uint64_t sum = samara_reverse64(bulk->sum);
  const uint64_t authenticator =
      samara_reverse64(bulk->odd[grain128aead_bulk_words]);
  for (unsigned i = 0; i < 4; i++) {
    state->generator.nfsr[i] = samara_load32_le(bulk->nfsr + 4 * i);
    state->generator.lfsr[i] = samara_load32_le(bulk->lfsr + 4 * i);
  }
  state->accumulator[0] ^= (uint32_t)sum;
  state->accumulator[1] ^= (uint32_t)(sum >> 32);
  state->authenticator[0] = (uint32_t)authenticator;
  state->authenticator[1] = (uint32_t)(authenticator >> 32);
}

#endif
