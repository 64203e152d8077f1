/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_IEEE802154_NAMES_H
#define SAMARA_IEEE802154_NAMES_H

/* The ciphers for frames by name, for hosts: those rows of the registry that
 * fit (suite.h). A device names the tables of ieee802154_cipher.h instead. */

#include <samara/ieee802154_cipher.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The cipher with this slug ("aes128", "grain128aead"), or NULL. */
const samara_ieee802154_cipher *samara_ieee802154_cipher_find(const char *slug);

/* Row `index` in the order of the registry, its slug in *slug; NULL past the
 * last. */
const samara_ieee802154_cipher *samara_ieee802154_cipher_at(size_t index,
                                                            const char **slug);

#ifdef __cplusplus
}
#endif

#endif
