/* SPDX-License-Identifier: Apache-2.0 */
#include "block/aes_rounds.h"
#include "block/aes_words.h"

#include "common/bytes.h"
#include "common/wiped.h"
#include "mode/counter.h"

#include "block/aes_bitsliced64.h"

#if !SAMARA_AES_TABLES && SAMARA_WORD_BITS == 64

/* AES as logic on words of 64 bits, without tables: no address and no branch
 * depends on a secret. Eight words hold bit 0 to bit 7 of all bytes of four
 * blocks. In a word, the bit of the byte in row r and column c (FIPS 197, 3.4)
 * of block b is at
 *
 *   16 r + 4 c + b
 *
 * ShiftRows is left out, as by A. Adomnicai and T. Peyrin, "Fixslicing AES-like
 * Ciphers" (CHES 2021): bytes stay where they are, and MixColumns and the round
 * keys look for them there. With t = SR^-i (s) for the state s behind round i,
 * MixColumns of that round finds the next row i columns on, which is a rotation
 * of the word and of each row. After four rounds all is in its place again.
 *
 * The constant of SubBytes is in the round keys, except the first: MixColumns
 * does not change it. */

enum { sliced_lanes = 4 };

/* The bits of lane 0. */
#define SLICED_LANE_0 SLICED_REPEAT(0x1111)

/* Bytes 0, 1, 2, 3 of a column to the even bytes of a word. */
SAMARA_INLINE sliced_word sliced_spread(uint32_t column) {
  sliced_word w = column;
  w = (w | w << 16) & 0x0000ffff0000ffff;
  return (w | w << 8) & SLICED_REPEAT(0x00ff);
}

SAMARA_INLINE uint32_t sliced_gather(sliced_word w) {
  w &= SLICED_REPEAT(0x00ff);
  w = (w | w >> 8) & 0x0000ffff0000ffff;
  return (uint32_t)(w | w >> 16);
}

/* Word b takes columns 0 and 2 of block b, word b + 4 columns 1 and 3. */
SAMARA_INLINE void sliced_place_block(sliced_state s, unsigned b,
                                      const uint32_t columns[4]) {
  s[b] = sliced_spread(columns[0]) | sliced_spread(columns[2]) << 8;
  s[b + 4] = sliced_spread(columns[1]) | sliced_spread(columns[3]) << 8;
}

/* Loads `count` blocks (1 to LANES) into the lanes from 0 on; the others are
 * zero. */
static void sliced_load_blocks(sliced_state s, const uint8_t *input,
                               size_t count) {
  uint32_t columns[4];
  for (unsigned b = 0; b < sliced_lanes; b++) {
    if (b < count) {
      for (unsigned c = 0; c < 4; c++) {
        columns[c] = samara_load32_le(input + 16 * b + 4 * c);
      }
      sliced_place_block(s, b, columns);
    } else {
      s[b] = 0;
      s[b + 4] = 0;
    }
  }
  sliced_transpose(s);
}

static void sliced_store_blocks(uint8_t *output, sliced_state s, size_t count) {
  sliced_transpose(s);
  for (unsigned b = 0; b < count; b++) {
    samara_store32_le(output + 16 * b, sliced_gather(s[b]));
    samara_store32_le(output + 16 * b + 4, sliced_gather(s[b + 4]));
    samara_store32_le(output + 16 * b + 8, sliced_gather(s[b] >> 8));
    samara_store32_le(output + 16 * b + 12, sliced_gather(s[b + 4] >> 8));
  }
}

/* Each byte's place is taken by the one `rows` below and `columns` to the
 * right. A row that begins again at column 0 is 16 bits behind the others: one
 * mask chooses, which takes fewer registers than two. */
SAMARA_INLINE sliced_word sliced_fetch(sliced_word w, unsigned rows,
                                       unsigned columns) {
  const unsigned count = 16 * rows + 4 * columns;
  if (columns == 0) {
    return sliced_rotate(w, count);
  }
  const sliced_word low = SLICED_REPEAT(0xffffu >> 4 * columns % 16);
  const sliced_word again = sliced_rotate(w, (count + 48) % 64);
  return again ^ ((again ^ sliced_rotate(w, count)) & low);
}

/* ShiftRows, `times` times. */
SAMARA_INLINE sliced_word sliced_shift_rows(sliced_word w, unsigned times) {
  sliced_word shifted = 0;
  for (unsigned r = 0; r < 4; r++) {
    shifted |= sliced_fetch(w, 0, r * times % 4) & (sliced_word)0xffff
                                                       << 16 * r;
  }
  return shifted;
}

