/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_NODE_RECORD_H
#define SAMARA_NODE_RECORD_H

#include "common/secret.h"
#include <samara/node.h>

/* The first byte of what is no plain message, and the kinds that follow it. */
enum {
  samara_node_mark = 0xf5,
  samara_node_mark_size = 2,
  samara_node_literal = 0x00,
  samara_node_restarted = 0x01
};

/* The link in the direction that the node sends in, its key apart. */
bool samara_node_record_read(const samara_aead *aead, const uint8_t *record,
                             size_t size, samara_rfserial_link *link);

/* Whether bytes begin with the mark: the size on the air, or what the receiver
 * then does, tells that anyway. */
SAMARA_INLINE bool samara_node_has_mark(const uint8_t *bytes, size_t size) {
  return size != 0 && samara_declassify32(bytes[0]) == samara_node_mark;
}

/* The kind behind the mark, which is as public. */
SAMARA_INLINE uint32_t samara_node_kind(const uint8_t *bytes) {
  return samara_declassify32(bytes[1]);
}

#endif
