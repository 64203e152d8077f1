/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_CHACHA20_POLY1305_H
#define SAMARA_CHACHA20_POLY1305_H

/* ChaCha20-Poly1305 (RFC 8439): authenticated encryption with a key of 32
 * bytes, a nonce of 12 and a tag of 16. It needs neither tables nor special
 * instructions, and is fast where there are none for AES.
 *
 * A nonce used twice gives away the difference of both messages and the key of
 * the authenticator, with which tags can be forged for that nonce.
 *
 * The calls are those of aead.h. A message has at most 2^38 - 64 bytes, because
 * the block counter has 32 bits; a longer one is SAMARA_ERROR_MESSAGE_SIZE. The
 * nonce is too short for frames of IEEE 802.15.4. */

#include <samara/aead.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  samara_chacha20_poly1305_key_size = 32,
  samara_chacha20_poly1305_nonce_size = 12,
  samara_chacha20_poly1305_tag_size = 16,
  samara_chacha20_poly1305_tag_size_min = 4
};

SAMARA_DECLARE_AEAD(chacha20_poly1305)

#ifdef __cplusplus
}
#endif

#endif
