/* SPDX-License-Identifier: Apache-2.0 */
#include "node/node.h"
#include "store/ring.h"

enum { node_key_slots = 4, node_counter_slots = 8, node_pages = 2 };

/* Of the rings. A memory that was divided otherwise, by firmware of before, has
 * no valid record of these counters. */
enum {
  node_identity_id = 1,
  node_sent_id = 4,
  node_expected_id = 5,
  node_taken_id = 6
};

/* Bytes of so many records with this payload; of pages, two. */
static uint32_t node_least(const samara_node *node, uint8_t payload_size,
                           uint32_t slots) {
  const samara_store_memory *memory = node->memory;
  const samara_store_ring ring = {.memory = memory,
                                  .payload_size = payload_size};
  return memory->erase != NULL ? node_pages * memory->page_size
                               : slots * samara_store_slot_size(&ring);
}

uint8_t samara_node_stored_size(const samara_node *node) {
  return (uint8_t)(node->link->settings_size + node->link->key_size(node) +
                   samara_node_bases_size);
}

static bool node_has_basics(const samara_node *node) {
  if (node->link == NULL || node->memory == NULL ||
      node->memory->write_unit == 0) {
    return false;
  }
  const uint8_t key_size = node->link->key_size(node);
  return key_size != 0 && key_size <= samara_node_key_size_max;
}

uint32_t samara_node_memory_size(const samara_node *node) {
  if (!node_has_basics(node)) {
    return 0;
  }
  return node_least(node, samara_node_stored_size(node), node_key_slots) +
         3 * node_least(node, 0, node_counter_slots);
}

static samara_store_ring node_ring(const samara_node *node, uint32_t first,
                                   uint32_t size, uint32_t step, uint8_t id) {
  return (samara_store_ring){.memory = node->memory,
                             .first = first,
                             .size = size,
                             .step = step,
                             .id = id};
}

static bool node_is_laid_out(const samara_node *node) {
  return samara_store_is_valid(&node->sent.ring) &&
         samara_store_is_valid(&node->expected.ring) &&
         samara_store_is_valid(&node->taken.ring);
}

bool samara_node_find_identity(const samara_node *node,
                               samara_store_ring *identity) {
  if (!node_has_basics(node) || node->size < samara_node_memory_size(node)) {
    return false;
  }
  const uint8_t stored = samara_node_stored_size(node);
  *identity =
      node_ring(node, node->first, node_least(node, stored, node_key_slots), 1,
                node_identity_id);
  identity->payload_size = stored;
  return samara_store_is_valid(identity);
}

bool samara_node_lay_out(samara_node *node) {
  samara_node_shut(node);
  if (!samara_node_find_identity(node, &node->identity)) {
    return false;
  }
  const uint32_t key_size = node->identity.size;
  /* An id is stored for a message that is acknowledged, or in parts: the least
   * will do. */
  const uint32_t taken_size = node_least(node, 0, node_counter_slots);
  const uint32_t grain = node->memory->erase != NULL ? node->memory->page_size
                                                     : node->memory->write_unit;
  const uint32_t half =
      (node->size - key_size - taken_size) / 2 / grain * grain;
  const uint32_t counters = node->first + key_size + taken_size;
  node->taken.ring =
      node_ring(node, node->first + key_size, taken_size, 1, node_taken_id);
  node->sent.ring = node_ring(node, counters, half, node->step, node_sent_id);
  node->expected.ring = node_ring(node, counters + half, half,
                                  node->receive_step, node_expected_id);
  return node_is_laid_out(node);
}
