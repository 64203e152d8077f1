/* SPDX-License-Identifier: Apache-2.0 */
/* Template: AES for lanes_template.h. Keys of 128 and 256 bits are expanded in
 * vectors, with the last round of AES as SubWord. */

#define LANES_USUAL_ROUNDS 10
#define LANES_ALL_MODES

#define batch_expand128 WIDE_LOCAL(batch_expand128)
#define batch_expand256 WIDE_LOCAL(batch_expand256)
#define batch_next_constant WIDE_LOCAL(batch_next_constant)
#define batch_rotated WIDE_LOCAL(batch_rotated)
#define batch_key_words WIDE_LOCAL(batch_key_words)
#define batch_hash WIDE_LOCAL(batch_hash)

/* Round keys of all lanes. */
typedef struct batch_keys {
  batch_blocks round[15];
} batch_keys;

/* Four words of FIPS 197, 5.2, in one vector of messages: each is the sum of
 * those up to it of the key before, and of `changed`. */
WIDE_INLINE wide batch_key_words(wide key, wide changed) {
  const wide up4 = wide_broadcast(
      _mm_set_epi8(11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, -1, -1, -1, -1));
  const wide up8 = wide_broadcast(
      _mm_set_epi8(7, 6, 5, 4, 3, 2, 1, 0, -1, -1, -1, -1, -1, -1, -1, -1));
  key = wide_xor(key, wide_bytes(key, up4));
  key = wide_xor(key, wide_bytes(key, up8));
  return wide_xor(key, changed);
}

/* RotWord, SubWord and the round constant: the rotated last word, in all four
 * columns, goes through the last round of AES, where ShiftRows changes nothing
 * then; the constant is its key. */
WIDE_INLINE wide batch_rotated(wide key, uint8_t constant) {
  const wide rotate = wide_broadcast(_mm_set_epi8(
      12, 15, 14, 13, 12, 15, 14, 13, 12, 15, 14, 13, 12, 15, 14, 13));
  return wide_encrypt_last(wide_bytes(key, rotate),
                           wide_broadcast(_mm_set1_epi32(constant)));
}

WIDE_INLINE uint8_t batch_next_constant(uint8_t constant) {
  return (uint8_t)(constant << 1 ^ (constant >> 7) * 0x1b);
}

WIDE_INLINE void batch_expand128(batch_keys *keys, size_t vector, wide key) {
  uint8_t constant = 1;
  wide_store(keys->round[0].lane[WIDE_BLOCKS * vector], key);
  for (unsigned i = 1; i <= 10; i++) {
    key = batch_key_words(key, batch_rotated(key, constant));
    wide_store(keys->round[i].lane[WIDE_BLOCKS * vector], key);
    constant = batch_next_constant(constant);
  }
}

/* Every other four words take SubWord alone of the word before them. */
WIDE_INLINE void batch_expand256(batch_keys *keys, size_t vector, wide first,
                                 wide second) {
  const wide zero = wide_xor(first, first);
  uint8_t constant = 1;
  wide_store(keys->round[0].lane[WIDE_BLOCKS * vector], first);
  wide_store(keys->round[1].lane[WIDE_BLOCKS * vector], second);
  for (unsigned i = 2; i <= 14; i += 2) {
    first = batch_key_words(first, batch_rotated(second, constant));
    wide_store(keys->round[i].lane[WIDE_BLOCKS * vector], first);
    constant = batch_next_constant(constant);
    if (i < 14) {
      second = batch_key_words(
          second, wide_encrypt_last(wide_words(first, 0xff), zero));
      wide_store(keys->round[i + 1].lane[WIDE_BLOCKS * vector], second);
    }
  }
}

/* Expands a key for each lane. */
WIDE_INLINE void batch_expand(batch_keys *round_keys,
                              const uint8_t *const *keys,
                              const samara_lanes_call *call) {
  if (call->key_words == 4) {
    WIDE_UNROLL
    for (size_t v = 0; v < BATCH_VECTORS; v++) {
      batch_expand128(round_keys, v, wide_gather(keys + WIDE_BLOCKS * v, 0));
    }
    return;
  }
  if (call->key_words == 8) {
    WIDE_UNROLL
    for (size_t v = 0; v < BATCH_VECTORS; v++) {
      batch_expand256(round_keys, v, wide_gather(keys + WIDE_BLOCKS * v, 0),
                      wide_gather(keys + WIDE_BLOCKS * v, 16));
    }
    return;
  }
  uint32_t expanded[4 * 13];
  SAMARA_WIPED(expanded);
  for (size_t i = 0; i < BATCH_LANES; i++) {
    samara_aes_x86_64_expand_key(expanded, keys[i], call->key_words);
    for (size_t r = 0; r <= call->rounds; r++) {
      wide_store_block(round_keys->round[r].lane[i],
                       wide_load_block(expanded + 4 * r));
    }
  }
}

WIDE_INLINE void batch_take_key(batch_keys *keys, size_t lane,
                                const batch_keys *from, size_t other,
                                unsigned rounds) {
  for (size_t r = 0; r <= rounds; r++) {
    wide_store_block(keys->round[r].lane[lane],
                     wide_load_block(from->round[r].lane[other]));
  }
}

WIDE_INLINE void batch_cipher(const batch_keys *keys,
                              const samara_lanes_call *call, unsigned rounds,
                              wide *chains, wide *keystream) {
  (void)call;
  WIDE_UNROLL
  for (size_t v = 0; v < BATCH_VECTORS; v++) {
    const wide key = wide_load(keys->round[0].lane[WIDE_BLOCKS * v]);
    if (chains != NULL) {
      chains[v] = wide_xor(chains[v], key);
    }
    if (keystream != NULL) {
      keystream[v] = wide_xor(keystream[v], key);
    }
  }
  for (unsigned r = 1; r < rounds; r++) {
    WIDE_UNROLL
    for (size_t v = 0; v < BATCH_VECTORS; v++) {
      const wide key = wide_load(keys->round[r].lane[WIDE_BLOCKS * v]);
      if (chains != NULL) {
        chains[v] = wide_encrypt(chains[v], key);
      }
      if (keystream != NULL) {
        keystream[v] = wide_encrypt(keystream[v], key);
      }
    }
  }
  WIDE_UNROLL
  for (size_t v = 0; v < BATCH_VECTORS; v++) {
    const wide key = wide_load(keys->round[rounds].lane[WIDE_BLOCKS * v]);
    if (chains != NULL) {
      chains[v] = wide_encrypt_last(chains[v], key);
    }
    if (keystream != NULL) {
      keystream[v] = wide_encrypt_last(keystream[v], key);
    }
  }
}

/* A block added to the hash of each lane, and times its key: see GHASH in
 * aes_modes_template.h. */
WIDE_INLINE wide batch_hash(wide hash, wide block, wide key) {
  const wide reducer =
      wide_broadcast(_mm_set_epi64x((int64_t)0xc200000000000000, 1));
  const wide a =
      wide_xor(hash, wide_bytes(block, wide_broadcast(wide_reverse())));
  const wide low = wide_multiply(a, key, 0x00);
  wide high = wide_multiply(a, key, 0x11);
  wide middle =
      wide_xor(wide_multiply(a, key, 0x01), wide_multiply(a, key, 0x10));
  middle = wide_xor(middle, wide_multiply(low, reducer, 0x10));
  middle = wide_xor(middle, wide_words(low, 0x4e));
  high = wide_xor(high, wide_multiply(middle, reducer, 0x10));
  return wide_xor(high, wide_words(middle, 0x4e));
}
