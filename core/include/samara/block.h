/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_BLOCK_H
#define SAMARA_BLOCK_H

/* What every block cipher offers, in one shape.
 *
 * For a cipher called NAME (aes128, speck64_96, ...):
 *
 *   samara_NAME_key_size, samara_NAME_block_size    in bytes
 *   samara_NAME_key                                 an expanded key
 *   samara_NAME_set_key(key, bytes)                 expands key_size bytes
 *   samara_NAME_encrypt(key, ciphertext, plaintext) one block
 *   samara_NAME_decrypt(key, plaintext, ciphertext) one block
 *   samara_NAME_wipe(key)                           overwrites the key
 *
 * None of them can fail. Set a key before it is used, and again after it was
 * wiped: NO CALL CHECKS THIS. A wiped key is zeros, which encrypt under round
 * keys that everybody knows, and the modes return SAMARA_OK. (To check it would
 * cost bytes and cycles at each call.) Input and output may be the same buffer,
 * and need no alignment. An expanded key is plain memory without pointers: it
 * may be copied, and is to be wiped. What it holds differs between
 * implementations, so it is not to be stored or sent.
 *
 * Do not encrypt messages with a block function alone: the modes are in
 * cbc.h, ctr.h, ccm.h and gcm.h, and every cipher of 128-bit blocks has the
 * first three (GCM: AES). */

#include <samara/aead.h>
#include <samara/cbc.h>
#include <samara/ccm.h>
#include <samara/ctr.h>
#include <samara/ieee802154_cipher.h>
#include <samara/result.h>

#define SAMARA_DECLARE_BLOCK_CIPHER(cipher, key_bytes, block_bytes)            \
  enum {                                                                       \
    samara_##cipher##_key_size = (key_bytes),                                  \
    samara_##cipher##_block_size = (block_bytes)                               \
  };                                                                           \
  void samara_##cipher##_set_key(samara_##cipher##_key *key,                   \
                                 const uint8_t bytes[key_bytes]);              \
  void samara_##cipher##_encrypt(const samara_##cipher##_key *key,             \
                                 uint8_t ciphertext[block_bytes],              \
                                 const uint8_t plaintext[block_bytes]);        \
  void samara_##cipher##_decrypt(const samara_##cipher##_key *key,             \
                                 uint8_t plaintext[block_bytes],               \
                                 const uint8_t ciphertext[block_bytes]);       \
  void samara_##cipher##_wipe(samara_##cipher##_key *key);

/* The modes that every cipher of 128-bit blocks has. */
#define SAMARA_DECLARE_BLOCK_MODES(cipher)                                     \
  SAMARA_DECLARE_CBC(cipher)                                                   \
  SAMARA_DECLARE_CTR(cipher)                                                   \
  SAMARA_DECLARE_CCM(cipher)                                                   \
  SAMARA_DECLARE_CCM_BATCH(cipher)                                             \
  SAMARA_DECLARE_CTR_BATCH(cipher)                                             \
  SAMARA_DECLARE_CCM_AEAD(cipher)                                              \
  SAMARA_DECLARE_FRAME_CIPHER(cipher)

#endif
