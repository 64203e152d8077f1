/* SPDX-License-Identifier: Apache-2.0 */
/* Template: CTR of Speck with words of 64 bits, a word of each block in a lane
 * of a vector: 4 blocks with AVX2, 8 with AVX-512. speck_x86_64.c defines the
 * operations and undefines them.
 *
 * Registers: SPECK_PAIRS pairs of vectors x and y, one round key in all lanes.
 * A round is five operations with AVX-512 (two rotations, an addition, two
 * sums), whose latencies the other pairs hide.
 *
 * Lane e has the block that two interleaving moves put in its place, so that
 * both results are blocks in their order in memory. */

#define SPECK_BLOCKS (sizeof(speck_words) / 8)

#define speck_pair SPECK_LOCAL(pair)
#define speck_round SPECK_LOCAL(round)
#define speck_keystream SPECK_LOCAL(keystream)
#define speck_run SPECK_LOCAL(run)
#define speck_kernel SPECK_LOCAL(ctr)

typedef struct speck_pair {
  speck_words x;
  speck_words y;
} speck_pair;

SPECK_INLINE void speck_round(speck_pair *pairs, size_t count,
                              const uint64_t *round_key) {
  const speck_words key = speck_all_of(round_key);
  SPECK_UNROLL
  for (size_t i = 0; i < count; i++) {
    pairs[i].x =
        speck_xor(speck_add(speck_right8(pairs[i].x), pairs[i].y), key);
    pairs[i].y = speck_xor(speck_left3(pairs[i].y), pairs[i].x);
  }
}

/* Encrypts counters from `low` on; the results are blocks, 2 * count vectors.
 */
SPECK_INLINE void speck_keystream(speck_pair *pairs, size_t count,
                                  const uint64_t *round_keys, size_t rounds,
                                  uint64_t high, uint64_t low) {
  SPECK_UNROLL
  for (size_t i = 0; i < count; i++) {
    pairs[i].x = speck_swap(
        speck_add(speck_all(low + SPECK_BLOCKS * i), speck_numbers()));
    pairs[i].y = speck_all(__builtin_bswap64(high));
  }
  /* Two rounds a turn, or compilers copy vectors to where the next turn has
   * them. */
  size_t r = 0;
  for (; r + 1 < rounds; r += 2) {
    speck_round(pairs, count, round_keys + r);
    speck_round(pairs, count, round_keys + r + 1);
  }
  if (r < rounds) {
    speck_round(pairs, count, round_keys + r);
  }
  SPECK_UNROLL
  for (size_t i = 0; i < count; i++) {
    const speck_words x = pairs[i].x;
    pairs[i].x = speck_lower(pairs[i].y, x);
    pairs[i].y = speck_upper(pairs[i].y, x);
  }
}

SPECK_INLINE void speck_run(const uint64_t *round_keys, size_t rounds,
                            uint8_t *output, uint64_t high, uint64_t low,
                            const uint8_t *input, size_t size) {
  enum {
    pair_size = sizeof(speck_pair),
    many = SPECK_PAIRS * sizeof(speck_pair)
  };
  speck_pair pairs[SPECK_PAIRS];
  for (; size >= many; size -= many) {
    speck_keystream(pairs, SPECK_PAIRS, round_keys, rounds, high, low);
    SPECK_UNROLL
    for (size_t i = 0; i < SPECK_PAIRS; i++) {
      const size_t x = pair_size * i;
      const size_t y = x + pair_size / 2;
      const speck_words left = speck_load(input + x);
      const speck_words right = speck_load(input + y);
      speck_store(output + x, speck_xor(left, pairs[i].x));
      speck_store(output + y, speck_xor(right, pairs[i].y));
    }
    output += many;
    input += many;
    low += SPECK_PAIRS * SPECK_BLOCKS;
  }
  while (size != 0) {
    uint8_t keystream[pair_size];
    SAMARA_WIPED(keystream);
    const size_t part = size < pair_size ? size : pair_size;
    speck_keystream(pairs, 1, round_keys, rounds, high, low);
    speck_store(keystream, pairs[0].x);
    speck_store(keystream + pair_size / 2, pairs[0].y);
    samara_xor_bytes(output, input, keystream, part);
    output += part;
    input += part;
    size -= part;
    low += SPECK_BLOCKS;
  }
}

SPECK_KERNEL static void speck_kernel(const uint64_t *round_keys, size_t rounds,
                                      uint8_t *output, uint8_t counter[16],
                                      const uint8_t *input, size_t size) {
  samara_counter number = samara_counter_load(counter);
  while (size != 0) {
    /* Blocks before the lower half carries; 0 stands for 2^64. */
    const uint64_t room = 0 - number.low;
    const uint64_t blocks = (uint64_t)(size / 16) + (size % 16 != 0);
    const bool carries = room != 0 && room < blocks;
    const size_t part = carries ? (size_t)room * 16 : size;
    speck_run(round_keys, rounds, output, number.high, number.low, input, part);
    samara_count_by(&number, 0, carries ? room : blocks);
    output += part;
    input += part;
    size -= part;
  }
  samara_counter_store(counter, &number);
  speck_forget();
}

#undef SPECK_PAIRS
#undef SPECK_BLOCKS
#undef speck_pair
#undef speck_keystream
#undef speck_run
#undef speck_kernel
#undef SPECK_LOCAL
#undef SPECK_TARGET
#undef speck_words
#undef speck_all
#undef speck_all_of
#undef speck_round
#undef speck_load
#undef speck_store
#undef speck_add
#undef speck_xor
#undef speck_swap
#undef speck_right8
#undef speck_left3
#undef speck_lower
#undef speck_upper
#undef speck_numbers
#undef speck_forget
