/* SPDX-License-Identifier: Apache-2.0 */
/* Ascon-AEAD128 of NIST SP 800-232, written to be read: an example of what
 * `samara bench add` measures, and a baseline for faster code. Use
 * samara/ascon_aead128.h in a product. */

#include "api.h"
#include "crypto_aead.h"

#include <stdint.h>

enum { RATE = 16, ROUNDS = 12, ROUNDS_BETWEEN = 8, WORDS = 5 };

static const uint64_t INITIAL = 0x00001000808c0001ULL;

static uint64_t rotated(uint64_t word, unsigned count) {
  return (word >> count) | (word << (64 - count));
}

/* SP 800-232, section 3: the permutation with so many rounds. */
static void permute(uint64_t s[WORDS], unsigned rounds) {
  for (unsigned i = ROUNDS - rounds; i < ROUNDS; i++) {
    s[2] ^= ((uint64_t)(15 - i) << 4) | i;
    s[0] ^= s[4];
    s[4] ^= s[3];
    s[2] ^= s[1];
    uint64_t t[WORDS];
    for (unsigned j = 0; j < WORDS; j++) {
      t[j] = s[j] ^ (~s[(j + 1) % WORDS] & s[(j + 2) % WORDS]);
    }
    t[1] ^= t[0];
    t[0] ^= t[4];
    t[3] ^= t[2];
    t[2] = ~t[2];
    s[0] = t[0] ^ rotated(t[0], 19) ^ rotated(t[0], 28);
    s[1] = t[1] ^ rotated(t[1], 61) ^ rotated(t[1], 39);
    s[2] = t[2] ^ rotated(t[2], 1) ^ rotated(t[2], 6);
    s[3] = t[3] ^ rotated(t[3], 10) ^ rotated(t[3], 17);
    s[4] = t[4] ^ rotated(t[4], 7) ^ rotated(t[4], 41);
  }
}

static uint64_t loaded(const unsigned char *bytes) {
  uint64_t word = 0;
  for (unsigned i = 8; i-- > 0;) {
    word = (word << 8) | bytes[i];
  }
  return word;
}

static unsigned char byte_of(const uint64_t s[WORDS], unsigned place) {
  return (unsigned char)(s[place / 8] >> (8 * (place % 8)));
}

static void add_byte(uint64_t s[WORDS], unsigned place, unsigned char byte) {
  s[place / 8] ^= (uint64_t)byte << (8 * (place % 8));
}

static void start(uint64_t s[WORDS], const uint64_t key[2],
                  const unsigned char *nonce, const unsigned char *data,
                  unsigned long long size) {
  s[0] = INITIAL;
  s[1] = key[0];
  s[2] = key[1];
  s[3] = loaded(nonce);
  s[4] = loaded(nonce + 8);
  permute(s, ROUNDS);
  s[3] ^= key[0];
  s[4] ^= key[1];
  if (size > 0) {
    unsigned place = 0;
    for (unsigned long long i = 0; i < size; i++) {
      add_byte(s, place++, data[i]);
      if (place == RATE) {
        permute(s, ROUNDS_BETWEEN);
        place = 0;
      }
    }
    add_byte(s, place, 1);
    permute(s, ROUNDS_BETWEEN);
  }
  s[4] ^= 0x8000000000000000ULL;
}

static void finish(uint64_t s[WORDS], const uint64_t key[2]) {
  s[2] ^= key[0];
  s[3] ^= key[1];
  permute(s, ROUNDS);
  s[3] ^= key[0];
  s[4] ^= key[1];
}

/* Encrypts, or decrypts when `opening`, and leaves the tag in s[3] and s[4]. */
static void crypt(uint64_t s[WORDS], unsigned char *out,
                  const unsigned char *in, unsigned long long size,
                  int opening) {
  unsigned place = 0;
  for (unsigned long long i = 0; i < size; i++) {
    const unsigned char byte = in[i] ^ byte_of(s, place);
    /* What is added to the state is the message. */
    add_byte(s, place++, opening ? byte : in[i]);
    out[i] = byte;
    if (place == RATE) {
      permute(s, ROUNDS_BETWEEN);
      place = 0;
    }
  }
  add_byte(s, place, 1);
}

int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen,
                        const unsigned char *m, unsigned long long mlen,
                        const unsigned char *ad, unsigned long long adlen,
                        const unsigned char *nsec, const unsigned char *npub,
                        const unsigned char *k) {
  (void)nsec;
  const uint64_t key[2] = {loaded(k), loaded(k + 8)};
  uint64_t s[WORDS];
  start(s, key, npub, ad, adlen);
  crypt(s, c, m, mlen, 0);
  finish(s, key);
  for (unsigned i = 0; i < CRYPTO_ABYTES; i++) {
    c[mlen + i] = byte_of(s, 24 + i);
  }
  *clen = mlen + CRYPTO_ABYTES;
  return 0;
}

int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen,
                        unsigned char *nsec, const unsigned char *c,
                        unsigned long long clen, const unsigned char *ad,
                        unsigned long long adlen, const unsigned char *npub,
                        const unsigned char *k) {
  (void)nsec;
  if (clen < CRYPTO_ABYTES) {
    return -1;
  }
  const unsigned long long size = clen - CRYPTO_ABYTES;
  const uint64_t key[2] = {loaded(k), loaded(k + 8)};
  uint64_t s[WORDS];
  start(s, key, npub, ad, adlen);
  crypt(s, m, c, size, 1);
  finish(s, key);
  unsigned difference = 0;
  for (unsigned i = 0; i < CRYPTO_ABYTES; i++) {
    difference |= (unsigned)(c[size + i] ^ byte_of(s, 24 + i));
  }
  *mlen = size;
  if (difference == 0) {
    return 0;
  }
  for (unsigned long long i = 0; i < size; i++) {
    m[i] = 0;
  }
  return -1;
}
