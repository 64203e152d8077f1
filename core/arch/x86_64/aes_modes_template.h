/* SPDX-License-Identifier: Apache-2.0 */
/* Template: CTR, GHASH and GCM on the vectors of wide_template.h, once for each
 * set of instructions. Contracts: aes_modes.h. */

/* Vectors in flight: as many as hide the latency of AES (four cycles on the
 * processors of 2022, two or one of them begun in a cycle). */
#if WIDE_BLOCKS == 4
#define MODES_VECTORS 4
#else
#define MODES_VECTORS 8
#endif
#define MODES_SIZE (16 * WIDE_BLOCKS * MODES_VECTORS)

#define modes_count WIDE_LOCAL(modes_count)
#define modes_counters WIDE_LOCAL(modes_counters)
#define modes_product WIDE_LOCAL(modes_product)
#define modes_add_product WIDE_LOCAL(modes_add_product)
#define modes_reduce WIDE_LOCAL(modes_reduce)
#define modes_hash WIDE_LOCAL(modes_hash)
#define modes_hash_some WIDE_LOCAL(modes_hash_some)
#define modes_ctr_run WIDE_LOCAL(modes_ctr_run)
#define modes_ctr_last WIDE_LOCAL(modes_ctr_last)

/* CTR.
 *
 * Registers: MODES_VECTORS states, one vector of counters as numbers (blocks
 * with their bytes reversed), one round key, which is read from memory for each
 * round. Numbers are counted up by additions of words of 32 bits (GCM, which
 * wraps there) or 64 (the caller ends a run where these would carry). */

WIDE_INLINE wide modes_count(wide numbers, wide step, bool wraps32) {
  return wraps32 ? wide_add32(numbers, step) : wide_add64(numbers, step);
}

/* The next counters, encrypted by the first round key; they are counted up. */
WIDE_INLINE void modes_counters(wide *s, size_t count, wide *numbers,
                                const uint32_t *round_keys, bool wraps32) {
  const wide reverse = wide_broadcast(wide_reverse());
  const wide step = wide_broadcast(_mm_set_epi64x(0, WIDE_BLOCKS));
  const wide key = wide_round_key(round_keys, 0);
  WIDE_UNROLL
  for (size_t v = 0; v < count; v++) {
    s[v] = wide_xor(wide_bytes(*numbers, reverse), key);
    *numbers = modes_count(*numbers, step, wraps32);
  }
}

/* Fewer bytes than a vector has. */
WIDE_INLINE void modes_ctr_last(uint8_t *output, wide keystream,
                                const uint8_t *input, size_t size) {
  uint8_t bytes[16 * WIDE_BLOCKS];
  SAMARA_WIPED(bytes);
  wide_store(bytes, keystream);
  samara_xor_bytes(output, input, bytes, size);
}

WIDE_INLINE void modes_ctr_run(const uint32_t *round_keys, unsigned rounds,
                               uint8_t *output, __m128i first_number,
                               bool wraps32, const uint8_t *input,
                               size_t size) {
  wide numbers =
      modes_count(wide_broadcast(first_number), wide_numbers(), wraps32);
  wide s[MODES_VECTORS];
  for (; size >= MODES_SIZE; size -= MODES_SIZE) {
    modes_counters(s, MODES_VECTORS, &numbers, round_keys, wraps32);
    wide_rounds(s, MODES_VECTORS, round_keys, rounds);
    WIDE_UNROLL
    for (size_t v = 0; v < MODES_VECTORS; v++) {
      wide_store(output + sizeof s[0] * v,
                 wide_xor(s[v], wide_load(input + sizeof s[0] * v)));
    }
    output += MODES_SIZE;
    input += MODES_SIZE;
  }
  for (; size >= sizeof s[0]; size -= sizeof s[0]) {
    modes_counters(s, 1, &numbers, round_keys, wraps32);
    wide_rounds(s, 1, round_keys, rounds);
    wide_store(output, wide_xor(s[0], wide_load(input)));
    output += sizeof s[0];
    input += sizeof s[0];
  }
  if (size != 0) {
    modes_counters(s, 1, &numbers, round_keys, wraps32);
    wide_rounds(s, 1, round_keys, rounds);
    modes_ctr_last(output, s[0], input, size);
  }
}

