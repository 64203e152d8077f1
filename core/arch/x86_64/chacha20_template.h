/* SPDX-License-Identifier: Apache-2.0 */
/* Template: ChaCha20 (RFC 8439, section 2.3) on the vectors of wide_template.h.
 * A vector has one row of the state of WIDE_BLOCKS blocks, so that four vectors
 * are a group of blocks, and a diagonal is a column of rows that were turned.
 * CHACHA20_GROUPS groups hide each other's latency. */

#define chacha20_group WIDE_LOCAL(group)
#define chacha20_left16 WIDE_LOCAL(left16)
#define chacha20_left8 WIDE_LOCAL(left8)
#define chacha20_columns WIDE_LOCAL(columns)
#define chacha20_turn WIDE_LOCAL(turn)
#define chacha20_xor_group WIDE_LOCAL(xor_group)
#define chacha20_row WIDE_LOCAL(row)
#define chacha20_counted WIDE_LOCAL(counted)
#define chacha20_groups WIDE_LOCAL(groups)
#define chacha20_group_size ((size_t)(64 * WIDE_BLOCKS))

typedef struct chacha20_group {
  wide a;
  wide b;
  wide c;
  wide d;
} chacha20_group;

#if WIDE_BLOCKS == 4

#define chacha20_left(x, count) _mm512_rol_epi32(x, count)

WIDE_INLINE wide chacha20_left16(wide x) { return chacha20_left(x, 16); }

WIDE_INLINE wide chacha20_left8(wide x) { return chacha20_left(x, 8); }

#else

#define chacha20_left(x, count)                                                \
  _mm256_or_si256(_mm256_slli_epi32(x, count),                                 \
                  _mm256_srli_epi32(x, 32 - (count)))

WIDE_INLINE wide chacha20_left16(wide x) {
  return wide_bytes(x, wide_broadcast(_mm_set_epi8(13, 12, 15, 14, 9, 8, 11, 10,
                                                   5, 4, 7, 6, 1, 0, 3, 2)));
}

WIDE_INLINE wide chacha20_left8(wide x) {
  return wide_bytes(x, wide_broadcast(_mm_set_epi8(14, 13, 12, 15, 10, 9, 8, 11,
                                                   6, 5, 4, 7, 2, 1, 0, 3)));
}

#endif

/* The quarter rounds of all columns (2.1). */
WIDE_INLINE void chacha20_columns(chacha20_group *g) {
  g->a = wide_add32(g->a, g->b);
  g->d = chacha20_left16(wide_xor(g->d, g->a));
  g->c = wide_add32(g->c, g->d);
  g->b = wide_xor(g->b, g->c);
  g->b = chacha20_left(g->b, 12);
  g->a = wide_add32(g->a, g->b);
  g->d = chacha20_left8(wide_xor(g->d, g->a));
  g->c = wide_add32(g->c, g->d);
  g->b = wide_xor(g->b, g->c);
  g->b = chacha20_left(g->b, 7);
}

/* Diagonals become columns, or columns diagonals again. */
WIDE_INLINE void chacha20_turn(chacha20_group *g, bool back) {
  g->b = back ? wide_words(g->b, 0x93) : wide_words(g->b, 0x39);
  g->c = wide_words(g->c, 0x4e);
  g->d = back ? wide_words(g->d, 0x39) : wide_words(g->d, 0x93);
}