/* Multiplies every byte by x in GF(2^8): x^8 = x^4 + x^3 + x + 1. */
SAMARA_INLINE void sliced_times_x(sliced_state product, const sliced_state s) {
  const sliced_word top = s[7];
  SLICED_UNROLL
  for (unsigned i = 7; i > 0; i--) {
    product[i] = s[i - 1];
  }
  product[0] = top;
  product[1] ^= top;
  product[3] ^= top;
  product[4] ^= top;
}

/* MixColumns of a round: with a' the next row down, 2 a + 3 a' + a'' + a''' =
 * 2 (a + a') + a' + (a + a')''. `turn` is the number of the round modulo 4. One
 * bit after the other, so that few words are in use at a time. Twice is in
 * GF(2^8): x^8 = x^4 + x^3 + x + 1. */
SAMARA_INLINE void sliced_mix_columns(sliced_state s, unsigned turn) {
  const sliced_word top = s[7] ^ sliced_fetch(s[7], 1, turn);
  sliced_word below = top;
  SLICED_UNROLL
  for (unsigned i = 0; i < 8; i++) {
    const sliced_word next = sliced_fetch(s[i], 1, turn);
    const sliced_word sum = s[i] ^ next;
    s[i] = below ^ next ^ sliced_fetch(sum, 2, 2 * turn % 4);
    if (i == 1 || i == 3 || i == 4) {
      s[i] ^= top;
    }
    below = sum;
  }
}

/* The matrix of InvMixColumns is that of MixColumns times (5, 0, 4, 0): add
 * 4 (a + a'') first. */
SAMARA_INLINE void sliced_inverse_mix_columns(sliced_state s, unsigned turn) {
  sliced_state sum;
  sliced_state twice;
  SLICED_UNROLL
  for (unsigned i = 0; i < 8; i++) {
    sum[i] = s[i] ^ sliced_fetch(s[i], 2, 2 * turn % 4);
  }
  sliced_times_x(twice, sum);
  sliced_times_x(sum, twice);
  SLICED_UNROLL
  for (unsigned i = 0; i < 8; i++) {
    s[i] ^= sum[i];
  }
  sliced_mix_columns(s, turn);
}

/* A^-1, A being the matrix of SubBytes (FIPS 197, 5.1.1): bit i of the answer
 * is the sum of bits i + 2, i + 5 and i + 7, modulo 8. */
SAMARA_INLINE void sliced_undo_matrix(sliced_state s) {
  sliced_state from;
  SLICED_UNROLL
  for (unsigned i = 0; i < 8; i++) {
    from[i] = s[i];
  }
  SLICED_UNROLL
  for (unsigned i = 0; i < 8; i++) {
    s[i] = from[(i + 2) % 8] ^ from[(i + 5) % 8] ^ from[(i + 7) % 8];
  }
}

/* SubBytes without its constant is A o inversion, so its inverse is
 * A^-1 o (A o inversion) o A^-1. */
SAMARA_INLINE void sliced_inverse_sub_bytes(sliced_state s) {
  sliced_undo_matrix(s);
  sliced_sub_bytes(s);
  sliced_undo_matrix(s);
}

/* Bytes of a round key are where those are that they are added to, ShiftRows
 * being left out. */
static void sliced_pack_round_key(uint32_t packed[4], unsigned round) {
  const uint32_t constant = round == 0 ? 0 : 0x63636363;
  sliced_word nibbles[2] = {0, 0};
  for (unsigned c = 0; c < 4; c++) {
    const sliced_word column = sliced_spread(packed[c] ^ constant);
    nibbles[0] |= (column & SLICED_REPEAT(0x000f)) << 4 * c;
    nibbles[1] |= (column >> 4 & SLICED_REPEAT(0x000f)) << 4 * c;
  }
  for (unsigned i = 0; i < 2; i++) {
    if (round % 2 != 0) {
      nibbles[i] = sliced_shift_rows(nibbles[i], 3);
    }
    if (round % 4 >= 2) {
      nibbles[i] = sliced_shift_rows(nibbles[i], 2);
    }
    packed[2 * i] = (uint32_t)nibbles[i];
    packed[2 * i + 1] = (uint32_t)(nibbles[i] >> 32);
  }
}

/* All round keys, in every lane. */
typedef sliced_state sliced_keys[15];

