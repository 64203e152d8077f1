/* SPDX-License-Identifier: Apache-2.0 */
/* Template: see mode/names.h. Contract: samara/ccm.h. Needs the CTR template
 * before it. */

#include "common/batch.h"
#include "common/bytes.h"
#include "common/overlap.h"
#include "common/wiped.h"
#include "mode/ccm_format.h"
#include "mode/names.h"
#include <samara/aead.h>
#include <samara/memory.h>

#define ccm_absorb SAMARA_LOCAL(ccm_absorb)
#define ccm_absorb_message SAMARA_LOCAL(ccm_absorb_message)
#define ccm_begin SAMARA_LOCAL(ccm_begin)
#define ccm_crypt SAMARA_LOCAL(ccm_crypt)
#define ccm_pad SAMARA_LOCAL(ccm_pad)
#define ccm_star_crypt SAMARA_LOCAL(ccm_star_crypt)
#define bare_ccm_seal SAMARA_LOCAL(bare_ccm_seal)
#define bare_ccm_open SAMARA_LOCAL(bare_ccm_open)
#define SAMARA_CCM_STACK (SAMARA_CIPHER_ENCRYPT_STACK + samara_ccm_stack)

/* Adds bytes to the CBC-MAC, whose current block already has `filled`. */
static unsigned ccm_absorb(const SAMARA_KEY *key,
                           uint8_t mac[SAMARA_BLOCK_SIZE], unsigned filled,
                           const uint8_t *bytes, size_t size) {
#ifdef SAMARA_CIPHER_ABSORB_BLOCKS
  if (filled == 0 && size >= SAMARA_BLOCK_SIZE) {
    const size_t rest = size % SAMARA_BLOCK_SIZE;
    SAMARA_CIPHER_ABSORB_BLOCKS(key, mac, bytes, size / SAMARA_BLOCK_SIZE);
    bytes += size - rest;
    size = rest;
  }
#endif
  while (size != 0) {
    const unsigned room = SAMARA_BLOCK_SIZE - filled;
    const unsigned part = size < room ? (unsigned)size : room;
    samara_xor_bytes(mac + filled, mac + filled, bytes, part);
    bytes += part;
    size -= part;
    filled += part;
    if (filled == SAMARA_BLOCK_SIZE) {
      SAMARA_LOCAL(bare_encrypt)(key, mac, mac);
      filled = 0;
    }
  }
  return filled;
}

/* Ends a part of the CBC-MAC, with zeros up to a whole block. */
static void ccm_pad(const SAMARA_KEY *key, uint8_t mac[SAMARA_BLOCK_SIZE],
                    unsigned filled) {
  if (filled != 0) {
    SAMARA_LOCAL(bare_encrypt)(key, mac, mac);
  }
}

/* Whether pairs of blocks are encrypted: one of the CBC-MAC, and behind it a
 * counter. The keystream is a block ahead then: counter 1 goes with B_0, and
 * counter 0 with the last block. So a message takes as many pairs as its
 * CBC-MAC has blocks, whether it is sealed or opened. */
#ifdef SAMARA_CIPHER_ENCRYPTS_PAIRS
#define CCM_MAC_SIZE (2 * SAMARA_BLOCK_SIZE)
/* Assembly is fastest at addresses of words. */
#define CCM_MAC_AND_MASK(mac, mask)                                            \
  _Alignas(uint32_t) uint8_t mac[CCM_MAC_SIZE];                                \
  SAMARA_WIPED(mac);                                                           \
  uint8_t *const mask = mac + SAMARA_BLOCK_SIZE
#else
#define CCM_MAC_SIZE SAMARA_BLOCK_SIZE
#define CCM_MAC_AND_MASK(mac, mask)                                            \
  uint8_t mac[CCM_MAC_SIZE];                                                   \
  SAMARA_WIPED(mac);                                                           \
  uint8_t mask[SAMARA_BLOCK_SIZE];                                             \
  SAMARA_WIPED(mask)
#endif

