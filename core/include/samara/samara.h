/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_SAMARA_H
#define SAMARA_SAMARA_H

/* All that a device may link. suite.h, the table of everything by name, is for
 * hosts and included on its own; so is store_life.h, which few devices need. */

#include <samara/6lowpan.h>
#include <samara/acorn128.h>
#include <samara/aead.h>
#include <samara/aes.h>
#include <samara/ascon_aead128.h>
#include <samara/batch.h>
#include <samara/block.h>
#include <samara/cbc.h>
#include <samara/ccm.h>
#include <samara/chacha20_poly1305.h>
#include <samara/ctr.h>
#include <samara/gcm.h>
#include <samara/grain128.h>
#include <samara/grain128aead.h>
#include <samara/grain128ple.h>
#include <samara/ieee802154.h>
#include <samara/ketje_jr.h>
#include <samara/memory.h>
#include <samara/modspeck.h>
#include <samara/node.h>
#include <samara/node_ieee802154.h>
#include <samara/norx32.h>
#include <samara/ple_interleave.h>
#include <samara/ple_sync.h>
#include <samara/result.h>
#include <samara/rfserial.h>
#include <samara/simon.h>
#include <samara/speck.h>
#include <samara/store.h>
#include <samara/version.h>

#endif