static void sliced_spread_keys(sliced_keys keys, const uint32_t *round_keys,
                               unsigned rounds) {
  sliced_word nibbles[2];
  SAMARA_WIPED(nibbles);
  for (unsigned round = 0; round <= rounds; round++) {
    sliced_load_key(nibbles, round_keys + 4 * (size_t)round);
    SLICED_UNROLL
    for (unsigned i = 0; i < 8; i++) {
      const sliced_word lane = sliced_key_plane(nibbles, i);
      keys[round][i] = (lane << sliced_lanes) - lane;
    }
  }
}

SAMARA_INLINE void sliced_add_round_key(sliced_state s,
                                        const sliced_state key) {
  SLICED_UNROLL
  for (unsigned i = 0; i < 8; i++) {
    s[i] ^= key[i];
  }
}

/* SubWord (FIPS 197, 5.2): the S-box on the four bytes of a word. */
static uint32_t sliced_sub_word(uint32_t bytes) {
  sliced_state s;
  SLICED_UNROLL
  for (unsigned i = 0; i < 8; i++) {
    s[i] = bytes >> i; /* bit i of each byte to its lowest */
  }
  sliced_sub_bytes(s);
  uint32_t substituted = 0x63636363;
  SLICED_UNROLL
  for (unsigned i = 0; i < 8; i++) {
    substituted ^= ((uint32_t)s[i] & 0x01010101) << i;
  }
  return substituted;
}

void samara_aes_bitsliced_expand_key(uint32_t *round_keys, const uint8_t *key,
                                     unsigned key_words) {
  samara_aes_expand_words(round_keys, key, key_words, sliced_sub_word);
  for (unsigned round = 0; round < key_words + 7; round++) {
    sliced_pack_round_key(round_keys + 4 * (size_t)round, round);
  }
}

/* SubBytes, MixColumns and the key of a round. */
SAMARA_INLINE void sliced_round(sliced_state s, const sliced_state key,
                                unsigned turn) {
  sliced_sub_bytes(s);
  sliced_mix_columns(s, turn);
  sliced_add_round_key(s, key);
}

/* ShiftRows for the rounds, 10, 12 or 14, in which it was left out. */
SAMARA_INLINE void sliced_put_right(sliced_state s, unsigned rounds) {
  if (rounds % 4 != 0) {
    SLICED_UNROLL
    for (unsigned i = 0; i < 8; i++) {
      s[i] = sliced_shift_rows(s[i], 2);
    }
  }
}

static void sliced_encrypt(sliced_state state, const sliced_state *keys,
                           unsigned rounds) {
  sliced_state s;
  SLICED_UNROLL
  for (unsigned i = 0; i < 8; i++) {
    s[i] = state[i];
  }
  sliced_add_round_key(s, keys[0]);
  unsigned round = 1;
  for (;; round += 4) {
    sliced_round(s, keys[round], 1);
    if (round + 1 == rounds) {
      break;
    }
    sliced_round(s, keys[round + 1], 2);
    sliced_round(s, keys[round + 2], 3);
    if (round + 3 == rounds) {
      break;
    }
    sliced_round(s, keys[round + 3], 0);
  }
  sliced_sub_bytes(s);
  sliced_add_round_key(s, keys[rounds]);
  sliced_put_right(s, rounds);
  SLICED_UNROLL
  for (unsigned i = 0; i < 8; i++) {
    state[i] = s[i];
  }
}

/* Undoes the key of a round, its MixColumns and SubBytes. */
SAMARA_INLINE void sliced_undo_round(sliced_state s, const sliced_state key,
                                     unsigned turn) {
  sliced_add_round_key(s, key);
  sliced_inverse_mix_columns(s, turn);
  sliced_inverse_sub_bytes(s);
}

static void sliced_decrypt(sliced_state s, const sliced_state *keys,
                           unsigned rounds) {
  sliced_put_right(s, rounds); /* twice two are four */
  sliced_add_round_key(s, keys[rounds]);
  sliced_inverse_sub_bytes(s);
  for (unsigned round = rounds - 1; round > 0; round--) {
    switch (round % 4) {
    case 0:
      sliced_undo_round(s, keys[round], 0);
      break;
    case 1:
      sliced_undo_round(s, keys[round], 1);
      break;
    case 2:
      sliced_undo_round(s, keys[round], 2);
      break;
    default:
      sliced_undo_round(s, keys[round], 3);
    }
  }
  sliced_add_round_key(s, keys[0]);
}

/* What the functions below take, which is deeper than what their callers wipe
 * behind single blocks. */
enum { sliced_stack = 1664, sliced_ccm_stack = 2304 };

