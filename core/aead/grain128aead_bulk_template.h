/* SPDX-License-Identifier: Apache-2.0 */
/* Template: the 1024 clocks of grain128aead_bulk.h. Included once for each
 * width, with SAMARA_CIPHER defined to a prefix, SAMARA_LANE to a type of
 * SAMARA_LANE_BYTES bytes, at most 32, that knows & ^ | << >>, the shifts in
 * words of 64 bits, and SAMARA_LANE_FUNCTION to how functions are declared that
 * are to be inlined.
 * SAMARA_LANE_SHIFT(low, high, count) is, word by word, the lower half of
 * high:low >> count, for count = 1 to 63. SAMARA_LANE_ORDER(lane) makes a lane
 * whose words were read little-endian of one that was read as the machine does,
 * and back.
 *
 * SAMARA_LOCAL(ahead) is samara_grain128aead_bulk_ahead or does the same, and
 * SAMARA_LOCAL(split)(bulk, from, lane) puts the pre-output of a lane, from
 * byte `from` of the clocks on, into `even` and `odd`. It writes
 * SAMARA_LOCAL(clocks), which fills `even` and `odd` of a bulk, and moves on
 * the registers. Constant time: there is no branch or address but from
 * constants. */

SAMARA_LANE_FUNCTION SAMARA_LANE SAMARA_LOCAL(bytes)(const uint8_t *bytes) {
  SAMARA_LANE lane;
  __builtin_memcpy(&lane, bytes, sizeof lane);
  return SAMARA_LANE_ORDER(lane);
}

/* The recurrence of the LFSR, s[n + 128] = s[n] + s[n + 7] + s[n + 38] +
 * s[n + 70] + s[n + 81] + s[n + 96], is a polynomial over GF(2). Its eighth
 * power has the same coefficients eight times as far apart: the same sum holds
 * for bytes. */
SAMARA_LANE_FUNCTION void SAMARA_LOCAL(lfsr_clocks)(grain128aead_bulk *bulk,
                                                    unsigned from) {
  uint8_t *s = bulk->lfsr + from;
  const SAMARA_LANE sum =
      SAMARA_LOCAL(bytes)(s) ^ SAMARA_LOCAL(bytes)(s + 7) ^
      SAMARA_LOCAL(bytes)(s + 38) ^ SAMARA_LOCAL(bytes)(s + 70) ^
      SAMARA_LOCAL(bytes)(s + 81) ^ SAMARA_LOCAL(bytes)(s + 96);
  const SAMARA_LANE next = SAMARA_LANE_ORDER(sum);
  __builtin_memcpy(s + grain128aead_bulk_stream, &next, sizeof next);
}

/* 32 clocks a step, in words of bits 0 to 63, 32 to 95 and 64 to 127. Terms
 * whose taps lie as far from a word's beginning are shifted together. Rotations
 * do for shifts, because no bit from below reaches the lower half; there is an
 * instruction for them that leaves its operand as it is. What depends on the
 * first word alone is computed two steps ahead. */
SAMARA_LANE_FUNCTION void SAMARA_LOCAL(nfsr_clocks)(grain128aead_bulk *bulk,
                                                    unsigned from) {
  const uint8_t *s = bulk->lfsr;
  uint64_t b0 = bulk->last[0];
  uint64_t b32 = bulk->last[1];
  uint64_t b64 = bulk->last[2];
  uint64_t ahead0 = bulk->ahead[0];
  uint64_t ahead32 = bulk->ahead[1];
  for (unsigned i = from; i < from + SAMARA_LANE_BYTES; i += 4) {
    const uint64_t ahead64 = SAMARA_LOCAL(ahead)(b64);
    const uint64_t upper = b64 >> 32;
    const uint64_t from40 =
        (b32 & SAMARA_ROTATE(b32, 8)) ^ SAMARA_ROTATE(b32, 16);
    const uint64_t old = (b0 ^ samara_load32_le(s + i) ^ ahead0) ^
                         SAMARA_ROTATE(b0 & b32, 27) ^ SAMARA_ROTATE(from40, 8);
    const uint64_t b68 = SAMARA_ROTATE(b64, 4);
    const uint64_t from70 =
        b64 & SAMARA_ROTATE(b64, 8) & SAMARA_ROTATE(b64, 12);
    const uint64_t from88 =
        ((b64 & b68) & (SAMARA_ROTATE(b64, 5) & SAMARA_ROTATE(b64, 7))) ^
        SAMARA_ROTATE(b64, 3);
    const uint64_t young = (SAMARA_ROTATE(b0 & b64, 3) ^
                            (SAMARA_ROTATE(b32, 29) & SAMARA_ROTATE(b64, 1))) ^
                           ((b68 & SAMARA_ROTATE(b64, 20)) ^ upper) ^
                           SAMARA_ROTATE(from70, 6);
    const uint64_t next = (old ^ young) ^ SAMARA_ROTATE(from88, 24);
    samara_store32_le(bulk->nfsr + 16 + i, (uint32_t)next);
    b0 = b32;
    b32 = b64;
    b64 = upper | next << 32;
    ahead0 = ahead32;
    ahead32 = ahead64;
  }
  bulk->last[0] = b0;
  bulk->last[1] = b32;
  bulk->last[2] = b64;
  bulk->ahead[0] = ahead0;
  bulk->ahead[1] = ahead32;
}