/* The CBC-MAC over nonce, lengths and associated data. */
static void ccm_begin(const SAMARA_KEY *key, uint8_t mac[CCM_MAC_SIZE],
                      const samara_ccm_input *input) {
  samara_ccm_first_block(mac, input);
#ifdef SAMARA_CIPHER_ENCRYPTS_PAIRS
  uint8_t *const counter = mac + SAMARA_BLOCK_SIZE;
  samara_ccm_counter_block(counter, input);
  counter[SAMARA_BLOCK_SIZE - 1] = input->message_size != 0;
  SAMARA_LOCAL(encrypt_blocks)(key, mac, mac, 2);
#else
  SAMARA_LOCAL(bare_encrypt)(key, mac, mac);
#endif
  if (input->associated_data_size != 0) {
    uint8_t length[samara_ccm_length_size_max];
    const unsigned length_size =
        samara_ccm_encode_length(length, input->associated_data_size);
    unsigned filled = ccm_absorb(key, mac, 0, length, length_size);
    filled = ccm_absorb(key, mac, filled, input->associated_data,
                        input->associated_data_size);
    ccm_pad(key, mac, filled);
  }
}

/* ccm_crypt encrypts or decrypts the message with counters from 1 on, adds the
 * plaintext to the CBC-MAC, and leaves in `mask` what hides the tag: the
 * encrypted counter 0. */
#ifdef SAMARA_CIPHER_ENCRYPTS_PAIRS
static void ccm_crypt(const SAMARA_KEY *key, bool opening,
                      uint8_t mac[CCM_MAC_SIZE],
                      uint8_t mask[SAMARA_BLOCK_SIZE], uint8_t *output,
                      const samara_ccm_input *input, const uint8_t *from) {
  size_t size = input->message_size;
  uint8_t block[SAMARA_BLOCK_SIZE];
  samara_ccm_counter_block(block, input);
  block[SAMARA_BLOCK_SIZE - 1] = 1;
  samara_counter counter = samara_counter_load(block);
  while (size != 0) {
    const size_t part = size < SAMARA_BLOCK_SIZE ? size : SAMARA_BLOCK_SIZE;
    if (!opening) {
      samara_xor_bytes(mac, mac, from, part);
    }
    samara_xor_bytes(output, from, mask, part);
    if (opening) {
      samara_xor_bytes(mac, mac, output, part);
    }
    output += part;
    from += part;
    size -= part;
    if (size != 0) {
      samara_count_up(&counter, samara_ccm_counted_from(input));
      samara_counter_store(mask, &counter);
    } else {
      samara_ccm_counter_block(mask, input);
    }
    SAMARA_LOCAL(encrypt_blocks)(key, mac, mac, 2);
  }
}
#else
static void ccm_absorb_message(const SAMARA_KEY *key,
                               uint8_t mac[SAMARA_BLOCK_SIZE],
                               const uint8_t *message, size_t size) {
  ccm_pad(key, mac, ccm_absorb(key, mac, 0, message, size));
}

static void ccm_crypt(const SAMARA_KEY *key, bool opening,
                      uint8_t mac[SAMARA_BLOCK_SIZE],
                      uint8_t mask[SAMARA_BLOCK_SIZE], uint8_t *output,
                      const samara_ccm_input *input, const uint8_t *from) {
  size_t size = input->message_size;
  uint8_t counter[SAMARA_BLOCK_SIZE];
  samara_ccm_counter_block(counter, input);
  SAMARA_LOCAL(bare_encrypt)(key, mask, counter);
  counter[SAMARA_BLOCK_SIZE - 1] = 1;
#ifdef SAMARA_CIPHER_CCM
  const size_t done =
      SAMARA_CIPHER_CCM(key, opening, output, mac, counter, from, size);
  if (done != 0) { /* an empty message may have no address */
    output += done;
    from += done;
    size -= done;
  }
#endif
  if (!opening) {
    ccm_absorb_message(key, mac, from, size);
  }
  SAMARA_LOCAL(count_and_add)(key, output, counter,
                              samara_ccm_counted_from(input), from, size);
  if (opening) {
    ccm_absorb_message(key, mac, output, size);
  }
}
#endif

