/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_IEEE802154_CIPHER_H
#define SAMARA_IEEE802154_CIPHER_H

/* The ciphers that may secure a frame. AES-128 is the standard's; the others
 * take its place in frames of the same form, between ends that agreed on it.
 *
 * A key names its cipher by a table, samara_ieee802154_NAME, so that each key
 * may have another, and so a device links the ciphers whose tables it names and
 * no others. A table is constant: three bytes and two functions.
 *
 * A block cipher of 128-bit blocks is used as CCM*, as the standard uses AES.
 * An AEAD by itself takes the frame's nonce of 13 bytes and gives the MIC by
 * the first bytes of its tag:
 *   nonce of 13 bytes or more (Ascon)
 *          the frame's nonce with zeros behind it
 *   nonce of 12 bytes (Grain)
 *          the frame's nonce without its last byte, the security level, which
 *          goes in front of the associated data. A nonce of the ASN has no
 *          level, and without its last byte would be used 256 times: keys of
 *          Grain are for frame counters alone.
 * At levels that do not encrypt, the payload is associated data. */

#include <samara/result.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { samara_ieee802154_key_size_max = 32, samara_ieee802154_nonce_size = 13 };

typedef struct samara_ieee802154_cipher {
  uint8_t key_size; /* bytes */
  uint8_t tag_size; /* bytes: the longest MIC */
  bool whole_nonce; /* takes all 13 bytes, and so ASNs too */
  /* In place. mic_size is 0, 4, 8 or 16 and no more than tag_size; 0 encrypts
   * alone. A failed open leaves zeros. */
  samara_result (*seal)(const uint8_t *key, uint8_t *mic, size_t mic_size,
                        const uint8_t *nonce, const uint8_t *associated_data,
                        size_t associated_data_size, uint8_t *text,
                        size_t text_size);
  samara_result (*open)(const uint8_t *key, const uint8_t *mic, size_t mic_size,
                        const uint8_t *nonce, const uint8_t *associated_data,
                        size_t associated_data_size, uint8_t *text,
                        size_t text_size);
} samara_ieee802154_cipher;

/* Declared by the cipher's own header: samara_ieee802154_aes128 by aes.h, and
 * so on for every cipher of 128-bit blocks, Ascon and Grain. */
#define SAMARA_DECLARE_FRAME_CIPHER(cipher)                                    \
  extern const samara_ieee802154_cipher samara_ieee802154_##cipher;

#ifdef __cplusplus
}
#endif

#endif
