/* SPDX-License-Identifier: Apache-2.0 */

/* What known answers do not say of Grain: pieces, positions, soft values, and
 * that AEAD and PLE are one generator. */

#include "aead/grain128aead_bulk.h"
#include "aead/grain128aead_work.h"
#include "check.h"
#include <samara/grain128aead.h>
#include <samara/grain128ple.h>
#include <string.h>

enum { size_max = 300 };

static bool bit_of(const uint8_t *bits, size_t index) {
  return (bits[index / 8] >> (index % 8) & 1) != 0;
}

/* PLE keystream bits 0, 2, 4, ... are the AEAD's encryption stream from the
 * first bit of the encoded length on (one byte while the data is short). */
static void check_identity(void) {
  uint8_t key[16], nonce[12], data[127], message[64], tag[8];
  uint8_t ciphertext[sizeof message];
  uint8_t keystream[2 * (1 + sizeof data + sizeof message)];
  fill_random(key, sizeof key);
  fill_random(nonce, sizeof nonce);
  fill_random(data, sizeof data);
  fill_random(message, sizeof message);
  const size_t data_size = random_below(sizeof data + 1);
  CHECK_RESULT(samara_grain128aead_seal(key, ciphertext, tag, nonce, data,
                                        data_size, message, sizeof message),
               SAMARA_OK, "seal");
  samara_grain128ple ple;
  samara_grain128ple_init(&ple, key, nonce);
  samara_grain128ple_keystream(&ple, keystream, 8 * sizeof keystream);
  bool alike = true;
  for (size_t i = 0; i < 8 * sizeof message; i++) {
    const size_t position = 2 * (8 * (1 + data_size) + i);
    alike &= bit_of(keystream, position) ==
             (bit_of(message, i) != bit_of(ciphertext, i));
  }
  CHECK(alike, "PLE's even bits are not AEAD's encryption bits");
}

static void seal_in_pieces(uint8_t *ciphertext, uint8_t tag[8],
                           const uint8_t key[16], const uint8_t nonce[12],
                           const uint8_t *message, size_t size) {
  samara_grain128aead state;
  samara_grain128aead_seal_init(&state, key, nonce, message, size);
  for (size_t done = 0; done < size;) {
    const size_t room = size - done;
    const size_t part = random_below((room < 13 ? room : 13) + 1);
    CHECK_RESULT(samara_grain128aead_seal_update(&state, ciphertext + done,
                                                 message + done, part),
                 SAMARA_OK, "update");
    done += part;
  }
  CHECK_RESULT(samara_grain128aead_seal_finish(&state, tag), SAMARA_OK,
               "finish");
  CHECK_RESULT(samara_grain128aead_seal_finish(&state, tag), SAMARA_ERROR_STATE,
               "finish twice");
}

static void check_open_in_pieces(const uint8_t *ciphertext, uint8_t tag[8],
                                 const uint8_t key[16], const uint8_t nonce[12],
                                 const uint8_t *message, size_t size) {
  uint8_t opened[size_max];
  samara_grain128aead state;
  for (int forged = 0; forged < 2; forged++) {
    samara_grain128aead_unverified_open_init(&state, key, nonce, message, size);
    for (size_t done = 0; done < size; done++) {
      CHECK_RESULT(samara_grain128aead_unverified_open_update(
                       &state, opened + done, ciphertext + done, 1),
                   SAMARA_OK, "update");
    }
    CHECK_BYTES(opened, message, size, "opened in pieces");
    tag[random_below(8)] ^= (uint8_t)forged;
    CHECK_RESULT(samara_grain128aead_unverified_open_finish(&state, tag),
                 forged ? SAMARA_ERROR_AUTHENTICATION : SAMARA_OK, "finish");
    CHECK_RESULT(samara_grain128aead_unverified_open_update(&state, opened,
                                                            ciphertext, 1),
                 SAMARA_ERROR_STATE, "update after finish");
  }
}

