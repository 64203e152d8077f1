/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_NODE_NODE_H
#define SAMARA_NODE_NODE_H

/* What the sources here share: the kinds of links, what is stored, and what
 * nodes say to each other. */

#include "common/stack.h"
#include <samara/node.h>

enum {
  samara_node_magic_size = 4,
  samara_node_check_size = 4,
  /* Of the settings of any link in a record. */
  samara_node_settings_size_max = 36,
  /* Where the numbers of units and ids of messages begin with this key. */
  samara_node_bases_size = 8,
  samara_node_stored_size_max = samara_node_settings_size_max +
      samara_node_key_size_max + samara_node_bases_size,
  samara_node_stack = SAMARA_STACK_BYTES(480, 700, 860, 1120),
  /* Of what is done around the calls of the store and the cipher, which wipe
   * their own: a register with a byte of a message is saved there. */
  samara_node_message_stack = SAMARA_STACK_BYTES(160, 160, 280, 420)
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
  samara_node_literal_size = 2,
  samara_node_ack_size = 7,
  samara_node_missing_size = samara_node_ack_size + 2, /* with the first one */
  samara_node_skip_size = 6,
  samara_node_skip_ids_size = 10,
  /* Bytes of what nodes tell each other, at most. */
  samara_node_told_max = samara_node_missing_size + samara_node_missing_max / 8
};

/* What became of a message, in its acknowledgement. */
enum {
  samara_node_delivered = 0,
  samara_node_incomplete = 1,
  samara_node_unknown = 2
};

typedef enum samara_node_unit_kind {
  SAMARA_NODE_UNIT_NONE,
  SAMARA_NODE_UNIT_NEW,     /* genuine */
  SAMARA_NODE_UNIT_REPEATED /* there is no payload */
} samara_node_unit_kind;

/* What arrived over a link. */
typedef struct samara_node_unit {
  samara_node_unit_kind kind;
  uint64_t number;
  uint8_t *payload;
  size_t payload_size;
} samara_node_unit;

struct samara_node_link {
  uint8_t magic[samara_node_magic_size];
  uint8_t settings_size;
  /* 0 where the application has not named a cipher. */
  uint8_t (*key_size)(const samara_node *node);
  /* Takes the settings of a record: whether they fit. */
  bool (*apply)(samara_node *node, const uint8_t *settings);
  /* Bytes of the longest payload; 0 when the buffers are too small. */
  size_t (*payload_size)(const samara_node *node);
  /* Takes the key, and the lowest number that is accepted. */
  int (*begin)(samara_node *node, const uint8_t *key, uint64_t expected);
  /* Makes a unit of the payload in node->wire + node->text_at. */
  int (*seal)(samara_node *node, uint64_t number, size_t payload_size,
              size_t *wire_size);
  /* Answers how many bytes were processed. */
  size_t (*receive)(samara_node *node, samara_node_unit *unit,
                    const uint8_t *bytes, size_t size);
  /* The key, and what a link has beside the buffers that all of them have. */
  void (*wipe)(samara_node *node);
};

/* Bytes of the record that holds settings, key and bases. */
uint8_t samara_node_stored_size(const samara_node *node);

/* The ring of the key, as samara_node_lay_out makes it: whether the settings of
 * the node are valid. The node stays as it is. */
bool samara_node_find_identity(const samara_node *node,
                               samara_store_ring *identity);

/* Divides the memory between the four rings of a node, which is shut by it. */
bool samara_node_lay_out(samara_node *node);

SAMARA_INLINE uint32_t samara_node_word(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 |
         (uint32_t)bytes[2] << 8 | bytes[3];
}

SAMARA_INLINE void samara_node_put_word(uint8_t *bytes, uint32_t word) {
  bytes[0] = (uint8_t)(word >> 24);
  bytes[1] = (uint8_t)(word >> 16);
  bytes[2] = (uint8_t)(word >> 8);
  bytes[3] = (uint8_t)word;
}

/* A node that is not open has no room for a payload: its key in RAM is zeros,
 * which everybody knows, or that of another life. */
SAMARA_INLINE void samara_node_shut(samara_node *node) {
  node->payload_size = 0;
}

SAMARA_INLINE bool samara_node_is_open(const samara_node *node) {
  return node->payload_size != 0;
}

/* Sends a payload of two pieces, in the next unit. */
int samara_node_send_payload(samara_node *node, const uint8_t *head,
                             size_t head_size, const uint8_t *rest,
                             size_t rest_size);

/* Takes a part of a message: the event is then a part, or a message that is
 * complete. An error of the store. */
int samara_node_take_part(samara_node *node, samara_node_event *event,
                          const uint8_t *payload, size_t size);

/* Remembers which parts of a message of ours are missing at the host. */
void samara_node_note_missing(samara_node *node, const uint8_t *ack,
                              size_t size);

/* Writes which parts are missing here, behind an acknowledgement, which has
 * room for samara_node_told_max bytes and zeros there; answers with its size.
 */
size_t samara_node_put_missing(const samara_node *node, uint8_t *ack);

#endif