SAMARA_NOT_INLINED static void bare_ccm_seal(const SAMARA_KEY *key,
                                             uint8_t *ciphertext, uint8_t *tag,
                                             const samara_ccm_input *input,
                                             const uint8_t *message) {
  CCM_MAC_AND_MASK(mac, mask);
  ccm_begin(key, mac, input);
  ccm_crypt(key, false, mac, mask, ciphertext, input, message);
  samara_xor_bytes(tag, mac, mask, input->tag_size);
}

samara_result SAMARA_NAME(ccm_seal)(
    const SAMARA_KEY *key, uint8_t *ciphertext, uint8_t *tag, size_t tag_size,
    const uint8_t *nonce, size_t nonce_size, const uint8_t *associated_data,
    size_t associated_data_size, const uint8_t *message, size_t message_size) {
  const samara_ccm_input input = {nonce,           nonce_size,
                                  associated_data, associated_data_size,
                                  message_size,    tag_size};
  const samara_result result = samara_ccm_check(&input);
  if (result != SAMARA_OK) {
    return result;
  }
  if (samara_overlaps(ciphertext, message_size, message, message_size)) {
    return SAMARA_ERROR_OVERLAP;
  }
  bare_ccm_seal(key, ciphertext, tag, &input, message);
  return samara_leave(SAMARA_OK, SAMARA_CCM_STACK);
}

/* Whether the tag is right; when it is not, the message is zeros. */
SAMARA_NOT_INLINED static bool
bare_ccm_open(const SAMARA_KEY *key, uint8_t *message, const uint8_t *tag,
              const samara_ccm_input *input, const uint8_t *ciphertext) {
  CCM_MAC_AND_MASK(mac, mask);
  ccm_begin(key, mac, input);
  ccm_crypt(key, true, mac, mask, message, input, ciphertext);
  samara_xor_bytes(mac, mac, mask, input->tag_size);
  const bool genuine = samara_equal(mac, tag, input->tag_size);
  if (!genuine) {
    samara_wipe(message, input->message_size);
  }
  return genuine;
}

samara_result SAMARA_NAME(ccm_open)(const SAMARA_KEY *key, uint8_t *message,
                                    const uint8_t *tag, size_t tag_size,
                                    const uint8_t *nonce, size_t nonce_size,
                                    const uint8_t *associated_data,
                                    size_t associated_data_size,
                                    const uint8_t *ciphertext,
                                    size_t ciphertext_size) {
  const samara_ccm_input input = {nonce,           nonce_size,
                                  associated_data, associated_data_size,
                                  ciphertext_size, tag_size};
  const samara_result result = samara_ccm_check(&input);
  if (result == SAMARA_ERROR_MESSAGE_SIZE) {
    return SAMARA_ERROR_CIPHERTEXT_SIZE;
  }
  if (result != SAMARA_OK) {
    return result;
  }
  if (samara_overlaps(message, ciphertext_size, ciphertext, ciphertext_size)) {
    return SAMARA_ERROR_OVERLAP;
  }
  return samara_leave(bare_ccm_open(key, message, tag, &input, ciphertext)
                          ? SAMARA_OK
                          : SAMARA_ERROR_AUTHENTICATION,
                      SAMARA_CCM_STACK);
}

/* CCM* with an empty tag: encryption alone. */
static samara_result ccm_star_crypt(const SAMARA_KEY *key, uint8_t *output,
                                    const uint8_t *nonce, const uint8_t *from,
                                    size_t size) {
  const samara_ccm_input input = {
      nonce, samara_ccm_star_nonce_size, NULL, 0, size, 0};
  if (!samara_ccm_size_fits(&input)) {
    return SAMARA_ERROR_MESSAGE_SIZE;
  }
  if (samara_overlaps(output, size, from, size)) {
    return SAMARA_ERROR_OVERLAP;
  }
  uint8_t counter[SAMARA_BLOCK_SIZE];
  samara_ccm_counter_block(counter, &input);
  counter[SAMARA_BLOCK_SIZE - 1] = 1;
  SAMARA_LOCAL(count_and_add)(key, output, counter,
                              samara_ccm_counted_from(&input), from, size);
  return samara_leave(SAMARA_OK,
                      SAMARA_CIPHER_ENCRYPT_STACK + samara_ctr_stack);
}

