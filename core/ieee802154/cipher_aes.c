/* SPDX-License-Identifier: Apache-2.0 */
#include "ieee802154/ccm_cipher.h"

#include <samara/aes.h>

SAMARA_IEEE802154_CCM_CIPHER(aes128)
SAMARA_IEEE802154_CCM_CIPHER(aes192)
SAMARA_IEEE802154_CCM_CIPHER(aes256)
