/* SPDX-License-Identifier: Apache-2.0 */
#include "common/secret.h"
#include "node/node.h"

#include <samara/memory.h>

static uint32_t node_word(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 |
         (uint32_t)bytes[2] << 8 | bytes[3];
}

/* The host refuses numbers below this one, and ids: go on above. */
static int node_skip(samara_node *node, const uint8_t *payload, size_t size) {
  uint32_t bound = node_word(payload + 2);
  if (size == samara_node_skip_ids_size && node_word(payload + 6) > bound) {
    bound = node_word(payload + 6);
  }
  return bound <= node->sent.next
             ? SAMARA_OK
             : (int)samara_store_counter_pass(&node->sent, bound - 1);
}

static void node_give(samara_node_event *event, samara_node_event_kind kind,
                      const uint8_t *message, size_t size) {
  event->kind = kind;
  event->message = message;
  event->message_size = size;
}

/* A message that is acknowledged: one of a single part, or nothing for us. */
static void node_take_part(samara_node *node, samara_node_event *event,
                           const uint8_t *payload, size_t size) {
  if (size < samara_node_overhead || payload[6] != 0 || payload[7] != 0 ||
      (payload[1] & samara_node_part_last) == 0) {
    return;
  }
  event->id = node_word(payload + 2);
  event->wants_acknowledgement = (payload[1] & samara_node_part_wanted) != 0;
  /* Ids of a sender only increase. */
  if (node->has_last_id && event->id <= node->last_id) {
    event->kind = SAMARA_NODE_AGAIN;
  } else {
    node->has_last_id = true;
    node->last_id = event->id;
    node_give(event, SAMARA_NODE_MESSAGE, payload + samara_node_overhead,
              size - samara_node_overhead);
  }
}

static int node_take_escaped(samara_node *node, samara_node_event *event,
                             const uint8_t *payload, size_t size) {
  const uint8_t kind = payload[1];
  if (kind == samara_node_literal) {
    node_give(event, SAMARA_NODE_MESSAGE, payload + 2, size - 2);
  } else if (kind == samara_node_restarted) {
    event->kind = SAMARA_NODE_NOTICE;
    if (size == samara_node_skip_size || size == samara_node_skip_ids_size) {
      return node_skip(node, payload, size);
    }
  } else if (kind == samara_node_steady) {
    event->kind = SAMARA_NODE_NOTICE;
  } else if (kind == samara_node_ack && size >= samara_node_ack_size) {
    event->kind = SAMARA_NODE_ACKNOWLEDGED;
    event->id = node_word(payload + 2);
    event->status = payload[6];
  } else if ((kind & 0xf8) == samara_node_part) {
    node_take_part(node, event, payload, size);
  }
  return SAMARA_OK;
}

static int node_take(samara_node *node, samara_node_event *event,
                     const samara_rfserial_event *unit) {
  const int result = samara_store_counter_pass(&node->expected, unit->number);
  if (result != SAMARA_STORE_OK) {
    samara_wipe(node->message, node->message_size_max + samara_node_overhead);
    return result;
  }
  event->kind = SAMARA_NODE_UNKNOWN;
  uint8_t *payload = node->message;
  const size_t size = unit->message_size;
  /* Public is whether a message begins with this byte, and what nodes tell each
   * other; messages are not. */
  if (size == 0 ||
      samara_declassify32(payload[0] ^ (uint32_t)samara_node_escape) != 0) {
    node_give(event, SAMARA_NODE_MESSAGE, payload, size);
    return SAMARA_OK;
  }
  samara_declassify(payload, size < samara_node_skip_ids_size
                                 ? size
                                 : samara_node_skip_ids_size);
  return size == 1 ? SAMARA_OK : node_take_escaped(node, event, payload, size);
}

static SAMARA_NOT_INLINED int
node_bare_receive(samara_node *node, samara_node_event *event,
                  const uint8_t *bytes, size_t size, size_t *processed) {
  samara_rfserial_event unit;
  *event = (samara_node_event){.kind = SAMARA_NODE_NOTHING};
  *processed = size;
  if (node->buffer == NULL) {
    return SAMARA_OK;
  }
  *processed = samara_rfserial_receive(&node->receiver, &unit, bytes, size);
  event->number = unit.number;
  event->lost = unit.lost;
  if (unit.kind == SAMARA_RFSERIAL_REPEATED) {
    event->kind = SAMARA_NODE_REPLAY;
  }
  return unit.kind == SAMARA_RFSERIAL_MESSAGE ? node_take(node, event, &unit)
                                              : SAMARA_OK;
}

int samara_node_receive(samara_node *node, samara_node_event *event,
                        const uint8_t *bytes, size_t size, size_t *processed) {
  const int result = node_bare_receive(node, event, bytes, size, processed);
  samara_wipe_stack(samara_node_message_stack);
  return result;
}
