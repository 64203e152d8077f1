/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LINK_H
#define LINK_H

/* The link of the sensor: frames of IEEE 802.15.4 by the radio of its chip. */

#include "radio.h"
#include "record.h"
#include <samara/node_ieee802154.h>

#if __has_include("settings.h")
#include "settings.h"
#endif

static samara_node_record_key link_key = {.cipher = &SAMARA_NODE_RECORD_CIPHER};

#define LINK_WIRE_SIZE samara_node_frame_size
#define LINK_SETTINGS                                                          \
  .link = &samara_node_ieee802154, .key_state = &link_key,                     \
  .key_state_size = sizeof link_key, .write = radio_send

/* Once the node is open: its record tells the channel. */
static inline void link_start(void) {
  radio_start(link_key.channel, (uint8_t)link_key.short_address);
}

#endif
