/* SPDX-License-Identifier: Apache-2.0 */
/* Template: see mode/names.h. Contract: samara/cbc.h. */

#include "common/bytes.h"
#include "common/overlap.h"
#include "common/wiped.h"
#include "mode/names.h"
#include "mode/padding.h"
#include <samara/memory.h>

#define chain_decrypt SAMARA_LOCAL(chain_decrypt)
#define chain_encrypt SAMARA_LOCAL(chain_encrypt)
#define bare_cbc_encrypt SAMARA_LOCAL(bare_cbc_encrypt)
#define bare_cbc_decrypt SAMARA_LOCAL(bare_cbc_decrypt)
#define SAMARA_CBC_STACK (SAMARA_CIPHER_STACK + samara_cbc_stack)

SAMARA_NOT_INLINED static void chain_encrypt(const SAMARA_KEY *key,
                                             uint8_t *ciphertext,
                                             uint8_t iv[samara_cbc_iv_size],
                                             const uint8_t *message,
                                             size_t block_count) {
  for (; block_count != 0; block_count--) {
    samara_xor_bytes(iv, iv, message, SAMARA_BLOCK_SIZE);
    SAMARA_LOCAL(bare_encrypt)(key, iv, iv);
    samara_copy_bytes(ciphertext, iv, SAMARA_BLOCK_SIZE);
    ciphertext += SAMARA_BLOCK_SIZE;
    message += SAMARA_BLOCK_SIZE;
  }
}

SAMARA_NOT_INLINED static void chain_decrypt(const SAMARA_KEY *key,
                                             uint8_t *message,
                                             uint8_t iv[samara_cbc_iv_size],
                                             const uint8_t *ciphertext,
                                             size_t block_count) {
  uint8_t blocks[SAMARA_BLOCK_SIZE * SAMARA_PARALLEL_BLOCKS];
  SAMARA_WIPED(blocks);
  while (block_count != 0) {
    const size_t part = block_count < SAMARA_PARALLEL_BLOCKS
                            ? block_count
                            : SAMARA_PARALLEL_BLOCKS;
    const size_t size = SAMARA_BLOCK_SIZE * part;
    SAMARA_LOCAL(decrypt_blocks)(key, blocks, ciphertext, part);
    samara_xor_bytes(blocks, blocks, iv, SAMARA_BLOCK_SIZE);
    for (size_t i = SAMARA_BLOCK_SIZE; i < size; i += SAMARA_BLOCK_SIZE) {
      samara_xor_bytes(blocks + i, blocks + i,
                       ciphertext + i - SAMARA_BLOCK_SIZE, SAMARA_BLOCK_SIZE);
    }
    /* Only now: the message may replace the ciphertext. */
    samara_copy_bytes(iv, ciphertext + size - SAMARA_BLOCK_SIZE,
                      SAMARA_BLOCK_SIZE);
    samara_copy_bytes(message, blocks, size);
    ciphertext += size;
    message += size;
    block_count -= part;
  }
}

samara_result SAMARA_NAME(cbc_encrypt_blocks)(const SAMARA_KEY *key,
                                              uint8_t *ciphertext,
                                              uint8_t iv[samara_cbc_iv_size],
                                              const uint8_t *message,
                                              size_t block_count) {
  if (samara_overlaps(ciphertext, SAMARA_BLOCK_SIZE * block_count, message,
                      SAMARA_BLOCK_SIZE * block_count)) {
    return SAMARA_ERROR_OVERLAP;
  }
  chain_encrypt(key, ciphertext, iv, message, block_count);
  return samara_leave(SAMARA_OK, SAMARA_CBC_STACK);
}

samara_result SAMARA_NAME(cbc_decrypt_blocks)(const SAMARA_KEY *key,
                                              uint8_t *message,
                                              uint8_t iv[samara_cbc_iv_size],
                                              const uint8_t *ciphertext,
                                              size_t block_count) {
  if (samara_overlaps(message, SAMARA_BLOCK_SIZE * block_count, ciphertext,
                      SAMARA_BLOCK_SIZE * block_count)) {
    return SAMARA_ERROR_OVERLAP;
  }
  chain_decrypt(key, message, iv, ciphertext, block_count);
  return samara_leave(SAMARA_OK, SAMARA_CBC_STACK);
}

