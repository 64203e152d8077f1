/* SPDX-License-Identifier: Apache-2.0 */
#include "node/record.h"
#include <samara/memory.h>

static void node_release(samara_node *node, samara_node_event *event,
                         const uint8_t *message, size_t size) {
  if (size > node->message_size_max) {
    event->kind = SAMARA_NODE_OTHER;
    return;
  }
  event->kind = SAMARA_NODE_MESSAGE;
  event->message = message;
  event->message_size = size;
}

/* What a genuine and new payload is. */
static void node_sort(samara_node *node, samara_node_event *event,
                      const uint8_t *payload, size_t size) {
  if (!samara_node_has_mark(payload, size)) {
    node_release(node, event, payload, size);
  } else if (size >= samara_node_mark_size &&
             samara_node_kind(payload) == samara_node_literal) {
    node_release(node, event, payload + samara_node_mark_size,
                 size - samara_node_mark_size);
  } else if (size == samara_node_mark_size &&
             samara_node_kind(payload) == samara_node_restarted) {
    event->kind = SAMARA_NODE_STARTED;
  } else {
    event->kind = SAMARA_NODE_OTHER;
  }
}

/* The counter is durable first; the message is released only then. */
static samara_node_result node_accept(samara_node *node,
                                      samara_node_event *event,
                                      const samara_rfserial_event *unit) {
  node->store_result = samara_store_counter_pass(node->expected, unit->number);
  if (node->store_result != SAMARA_STORE_OK) {
    samara_wipe(node->message, unit->message_size);
    return SAMARA_NODE_ERROR_STORE;
  }
  event->lost = unit->lost;
  node_sort(node, event, unit->message, unit->message_size);
  if (event->kind != SAMARA_NODE_MESSAGE) {
    samara_wipe(node->message, unit->message_size);
  }
  return SAMARA_NODE_OK;
}

samara_node_result samara_node_receive(samara_node *node,
                                       samara_node_event *event,
                                       const uint8_t *bytes, size_t size,
                                       size_t *taken) {
  samara_rfserial_event unit;
  *event = (samara_node_event){.kind = SAMARA_NODE_NOTHING};
  *taken = 0;
  if (!node->is_open || node->buffer == NULL) {
    return SAMARA_NODE_ERROR_CLOSED;
  }
  node->receiver.link = &node->incoming; /* the node may have been moved */
  *taken = samara_rfserial_receive(&node->receiver, &unit, bytes, size);
  event->number = unit.number;
  if (unit.kind == SAMARA_RFSERIAL_MESSAGE) {
    return node_accept(node, event, &unit);
  }
  if (unit.kind == SAMARA_RFSERIAL_REPEATED) {
    event->kind = SAMARA_NODE_REPEATED;
  }
  return SAMARA_NODE_OK;
}