/* Block after block: a row of each of the four vectors. */
WIDE_INLINE void chacha20_xor_group(uint8_t *output, const uint8_t *input,
                                    const chacha20_group *g) {
#if WIDE_BLOCKS == 4
  const wide ab = _mm512_shuffle_i32x4(g->a, g->b, 0x44);
  const wide cd = _mm512_shuffle_i32x4(g->c, g->d, 0x44);
  const wide ab2 = _mm512_shuffle_i32x4(g->a, g->b, 0xee);
  const wide cd2 = _mm512_shuffle_i32x4(g->c, g->d, 0xee);
  const wide blocks[4] = {_mm512_shuffle_i32x4(ab, cd, 0x88),
                          _mm512_shuffle_i32x4(ab, cd, 0xdd),
                          _mm512_shuffle_i32x4(ab2, cd2, 0x88),
                          _mm512_shuffle_i32x4(ab2, cd2, 0xdd)};
#else
  const wide blocks[4] = {_mm256_permute2x128_si256(g->a, g->b, 0x20),
                          _mm256_permute2x128_si256(g->c, g->d, 0x20),
                          _mm256_permute2x128_si256(g->a, g->b, 0x31),
                          _mm256_permute2x128_si256(g->c, g->d, 0x31)};
#endif
  WIDE_UNROLL
  for (size_t i = 0; i < 4; i++) {
    const size_t at = i * sizeof(wide);
    wide_store(output + at, wide_xor(wide_load(input + at), blocks[i]));
  }
}

/* Row `i` of the state, in all blocks of a group. */
WIDE_INLINE wide chacha20_row(const uint32_t words[16], size_t i) {
  return wide_broadcast(wide_load_block(words + 4 * i));
}

/* The last row, with the counters of the blocks of group `i`. */
WIDE_INLINE wide chacha20_counted(const uint32_t words[16], size_t i) {
  const __m128i begin = _mm_set_epi32(0, 0, 0, (int)(WIDE_BLOCKS * i));
  return wide_add32(wide_add32(chacha20_row(words, 3), wide_numbers()),
                    wide_broadcast(begin));
}

/* `count` groups, a constant, from the counter in words[12] on. What is added
 * behind the rounds is read again, so that registers suffice. */
WIDE_INLINE void chacha20_groups(size_t count, uint32_t words[16],
                                 uint8_t *output, const uint8_t *input) {
  chacha20_group g[CHACHA20_GROUPS];
  WIDE_UNROLL
  for (size_t i = 0; i < count; i++) {
    g[i].a = chacha20_row(words, 0);
    g[i].b = chacha20_row(words, 1);
    g[i].c = chacha20_row(words, 2);
    g[i].d = chacha20_counted(words, i);
  }
  for (unsigned round = 0; round < 10; round++) {
    WIDE_UNROLL
    for (size_t i = 0; i < count; i++) {
      chacha20_columns(g + i);
      chacha20_turn(g + i, false);
    }
    WIDE_UNROLL
    for (size_t i = 0; i < count; i++) {
      chacha20_columns(g + i);
      chacha20_turn(g + i, true);
    }
  }
  WIDE_UNROLL
  for (size_t i = 0; i < count; i++) {
    g[i].a = wide_add32(g[i].a, chacha20_row(words, 0));
    g[i].b = wide_add32(g[i].b, chacha20_row(words, 1));
    g[i].c = wide_add32(g[i].c, chacha20_row(words, 2));
    g[i].d = wide_add32(g[i].d, chacha20_counted(words, i));
    chacha20_xor_group(output + chacha20_group_size * i,
                       input + chacha20_group_size * i, g + i);
  }
  words[12] += (uint32_t)(WIDE_BLOCKS * count);
}

static WIDE_KERNEL size_t WIDE_LOCAL(crypt)(uint32_t words[16], uint8_t *output,
                                            const uint8_t *input, size_t size) {
  const size_t many = CHACHA20_GROUPS * chacha20_group_size;
  size_t done = 0;
  for (; size - done >= many; done += many) {
    chacha20_groups(CHACHA20_GROUPS, words, output + done, input + done);
  }
  for (; size - done >= 2 * chacha20_group_size;
       done += 2 * chacha20_group_size) {
    chacha20_groups(2, words, output + done, input + done);
  }
  for (; size - done >= chacha20_group_size; done += chacha20_group_size) {
    chacha20_groups(1, words, output + done, input + done);
  }
  wide_forget();
  return done;
}

#undef chacha20_group
#undef chacha20_left
#undef chacha20_left16
#undef chacha20_left8
#undef chacha20_columns
#undef chacha20_turn
#undef chacha20_xor_group
#undef chacha20_row
#undef chacha20_counted
#undef chacha20_groups
#undef chacha20_group_size
#undef CHACHA20_GROUPS