samara_result SAMARA_NAME(ccm_star_seal)(
    const SAMARA_KEY *key, uint8_t *ciphertext, uint8_t *tag, size_t tag_size,
    const uint8_t nonce[samara_ccm_star_nonce_size],
    const uint8_t *associated_data, size_t associated_data_size,
    const uint8_t *message, size_t message_size) {
  if (tag_size == 0) {
    return ccm_star_crypt(key, ciphertext, nonce, message, message_size);
  }
  return SAMARA_NAME(ccm_seal)(key, ciphertext, tag, tag_size, nonce,
                               samara_ccm_star_nonce_size, associated_data,
                               associated_data_size, message, message_size);
}

samara_result SAMARA_NAME(ccm_star_open)(
    const SAMARA_KEY *key, uint8_t *message, const uint8_t *tag,
    size_t tag_size, const uint8_t nonce[samara_ccm_star_nonce_size],
    const uint8_t *associated_data, size_t associated_data_size,
    const uint8_t *ciphertext, size_t ciphertext_size) {
  if (tag_size == 0) {
    const samara_result result =
        ccm_star_crypt(key, message, nonce, ciphertext, ciphertext_size);
    return result == SAMARA_ERROR_MESSAGE_SIZE ? SAMARA_ERROR_CIPHERTEXT_SIZE
                                               : result;
  }
  return SAMARA_NAME(ccm_open)(
      key, message, tag, tag_size, nonce, samara_ccm_star_nonce_size,
      associated_data, associated_data_size, ciphertext, ciphertext_size);
}

/* As a samara_aead; its set_key serves GCM, too. */

static void SAMARA_LOCAL(aead_set_key)(void *state, const uint8_t *key) {
  SAMARA_NAME(set_key)(state, key);
}

static samara_result SAMARA_LOCAL(ccm_aead_seal)(
    const void *state, uint8_t *ciphertext, uint8_t *tag, size_t tag_size,
    const uint8_t nonce[samara_aead_nonce_size], const uint8_t *associated_data,
    size_t associated_data_size, const uint8_t *message, size_t message_size) {
  return SAMARA_NAME(ccm_seal)(state, ciphertext, tag, tag_size, nonce,
                               samara_aead_nonce_size, associated_data,
                               associated_data_size, message, message_size);
}

static samara_result SAMARA_LOCAL(ccm_aead_open)(
    const void *state, uint8_t *message, const uint8_t *tag, size_t tag_size,
    const uint8_t nonce[samara_aead_nonce_size], const uint8_t *associated_data,
    size_t associated_data_size, const uint8_t *ciphertext,
    size_t ciphertext_size) {
  return SAMARA_NAME(ccm_open)(
      state, message, tag, tag_size, nonce, samara_aead_nonce_size,
      associated_data, associated_data_size, ciphertext, ciphertext_size);
}

const samara_aead SAMARA_NAME(ccm_aead) = {
    0x15550, /* 4, 6, 8, 10, 12, 14, 16 */
    sizeof(SAMARA_KEY),
    SAMARA_NAME(key_size),
    SAMARA_LOCAL(aead_set_key),
    SAMARA_LOCAL(ccm_aead_seal),
    SAMARA_LOCAL(ccm_aead_open)};

#undef ccm_absorb
#undef ccm_absorb_message
#undef ccm_begin
#undef ccm_crypt
#undef ccm_pad
#undef ccm_star_crypt
#undef bare_ccm_seal
#undef bare_ccm_open
#undef SAMARA_CCM_STACK
#undef CCM_MAC_SIZE
#undef CCM_MAC_AND_MASK
