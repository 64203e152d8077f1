/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_TESTS_NODE_RECORD_H
#define SAMARA_TESTS_NODE_RECORD_H

#include "common/bytes.h"
#include "common/crc32.h"
#include <string.h>

enum { node_record_size = 32, frames_record_size = 60, frames_key_index = 9 };

/* Provisioning records of one end, for AES-128. */

static inline void end_node_record(uint8_t *record, size_t head_size,
                                   const uint8_t key[16]) {
  const size_t checked = head_size + 16;
  memcpy(record + head_size, key, 16);
  samara_store32_le(record + checked,
                    ~samara_crc32(SAMARA_CRC32_BEGIN, record, checked));
}

/* Over a serial link with packets of 12 bytes, tags of 8, counters of 4. */
static inline void write_node_record(uint8_t record[node_record_size],
                                     const uint8_t key[16], uint8_t direction) {
  const uint8_t head[12] = {'s', 'm', 'r', '1', 16,   direction,
                            12,  8,   4,   0,   0xbe, 0xef};
  memcpy(record, head, sizeof head);
  end_node_record(record, sizeof head, key);
}

/* In frames, with the key index 9 in key id modes above 0. */
static inline void write_frames_record(uint8_t record[frames_record_size],
                                       const uint8_t key[16], uint8_t direction,
                                       uint8_t control, uint8_t form) {
  static const uint8_t shorts[2][2] = {{0x12, 0x34}, {0xab, 0xcd}};
  static const uint8_t longs[2][8] = {{2, 1, 2, 3, 4, 5, 6, 7},
                                      {2, 8, 2, 3, 4, 5, 6, 7}};
  const uint8_t head[12] = {
      's',  'm',  'f',
      '1',  16,   control,
      form, 26,   control >> 3 != 0 ? frames_key_index : 0,
      0,    0xca, 0xfe};
  memset(record, 0, frames_record_size);
  memcpy(record, head, sizeof head);
  memcpy(record + 12, shorts[direction], 2);
  memcpy(record + 14, shorts[1 - direction], 2);
  memcpy(record + 16, longs[direction], 8);
  memcpy(record + 24, longs[1 - direction], 8);
  for (unsigned i = 0; i < (control >> 3 == 3   ? 8u
                            : control >> 3 == 2 ? 4u
                                                : 0u);
       i++) {
    record[32 + i] = (uint8_t)(0x50 + i);
  }
  end_node_record(record, 40, key);
}

#endif
