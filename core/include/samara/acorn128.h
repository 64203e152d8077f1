/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_ACORN128_H
#define SAMARA_ACORN128_H

/* ACORN-128 version 3 (Hongjun Wu, in the final portfolio of CAESAR):
 * authenticated encryption with key, nonce and tag of 16 bytes. RESEARCH: it is
 * here to be compared. Versions 1 and 2 give other answers.
 *
 * A stream cipher whose state of 293 bits also takes in the message. A nonce
 * used twice, or a message released before its tag is checked, may give away
 * the state. The calls are those of aead.h. At most 2^64 bits of message and
 * as many of associated data (section 1.2 of the specification). */

#include <samara/aead.h>
#include <samara/ieee802154_cipher.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  samara_acorn128_key_size = 16,
  samara_acorn128_nonce_size = 16,
  samara_acorn128_tag_size = 16,
  samara_acorn128_tag_size_min = 4
};

SAMARA_DECLARE_AEAD(acorn128)
SAMARA_DECLARE_FRAME_CIPHER(acorn128)

#ifdef __cplusplus
}
#endif

#endif
