/* SPDX-License-Identifier: Apache-2.0 */
/* Template for one size of Simon: SAMARA_CIPHER, SAMARA_CIPHER_WORD,
 * SAMARA_CIPHER_WORD_BITS, SAMARA_CIPHER_KEY_WORDS, SAMARA_CIPHER_ROUNDS and
 * SAMARA_SEQUENCE are defined by simon.c and undefined here. Contract:
 * samara/simon.h. */

#include "arch/x86_64/words.h"
#include "block/words_avr.h"
#include "block/words_template.h"
#include <samara/memory.h>

#if SAMARA_CIPHER_WORD_BITS == 32 &&                                           \
    (SAMARA_ARCH_MSP430 || SAMARA_AVR_WORDS_OF_32)

/* In arch/msp430 and arch/avr: set_key, encrypt and decrypt. */
#define SAMARA_CIPHER_IS_ASSEMBLY

#elif SAMARA_ARCH_AVR

/* The function of arch/avr for this size of word. */
#define SAMARA_AVR_SIMON(verb)                                                 \
  SAMARA_JOIN(samara_simon_avr_, verb, SAMARA_CIPHER_WORD_BITS)

SAMARA_INLINE void SAMARA_LOCAL(bare_set_key)(
    SAMARA_KEY *key,
    const uint8_t bytes[SAMARA_CIPHER_KEY_WORDS * SAMARA_CIPHER_WORD_SIZE]) {
  SAMARA_AVR_SIMON(expand)
  (SAMARA_SEQUENCE, key->round_keys, bytes, SAMARA_CIPHER_ROUNDS,
   SAMARA_CIPHER_KEY_WORDS);
}

SAMARA_INLINE void SAMARA_LOCAL(bare_encrypt)(
    const SAMARA_KEY *key, uint8_t ciphertext[2 * SAMARA_CIPHER_WORD_SIZE],
    const uint8_t plaintext[2 * SAMARA_CIPHER_WORD_SIZE]) {
  SAMARA_AVR_SIMON(encrypt)
  (key->round_keys, SAMARA_CIPHER_ROUNDS, ciphertext, plaintext);
}

SAMARA_INLINE void SAMARA_LOCAL(bare_decrypt)(
    const SAMARA_KEY *key, uint8_t plaintext[2 * SAMARA_CIPHER_WORD_SIZE],
    const uint8_t ciphertext[2 * SAMARA_CIPHER_WORD_SIZE]) {
  SAMARA_AVR_SIMON(decrypt)
  (key->round_keys + SAMARA_CIPHER_ROUNDS, SAMARA_CIPHER_ROUNDS, plaintext,
   ciphertext);
}

#undef SAMARA_AVR_SIMON
#define SAMARA_BLOCK_STACK 0
#define SAMARA_KEY_STACK 0

#else

SAMARA_NOT_INLINED static void SAMARA_LOCAL(bare_set_key)(
    SAMARA_KEY *key,
    const uint8_t bytes[SAMARA_CIPHER_KEY_WORDS * SAMARA_CIPHER_WORD_SIZE]) {
  SAMARA_CIPHER_WORD *k = key->round_keys;
  for (unsigned i = 0; i < SAMARA_CIPHER_KEY_WORDS; i++) {
    k[i] = load_word(bytes + SAMARA_CIPHER_WORD_SIZE * i);
  }
  uint64_t sequence = SAMARA_SEQUENCE;
  for (unsigned i = SAMARA_CIPHER_KEY_WORDS; i < SAMARA_CIPHER_ROUNDS; i++) {
    SAMARA_CIPHER_WORD t = rotate_right(k[i - 1], 3);
#if SAMARA_CIPHER_KEY_WORDS == 4
    t ^= k[i - 3];
#endif
    t ^= rotate_right(t, 1);
    /* The constant 2^n - 4 (section 3.3). */
    const SAMARA_CIPHER_WORD c =
        (SAMARA_CIPHER_WORD)(SAMARA_CIPHER_WORD_MASK ^ 3);
    k[i] = (SAMARA_CIPHER_WORD)(k[i - SAMARA_CIPHER_KEY_WORDS] ^ t ^ c ^
                                (SAMARA_CIPHER_WORD)(sequence & 1));
    sequence = sequence >> 1 | (sequence & 1) << 61;
  }
}

#define mix SAMARA_LOCAL(mix)

SAMARA_INLINE SAMARA_CIPHER_WORD mix(SAMARA_CIPHER_WORD x) {
  return (SAMARA_CIPHER_WORD)(rotate_left(x, 1) & rotate_left(x, 8)) ^
         rotate_left(x, 2);
}

SAMARA_NOT_INLINED static void SAMARA_LOCAL(bare_encrypt)(
    const SAMARA_KEY *key, uint8_t ciphertext[2 * SAMARA_CIPHER_WORD_SIZE],
    const uint8_t plaintext[2 * SAMARA_CIPHER_WORD_SIZE]) {
  SAMARA_CIPHER_WORD y = load_word(plaintext);
  SAMARA_CIPHER_WORD x = load_word(plaintext + SAMARA_CIPHER_WORD_SIZE);
  for (unsigned i = 0; i < SAMARA_CIPHER_ROUNDS; i++) {
    const SAMARA_CIPHER_WORD next =
        (SAMARA_CIPHER_WORD)(y ^ mix(x) ^ key->round_keys[i]);
    y = x;
    x = next;
  }
  store_word(ciphertext, y);
  store_word(ciphertext + SAMARA_CIPHER_WORD_SIZE, x);
}

SAMARA_NOT_INLINED static void SAMARA_LOCAL(bare_decrypt)(
    const SAMARA_KEY *key, uint8_t plaintext[2 * SAMARA_CIPHER_WORD_SIZE],
    const uint8_t ciphertext[2 * SAMARA_CIPHER_WORD_SIZE]) {
  SAMARA_CIPHER_WORD y = load_word(ciphertext);
  SAMARA_CIPHER_WORD x = load_word(ciphertext + SAMARA_CIPHER_WORD_SIZE);
  for (unsigned i = SAMARA_CIPHER_ROUNDS; i-- > 0;) {
    const SAMARA_CIPHER_WORD previous =
        (SAMARA_CIPHER_WORD)(x ^ mix(y) ^ key->round_keys[i]);
    x = y;
    y = previous;
  }
  store_word(plaintext, y);
  store_word(plaintext + SAMARA_CIPHER_WORD_SIZE, x);
}

#undef mix

#endif

#if SAMARA_ARCH_X86_64 && SAMARA_CIPHER_WORD_BITS == 64
#define SAMARA_CIPHER_BATCH(mode_name, messages, count, size, opens)           \
  samara_words_x86_64_batch(                                                   \
      &(samara_lanes_call){.mode = samara_lanes_##mode_name,                   \
                           .cipher = samara_lanes_simon,                       \
                           .key_words = SAMARA_CIPHER_KEY_WORDS,               \
                           .rounds = SAMARA_CIPHER_ROUNDS,                     \
                           .tag_size = (size),                                 \
                           .opening = (opens),                                 \
                           .sequence = SAMARA_SEQUENCE},                       \
      messages, count)
#endif

#include "block/end_template.h"
#undef SAMARA_CIPHER_BATCH
#undef SAMARA_SEQUENCE
