/* SPDX-License-Identifier: Apache-2.0 */
/* Template: see mode/names.h. Contract: samara/cbc.h. */

#include "common/bytes.h"
#include "common/overlap.h"
#include "mode/names.h"
#include "mode/padding.h"
#include <samara/memory.h>

#define chain_decrypt LOCAL(chain_decrypt)
#define chain_encrypt LOCAL(chain_encrypt)
#define bare_cbc_encrypt LOCAL(bare_cbc_encrypt)
#define bare_cbc_decrypt LOCAL(bare_cbc_decrypt)
#define CBC_STACK (CIPHER_STACK + samara_cbc_stack)

SAMARA_NOT_INLINED static void chain_encrypt(const KEY *key,
                                             uint8_t *ciphertext,
                                             uint8_t iv[samara_cbc_iv_size],
                                             const uint8_t *message,
                                             size_t block_count) {
  for (; block_count != 0; block_count--) {
    samara_xor_bytes(iv, iv, message, BLOCK_SIZE);
    LOCAL(bare_encrypt)(key, iv, iv);
    samara_copy_bytes(ciphertext, iv, BLOCK_SIZE);
    ciphertext += BLOCK_SIZE;
    message += BLOCK_SIZE;
  }
}

SAMARA_NOT_INLINED static void chain_decrypt(const KEY *key, uint8_t *message,
                                             uint8_t iv[samara_cbc_iv_size],
                                             const uint8_t *ciphertext,
                                             size_t block_count) {
  uint8_t blocks[BLOCK_SIZE * SAMARA_PARALLEL_BLOCKS];
  while (block_count != 0) {
    const size_t part = block_count < SAMARA_PARALLEL_BLOCKS
                            ? block_count
                            : SAMARA_PARALLEL_BLOCKS;
    const size_t size = BLOCK_SIZE * part;
    LOCAL(decrypt_blocks)(key, blocks, ciphertext, part);
    samara_xor_bytes(blocks, blocks, iv, BLOCK_SIZE);
    samara_xor_bytes(blocks + BLOCK_SIZE, blocks + BLOCK_SIZE, ciphertext,
                     size - BLOCK_SIZE);
    /* Only now: the message may replace the ciphertext. */
    samara_copy_bytes(iv, ciphertext + size - BLOCK_SIZE, BLOCK_SIZE);
    samara_copy_bytes(message, blocks, size);
    ciphertext += size;
    message += size;
    block_count -= part;
  }
  samara_wipe(blocks, sizeof blocks);
}

samara_result NAME(cbc_encrypt_blocks)(const KEY *key, uint8_t *ciphertext,
                                       uint8_t iv[samara_cbc_iv_size],
                                       const uint8_t *message,
                                       size_t block_count) {
  if (samara_overlaps(ciphertext, BLOCK_SIZE * block_count, message,
                      BLOCK_SIZE * block_count)) {
    return SAMARA_ERROR_OVERLAP;
  }
  chain_encrypt(key, ciphertext, iv, message, block_count);
  return samara_leave(SAMARA_OK, CBC_STACK);
}

samara_result NAME(cbc_decrypt_blocks)(const KEY *key, uint8_t *message,
                                       uint8_t iv[samara_cbc_iv_size],
                                       const uint8_t *ciphertext,
                                       size_t block_count) {
  if (samara_overlaps(message, BLOCK_SIZE * block_count, ciphertext,
                      BLOCK_SIZE * block_count)) {
    return SAMARA_ERROR_OVERLAP;
  }
  chain_decrypt(key, message, iv, ciphertext, block_count);
  return samara_leave(SAMARA_OK, CBC_STACK);
}

SAMARA_NOT_INLINED static void
bare_cbc_encrypt(const KEY *key, uint8_t *ciphertext,
                 const uint8_t iv[samara_cbc_iv_size], const uint8_t *message,
                 size_t message_size) {
  const size_t whole = message_size / BLOCK_SIZE;
  const size_t rest = message_size % BLOCK_SIZE;
  uint8_t chain[BLOCK_SIZE];
  uint8_t last[BLOCK_SIZE];
  samara_copy_bytes(chain, iv, BLOCK_SIZE);
  /* An empty message may be a null pointer, which takes no offset. */
  samara_pad_block(last, rest == 0 ? message : message + BLOCK_SIZE * whole,
                   rest);
  chain_encrypt(key, ciphertext, chain, message, whole);
  chain_encrypt(key, ciphertext + BLOCK_SIZE * whole, chain, last, 1);
  samara_wipe(last, sizeof last);
}

samara_result NAME(cbc_encrypt)(const KEY *key, uint8_t *ciphertext,
                                const uint8_t iv[samara_cbc_iv_size],
                                const uint8_t *message, size_t message_size) {
  const size_t ciphertext_size = samara_cbc_ciphertext_size(message_size);
  if (ciphertext_size == 0) {
    return SAMARA_ERROR_MESSAGE_SIZE;
  }
  if (samara_overlaps(ciphertext, ciphertext_size, message, message_size)) {
    return SAMARA_ERROR_OVERLAP;
  }
  bare_cbc_encrypt(key, ciphertext, iv, message, message_size);
  return samara_leave(SAMARA_OK, CBC_STACK);
}

/* How many bytes of padding there were; 0 when it is wrong. */
SAMARA_NOT_INLINED static unsigned
bare_cbc_decrypt(const KEY *key, uint8_t *message,
                 const uint8_t iv[samara_cbc_iv_size],
                 const uint8_t *ciphertext, size_t ciphertext_size) {
  uint8_t chain[BLOCK_SIZE];
  samara_copy_bytes(chain, iv, BLOCK_SIZE);
  chain_decrypt(key, message, chain, ciphertext, ciphertext_size / BLOCK_SIZE);
  return samara_padding_size(message + ciphertext_size - BLOCK_SIZE);
}

samara_result NAME(cbc_decrypt)(const KEY *key, uint8_t *message,
                                size_t *message_size,
                                const uint8_t iv[samara_cbc_iv_size],
                                const uint8_t *ciphertext,
                                size_t ciphertext_size) {
  *message_size = 0;
  if (ciphertext_size == 0 || ciphertext_size % BLOCK_SIZE != 0) {
    return SAMARA_ERROR_CIPHERTEXT_SIZE;
  }
  if (samara_overlaps(message, ciphertext_size, ciphertext, ciphertext_size)) {
    return SAMARA_ERROR_OVERLAP;
  }
  const unsigned padding =
      bare_cbc_decrypt(key, message, iv, ciphertext, ciphertext_size);
  samara_wipe_stack(CBC_STACK);
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
#undef CBC_STACK