/* Encrypts or decrypts `count` blocks. */
SAMARA_INLINE void
sliced_each_four(void (*four)(sliced_state, const sliced_state *, unsigned),
                 const uint32_t *round_keys, unsigned rounds, uint8_t *output,
                 const uint8_t *input, size_t count) {
  sliced_keys keys;
  SAMARA_WIPED(keys);
  sliced_state s;
  SAMARA_WIPED(s);
  sliced_spread_keys(keys, round_keys, rounds);
  while (count != 0) {
    const size_t part = count < sliced_lanes ? count : sliced_lanes;
    sliced_load_blocks(s, input, part);
    four(s, (const sliced_state *)keys, rounds);
    sliced_store_blocks(output, s, part);
    input += 16 * part;
    output += 16 * part;
    count -= part;
  }
}

SAMARA_NOT_INLINED static void
sliced_bare_encrypt(const uint32_t *round_keys, unsigned rounds,
                    uint8_t *output, const uint8_t *input, size_t count) {
  sliced_each_four(sliced_encrypt, round_keys, rounds, output, input, count);
}

void samara_aes_bitsliced_encrypt(const uint32_t *round_keys, unsigned rounds,
                                  uint8_t *output, const uint8_t *input,
                                  size_t count) {
  sliced_bare_encrypt(round_keys, rounds, output, input, count);
  samara_wipe_stack(sliced_stack);
}

SAMARA_NOT_INLINED static void
sliced_bare_decrypt(const uint32_t *round_keys, unsigned rounds,
                    uint8_t *output, const uint8_t *input, size_t count) {
  sliced_each_four(sliced_decrypt, round_keys, rounds, output, input, count);
}

void samara_aes_bitsliced_decrypt(const uint32_t *round_keys, unsigned rounds,
                                  uint8_t *output, const uint8_t *input,
                                  size_t count) {
  sliced_bare_decrypt(round_keys, rounds, output, input, count);
  samara_wipe_stack(sliced_stack);
}

SAMARA_NOT_INLINED static void
sliced_bare_ctr(const uint32_t *round_keys, unsigned rounds, uint8_t *output,
                samara_counter *counter, unsigned first, const uint8_t *input,
                size_t size) {
  sliced_keys keys;
  SAMARA_WIPED(keys);
  sliced_state s;
  SAMARA_WIPED(s);
  uint8_t keystream[16 * sliced_lanes];
  SAMARA_WIPED(keystream);
  sliced_spread_keys(keys, round_keys, rounds);
  while (size != 0) {
    const size_t part = size < sizeof keystream ? size : sizeof keystream;
    const size_t count = (part + 15) / 16;
    sliced_store_counters(keystream, counter, first, count);
    sliced_load_blocks(s, keystream, count);
    sliced_encrypt(s, (const sliced_state *)keys, rounds);
    sliced_store_blocks(keystream, s, count);
    samara_xor_bytes(output, input, keystream, part);
    output += part;
    input += part;
    size -= part;
  }
}

bool samara_aes_bitsliced_ctr(const uint32_t *round_keys, unsigned rounds,
                              uint8_t *output, uint8_t counter[16],
                              unsigned first, const uint8_t *input,
                              size_t size) {
  samara_counter next = samara_counter_load(counter);
  if (size >= 2 * samara_aes_rows_bytes) {
    const size_t rest = size % samara_aes_rows_bytes;
    samara_aes_rows_ctr(round_keys, rounds, output, &next, first, input,
                        size / samara_aes_rows_bytes);
    output += size - rest;
    input += size - rest;
    size = rest;
  }
  if (size != 0) {
    sliced_bare_ctr(round_keys, rounds, output, &next, first, input, size);
    samara_wipe_stack(sliced_stack);
  }
  samara_counter_store(counter, &next);
  return true;
}

/* CCM of one message. A block of the MAC waits for the one before it, and takes
 * one lane of four: the keystream of three blocks is made in the others
 * meanwhile. So three blocks are one turn, and the MAC stays in lane 0. */

enum { sliced_turn = 3 };

typedef struct sliced_ccm {
  sliced_keys keys;
  unsigned rounds;
  sliced_state mac;
  samara_counter counter; /* of the next block of keystream */
  uint8_t keystream[16 * sliced_turn];
} sliced_ccm;

/* Puts the counters of `count` blocks into the lanes from 1 on. The lower half
 * does not carry: eight bytes at least have room for the blocks of a message,
 * or those that count have. */
static void sliced_add_counters(sliced_ccm *ccm, sliced_state s, size_t count) {
  uint8_t blocks[16 * sliced_lanes] = {0};
  sliced_state counters;
  for (size_t i = 0; i < count; i++, ccm->counter.low++) {
    samara_counter_store(blocks + 16 + 16 * i, &ccm->counter);
  }
  sliced_load_blocks(counters, blocks, count + 1);
  for (unsigned i = 0; i < 8; i++) {
    s[i] |= counters[i];
  }
}

