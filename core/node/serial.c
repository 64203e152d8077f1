/* SPDX-License-Identifier: Apache-2.0 */
#include "node/node.h"
#include <samara/memory.h>

/* Units of a serial link. */

/* Places in the settings of a record. */
enum {
  serial_at_key_size,
  serial_at_direction,
  serial_at_packet_size,
  serial_at_tag_size,
  serial_at_counter_size,
  serial_at_reserved,
  serial_at_identity,
  serial_settings_size = 8
};

static uint8_t serial_key_size(const samara_node *node) {
  return node->aead != NULL ? node->aead->key_size : 0;
}

static bool serial_apply(samara_node *node, const uint8_t *settings) {
  const samara_rfserial_link out = {
      .aead = node->aead,
      .key = node->key_state,
      .identity = (uint16_t)((uint16_t)settings[serial_at_identity] << 8 |
                             settings[serial_at_identity + 1]),
      .direction = settings[serial_at_direction],
      .packet_size = settings[serial_at_packet_size],
      .tag_size = settings[serial_at_tag_size],
      .counter_size = settings[serial_at_counter_size]};
  node->out = out;
  node->in = out;
  node->in.direction = out.direction ^ 1;
  /* In the place of its ciphertext. */
  node->text_at = (uint8_t)(1 + out.counter_size);
  /* Fewer bytes of the counter cannot follow a sender that skipped some. */
  return settings[serial_at_key_size] == node->aead->key_size &&
         settings[serial_at_reserved] == 0 && out.direction < 2 &&
         out.counter_size >= 3 && samara_rfserial_is_valid(&node->out);
}

static size_t serial_payload_size(const samara_node *node) {
  const size_t longest = node->message_size_max + samara_node_overhead;
  const size_t needed = samara_rfserial_wire_size(&node->out, longest);
  const bool receives =
      node->buffer_size >= needed && node->message_room >= longest;
  return needed != 0 && node->wire_size >= needed &&
                 node->key_state_size >= node->aead->state_size &&
                 (node->buffer == NULL || receives)
             ? longest
             : 0;
}

static int serial_begin(samara_node *node, const uint8_t *key,
                        uint64_t expected) {
  node->aead->set_key(node->key_state, key);
  return node->buffer == NULL
             ? SAMARA_OK
             : (int)samara_rfserial_receiver_init(
                   &node->receiver, &node->in, expected, node->buffer,
                   node->buffer_size, node->message, node->payload_size,
                   node->effort);
}

static int serial_seal(samara_node *node, uint64_t number, size_t payload_size,
                       size_t *wire_size) {
  samara_rfserial_sender sender = {.link = &node->out, .counter = number};
  return samara_rfserial_seal(&sender, node->wire, wire_size,
                              node->wire + node->text_at, payload_size);
}

static size_t serial_receive(samara_node *node, samara_node_unit *unit,
                             const uint8_t *bytes, size_t size) {
  samara_rfserial_event event;
  const size_t processed =
      samara_rfserial_receive(&node->receiver, &event, bytes, size);
  if (event.kind != SAMARA_RFSERIAL_NOTHING) {
    unit->kind = event.kind == SAMARA_RFSERIAL_REPEATED
                     ? SAMARA_NODE_UNIT_REPEATED
                     : SAMARA_NODE_UNIT_NEW;
  }
  unit->number = event.number;
  unit->payload = node->message;
  unit->payload_size = event.message_size;
  return processed;
}

static void serial_wipe(samara_node *node) {
  samara_wipe(node->key_state, node->aead->state_size);
  samara_wipe(node->message, node->message == NULL ? 0 : node->message_room);
}

const samara_node_link samara_node_rfserial = {
    .magic = {'s', 'm', 'r', '1'},
    .settings_size = serial_settings_size,
    .key_size = serial_key_size,
    .apply = serial_apply,
    .payload_size = serial_payload_size,
    .begin = serial_begin,
    .seal = serial_seal,
    .receive = serial_receive,
    .wipe = serial_wipe};

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
