/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_TESTS_NODE_RECORD_H
#define SAMARA_TESTS_NODE_RECORD_H

#include "common/bytes.h"
#include "common/crc32.h"
#include <string.h>

enum { node_record_size = 32 };

/* Writes the provisioning record of one end, for AES-128-CCM, packets of 12
 * bytes, tags of 8 and counters of 4. */
static inline void write_node_record(uint8_t record[node_record_size],
                                     const uint8_t key[16], uint8_t direction) {
  const uint8_t head[12] = {'s', 'm', 'r', '1', 16,   direction,
                            12,  8,   4,   0,   0xbe, 0xef};
  memcpy(record, head, sizeof head);
  memcpy(record + sizeof head, key, 16);
  samara_store32_le(
      record + node_record_size - 4,
      ~samara_crc32(SAMARA_CRC32_BEGIN, record, node_record_size - 4));
}

#endif
