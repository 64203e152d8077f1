/* SPDX-License-Identifier: Apache-2.0 */

/* The parts of ChaCha20-Poly1305 by themselves, with the answers of RFC 8439,
 * and the length that a message may have. */

#include "aead/chacha20.h"
#include "aead/poly1305.h"
#include "check.h"
#include <samara/chacha20_poly1305.h>
#include <stdlib.h>
#include <string.h>

enum { bytes_max = 512 };

static size_t from_hex(uint8_t *bytes, const char *hex) {
  size_t size = 0;
  for (; hex[2 * size] != 0; size++) {
    const char pair[3] = {hex[2 * size], hex[2 * size + 1], 0};
    bytes[size] = (uint8_t)strtoul(pair, NULL, 16);
  }
  return size;
}

typedef struct mac {
  const char *name, *key, *text, *tag;
} mac;

#define ZERO "00000000000000000000000000000000"
#define ONES "ffffffffffffffffffffffffffffffff"
#define R1 "01000000000000000000000000000000"
#define R2 "02000000000000000000000000000000"
#define R4 "01000000000000000400000000000000"

/* RFC 8439: section 2.5.2, and those of appendix A.3 whose texts are whole
 * blocks, as Poly1305 has them here. Numbers 7 to 11 reach the limits of the
 * arithmetic modulo 2^130 - 5. */
static const mac macs[] = {
    {"A.3 1", ZERO ZERO, ZERO ZERO ZERO ZERO, ZERO},
    {"A.3 7", R2 ZERO, ONES, "03000000000000000000000000000000"},
    {"A.3 8", R2 ONES, R2, "03000000000000000000000000000000"},
    {"A.3 9", R1 ZERO,
     ONES "f0ffffffffffffffffffffffffffffff"
          "11000000000000000000000000000000",
     "05000000000000000000000000000000"},
    {"A.3 10", R1 ZERO,
     ONES "fbfefefefefefefefefefefefefefefe"
          "01010101010101010101010101010101",
     ZERO},
    {"A.3 11", R2 ZERO, "fdffffffffffffffffffffffffffffff",
     "faffffffffffffffffffffffffffffff"},
    {"A.3 12", R4 ZERO,
     "e33594d7505e43b900000000000000003394d7505e4379cd0100000000000000" ZERO R1,
     "14000000000000005500000000000000"},
    {"A.3 13", R4 ZERO,
     "e33594d7505e43b900000000000000003394d7505e4379cd0100000000000000" ZERO,
     "13000000000000000000000000000000"},
    /* Ours, with Python's integers: the greatest r, and a first block that
     * makes h nearly 2^130. Ten products of limbs of 13 bits then exceed 2^32.
     */
    {"greatest sums", ONES ZERO, "14a2efc2018a7fcad599b6fcd04e4dc3" ONES ONES,
     "750ffe9b51195832a171e7dc589cb40b"},
    /* A carry through all words below 2^128, from what comes back of those
     * above 2^130: by chance it happens once in 2^64 blocks. */
    {"longest carry", R1 ZERO, ZERO ZERO ZERO ONES ZERO ZERO ZERO,
     "09000000000000000000000000000000"},
};

static void check_macs(void) {
  for (size_t i = 0; i < sizeof macs / sizeof macs[0]; i++) {
    uint8_t key[32], text[bytes_max], want[16], tag[16];
    poly1305_state state;
    (void)from_hex(key, macs[i].key);
    (void)from_hex(want, macs[i].tag);
    const size_t size = from_hex(text, macs[i].text);
    poly1305_start(&state, key);
    poly1305_add(&state, text, size);
    poly1305_finish(&state, tag);
    CHECK_BYTES(tag, want, sizeof want, macs[i].name);
  }
}

/* Texts in several calls, each of whole blocks, have the tag of the whole. */
static void check_mac_pieces(void) {
  uint8_t key[32], text[160], want[16], tag[16];
  poly1305_state state;
  fill_random(key, sizeof key);
  fill_random(text, sizeof text);
  poly1305_start(&state, key);
  poly1305_add(&state, text, sizeof text);
  poly1305_finish(&state, want);
  for (size_t cut = 0; cut <= sizeof text; cut += 16) {
    poly1305_start(&state, key);
    poly1305_add(&state, text, cut);
    poly1305_add(&state, text + cut, sizeof text - cut);
    poly1305_finish(&state, tag);
    CHECK_BYTES(tag, want, sizeof want, "in two pieces");
  }
}

typedef struct block {
  const char *name, *key, *nonce;
  uint32_t counter;
  const char *stream;
} block;

#define KEY_OF_2_3_2                                                           \
  "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
#define ZERO_NONCE "000000000000000000000000"

/* RFC 8439: section 2.3.2 and appendix A.1. */
static const block blocks[] = {
    {"2.3.2", KEY_OF_2_3_2, "000000090000004a00000000", 1,
     "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
     "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"},
    {"A.1 1", ZERO ZERO, ZERO_NONCE, 0,
     "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
     "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"},
    {"A.1 2", ZERO ZERO, ZERO_NONCE, 1,
     "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
     "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f"},
};

