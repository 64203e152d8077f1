/* SPDX-License-Identifier: Apache-2.0 */
#include "common/secret.h"
#include "node/node.h"

#include <samara/memory.h>

/* The host refuses numbers below this one, and ids: go on above. */
static int node_skip(samara_node *node, const uint8_t *payload, size_t size) {
  uint32_t bound = samara_node_word(payload + 2);
  if (size == samara_node_skip_ids_size &&
      samara_node_word(payload + 6) > bound) {
    bound = samara_node_word(payload + 6);
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

static void node_take_ack(samara_node *node, samara_node_event *event,
                          const uint8_t *payload, size_t size) {
  event->kind = SAMARA_NODE_ACKNOWLEDGED;
  event->id = samara_node_word(payload + 2);
  event->status = payload[samara_node_ack_size - 1];
  if (event->status == samara_node_incomplete &&
      size > samara_node_missing_size) {
    samara_node_note_missing(node, payload, size);
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
    node_take_ack(node, event, payload, size);
  } else if ((kind & 0xf8) == samara_node_part) {
    return samara_node_take_part(node, event, payload, size);
  }
  return SAMARA_OK;
}

static int node_take_payload(samara_node *node, samara_node_event *event,
                             uint8_t *payload, size_t size) {
  event->kind = SAMARA_NODE_UNKNOWN;
  /* Public is whether a message begins with this byte, and what nodes tell each
   * other; messages are not. */
  if (size == 0 ||
      samara_declassify32(payload[0] ^ (uint32_t)samara_node_escape) != 0) {
    node_give(event, SAMARA_NODE_MESSAGE, payload, size);
    return SAMARA_OK;
  }
  samara_declassify(payload,
                    size < samara_node_told_max ? size : samara_node_told_max);
  return size == 1 ? SAMARA_OK : node_take_escaped(node, event, payload, size);
}

/* That the number was received is durable before anything is done. */
static int node_take(samara_node *node, samara_node_event *event,
                     const samara_node_unit *unit) {
  const uint64_t number = node->expected_base + unit->number;
  const uint64_t before = node->expected.next;
  int result = samara_store_counter_pass(&node->expected, number);
  if (result == SAMARA_STORE_OK) {
    event->lost = number - before;
    result = node_take_payload(node, event, unit->payload, unit->payload_size);
  }
  if (result != SAMARA_STORE_OK) {
    samara_wipe(unit->payload, unit->payload_size);
    *event = (samara_node_event){.kind = SAMARA_NODE_NOTHING};
  }
  return result;
}

static SAMARA_NOT_INLINED int
node_bare_receive(samara_node *node, samara_node_event *event,
                  const uint8_t *bytes, size_t size, size_t *processed) {
  samara_node_unit unit = {.kind = SAMARA_NODE_UNIT_NONE};
  *event = (samara_node_event){.kind = SAMARA_NODE_NOTHING};
  *processed = size;
  if (!samara_node_is_open(node)) {
    return SAMARA_NODE_ERROR_CLOSED;
  }
  if (node->buffer == NULL) {
    return SAMARA_OK;
  }
  *processed = node->link->receive(node, &unit, bytes, size);
  if (unit.kind == SAMARA_NODE_UNIT_NONE) {
    return SAMARA_OK;
  }
  event->number = unit.number;
  if (unit.kind == SAMARA_NODE_UNIT_REPEATED) {
    event->kind = SAMARA_NODE_REPLAY;
    return SAMARA_OK;
  }
  return node_take(node, event, &unit);
}

int samara_node_receive(samara_node *node, samara_node_event *event,
                        const uint8_t *bytes, size_t size, size_t *processed) {
  const int result = node_bare_receive(node, event, bytes, size, processed);
  samara_wipe_stack(samara_node_message_stack);
  return result;
}