SAMARA_NOT_INLINED static void
bare_cbc_encrypt(const SAMARA_KEY *key, uint8_t *ciphertext,
                 const uint8_t iv[samara_cbc_iv_size], const uint8_t *message,
                 size_t message_size) {
  const size_t whole = message_size / SAMARA_BLOCK_SIZE;
  const size_t rest = message_size % SAMARA_BLOCK_SIZE;
  uint8_t chain[SAMARA_BLOCK_SIZE];
  uint8_t last[SAMARA_BLOCK_SIZE];
  SAMARA_WIPED(last);
  samara_copy_bytes(chain, iv, SAMARA_BLOCK_SIZE);
  /* An empty message may be a null pointer, which takes no offset. */
  samara_pad_block(
      last, rest == 0 ? message : message + SAMARA_BLOCK_SIZE * whole, rest);
  chain_encrypt(key, ciphertext, chain, message, whole);
  chain_encrypt(key, ciphertext + SAMARA_BLOCK_SIZE * whole, chain, last, 1);
}

samara_result SAMARA_NAME(cbc_encrypt)(const SAMARA_KEY *key,
                                       uint8_t *ciphertext,
                                       const uint8_t iv[samara_cbc_iv_size],
                                       const uint8_t *message,
                                       size_t message_size) {
  const size_t ciphertext_size = samara_cbc_ciphertext_size(message_size);
  if (ciphertext_size == 0) {
    return SAMARA_ERROR_MESSAGE_SIZE;
  }
  if (samara_overlaps(ciphertext, ciphertext_size, message, message_size)) {
    return SAMARA_ERROR_OVERLAP;
  }
  bare_cbc_encrypt(key, ciphertext, iv, message, message_size);
  return samara_leave(SAMARA_OK, SAMARA_CBC_STACK);
}

/* How many bytes of padding there were; 0 when it is wrong. */
SAMARA_NOT_INLINED static unsigned
bare_cbc_decrypt(const SAMARA_KEY *key, uint8_t *message,
                 const uint8_t iv[samara_cbc_iv_size],
                 const uint8_t *ciphertext, size_t ciphertext_size) {
  uint8_t chain[SAMARA_BLOCK_SIZE];
  samara_copy_bytes(chain, iv, SAMARA_BLOCK_SIZE);
  chain_decrypt(key, message, chain, ciphertext,
                ciphertext_size / SAMARA_BLOCK_SIZE);
  return samara_padding_size(message + ciphertext_size - SAMARA_BLOCK_SIZE);
}

samara_result SAMARA_NAME(cbc_decrypt)(const SAMARA_KEY *key, uint8_t *message,
                                       size_t *message_size,
                                       const uint8_t iv[samara_cbc_iv_size],
                                       const uint8_t *ciphertext,
                                       size_t ciphertext_size) {
  *message_size = 0;
  if (ciphertext_size == 0 || ciphertext_size % SAMARA_BLOCK_SIZE != 0) {
    return SAMARA_ERROR_CIPHERTEXT_SIZE;
  }
  if (samara_overlaps(message, ciphertext_size, ciphertext, ciphertext_size)) {
    return SAMARA_ERROR_OVERLAP;
  }
  const unsigned padding =
      bare_cbc_decrypt(key, message, iv, ciphertext, ciphertext_size);
  samara_wipe_stack(SAMARA_CBC_STACK);
  if (padding == 0) {
    samara_wipe(message, ciphertext_size);
    return SAMARA_ERROR_AUTHENTICATION;
  }
  *message_size = ciphertext_size - padding;
  samara_zero_bytes(message + *message_size, padding);
  return SAMARA_OK;
}

#undef chain_decrypt
#undef chain_encrypt
#undef bare_cbc_encrypt
#undef bare_cbc_decrypt
#undef SAMARA_CBC_STACK
