/* SPDX-License-Identifier: Apache-2.0 */
/* Template for one size of Speck: SAMARA_CIPHER, SAMARA_CIPHER_WORD,
 * SAMARA_CIPHER_WORD_BITS, SAMARA_CIPHER_KEY_WORDS and SAMARA_CIPHER_ROUNDS
 * come from speck.c and are undefined here. Contract: samara/speck.h. With
 * SAMARA_DERIVE_KEY, of modspeck.c, the key is what that makes of it.
 * SAMARA_SPECK_ENCRYPT, if defined, encrypts a block in assembly; it is the
 * public call itself where SAMARA_ENCRYPT_IS_ASSEMBLY is defined. */

#include "arch/x86_64/speck.h"
#include "arch/x86_64/words.h"
#include "block/words_avr.h"
#include "block/words_template.h"
#include "common/wiped.h"

#if SAMARA_CIPHER_WORD_BITS == 32 &&                                           \
    (SAMARA_ARCH_MSP430 || SAMARA_AVR_WORDS_OF_32)

/* In arch/msp430 and arch/avr: set_key, encrypt and decrypt. */
#define SAMARA_CIPHER_IS_ASSEMBLY

#elif SAMARA_ARCH_AVR

/* The function of arch/avr for this size of word. */
#define SAMARA_AVR_SPECK(verb)                                                 \
  SAMARA_JOIN(samara_speck_avr_, verb, SAMARA_CIPHER_WORD_BITS)

SAMARA_INLINE void SAMARA_LOCAL(bare_set_key)(
    SAMARA_KEY *key,
    const uint8_t bytes[SAMARA_CIPHER_KEY_WORDS * SAMARA_CIPHER_WORD_SIZE]) {
#ifdef SAMARA_DERIVE_KEY
  SAMARA_DERIVE_KEY((uint8_t *)key->round_keys, bytes,
                    SAMARA_CIPHER_KEY_WORDS * SAMARA_CIPHER_WORD_SIZE);
  SAMARA_AVR_SPECK(schedule)
  (key->round_keys, NULL, SAMARA_CIPHER_ROUNDS, SAMARA_CIPHER_KEY_WORDS);
#else
  SAMARA_AVR_SPECK(expand)
  (key->round_keys, bytes, SAMARA_CIPHER_ROUNDS, SAMARA_CIPHER_KEY_WORDS);
#endif
}

SAMARA_INLINE void SAMARA_LOCAL(bare_encrypt)(
    const SAMARA_KEY *key, uint8_t ciphertext[2 * SAMARA_CIPHER_WORD_SIZE],
    const uint8_t plaintext[2 * SAMARA_CIPHER_WORD_SIZE]) {
  SAMARA_AVR_SPECK(encrypt)
  (key->round_keys, SAMARA_CIPHER_ROUNDS, ciphertext, plaintext);
}

SAMARA_INLINE void SAMARA_LOCAL(bare_decrypt)(
    const SAMARA_KEY *key, uint8_t plaintext[2 * SAMARA_CIPHER_WORD_SIZE],
    const uint8_t ciphertext[2 * SAMARA_CIPHER_WORD_SIZE]) {
  SAMARA_AVR_SPECK(decrypt)
  (key->round_keys + SAMARA_CIPHER_ROUNDS, SAMARA_CIPHER_ROUNDS, plaintext,
   ciphertext);
}

#undef SAMARA_AVR_SPECK
#define SAMARA_BLOCK_STACK 0
#define SAMARA_KEY_STACK 0

#else

/* Rotations of the round function (paper, table 4.1). */
#if SAMARA_CIPHER_WORD_BITS == 16
#define SAMARA_ALPHA 7
#define SAMARA_BETA 2
#else
#define SAMARA_ALPHA 8
#define SAMARA_BETA 3
#endif

#define round_encrypt SAMARA_LOCAL(round_encrypt)
#define round_decrypt SAMARA_LOCAL(round_decrypt)

SAMARA_INLINE void round_encrypt(SAMARA_CIPHER_WORD *x, SAMARA_CIPHER_WORD *y,
                                 SAMARA_CIPHER_WORD round_key) {
  *x = add_words(rotate_right(*x, SAMARA_ALPHA), *y) ^ round_key;
  *y = rotate_left(*y, SAMARA_BETA) ^ *x;
}

SAMARA_INLINE void round_decrypt(SAMARA_CIPHER_WORD *x, SAMARA_CIPHER_WORD *y,
                                 SAMARA_CIPHER_WORD round_key) {
  *y = rotate_right(*y ^ *x, SAMARA_BETA);
  *x = rotate_left(subtract_words(*x ^ round_key, *y), SAMARA_ALPHA);
}

