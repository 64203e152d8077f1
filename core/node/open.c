/* SPDX-License-Identifier: Apache-2.0 */
#include "node/record.h"
#include <samara/memory.h>

static bool node_has_room(const samara_node *node) {
  const size_t inner = node->message_size_max + samara_node_mark_size;
  const size_t needed = samara_rfserial_wire_size(&node->outgoing, inner);
  return inner > node->message_size_max && needed != 0 &&
         node->wire_size >= needed &&
         samara_store_is_valid(&node->sent->ring) &&
         samara_store_is_valid(&node->expected->ring) &&
         (node->buffer == NULL || node->buffer_size >= needed);
}

/* Settings of both directions; nothing of the store is read. */
static samara_node_result node_prepare(samara_node *node, const uint8_t *record,
                                       size_t record_size) {
  node->is_open = false;
  if (!samara_node_record_read(node->aead, record, record_size,
                               &node->outgoing)) {
    return SAMARA_NODE_ERROR_RECORD;
  }
  node->outgoing.key = node->key;
  node->incoming = node->outgoing;
  node->incoming.direction = (uint8_t)(node->outgoing.direction ^ 1u);
  return node_has_room(node) ? SAMARA_NODE_OK : SAMARA_NODE_ERROR_ROOM;
}

static samara_node_result node_stored(samara_node *node,
                                      samara_store_result result) {
  node->store_result = result;
  return result == SAMARA_STORE_OK ? SAMARA_NODE_OK : SAMARA_NODE_ERROR_STORE;
}

/* Whether nothing was ever written; a record that is lost counts as written. */
static samara_node_result node_blank(samara_node *node,
                                     samara_store_ring *ring) {
  node->store_result = samara_store_open(ring, NULL);
  switch (node->store_result) {
  case SAMARA_STORE_ERROR_BLANK:
    return SAMARA_NODE_OK;
  case SAMARA_STORE_OK:
  case SAMARA_STORE_ERROR_LOST:
    return SAMARA_NODE_ERROR_PROVISIONED;
  default:
    return SAMARA_NODE_ERROR_STORE;
  }
}

samara_node_result samara_node_provision(samara_node *node,
                                         const uint8_t *record,
                                         size_t record_size) {
  samara_node_result result = node_prepare(node, record, record_size);
  if (result == SAMARA_NODE_OK) {
    result = node_blank(node, &node->sent->ring);
  }
  if (result == SAMARA_NODE_OK) {
    result = node_blank(node, &node->expected->ring);
  }
  /* `sent` last: a node without it sends nothing. */
  if (result == SAMARA_NODE_OK) {
    result =
        node_stored(node, samara_store_start(&node->expected->ring, 0, NULL));
  }
  if (result == SAMARA_NODE_OK) {
    result = node_stored(node, samara_store_start(&node->sent->ring, 0, NULL));
  }
  return result;
}

static samara_node_result node_open_counters(samara_node *node) {
  const samara_node_result result =
      node_stored(node, samara_store_counter_open(node->sent));
  if (result != SAMARA_NODE_OK) {
    return result;
  }
  return node_stored(node, samara_store_counter_open(node->expected));
}

/* A payload may have a mark before the message. */
static samara_node_result node_open_receiver(samara_node *node) {
  if (node->buffer == NULL) {
    return SAMARA_NODE_OK;
  }
  const samara_result result = samara_rfserial_receiver_init(
      &node->receiver, &node->incoming, node->expected->next, node->buffer,
      node->buffer_size, node->message,
      node->message_size_max + samara_node_mark_size, node->effort);
  return result == SAMARA_OK ? SAMARA_NODE_OK : SAMARA_NODE_ERROR_ROOM;
}

samara_node_result samara_node_open(samara_node *node, const uint8_t *record,
                                    size_t record_size) {
  samara_node_result result = node_prepare(node, record, record_size);
  if (result == SAMARA_NODE_OK) {
    result = node_open_counters(node);
  }
  if (result == SAMARA_NODE_OK) {
    result = node_open_receiver(node);
  }
  if (result == SAMARA_NODE_OK) {
    node->aead->set_key(node->key, record + samara_node_record_size_min);
    node->is_open = true;
  }
  return result;
}

void samara_node_close(samara_node *node) {
  samara_wipe(node->key, node->aead->state_size);
  samara_wipe(node->wire, node->wire_size);
  if (node->is_open && node->buffer != NULL) {
    samara_rfserial_receiver_wipe(&node->receiver);
  }
  node->is_open = false;
}