/* The bits from `tap` on of a stream, for as many clocks as a lane has. */
#define TAP(stream, tap)                                                       \
  ((tap) % 8 == 0                                                              \
       ? SAMARA_LOCAL(bytes)((stream) + (tap) / 8)                             \
       : SAMARA_LANE_SHIFT(SAMARA_LOCAL(bytes)((stream) + (tap) / 8),          \
                           SAMARA_LOCAL(bytes)((stream) + (tap) / 8 + 8),      \
                           (tap) % 8 == 0 ? 1 : (tap) % 8))

/* The pre-output y (specification, section 2.1). */
SAMARA_LANE_FUNCTION SAMARA_LANE SAMARA_LOCAL(pre_output)(const uint8_t *b,
                                                          const uint8_t *s) {
  const SAMARA_LANE b12 = TAP(b, 12);
  const SAMARA_LANE b95 = TAP(b, 95);
  return (b12 & (TAP(s, 8) ^ (b95 & TAP(s, 94)))) ^ (TAP(s, 13) & TAP(s, 20)) ^
         (b95 & TAP(s, 42)) ^ (TAP(s, 60) & TAP(s, 79)) ^ TAP(s, 93) ^
         TAP(b, 2) ^ TAP(b, 15) ^ TAP(b, 36) ^ TAP(b, 45) ^ TAP(b, 64) ^
         TAP(b, 73) ^ TAP(b, 89);
}

#undef TAP

/* The pre-output of a lane of clocks. */
SAMARA_LANE_FUNCTION void SAMARA_LOCAL(output_clocks)(grain128aead_bulk *bulk,
                                                      unsigned from) {
  SAMARA_LOCAL(split)
  (bulk, from, SAMARA_LOCAL(pre_output)(bulk->nfsr + from, bulk->lfsr + from));
}

/* The NFSR is a chain of short steps, the rest is independent: in turns, so
 * that the processor does both at once. The pre-output follows one lane behind,
 * when what it reads has left the store buffer. */
SAMARA_LANE_FUNCTION void SAMARA_LOCAL(clocks)(grain128aead_bulk *bulk) {
  bulk->odd[0] = bulk->odd[grain128aead_bulk_words];
  SAMARA_LOCAL(lfsr_clocks)(bulk, 0);
  SAMARA_LOCAL(nfsr_clocks)(bulk, 0);
  for (unsigned i = SAMARA_LANE_BYTES; i < grain128aead_bulk_stream;
       i += SAMARA_LANE_BYTES) {
    SAMARA_LOCAL(lfsr_clocks)(bulk, i);
    SAMARA_LOCAL(nfsr_clocks)(bulk, i);
    SAMARA_LOCAL(output_clocks)(bulk, i - SAMARA_LANE_BYTES);
  }
  SAMARA_LOCAL(output_clocks)
  (bulk, grain128aead_bulk_stream - SAMARA_LANE_BYTES);
  __builtin_memcpy(bulk->nfsr, bulk->nfsr + grain128aead_bulk_stream, 16);
  __builtin_memcpy(bulk->lfsr, bulk->lfsr + grain128aead_bulk_stream,
                   grain128aead_bulk_stream);
}