/* The schedule is the round function, keyed by the round's number. */
SAMARA_NOT_INLINED static void SAMARA_LOCAL(bare_set_key)(
    SAMARA_KEY *key,
    const uint8_t bytes[SAMARA_CIPHER_KEY_WORDS * SAMARA_CIPHER_WORD_SIZE]) {
#ifdef SAMARA_DERIVE_KEY
  uint8_t derived[SAMARA_CIPHER_KEY_WORDS * SAMARA_CIPHER_WORD_SIZE];
  SAMARA_WIPED(derived);
  SAMARA_DERIVE_KEY(derived, bytes, sizeof derived);
  bytes = derived;
#endif
  SAMARA_CIPHER_WORD k = load_word(bytes);
  SAMARA_CIPHER_WORD l[SAMARA_CIPHER_KEY_WORDS - 1];
  SAMARA_WIPED(l);
  for (unsigned i = 0; i < SAMARA_CIPHER_KEY_WORDS - 1; i++) {
    l[i] = load_word(bytes + SAMARA_CIPHER_WORD_SIZE * (i + 1));
  }
  for (unsigned i = 0; i < SAMARA_CIPHER_ROUNDS - 1; i++) {
    key->round_keys[i] = k;
    round_encrypt(&l[i % (SAMARA_CIPHER_KEY_WORDS - 1)], &k,
                  (SAMARA_CIPHER_WORD)i);
  }
  key->round_keys[SAMARA_CIPHER_ROUNDS - 1] = k;
}

#ifdef SAMARA_SPECK_ENCRYPT
SAMARA_INLINE void SAMARA_LOCAL(bare_encrypt)(
    const SAMARA_KEY *key, uint8_t ciphertext[2 * SAMARA_CIPHER_WORD_SIZE],
    const uint8_t plaintext[2 * SAMARA_CIPHER_WORD_SIZE]) {
  SAMARA_SPECK_ENCRYPT(key, ciphertext, plaintext);
}
#else
SAMARA_NOT_INLINED static void SAMARA_LOCAL(bare_encrypt)(
    const SAMARA_KEY *key, uint8_t ciphertext[2 * SAMARA_CIPHER_WORD_SIZE],
    const uint8_t plaintext[2 * SAMARA_CIPHER_WORD_SIZE]) {
  SAMARA_CIPHER_WORD y = load_word(plaintext);
  SAMARA_CIPHER_WORD x = load_word(plaintext + SAMARA_CIPHER_WORD_SIZE);
  for (unsigned i = 0; i < SAMARA_CIPHER_ROUNDS; i++) {
    round_encrypt(&x, &y, key->round_keys[i]);
  }
  store_word(ciphertext, y);
  store_word(ciphertext + SAMARA_CIPHER_WORD_SIZE, x);
}
#endif

SAMARA_NOT_INLINED static void SAMARA_LOCAL(bare_decrypt)(
    const SAMARA_KEY *key, uint8_t plaintext[2 * SAMARA_CIPHER_WORD_SIZE],
    const uint8_t ciphertext[2 * SAMARA_CIPHER_WORD_SIZE]) {
  SAMARA_CIPHER_WORD y = load_word(ciphertext);
  SAMARA_CIPHER_WORD x = load_word(ciphertext + SAMARA_CIPHER_WORD_SIZE);
  for (unsigned i = SAMARA_CIPHER_ROUNDS; i-- > 0;) {
    round_decrypt(&x, &y, key->round_keys[i]);
  }
  store_word(plaintext, y);
  store_word(plaintext + SAMARA_CIPHER_WORD_SIZE, x);
}

#undef SAMARA_ALPHA
#undef SAMARA_BETA
#undef round_encrypt
#undef round_decrypt
#ifdef SAMARA_SET_KEY_STACK
#define SAMARA_KEY_STACK SAMARA_SET_KEY_STACK
#endif

#endif

/* CTR works on many blocks at a time. */
#if SAMARA_ARCH_X86_64 && SAMARA_CIPHER_WORD_BITS == 64
#define SAMARA_CIPHER_CTR(key, output, counter, first, input, size)            \
  samara_speck_x86_64_ctr((key)->round_keys,                                   \
                          sizeof(key)->round_keys / sizeof(uint64_t), output,  \
                          counter, input, size)
#ifdef SAMARA_DERIVE_KEY
#define SAMARA_SPECK_KIND samara_lanes_modspeck
#else
#define SAMARA_SPECK_KIND samara_lanes_speck
#endif
#define SAMARA_CIPHER_BATCH(mode_name, messages, count, size, opens)           \
  samara_words_x86_64_batch(                                                   \
      &(samara_lanes_call){.mode = samara_lanes_##mode_name,                   \
                           .cipher = SAMARA_SPECK_KIND,                        \
                           .key_words = SAMARA_CIPHER_KEY_WORDS,               \
                           .rounds = SAMARA_CIPHER_ROUNDS,                     \
                           .tag_size = (size),                                 \
                           .opening = (opens)},                                \
      messages, count)
#endif

#include "block/end_template.h"
#undef SAMARA_SPECK_KIND
#undef SAMARA_CIPHER_BATCH
#undef SAMARA_CIPHER_CTR
