/* SPDX-License-Identifier: Apache-2.0 */
#include "node/node.h"

#include "common/bytes.h"
#include "common/crc32.h"
#include "common/secret.h"
#include "common/wiped.h"

static const uint8_t node_magic[samara_node_magic_size] = {'s', 'm', 'r', '1'};

static bool node_is_record(const uint8_t *record, size_t size) {
  const size_t least = samara_node_magic_size + samara_node_settings_size +
                       samara_node_check_size;
  if (size < least || size > samara_node_record_size_max ||
      !samara_equal(record, node_magic, sizeof node_magic) ||
      record[samara_node_magic_size + samara_node_at_key_size] !=
          size - least) {
    return false;
  }
  const size_t end = size - samara_node_check_size;
  const uint32_t check = ~samara_crc32(SAMARA_CRC32_BEGIN, record, end);
  const uint32_t wrong = check ^ samara_load32_le(record + end);
  return samara_declassify32(wrong) == 0;
}

/* Begins a counter that is not there. It is not there, or only half written,
 * where no key was ever used. */
static int node_begin_counter(samara_store_counter *counter) {
  const samara_store_result result = samara_store_counter_open(counter);
  if (result != SAMARA_STORE_ERROR_BLANK && result != SAMARA_STORE_ERROR_LOST) {
    return result;
  }
  return samara_store_start(&counter->ring, 0, NULL);
}

int samara_node_adopt(samara_node *node, const uint8_t *record,
                      size_t record_size) {
  if (!samara_node_lay_out(node)) {
    return SAMARA_NODE_ERROR_SETTINGS;
  }
  if (!node_is_record(record, record_size)) {
    return SAMARA_NODE_ERROR_RECORD;
  }
  const uint8_t *payload = record + samara_node_magic_size;
  if (!samara_node_apply(node, payload)) {
    return SAMARA_NODE_ERROR_SETTINGS;
  }
  int result = samara_store_open(&node->identity, NULL);
  if (result == SAMARA_STORE_OK) {
    return SAMARA_NODE_ERROR_ADOPTED;
  }
  if (result == SAMARA_STORE_ERROR_READ) {
    return result;
  }
  result = node_begin_counter(&node->sent);
  if (result == SAMARA_STORE_OK) {
    result = node_begin_counter(&node->expected);
  }
  /* The key comes last: with it, counters are there. */
  return result != SAMARA_STORE_OK
             ? result
             : (int)samara_store_start(&node->identity, 1, payload);
}

/* Whether the buffers hold what is sent and received over this link. */
static bool node_has_room(const samara_node *node) {
  const size_t needed = samara_rfserial_wire_size(
      &node->out, node->message_size_max + samara_node_overhead);
  return needed != 0 && node->wire_size >= needed && node->write != NULL &&
         node->key_state_size >= node->aead->state_size &&
         (node->buffer == NULL ||
          (node->buffer_size >= needed &&
           node->message_room >=
               node->message_size_max + samara_node_overhead));
}

static int node_open_counters(samara_node *node) {
  int result = samara_store_counter_open(&node->sent);
  if (result == SAMARA_STORE_OK) {
    result = samara_store_counter_open(&node->expected);
  }
  /* A key without its counter: it was there, and is lost. */
  return result == SAMARA_STORE_ERROR_BLANK ? SAMARA_STORE_ERROR_LOST : result;
}

static SAMARA_NOT_INLINED int node_bare_open(samara_node *node) {
  uint8_t payload[samara_node_settings_size + samara_node_key_size_max];
  SAMARA_WIPED(payload);
  if (!samara_node_lay_out(node)) {
    return SAMARA_NODE_ERROR_SETTINGS;
  }
  int result = samara_store_open(&node->identity, payload);
  if (result == SAMARA_STORE_ERROR_LOST) {
    /* Provisioning was cut, or the key is lost; the counters go on. */
    return SAMARA_STORE_ERROR_BLANK;
  }
  if (result == SAMARA_STORE_OK) {
    samara_declassify(payload, samara_node_settings_size);
    result = node_open_counters(node);
  }
  if (result != SAMARA_STORE_OK) {
    return result;
  }
  if (!samara_node_apply(node, payload) || !node_has_room(node)) {
    return SAMARA_NODE_ERROR_SETTINGS;
  }
  node->aead->set_key(node->key_state, payload + samara_node_settings_size);
  node->may_have_skipped = node->sent.next != 0;
  node->has_last_id = false;
  return node->buffer == NULL
             ? SAMARA_OK
             : (int)samara_rfserial_receiver_init(
                   &node->receiver, &node->in, node->expected.next,
                   node->buffer, node->buffer_size, node->message,
                   node->message_size_max + samara_node_overhead, node->effort);
}

int samara_node_open(samara_node *node) {
  const int result = node_bare_open(node);
  samara_wipe_stack(samara_node_stack);
  return result;
}

void samara_node_close(samara_node *node) {
  samara_wipe(node->key_state, node->aead->state_size);
  samara_wipe(node->wire, node->wire_size);
  if (node->buffer != NULL) {
    samara_rfserial_receiver_wipe(&node->receiver);
  }
}

int samara_node_forget(samara_node *node) {
  if (!samara_node_lay_out(node)) {
    return SAMARA_NODE_ERROR_SETTINGS;
  }
  samara_node_close(node);
  return samara_store_erase(&node->identity);
}
