/* SPDX-License-Identifier: Apache-2.0 */
#include "ieee802154/ccm_cipher.h"

#include <samara/modspeck.h>

SAMARA_IEEE802154_CCM_CIPHER(modspeck128_128)
SAMARA_IEEE802154_CCM_CIPHER(modspeck128_192)
SAMARA_IEEE802154_CCM_CIPHER(modspeck128_256)