static void check_blocks(void) {
  for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
    uint8_t key[32], nonce[12], want[64];
    chacha20_state state;
    (void)from_hex(key, blocks[i].key);
    (void)from_hex(nonce, blocks[i].nonce);
    (void)from_hex(want, blocks[i].stream);
    chacha20_start(&state, key, nonce);
    state.words[12] = blocks[i].counter;
    chacha20_blocks(&state);
    CHECK_BYTES(state.stream, want, sizeof want, blocks[i].name);
  }
}

/* Blocks made side by side are those made from each counter, also where the
 * counter reaches its end between them. */
static void check_counters(void) {
  static const uint32_t firsts[] = {0,          1,          0x7ffffffe,
                                    0xfffffffc, 0xfffffffd, 0xffffffff};
  for (size_t i = 0; i < sizeof firsts / sizeof firsts[0]; i++) {
    uint8_t key[32], nonce[12];
    chacha20_state together, alone;
    fill_random(key, sizeof key);
    fill_random(nonce, sizeof nonce);
    chacha20_start(&together, key, nonce);
    chacha20_start(&alone, key, nonce);
    together.words[12] = firsts[i];
    chacha20_blocks(&together);
    CHECK(together.words[12] == firsts[i] + CHACHA20_LANES, "counted");
    for (uint32_t lane = 0; lane < CHACHA20_LANES; lane++) {
      alone.words[12] = firsts[i] + lane;
      chacha20_blocks(&alone);
      CHECK_BYTES(together.stream + lane * chacha20_block_size, alone.stream,
                  chacha20_block_size, "block of its counter");
    }
  }
}

/* However a message is cut, it gets the same stream. */
static void check_pieces(void) {
  uint8_t key[32], nonce[12], text[bytes_max], want[bytes_max], got[bytes_max];
  chacha20_state state;
  fill_random(key, sizeof key);
  fill_random(nonce, sizeof nonce);
  fill_random(text, sizeof text);
  chacha20_start(&state, key, nonce);
  chacha20_crypt(&state, want, text, sizeof text);
  for (size_t cut = 0; cut <= sizeof text; cut += 13) {
    chacha20_start(&state, key, nonce);
    chacha20_crypt(&state, got, text, cut);
    chacha20_crypt(&state, got + cut, text + cut, sizeof text - cut);
    CHECK_BYTES(got, want, sizeof got, "in two pieces");
  }
}

/* A message as a whole, which a processor may do many blocks of together, gets
 * the stream of pieces of 16 bytes, which it does one by one: of all lengths
 * around those of groups of blocks, at any address, from any counter. Nothing
 * behind it is written. */
static void check_groups(void) {
  enum { longest = 4 * 1024 + 300, guard = 16 };
  static uint8_t text[longest + 1], want[longest], got[longest + 1 + guard];
  static const uint32_t firsts[] = {1, 0x7fffffff, 0xfffffff0};
  uint8_t key[32], nonce[12];
  fill_random(key, sizeof key);
  fill_random(nonce, sizeof nonce);
  fill_random(text, sizeof text);
  for (size_t size = 0; size <= longest; size += size < 1100 ? 1 : 61) {
    const size_t odd = size % 2;
    chacha20_state together, apart;
    chacha20_start(&together, key, nonce);
    together.words[12] = firsts[size % 3];
    together.used = chacha20_stream_size;
    apart = together;
    memset(got, 0x5a, sizeof got);
    chacha20_crypt(&together, got + odd, text + odd, size);
    for (size_t at = 0; at < size; at += 16) {
      const size_t part = size - at < 16 ? size - at : 16;
      chacha20_crypt(&apart, want + at, text + odd + at, part);
    }
    CHECK_BYTES(got + odd, want, size, "blocks of a group");
    for (size_t i = 0; i < guard; i++) {
      CHECK(got[odd + size + i] == 0x5a, "nothing behind the message");
    }
    /* The stream goes on where the message ended. */
    chacha20_crypt(&together, got, text, 200);
    chacha20_crypt(&apart, want, text, 200);
    CHECK_BYTES(got, want, 200, "behind a group");
  }
}

/* 2^32 - 1 blocks are the most; a longer message is refused before a byte of it
 * is read. */
static void check_length(void) {
#if SIZE_MAX > 0xffffffffu
  static const size_t longest = (size_t)0xffffffff * 64;
  uint8_t key[32] = {0}, nonce[12] = {0}, text[16] = {0}, tag[16] = {0};
  CHECK(longest == 274877906880, "RFC 8439, section 2.8");
  CHECK_RESULT(samara_chacha20_poly1305_seal(key, text, tag, nonce, NULL, 0,
                                             text, longest + 1),
               SAMARA_ERROR_MESSAGE_SIZE, "seal");
  CHECK_RESULT(samara_chacha20_poly1305_open(key, text, tag, nonce, NULL, 0,
                                             text, longest + 1),
               SAMARA_ERROR_MESSAGE_SIZE, "open");
  /* The longest is refused for another reason. */
  CHECK_RESULT(samara_chacha20_poly1305_seal(key, text + 1, tag, nonce, NULL, 0,
                                             text, longest),
               SAMARA_ERROR_OVERLAP, "the longest");
#else
  CHECK(true, "no message is too long");
#endif
}

int main(void) {
  check_macs();
  check_mac_pieces();
  check_blocks();
  check_counters();
  check_pieces();
  check_groups();
  check_length();
  return check_report();
}
