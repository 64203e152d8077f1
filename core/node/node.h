/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_NODE_NODE_H
#define SAMARA_NODE_NODE_H

/* What the sources here share: the record, and what nodes say to each other. */

#include "common/stack.h"
#include <samara/node.h>

enum {
  samara_node_settings_size = 8, /* of the record, and of what is stored */
  samara_node_magic_size = 4,
  samara_node_check_size = 4,
  samara_node_stack = SAMARA_STACK_BYTES(600, 600, 720, 960),
  /* Of what is done around the calls of the store and the cipher, which wipe
   * their own: a register with a byte of a message is saved there. */
  samara_node_message_stack = SAMARA_STACK_BYTES(120, 120, 200, 320)
};

/* Places in the settings of a record. */
enum {
  samara_node_at_key_size,
  samara_node_at_direction,
  samara_node_at_packet_size,
  samara_node_at_tag_size,
  samara_node_at_counter_size,
  samara_node_at_reserved,
  samara_node_at_identity
};

/* How a payload begins that is no plain message (docs/nodes.md), and how it
 * goes on. */
enum {
  samara_node_escape = 0xf5,
  samara_node_literal = 0x00,
  samara_node_restarted = 0x01,
  samara_node_ack = 0x02,
  samara_node_steady = 0x04,
  samara_node_part = 0x10,
  samara_node_part_last = 1,
  samara_node_part_wanted = 2,
  samara_node_part_acknowledged = 4,
  samara_node_ack_size = 7,
  samara_node_skip_size = 6,
  samara_node_skip_ids_size = 10
};

/* Divides the memory between the three rings. */
bool samara_node_lay_out(samara_node *node);

/* Whether the settings of a record fit; sets both directions of the link. */
bool samara_node_apply(samara_node *node,
                       const uint8_t settings[samara_node_settings_size]);

/* Sends a payload of two parts, in the next unit. */
int samara_node_send_payload(samara_node *node, const uint8_t *head,
                             size_t head_size, const uint8_t *rest,
                             size_t rest_size);

#endif