static void check_pieces(size_t size) {
  uint8_t key[16], nonce[12], message[size_max], whole[size_max];
  uint8_t pieces[size_max], whole_tag[8], tag[8];
  fill_random(key, sizeof key);
  fill_random(nonce, sizeof nonce);
  fill_random(message, size);
  CHECK_RESULT(samara_grain128aead_seal(key, whole, whole_tag, nonce, message,
                                        size, message, size),
               SAMARA_OK, "seal");
  seal_in_pieces(pieces, tag, key, nonce, message, size);
  CHECK_BYTES(pieces, whole, size, "sealed in pieces");
  CHECK_BYTES(tag, whole_tag, 8, "tag of pieces");
  check_open_in_pieces(pieces, tag, key, nonce, message, size);
}

static void check_order(void) {
  uint8_t bytes[16] = {0};
  samara_grain128aead state = {.stage = 0};
  CHECK_RESULT(samara_grain128aead_seal_update(&state, bytes, bytes, 1),
               SAMARA_ERROR_STATE, "update before init");
  samara_grain128aead_unverified_open_init(&state, bytes, bytes, NULL, 0);
  CHECK_RESULT(samara_grain128aead_seal_update(&state, bytes, bytes, 1),
               SAMARA_ERROR_STATE, "sealing what is being opened");
  samara_grain128aead_seal_init(&state, bytes, bytes, NULL, 0);
  CHECK_RESULT(
      samara_grain128aead_unverified_open_update(&state, bytes, bytes, 1),
      SAMARA_ERROR_STATE, "opening what is being sealed");
  CHECK_RESULT(samara_grain128aead_unverified_open_finish(&state, bytes),
               SAMARA_ERROR_STATE, "finishing what is being sealed");
  CHECK_RESULT(samara_grain128aead_seal_update(&state, bytes + 1, bytes, 8),
               SAMARA_ERROR_OVERLAP, "overlap");
  samara_grain128aead_wipe(&state);
  CHECK(all_zero((const uint8_t *)&state, sizeof state), "wiped");
}

#if SAMARA_WORD_BITS == 64
/* What is done with many bytes at once, by every way that this processor can
 * run, beside the same in small pieces. */
static void check_bulk(grain128aead_bulk_call *bulk,
                       enum grain128aead_way way) {
  enum { small = 28, most = 5 * grain128aead_bulk_bytes };
  uint8_t key[16], nonce[12], input[most], output[most], want[most];
  samara_grain128aead many, few;
  const size_t size = random_below(most + 1);
  const size_t whole = size - size % grain128aead_bulk_bytes;
  fill_random(key, sizeof key);
  fill_random(nonce, sizeof nonce);
  fill_random(input, sizeof input);
  samara_grain128aead_begin(&many, key, nonce, 1000); /* 3 bytes of length */
  samara_grain128aead_absorb(&many, key, 1);
  few = many;
  memset(output, 0xa5, sizeof output);
  memset(want, 0xa5, sizeof want);
  for (size_t done = 0; done < whole; done += small) {
    const size_t part = whole - done < small ? whole - done : small;
    if (way == grain128aead_absorbing) {
      samara_grain128aead_absorb(&few, input + done, part);
    } else if (way == grain128aead_sealing) {
      samara_grain128aead_encrypt(&few, want + done, input + done, part);
    } else {
      samara_grain128aead_decrypt(&few, want + done, input + done, part);
    }
  }
  CHECK(bulk(&many, output, input, size, way) == whole, "size of a bulk");
  CHECK_BYTES(output, want, sizeof output, "bulk");
  CHECK_BYTES((const uint8_t *)&many.generator, (const uint8_t *)&few.generator,
              sizeof few.generator, "generator after a bulk");
  CHECK_BYTES((const uint8_t *)many.accumulator,
              (const uint8_t *)few.accumulator, sizeof few.accumulator,
              "accumulator after a bulk");
  CHECK_BYTES((const uint8_t *)many.authenticator,
              (const uint8_t *)few.authenticator, sizeof few.authenticator,
              "authenticator after a bulk");
}

static void check_bulks(void) {
  grain128aead_bulk_call *bulk;
  for (unsigned i = 0; (bulk = samara_grain128aead_bulk(i)) != NULL; i++) {
    check_bulk(bulk, grain128aead_absorbing);
    check_bulk(bulk, grain128aead_sealing);
    check_bulk(bulk, grain128aead_opening);
  }
}
#endif