/* Encrypts lane 0 and, with `count` not 0, as many counters; lane 0 stays. */
static void sliced_ccm_pass(sliced_ccm *ccm, sliced_state s, size_t count) {
  uint8_t blocks[16 * sliced_lanes];
  SAMARA_WIPED(blocks);
  if (count != 0) {
    sliced_add_counters(ccm, s, count);
  }
  sliced_encrypt(s, (const sliced_state *)ccm->keys, ccm->rounds);
  for (unsigned i = 0; i < 8; i++) {
    ccm->mac[i] = s[i] & SLICED_LANE_0;
  }
  if (count != 0) {
    sliced_store_blocks(blocks, s, count + 1);
    samara_copy_bytes(ccm->keystream, blocks + 16, 16 * count);
  }
}

/* Adds `count` blocks of plaintext, 1 to 3, to the MAC, and makes `ahead`
 * blocks of keystream. */
static void sliced_ccm_turn(sliced_ccm *ccm, const uint8_t *plaintext,
                            size_t count, size_t ahead) {
  sliced_state text;
  SAMARA_WIPED(text);
  sliced_state s;
  SAMARA_WIPED(s);
  sliced_load_blocks(text, plaintext, count);
  for (unsigned b = 0; b < count; b++) {
    for (unsigned i = 0; i < 8; i++) {
      s[i] = ccm->mac[i] ^ (text[i] >> b & SLICED_LANE_0);
    }
    sliced_ccm_pass(ccm, s, b == 0 ? ahead : 0);
  }
}

static size_t sliced_blocks_of_turn(size_t count) {
  return count < sliced_turn ? count : sliced_turn;
}

static void sliced_ccm_seal(sliced_ccm *ccm, uint8_t *output,
                            const uint8_t *input, size_t count) {
  while (count != 0) {
    const size_t part = sliced_blocks_of_turn(count);
    sliced_ccm_turn(ccm, input, part, part);
    samara_xor_bytes(output, input, ccm->keystream, 16 * part);
    output += 16 * part;
    input += 16 * part;
    count -= part;
  }
}

/* The keystream is one turn ahead of the MAC, which needs plaintext. */
static void sliced_ccm_open(sliced_ccm *ccm, uint8_t *output,
                            const uint8_t *input, size_t count) {
  sliced_state s = {0};
  SAMARA_WIPED(s);
  sliced_state mac;
  SAMARA_WIPED(mac);
  for (unsigned i = 0; i < 8; i++) {
    mac[i] = ccm->mac[i];
  }
  sliced_ccm_pass(ccm, s, sliced_blocks_of_turn(count));
  for (unsigned i = 0; i < 8; i++) {
    ccm->mac[i] = mac[i];
  }
  while (count != 0) {
    const size_t part = sliced_blocks_of_turn(count);
    count -= part;
    samara_xor_bytes(output, input, ccm->keystream, 16 * part);
    sliced_ccm_turn(ccm, output, part, sliced_blocks_of_turn(count));
    output += 16 * part;
    input += 16 * part;
  }
}

SAMARA_NOT_INLINED static void
sliced_bare_ccm(const uint32_t *round_keys, unsigned rounds, bool opening,
                uint8_t *output, uint8_t mac[16], uint8_t counter[16],
                const uint8_t *input, size_t count) {
  sliced_ccm ccm;
  SAMARA_WIPED(ccm);
  ccm.rounds = rounds;
  sliced_spread_keys(ccm.keys, round_keys, rounds);
  ccm.counter = samara_counter_load(counter);
  sliced_load_blocks(ccm.mac, mac, 1);
  if (opening) {
    sliced_ccm_open(&ccm, output, input, count);
  } else {
    sliced_ccm_seal(&ccm, output, input, count);
  }
  sliced_store_blocks(mac, ccm.mac, 1);
  samara_counter_store(counter, &ccm.counter);
}

size_t samara_aes_bitsliced_ccm(const uint32_t *round_keys, unsigned rounds,
                                bool opening, uint8_t *output, uint8_t mac[16],
                                uint8_t counter[16], const uint8_t *input,
                                size_t size) {
  const size_t count = size / 16;
  if (count != 0) {
    sliced_bare_ccm(round_keys, rounds, opening, output, mac, counter, input,
                    count);
    samara_wipe_stack(sliced_ccm_stack);
  }
  return 16 * count;
}

#endif
