/* SPDX-License-Identifier: Apache-2.0 */
#include "common/bytes.h"
#include "common/secret.h"
#include "node/node.h"

#include <samara/memory.h>

int samara_node_send_payload(samara_node *node, const uint8_t *head,
                             size_t head_size, const uint8_t *rest,
                             size_t rest_size) {
  samara_rfserial_sender sender = {.link = &node->out};
  const samara_store_result taken =
      samara_store_counter_take(&node->sent, &sender.counter);
  if (taken != SAMARA_STORE_OK) {
    return taken;
  }
  /* In the place of its ciphertext. */
  uint8_t *text = node->wire + 1 + node->out.counter_size;
  samara_copy_bytes(text, head, head_size);
  samara_copy_bytes(text + head_size, rest, rest_size);
  size_t wire_size = 0;
  const samara_result sealed = samara_rfserial_seal(
      &sender, node->wire, &wire_size, text, head_size + rest_size);
  if (sealed != SAMARA_OK) {
    samara_wipe(node->wire, node->wire_size);
    return sealed;
  }
  return node->write(node->context, node->wire, wire_size)
             ? SAMARA_OK
             : SAMARA_NODE_ERROR_WRITE;
}

/* Says, once after a reset, that numbers may be missing. */
static int node_tell_restart(samara_node *node) {
  static const uint8_t notice[] = {samara_node_escape, samara_node_restarted};
  if (!node->may_have_skipped) {
    return SAMARA_OK;
  }
  const int result =
      samara_node_send_payload(node, notice, sizeof notice, NULL, 0);
  node->may_have_skipped = result != SAMARA_OK;
  return result;
}

static int node_begin(samara_node *node, size_t size) {
  return size > node->message_size_max ? SAMARA_ERROR_MESSAGE_SIZE
                                       : node_tell_restart(node);
}

static SAMARA_NOT_INLINED int
node_bare_send(samara_node *node, const uint8_t *message, size_t size) {
  static const uint8_t literal[] = {samara_node_escape, samara_node_literal};
  const int result = node_begin(node, size);
  if (result != SAMARA_OK) {
    return result;
  }
  const bool escaped =
      size != 0 &&
      samara_declassify32(message[0] ^ (uint32_t)samara_node_escape) == 0;
  return samara_node_send_payload(node, literal, escaped ? sizeof literal : 0,
                                  message, size);
}

int samara_node_send(samara_node *node, const uint8_t *message, size_t size) {
  const int result = node_bare_send(node, message, size);
  samara_wipe_stack(samara_node_message_stack);
  return result;
}

/* A message's id comes from the number of its first unit: later ones are
 * greater, also after a reset. */
static SAMARA_NOT_INLINED int node_bare_send_confirmed(samara_node *node,
                                                       const uint8_t *message,
                                                       size_t size,
                                                       uint32_t *id) {
  const int result = node_begin(node, size);
  if (result != SAMARA_OK) {
    return result;
  }
  if (*id == 0) {
    *id = (uint32_t)node->sent.next + 1;
  }
  const uint8_t head[samara_node_overhead] = {
      samara_node_escape,
      samara_node_part | samara_node_part_last | samara_node_part_wanted |
          samara_node_part_acknowledged,
      (uint8_t)(*id >> 24),
      (uint8_t)(*id >> 16),
      (uint8_t)(*id >> 8),
      (uint8_t)*id,
      0,
      0};
  return samara_node_send_payload(node, head, sizeof head, message, size);
}

int samara_node_send_confirmed(samara_node *node, const uint8_t *message,
                               size_t size, uint32_t *id) {
  const int result = node_bare_send_confirmed(node, message, size, id);
  samara_wipe_stack(samara_node_message_stack);
  return result;
}

int samara_node_acknowledge(samara_node *node, const samara_node_event *event) {
  const int result = node_tell_restart(node);
  if (result != SAMARA_OK) {
    return result;
  }
  const uint8_t ack[samara_node_ack_size] = {samara_node_escape,
                                             samara_node_ack,
                                             (uint8_t)(event->id >> 24),
                                             (uint8_t)(event->id >> 16),
                                             (uint8_t)(event->id >> 8),
                                             (uint8_t)event->id,
                                             0};
  return samara_node_send_payload(node, ack, sizeof ack, NULL, 0);
}
