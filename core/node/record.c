/* SPDX-License-Identifier: Apache-2.0 */
#include "node/record.h"

static bool record_has_mark(const uint8_t *record, size_t size) {
  return size >= samara_node_record_size_min &&
         size <= samara_node_record_size_max && record[0] == 'S' &&
         record[1] == 'M' && record[2] == 'N' && record[3] == 1;
}

/* The link in the direction that this node sends in, without its key. */
static samara_rfserial_link record_link(const samara_aead *aead,
                                        const uint8_t *record) {
  return (samara_rfserial_link){
      .aead = aead,
      .identity = (uint16_t)((unsigned)record[8] << 8 | record[9]),
      .direction = record[4],
      .packet_size = record[5],
      .tag_size = record[6],
      .counter_size = record[7],
  };
}

bool samara_node_record_read(const samara_aead *aead, const uint8_t *record,
                             size_t size, samara_rfserial_link *link) {
  if (!record_has_mark(record, size) || record[10] != aead->key_size ||
      size != (size_t)samara_node_record_size_min + aead->key_size) {
    return false;
  }
  *link = record_link(aead, record);
  return samara_rfserial_is_valid(link);
}

size_t samara_node_wire_size(const samara_aead *aead, const uint8_t *record,
                             size_t record_size, size_t message_size_max) {
  samara_rfserial_link link;
  if (!samara_node_record_read(aead, record, record_size, &link) ||
      message_size_max > SIZE_MAX - samara_node_mark_size) {
    return 0;
  }
  return samara_rfserial_wire_size(&link,
                                   message_size_max + samara_node_mark_size);
}
