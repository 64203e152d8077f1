/* SPDX-License-Identifier: Apache-2.0 */
#include "ieee802154/ccm_cipher.h"

#include <samara/speck.h>

SAMARA_IEEE802154_CCM_CIPHER(speck128_128)
SAMARA_IEEE802154_CCM_CIPHER(speck128_192)
SAMARA_IEEE802154_CCM_CIPHER(speck128_256)
