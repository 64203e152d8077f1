/* SPDX-License-Identifier: Apache-2.0 */
#include "common/bytes.h"
#include "node/node.h"

/* A message in parts: one at a time, of at most samara_node_missing_max parts.
 * All but the last one have the same size, so that each has its place. */

typedef struct node_part {
  const uint8_t *data;
  size_t size;
  uint32_t id;
  uint16_t number;
  bool is_last;
} node_part;

static bool node_has_part(const samara_node *node, unsigned number) {
  return (node->parts_have[number / 8] >> number % 8 & 1) != 0;
}

static void node_begin_parts(samara_node *node, uint32_t id) {
  if (node->parts_begun && node->parts_id == id) {
    return;
  }
  node->parts_begun = true;
  node->parts_fit = true;
  node->parts_id = id;
  node->part_size = 0;
  node->parts_count = 0;
  samara_zero_bytes(node->parts_have, sizeof node->parts_have);
}

/* Where a part belongs; false when it is beyond the room. */
static bool node_find_place(const samara_node *node, const node_part *part,
                            size_t *at) {
  *at = 0;
  for (uint16_t i = 0; i < part->number; i++) {
    if (node->part_size > node->parts_room - *at) {
      return false;
    }
    *at += node->part_size;
  }
  return part->size <= node->parts_room - *at;
}

static void node_keep_part(samara_node *node, const node_part *part,
                           size_t at) {
  samara_copy_bytes(node->parts + at, part->data, part->size);
  uint8_t *const have = &node->parts_have[part->number / 8];
  *have = (uint8_t)(*have | 1u << part->number % 8);
  if (part->is_last) {
    node->parts_size = at + part->size;
  }
}

/* Whether a part fits to those before, which tell the size of all but the last
 * one. */
static bool node_fits(const samara_node *node, const node_part *part) {
  if (part->number >= samara_node_missing_max ||
      (node->parts_count != 0 && part->number >= node->parts_count)) {
    return false;
  }
  return part->is_last ? part->size <= node->part_size
                       : part->size == node->part_size && part->size != 0;
}

/* Takes a part; false when the message cannot be taken. One that is known
 * changes nothing. The last part waits for the size of the others, if it comes
 * first: it is missing then. */
static bool node_put_part(samara_node *node, const node_part *part) {
  size_t at;
  if (part->is_last && part->number < samara_node_missing_max) {
    node->parts_count = (uint16_t)(part->number + 1);
  }
  if (node->part_size == 0) {
    if (part->is_last) {
      return part->number < samara_node_missing_max;
    }
    node->part_size = part->size;
  }
  if (!node_fits(node, part) || !node_find_place(node, part, &at)) {
    return false;
  }
  if (!node_has_part(node, part->number)) {
    node_keep_part(node, part, at);
  }
  return true;
}

/* The number of the first part that is not there, up to `end`. */
static uint16_t node_first_missing(const samara_node *node, uint16_t end) {
  uint16_t number = 0;
  while (number < end && node_has_part(node, number)) {
    number++;
  }
  return number;
}

static bool node_is_complete(const samara_node *node) {
  return node->parts_count != 0 &&
         node_first_missing(node, node->parts_count) == node->parts_count;
}

/* Durable before the message is given out: it is never given out again. */
static int node_give_out(samara_node *node, samara_node_event *event,
                         const uint8_t *message, size_t size) {
  const samara_store_result result = samara_store_counter_pass(
      &node->taken, (uint64_t)node->taken_base + event->id);
  if (result == SAMARA_STORE_OK) {
    node->gave_out = true;
    event->kind = SAMARA_NODE_MESSAGE;
    event->status = samara_node_delivered;
    event->message = message;
    event->message_size = size;
  }
  return result;
}

/* Ids of a sender only increase. Whether a message was acted on that this life
 * did not give out, nobody knows. */
static void node_answer_old(const samara_node *node, samara_node_event *event) {
  const uint64_t last = node->taken.next - node->taken_base - 1;
  event->kind = SAMARA_NODE_AGAIN;
  event->status = node->gave_out && event->id == last ? samara_node_delivered
                                                      : samara_node_unknown;
}

static int node_take_one_of(samara_node *node, samara_node_event *event,
                            const node_part *part) {
  node_begin_parts(node, part->id);
  node->parts_fit = node->parts_fit && node_put_part(node, part);
  if (!node->parts_fit) {
    return SAMARA_OK;
  }
  if (node_is_complete(node)) {
    node->parts_begun = false;
    return node_give_out(node, event, node->parts, node->parts_size);
  }
  event->kind = SAMARA_NODE_PART;
  event->status = samara_node_incomplete;
  return SAMARA_OK;
}

int samara_node_take_part(samara_node *node, samara_node_event *event,
                          const uint8_t *payload, size_t size) {
  if (size < samara_node_overhead) {
    return SAMARA_OK;
  }
  const node_part part = {
      .data = payload + samara_node_overhead,
      .size = size - samara_node_overhead,
      .id = samara_node_word(payload + 2),
      .number = (uint16_t)((uint16_t)payload[6] << 8 | payload[7]),
      .is_last = (payload[1] & samara_node_part_last) != 0};
  event->id = part.id;
  event->status = samara_node_unknown;
  event->wants_acknowledgement = (payload[1] & samara_node_part_wanted) != 0;
  if (part.id < node->taken.next - node->taken_base) {
    node_answer_old(node, event);
    return SAMARA_OK;
  }
  if (part.number == 0 && part.is_last) {
    return node_give_out(node, event, part.data, part.size);
  }
  return node->parts == NULL ? SAMARA_OK : node_take_one_of(node, event, &part);
}

void samara_node_note_missing(samara_node *node, const uint8_t *ack,
                              size_t size) {
  const size_t bits = size - samara_node_missing_size;
  node->missing_id = samara_node_word(ack + 2);
  node->missing_first = (uint16_t)((uint16_t)ack[samara_node_ack_size] << 8 |
                                   ack[samara_node_ack_size + 1]);
  samara_zero_bytes(node->missing, sizeof node->missing);
  samara_copy_bytes(node->missing, ack + samara_node_missing_size,
                    bits < sizeof node->missing ? bits : sizeof node->missing);
}

/* Parts that are known to have been sent. */
static uint16_t node_end_of_parts(const samara_node *node) {
  uint16_t end = node->parts_count;
  for (unsigned number = 0; number < samara_node_missing_max; number++) {
    if (end <= number && node_has_part(node, number)) {
      end = (uint16_t)(number + 1);
    }
  }
  return end;
}

size_t samara_node_put_missing(const samara_node *node, uint8_t *ack) {
  const uint16_t end = node_end_of_parts(node);
  const uint16_t first = node_first_missing(node, end);
  uint8_t *bits = ack + samara_node_missing_size;
  ack[samara_node_ack_size] = (uint8_t)(first >> 8);
  ack[samara_node_ack_size + 1] = (uint8_t)first;
  for (uint16_t number = first; number < end; number++) {
    if (!node_has_part(node, number)) {
      uint8_t *const missing = &bits[(number - first) / 8];
      *missing = (uint8_t)(*missing | 1u << (number - first) % 8);
    }
  }
  return samara_node_told_max;
}