WIDE_KERNEL void WIDE_NAME(ctr)(const uint32_t *round_keys, unsigned rounds,
                                uint8_t *output, uint8_t counter[16],
                                unsigned first, const uint8_t *input,
                                size_t size) {
  samara_counter number = samara_counter_load(counter);
  if (first == samara_gcm_counted_from) {
    /* The counter may be secret, and decides nothing. */
    modes_ctr_run(round_keys, rounds, output,
                  _mm_shuffle_epi8(wide_load_block(counter), wide_reverse()),
                  true, input, size);
    samara_count_by(&number, first, (size + 15) / 16);
    size = 0;
  }
  while (size != 0) {
    /* Blocks before the lower half carries; 0 stands for 2^64. */
    const uint64_t room = 0 - number.low;
    const uint64_t blocks = (uint64_t)(size / 16) + (size % 16 != 0);
    const bool carries = room != 0 && room < blocks;
    const size_t part = carries ? (size_t)room * 16 : size;
    modes_ctr_run(round_keys, rounds, output,
                  _mm_set_epi64x((int64_t)number.high, (int64_t)number.low),
                  false, input, part);
    samara_count_by(&number, first, carries ? room : blocks);
    output += part;
    input += part;
    size -= part;
  }
  samara_counter_store(counter, &number);
  wide_forget();
}

/* GHASH.
 *
 * A block with its bytes reversed is a number of 128 bits whose bit 127 is the
 * coefficient of x^0. The carry-less product of two such numbers comes out one
 * place too low; so the powers of the key are kept times x (ghash_x86_64.c),
 * and the product of 256 bits needs no shift. It is reduced modulo
 * x^128 + x^7 + x^2 + x + 1 from its low end: the lowest 64 bits, times
 * 0xc2 << 56 (x^7 + x^2 + x + 1 without its lowest term, reflected), are added
 * 64 places above, twice; adding the halves exchanged stands for that lowest
 * term. 16 blocks times 16 powers need one reduction. */

typedef struct modes_product {
  wide low;
  wide middle;
  wide high;
} modes_product;

WIDE_INLINE void modes_add_product(modes_product *sum, wide a, wide b) {
  sum->low = wide_xor(sum->low, wide_multiply(a, b, 0x00));
  sum->high = wide_xor(sum->high, wide_multiply(a, b, 0x11));
  sum->middle = wide_xor(sum->middle, wide_multiply(a, b, 0x01));
  sum->middle = wide_xor(sum->middle, wide_multiply(a, b, 0x10));
}

WIDE_INLINE __m128i modes_reduce(const modes_product *sum) {
  const wide reducer =
      wide_broadcast(_mm_set_epi64x((int64_t)0xc200000000000000, 1));
  const wide middle =
      wide_xor(wide_xor(sum->middle, wide_words(sum->low, 0x4e)),
               wide_multiply(sum->low, reducer, 0x10));
  const wide high = wide_xor(wide_xor(sum->high, wide_words(middle, 0x4e)),
                             wide_multiply(middle, reducer, 0x10));
  return wide_sum(high);
}

/* The value after `vectors`, a constant, of blocks, times the powers that begin
 * at `powers` and end with the first. */
WIDE_INLINE __m128i modes_hash(__m128i value, const uint8_t *powers,
                               const uint8_t *blocks, size_t vectors) {
  const wide reverse = wide_broadcast(wide_reverse());
  const wide first =
      wide_xor(wide_first(value), wide_bytes(wide_load(blocks), reverse));
  const wide power = wide_load(powers);
  modes_product sum = {wide_multiply(first, power, 0x00),
                       wide_xor(wide_multiply(first, power, 0x01),
                                wide_multiply(first, power, 0x10)),
                       wide_multiply(first, power, 0x11)};
  WIDE_UNROLL
  for (size_t v = 1; v < vectors; v++) {
    modes_add_product(&sum,
                      wide_bytes(wide_load(blocks + sizeof first * v), reverse),
                      wide_load(powers + sizeof first * v));
  }
  return modes_reduce(&sum);
}