/* The keystream is the same however it is taken. */
static void check_positions(void) {
  uint8_t key[16], nonce[12], whole[size_max], bits[size_max], want[size_max];
  fill_random(key, sizeof key);
  fill_random(nonce, sizeof nonce);
  samara_grain128ple state;
  samara_grain128ple_init(&state, key, nonce);
  samara_grain128ple_keystream(&state, whole, 8 * sizeof whole);

  const size_t skipped = random_below(900);
  const size_t offset = random_below(100);
  const size_t count = random_below(1200);
  fill_random(bits, sizeof bits);
  memcpy(want, bits, sizeof bits);
  for (size_t i = 0; i < count; i++) {
    const size_t to = offset + i;
    want[to / 8] ^= (uint8_t)(bit_of(whole, skipped + i) << to % 8);
  }
  samara_grain128ple_init(&state, key, nonce);
  samara_grain128ple_skip(&state, skipped);
  const size_t first = random_below(count + 1);
  samara_grain128ple_xor(&state, bits, offset, first);
  samara_grain128ple_xor(&state, bits, offset + first, count - first);
  CHECK_BYTES(bits, want, sizeof bits, "bits from any offset");

  uint8_t rest[4] = {0xff, 0xff, 0xff, 0xff};
  samara_grain128ple_keystream(&state, rest, 13);
  for (size_t i = 0; i < 16; i++) {
    CHECK(bit_of(rest, i) == (i < 13 && bit_of(whole, skipped + count + i)),
          "keystream bit %zu after the others", i);
  }
  CHECK(rest[2] == 0xff, "13 bits wrote a third byte");
}

/* The pattern of a number, which tells 0 from -0. */
static uint32_t bits_of(float number) {
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

static void check_flips(void) {
  enum { count = 1000 };
  uint8_t key[16], nonce[12], keystream[count / 8];
  int8_t small[count];
  int16_t large[count];
  float real[count];
  samara_grain128ple state[3];
  fill_random(key, sizeof key);
  fill_random(nonce, sizeof nonce);
  samara_grain128ple_init(&state[0], key, nonce);
  samara_grain128ple_keystream(&state[0], keystream, count);
  for (int i = 0; i < count; i++) {
    small[i] = (int8_t)(i % 256 - 128);
    large[i] = (int16_t)(i % 2 ? INT16_MIN : 65 * (i - count / 2));
    real[i] = i % 3 ? (float)i * 0.37F : 0.0F;
  }
  for (int i = 0; i < 3; i++) {
    samara_grain128ple_init(&state[i], key, nonce);
  }
  for (size_t done = 0; done < count;) {
    const size_t part = random_below(count - done) + 1;
    samara_grain128ple_flip_int8(&state[0], small + done, part);
    samara_grain128ple_flip_int16(&state[1], large + done, part);
    samara_grain128ple_flip_float32(&state[2], real + done, part);
    done += part;
  }
  for (int i = 0; i < count; i++) {
    const bool flipped = bit_of(keystream, (size_t)i);
    const int value8 = i % 256 - 128;
    const int value16 = i % 2 ? INT16_MIN : 65 * (i - count / 2);
    const float value = i % 3 ? (float)i * 0.37F : 0.0F;
    const int want8 = flipped ? (value8 == -128 ? 127 : -value8) : value8;
    const int want16 =
        flipped ? (value16 == INT16_MIN ? INT16_MAX : -value16) : value16;
    CHECK(small[i] == want8, "int8 %d: %d", value8, small[i]);
    CHECK(large[i] == want16, "int16 %d: %d", value16, large[i]);
    CHECK(bits_of(real[i]) == bits_of(flipped ? -value : value),
          "float32 %g: %g", (double)value, (double)real[i]);
  }
}

int main(void) {
  for (int i = 0; i < 200; i++) {
    check_identity();
    check_positions();
#if SAMARA_WORD_BITS == 64
    check_bulks();
#endif
  }
  for (size_t size = 0; size < size_max; size += 1 + random_below(5)) {
    check_pieces(size);
  }
  check_order();
  check_flips();
  return check_report();
}
