/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_NORX32_H
#define SAMARA_NORX32_H

/* NORX32-4-1 version 3 (Aumasson, Jovanovic and Neves, third round of CAESAR):
 * authenticated encryption with key, nonce and tag of 16 bytes, words of 32
 * bits, 4 rounds, no parallelism. RESEARCH: it is here to be compared. Versions
 * 1 and 2 have other nonces and give other answers.
 *
 * A sponge: a nonce used twice, or a message released before its tag is
 * checked, may give away its state. The calls are those of aead.h. At most
 * 2^64 messages under one key (section 3.1 of the specification; not counted
 * here). */

#include <samara/aead.h>
#include <samara/ieee802154_cipher.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  samara_norx32_key_size = 16,
  samara_norx32_nonce_size = 16,
  samara_norx32_tag_size = 16,
  samara_norx32_tag_size_min = 4
};

SAMARA_DECLARE_AEAD(norx32)
SAMARA_DECLARE_FRAME_CIPHER(norx32)

#ifdef __cplusplus
}
#endif

#endif
