/* SPDX-License-Identifier: Apache-2.0 */
#include "node/node.h"

#include "common/bytes.h"
#include "common/crc32.h"
#include "common/secret.h"
#include "common/wiped.h"

static bool node_is_record(const samara_node *node, const uint8_t *record,
                           size_t size) {
  const size_t least = samara_node_magic_size +
                       (size_t)node->link->settings_size +
                       samara_node_check_size;
  if (size < least || size > samara_node_record_size_max ||
      !samara_equal(record, node->link->magic, samara_node_magic_size) ||
      record[samara_node_magic_size] != size - least) {
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
  samara_store_result result = samara_store_counter_open(counter);
  if (result == SAMARA_STORE_ERROR_BLANK || result == SAMARA_STORE_ERROR_LOST) {
    result = samara_store_start(&counter->ring, 0, NULL);
    counter->next = 0;
  }
  return result;
}

static int node_begin_counters(samara_node *node) {
  int result = node_begin_counter(&node->sent);
  if (result == SAMARA_STORE_OK) {
    result = node_begin_counter(&node->expected);
  }
  if (result == SAMARA_STORE_OK) {
    result = node_begin_counter(&node->taken);
  }
  return result;
}

/* With a new key, the host begins its numbers and ids with 0: those here go on,
 * and what they have reached is the 0 of this key. */
static SAMARA_NOT_INLINED int node_store_key(samara_node *node,
                                             const uint8_t *settings) {
  uint8_t stored[samara_node_stored_size_max];
  SAMARA_WIPED(stored);
  const size_t size =
      (size_t)samara_node_stored_size(node) - samara_node_bases_size;
  if (node->expected.next > UINT32_MAX || node->taken.next > UINT32_MAX) {
    return SAMARA_STORE_ERROR_END;
  }
  samara_copy_bytes(stored, settings, size);
  samara_node_put_word(stored + size, (uint32_t)node->expected.next);
  samara_node_put_word(stored + size + 4, (uint32_t)node->taken.next);
  return samara_store_start(&node->identity, 1, stored);
}

/* Whether the memory has no key. An open node, which has one, stays as it is:
 * its counters and the settings that nonces are made of. */
static int node_has_no_key(const samara_node *node) {
  samara_store_ring identity;
  if (!samara_node_find_identity(node, &identity)) {
    return SAMARA_NODE_ERROR_SETTINGS;
  }
  const int result = samara_store_open(&identity, NULL);
  if (result == SAMARA_STORE_OK) {
    return SAMARA_NODE_ERROR_ADOPTED;
  }
  return result == SAMARA_STORE_ERROR_READ ? result : SAMARA_OK;
}

int samara_node_adopt(samara_node *node, const uint8_t *record,
                      size_t record_size) {
  int result = node_has_no_key(node);
  if (result != SAMARA_OK) {
    return result;
  }
  if (!node_is_record(node, record, record_size)) {
    return SAMARA_NODE_ERROR_RECORD;
  }
  const uint8_t *settings = record + samara_node_magic_size;
  if (!samara_node_lay_out(node) || !node->link->apply(node, settings)) {
    return SAMARA_NODE_ERROR_SETTINGS;
  }
  result = node_begin_counters(node);
  /* The key comes last: with it, counters are there. */
  if (result == SAMARA_STORE_OK) {
    result = node_store_key(node, settings);
  }
  samara_wipe_stack(samara_node_message_stack);
  return result;
}

static int node_open_counters(samara_node *node) {
  int result = samara_store_counter_open(&node->sent);
  if (result == SAMARA_STORE_OK) {
    result = samara_store_counter_open(&node->expected);
  }
  if (result == SAMARA_STORE_OK) {
    result = samara_store_counter_open(&node->taken);
  }
  /* A key without its counter: it was there, and is lost. */
  return result == SAMARA_STORE_ERROR_BLANK ? SAMARA_STORE_ERROR_LOST : result;
}

/* Takes what is stored beside the key: settings, and where numbers begin. */
static int node_take_settings(samara_node *node, const uint8_t *stored,
                              const uint8_t *bases) {
  node->expected_base = samara_node_word(bases);
  node->taken_base = samara_node_word(bases + 4);
  if (!node->link->apply(node, stored)) {
    return SAMARA_NODE_ERROR_SETTINGS;
  }
  node->payload_size = node->link->payload_size(node);
  const size_t least = node->parts == NULL ? (size_t)samara_node_overhead
                                           : (size_t)samara_node_told_max;
  return node->write != NULL && node->payload_size > least
             ? SAMARA_OK
             : SAMARA_NODE_ERROR_SETTINGS;
}

static void node_begin_life(samara_node *node) {
  node->may_have_skipped = node->sent.next != 0;
  node->gave_out = false;
  node->missing_id = 0;
  node->parts_begun = false;
}

static SAMARA_NOT_INLINED int node_bare_open(samara_node *node) {
  uint8_t stored[samara_node_stored_size_max];
  SAMARA_WIPED(stored);
  if (!samara_node_lay_out(node)) {
    return SAMARA_NODE_ERROR_SETTINGS;
  }
  int result = samara_store_open(&node->identity, stored);
  if (result == SAMARA_STORE_ERROR_LOST) {
    /* Provisioning was cut, or the key is lost; the counters go on. */
    return SAMARA_STORE_ERROR_BLANK;
  }
  if (result == SAMARA_STORE_OK) {
    result = node_open_counters(node);
  }
  if (result != SAMARA_STORE_OK) {
    return result;
  }
  const uint8_t settings_size = node->link->settings_size;
  uint8_t *bases =
      stored + samara_node_stored_size(node) - samara_node_bases_size;
  samara_declassify(stored, settings_size);
  samara_declassify(bases, samara_node_bases_size);
  result = node_take_settings(node, stored, bases);
  if (result != SAMARA_OK) {
    return result;
  }
  node_begin_life(node);
  return node->link->begin(node, stored + settings_size,
                           node->expected.next - node->expected_base);
}

int samara_node_open(samara_node *node) {
  const int result = node_bare_open(node);
  if (result != SAMARA_OK) {
    samara_node_shut(node);
  }
  samara_wipe_stack(samara_node_stack);
  return result;
}

static void node_wipe_buffer(uint8_t *buffer, size_t size) {
  if (buffer != NULL) {
    samara_wipe(buffer, size);
  }
}

void samara_node_close(samara_node *node) {
  samara_node_shut(node);
  node->link->wipe(node);
  node_wipe_buffer(node->wire, node->wire_size);
  node_wipe_buffer(node->buffer, node->buffer_size);
  node_wipe_buffer(node->parts, node->parts_room);
}

int samara_node_forget(samara_node *node) {
  if (!samara_node_lay_out(node)) {
    return SAMARA_NODE_ERROR_SETTINGS;
  }
  samara_node_close(node);
  return samara_store_erase(&node->identity);
}
