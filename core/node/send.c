/* SPDX-License-Identifier: Apache-2.0 */
#include "common/bytes.h"
#include "common/secret.h"
#include "node/node.h"

#include <samara/memory.h>

int samara_node_send_payload(samara_node *node, const uint8_t *head,
                             size_t head_size, const uint8_t *rest,
                             size_t rest_size) {
  uint64_t number;
  const samara_store_result taken =
      samara_store_counter_take(&node->sent, &number);
  if (taken != SAMARA_STORE_OK) {
    return taken;
  }
  uint8_t *text = node->wire + node->text_at;
  samara_copy_bytes(text, head, head_size);
  samara_copy_bytes(text + head_size, rest, rest_size);
  size_t wire_size = 0;
  const int sealed =
      node->link->seal(node, number, head_size + rest_size, &wire_size);
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
  if (!samara_node_is_open(node)) {
    return SAMARA_NODE_ERROR_CLOSED;
  }
  if (!node->may_have_skipped) {
    return SAMARA_OK;
  }
  const int result =
      samara_node_send_payload(node, notice, sizeof notice, NULL, 0);
  node->may_have_skipped = result != SAMARA_OK;
  return result;
}

/* A message that is cut into parts. */
typedef struct node_cut {
  const uint8_t *message;
  size_t size;
  size_t part_size; /* bytes of each part but the last one */
  uint32_t id;
  uint16_t last; /* the number of the last part */
  uint8_t flags; /* of every part */
} node_cut;

/* Whether a message has no more bytes than nodes take, and no more parts than
 * their numbers can tell. An empty one has one part. */
static bool node_cut_up(const samara_node *node, node_cut *cut) {
  const uint32_t longest = SAMARA_NODE_MESSAGE_SIZE_MAX;
  uint32_t count = 1;
  cut->part_size = node->payload_size - samara_node_overhead;
  if (cut->size > longest) {
    return false;
  }
  for (size_t left = cut->size; left > cut->part_size; left -= cut->part_size) {
    count++;
  }
  cut->last = (uint16_t)(count - 1);
  return cut->last == count - 1;
}

static int node_send_part(samara_node *node, const node_cut *cut,
                          uint16_t number, bool asks) {
  const bool is_last = number == cut->last;
  const size_t at = (size_t)number * cut->part_size;
  const size_t size = is_last ? cut->size - at : cut->part_size;
  uint8_t head[samara_node_overhead] = {
      samara_node_escape, (uint8_t)(samara_node_part | cut->flags |
                                    (is_last ? samara_node_part_last : 0) |
                                    (asks ? samara_node_part_wanted : 0))};
  samara_node_put_word(head + 2, cut->id);
  head[6] = (uint8_t)(number >> 8);
  head[7] = (uint8_t)number;
  const uint8_t *part = size == 0 ? NULL : cut->message + at;
  return samara_node_send_payload(node, head, sizeof head, part, size);
}

/* A message's id comes from the number of its first unit: later ones are
 * greater, also after a reset. */
static uint32_t node_new_id(const samara_node *node) {
  return (uint32_t)node->sent.next + 1;
}

static int node_send_all(samara_node *node, const node_cut *cut, bool asks) {
  int result = SAMARA_OK;
  uint16_t number = 0;
  while (result == SAMARA_OK && number < cut->last) {
    result = node_send_part(node, cut, number++, false);
  }
  return result == SAMARA_OK ? node_send_part(node, cut, number, asks) : result;
}

static SAMARA_NOT_INLINED int
node_bare_send(samara_node *node, const uint8_t *message, size_t size) {
  static const uint8_t literal[] = {samara_node_escape, samara_node_literal};
  const bool escaped =
      size != 0 &&
      samara_declassify32(message[0] ^ (uint32_t)samara_node_escape) == 0;
  const size_t head = escaped ? sizeof literal : 0;
  node_cut cut = {.message = message, .size = size};
  if (!node_cut_up(node, &cut)) {
    return SAMARA_ERROR_MESSAGE_SIZE;
  }
  const int result = node_tell_restart(node);
  if (result != SAMARA_OK) {
    return result;
  }
  if (size <= node->payload_size - head) {
    return samara_node_send_payload(node, literal, head, message, size);
  }
  cut.id = node_new_id(node);
  return node_send_all(node, &cut, false);
}

int samara_node_send(samara_node *node, const uint8_t *message, size_t size) {
  const int result = node_bare_send(node, message, size);
  samara_wipe_stack(samara_node_message_stack);
  return result;
}

/* Whether the host has told that this part is missing. */
static bool node_is_missing(const samara_node *node, const node_cut *cut,
                            uint8_t place) {
  return node->missing_id == cut->id &&
         (node->missing[place / 8] >> place % 8 & 1) != 0 &&
         (uint32_t)node->missing_first + place <= cut->last;
}

/* The parts that are missing, of which the last one asks. Where the host has
 * not told any, the last part of the message asks once more. */
static int node_send_missing(samara_node *node, const node_cut *cut) {
  uint16_t waiting = cut->last;
  int result = SAMARA_OK;
  for (uint8_t i = 0; i < samara_node_missing_max && result == SAMARA_OK; i++) {
    if (node_is_missing(node, cut, i)) {
      const uint16_t number = (uint16_t)(node->missing_first + i);
      result = waiting < number ? node_send_part(node, cut, waiting, false)
                                : SAMARA_OK;
      waiting = number;
    }
  }
  node->missing_id = 0;
  return result == SAMARA_OK ? node_send_part(node, cut, waiting, true)
                             : result;
}

static SAMARA_NOT_INLINED int node_bare_send_confirmed(samara_node *node,
                                                       const uint8_t *message,
                                                       size_t size,
                                                       uint32_t *id) {
  node_cut cut = {
      .message = message, .size = size, .flags = samara_node_part_acknowledged};
  if (!node_cut_up(node, &cut)) {
    return SAMARA_ERROR_MESSAGE_SIZE;
  }
  const int result = node_tell_restart(node);
  if (result != SAMARA_OK) {
    return result;
  }
  if (*id == 0) {
    *id = cut.id = node_new_id(node);
    return node_send_all(node, &cut, true);
  }
  cut.id = *id;
  return node_send_missing(node, &cut);
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
  uint8_t ack[samara_node_told_max] = {samara_node_escape, samara_node_ack};
  samara_node_put_word(ack + 2, event->id);
  ack[samara_node_ack_size - 1] = event->status;
  const size_t size = event->status == samara_node_incomplete
                          ? samara_node_put_missing(node, ack)
                          : samara_node_ack_size;
  return samara_node_send_payload(node, ack, size, NULL, 0);
}
