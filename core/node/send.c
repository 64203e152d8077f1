/* SPDX-License-Identifier: Apache-2.0 */
#include "node/record.h"
#include <samara/memory.h>

/* Seals the payload that stands in its place in `wire`, under a new counter. */
static samara_node_result node_send_payload(samara_node *node, uint8_t *payload,
                                            size_t size) {
  samara_rfserial_sender sender = {&node->outgoing, 0};
  size_t wire_size = 0;
  node->store_result = samara_store_counter_take(node->sent, &sender.counter);
  if (node->store_result != SAMARA_STORE_OK) {
    samara_wipe(payload, size);
    return SAMARA_NODE_ERROR_STORE;
  }
  if (samara_rfserial_seal(&sender, node->wire, &wire_size, payload, size) !=
      SAMARA_OK) {
    samara_wipe(payload, size);
    return SAMARA_NODE_ERROR_MESSAGE_SIZE;
  }
  return node->output(node->context, node->wire, wire_size)
             ? SAMARA_NODE_OK
             : SAMARA_NODE_ERROR_OUTPUT;
}

static uint8_t *node_payload(const samara_node *node) {
  return node->wire + 1 + node->outgoing.counter_size;
}

samara_node_result samara_node_send_start(samara_node *node) {
  if (!node->is_open) {
    return SAMARA_NODE_ERROR_CLOSED;
  }
  uint8_t *payload = node_payload(node);
  payload[0] = samara_node_mark;
  payload[1] = samara_node_restarted;
  return node_send_payload(node, payload, samara_node_mark_size);
}

samara_node_result samara_node_send(samara_node *node, const uint8_t *message,
                                    size_t message_size) {
  if (!node->is_open) {
    return SAMARA_NODE_ERROR_CLOSED;
  }
  if (message_size > node->message_size_max) {
    return SAMARA_NODE_ERROR_MESSAGE_SIZE;
  }
  uint8_t *payload = node_payload(node);
  size_t before = 0;
  if (samara_node_has_mark(message, message_size)) {
    payload[0] = samara_node_mark;
    payload[1] = samara_node_literal;
    before = samara_node_mark_size;
  }
  for (size_t i = 0; i < message_size; i++) {
    payload[before + i] = message[i];
  }
  return node_send_payload(node, payload, before + message_size);
}