/* Fewer blocks than a vector has, behind zeros, which change nothing before the
 * value is added. */
WIDE_INLINE __m128i modes_hash_some(__m128i value, const uint8_t *powers,
                                    const uint8_t *blocks, size_t count) {
  uint8_t padded[16 * WIDE_BLOCKS] = {0};
  uint8_t *start = padded + sizeof padded - 16 * count;
  samara_copy_bytes(start, blocks, 16 * count);
  const __m128i added = _mm_xor_si128(wide_load_block(start),
                                      _mm_shuffle_epi8(value, wide_reverse()));
  wide_store_block(start, added);
  value = modes_hash(_mm_setzero_si128(), powers, padded, 1);
  samara_wipe(padded, sizeof padded);
  return value;
}

WIDE_KERNEL void WIDE_NAME(ghash)(uint8_t value_bytes[16],
                                  const uint8_t *powers, const uint8_t *blocks,
                                  size_t count) {
  enum { many = WIDE_BLOCKS * MODES_VECTORS };
  const uint8_t *end = powers + 16 * samara_ghash_powers;
  __m128i value = wide_load_block(value_bytes);
  for (; count >= many; count -= many, blocks += MODES_SIZE) {
    value = modes_hash(value, end - MODES_SIZE, blocks, MODES_VECTORS);
  }
  for (; count >= WIDE_BLOCKS; count -= WIDE_BLOCKS) {
    value = modes_hash(value, end - sizeof(wide), blocks, 1);
    blocks += sizeof(wide);
  }
  if (count != 0) {
    value = modes_hash_some(value, end - sizeof(wide), blocks, count);
  }
  wide_store_block(value_bytes, value);
  wide_forget();
}

/* GCM: as many blocks as MODES_SIZE bytes have are encrypted while those before
 * them are hashed; the processor mixes the two, which do not depend on each
 * other. `count` is a multiple of such. */
WIDE_KERNEL void WIDE_NAME(gcm_seal)(const uint32_t *round_keys,
                                     unsigned rounds, uint8_t value_bytes[16],
                                     const uint8_t *powers, uint8_t *output,
                                     uint8_t counter[16], const uint8_t *input,
                                     size_t count) {
  const uint8_t *last_powers = powers + 16 * samara_ghash_powers - MODES_SIZE;
  samara_counter number = samara_counter_load(counter);
  wide numbers = wide_add32(wide_broadcast(_mm_shuffle_epi8(
                                wide_load_block(counter), wide_reverse())),
                            wide_numbers());
  __m128i value = wide_load_block(value_bytes);
  const uint8_t *hashed = NULL;
  samara_count_by(&number, samara_gcm_counted_from, count);
  for (; count != 0; count -= WIDE_BLOCKS * MODES_VECTORS) {
    wide s[MODES_VECTORS];
    modes_counters(s, MODES_VECTORS, &numbers, round_keys, true);
    wide_rounds(s, MODES_VECTORS, round_keys, rounds);
    if (hashed != NULL) {
      value = modes_hash(value, last_powers, hashed, MODES_VECTORS);
    }
    WIDE_UNROLL
    for (size_t v = 0; v < MODES_VECTORS; v++) {
      wide_store(output + sizeof s[0] * v,
                 wide_xor(s[v], wide_load(input + sizeof s[0] * v)));
    }
    hashed = output;
    output += MODES_SIZE;
    input += MODES_SIZE;
  }
  if (hashed != NULL) {
    value = modes_hash(value, last_powers, hashed, MODES_VECTORS);
  }
  wide_store_block(value_bytes, value);
  samara_counter_store(counter, &number);
  wide_forget();
}

#undef MODES_VECTORS
#undef MODES_SIZE
#undef modes_count
#undef modes_counters
#undef modes_product
#undef modes_add_product
#undef modes_reduce
#undef modes_hash
#undef modes_hash_some
#undef modes_ctr_run
#undef modes_ctr_last
