/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_TOY_AEAD_H
#define SAMARA_TOY_AEAD_H

/* A toy that protects nothing: tests/python/test_toy_cipher.py adds it to a
 * copy of samara, by docs/ciphers.md. The calls are those of aead.h. */

#include <samara/aead.h>
#include <samara/ieee802154_cipher.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  samara_toy_aead_key_size = 16,
  samara_toy_aead_nonce_size = 14,
  samara_toy_aead_tag_size = 8,
  samara_toy_aead_tag_size_min = 4
};

SAMARA_DECLARE_AEAD(toy_aead)
SAMARA_DECLARE_FRAME_CIPHER(toy_aead)

#ifdef __cplusplus
}
#endif

#endif
