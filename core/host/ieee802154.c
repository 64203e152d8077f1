/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/ieee802154_names.h>

#include <samara/samara.h>
#include <samara/suite.h>
#include <string.h>

typedef struct named_cipher {
  const char *slug;
  const samara_ieee802154_cipher *cipher;
} named_cipher;

/* Ciphers of 128-bit blocks, and AEADs with a nonce long enough. */
#define BLOCK_CIPHER(name, slug, standing, source, note)
#define BLOCK_CIPHER_128(name, slug, standing, source, note)                   \
  {slug, &samara_ieee802154_##name},
#define BLOCK_CIPHER_AES BLOCK_CIPHER_128
#define AEAD(name, slug, standing, source, note, stream)                       \
  {slug, &samara_ieee802154_##name},
#define AEAD_WITHOUT_FRAMES(name, slug, standing, source, note, stream)
#define STREAM_CIPHER(name, slug, standing, source, note, stream)

static const named_cipher named_ciphers[] = {
#include "host/registry.def"
};

enum { cipher_count = sizeof named_ciphers / sizeof named_ciphers[0] };

const samara_ieee802154_cipher *samara_ieee802154_cipher_at(size_t index,
                                                            const char **slug) {
  if (index >= cipher_count) {
    return NULL;
  }
  *slug = named_ciphers[index].slug;
  return named_ciphers[index].cipher;
}

const samara_ieee802154_cipher *
samara_ieee802154_cipher_find(const char *slug) {
  for (size_t i = 0; i < cipher_count; i++) {
    if (strcmp(named_ciphers[i].slug, slug) == 0) {
      return named_ciphers[i].cipher;
    }
  }
  return NULL;
}
