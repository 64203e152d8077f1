/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LINK_H
#define LINK_H

/* The link of the sensor: a serial radio at the UART of its board. */

#include "board.h"
#include "record.h"
#include <samara/node.h>

#if __has_include("settings.h")
#include "settings.h"
#endif
#ifndef UNIT_SIZE
#define UNIT_SIZE 60 /* the longest unit with packets of 12 bytes */
#endif

static samara_node_record_key link_key;

#define LINK_WIRE_SIZE UNIT_SIZE
#define LINK_SETTINGS                                                          \
  .link = &samara_node_rfserial, .aead = &SAMARA_NODE_RECORD_AEAD,             \
  .key_state = &link_key, .key_state_size = sizeof link_key,                   \
  .write = board_write

/* Once the node is open. */
static inline void link_start(void) {}

#endif
