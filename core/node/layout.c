/* SPDX-License-Identifier: Apache-2.0 */
#include "node/node.h"
#include "store/ring.h"

enum { node_key_slots = 4, node_counter_slots = 8, node_pages = 2 };

/* Bytes of so many records with this payload; of pages, two. */
static uint32_t node_least(const samara_node *node, uint8_t payload_size,
                           uint32_t slots) {
  const samara_store_memory *memory = node->memory;
  const samara_store_ring ring = {.memory = memory,
                                  .payload_size = payload_size};
  return memory->erase != NULL ? node_pages * memory->page_size
                               : slots * samara_store_slot_size(&ring);
}

static uint8_t node_payload_size(const samara_node *node) {
  return (uint8_t)(samara_node_settings_size + node->aead->key_size);
}

static bool node_has_basics(const samara_node *node) {
  return node->aead != NULL && node->memory != NULL &&
         node->memory->write_unit != 0 &&
         node->aead->key_size <= samara_node_key_size_max;
}

uint32_t samara_node_memory_size(const samara_node *node) {
  if (!node_has_basics(node)) {
    return 0;
  }
  return node_least(node, node_payload_size(node), node_key_slots) +
         2 * node_least(node, 0, node_counter_slots);
}

static samara_store_ring node_ring(const samara_node *node, uint32_t first,
                                   uint32_t size, uint32_t step, uint8_t id) {
  return (samara_store_ring){.memory = node->memory,
                             .first = first,
                             .size = size,
                             .step = step,
                             .id = id};
}

bool samara_node_lay_out(samara_node *node) {
  if (!node_has_basics(node) || node->size < samara_node_memory_size(node)) {
    return false;
  }
  const uint32_t key_size =
      node_least(node, node_payload_size(node), node_key_slots);
  const uint32_t grain = node->memory->erase != NULL ? node->memory->page_size
                                                     : node->memory->write_unit;
  const uint32_t half = (node->size - key_size) / 2 / grain * grain;
  const uint32_t counters = node->first + key_size;
  node->identity = node_ring(node, node->first, key_size, 1, 1);
  node->identity.payload_size = node_payload_size(node);
  node->sent.ring = node_ring(node, counters, half, node->step, 2);
  node->expected.ring =
      node_ring(node, counters + half, half, node->receive_step, 3);
  return samara_store_is_valid(&node->identity) &&
         samara_store_is_valid(&node->sent.ring) &&
         samara_store_is_valid(&node->expected.ring);
}

bool samara_node_apply(samara_node *node,
                       const uint8_t settings[samara_node_settings_size]) {
  const samara_rfserial_link out = {
      .aead = node->aead,
      .key = node->key_state,
      .identity = (uint16_t)((uint16_t)settings[samara_node_at_identity] << 8 |
                             settings[samara_node_at_identity + 1]),
      .direction = settings[samara_node_at_direction],
      .packet_size = settings[samara_node_at_packet_size],
      .tag_size = settings[samara_node_at_tag_size],
      .counter_size = settings[samara_node_at_counter_size]};
  node->out = out;
  node->in = out;
  node->in.direction = out.direction ^ 1;
  /* Fewer bytes of the counter cannot follow a sender that skipped some. */
  return settings[samara_node_at_key_size] == node->aead->key_size &&
         settings[samara_node_at_reserved] == 0 && out.direction < 2 &&
         out.counter_size >= 3 && samara_rfserial_is_valid(&node->out);
}

size_t samara_node_wire_size(const samara_node *node, uint8_t packet_size) {
  const samara_rfserial_link link = {.aead = node->aead,
                                     .key = node->key_state,
                                     .packet_size = packet_size,
                                     .tag_size = samara_aead_tag_size_max,
                                     .counter_size =
                                         samara_rfserial_counter_size_max};
  return samara_rfserial_wire_size(&link, node->message_size_max +
                                              samara_node_overhead);
}
