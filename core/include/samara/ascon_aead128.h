/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_ASCON_AEAD128_H
#define SAMARA_ASCON_AEAD128_H

/* Ascon-AEAD128 (NIST SP 800-232, section 4): authenticated encryption with
 * key, nonce and tag of 16 bytes. It is not the Ascon-128 v1.2 of older tables:
 * initial value, byte order and rate differ.
 *
 * The calls are those of aead.h. No more than 2^54 bytes are to be processed
 * under one key (section 4.3; not counted here). A tag of 0 bytes also gives
 * the sponge's unverified plaintext away. */

#include <samara/aead.h>
#include <samara/ieee802154_cipher.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  samara_ascon_aead128_key_size = 16,
  samara_ascon_aead128_nonce_size = 16,
  samara_ascon_aead128_tag_size = 16,
  samara_ascon_aead128_tag_size_min = 4
};

SAMARA_DECLARE_AEAD(ascon_aead128)
SAMARA_DECLARE_FRAME_CIPHER(ascon_aead128)

#ifdef __cplusplus
}
#endif

#endif
