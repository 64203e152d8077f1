/* SPDX-License-Identifier: Apache-2.0 */
/* A node of IEEE 802.15.4, with short addresses, key id mode 1 and a MIC of 4
 * bytes. The job's nonce is the extended address of the device. */

#include "common/bytes.h"
#include "measure.h"
#include <samara/node_ieee802154.h>
#include <samara/samara.h>

enum {
  head_size = 40,
  cells_size = 576, /* what samara_node_memory_size tells */
  unit_size_max = samara_node_frame_size
};

typedef struct node_own {
  samara_node_frames frames;
} node_own;

static void fit(samara_node *node, node_own *own) {
  own->frames.cipher = &MEASURE_JOIN(samara_ieee802154_, MEASURE_CIPHER, );
  node->link = &samara_node_ieee802154;
  node->key_state = &own->frames;
  node->key_state_size = sizeof own->frames;
}

static void write_head(uint8_t *record, const measure_job *job,
                       uint8_t direction) {
  static const uint8_t head[] = {'s', 'm', 'f', '1', 16,   5 | 1 << 3,
                                 0,   26,  1,   0,   0xca, 0xfe};
  static const uint8_t other[samara_ieee802154_address_size] = {2, 8, 2, 3,
                                                                4, 5, 6, 7};
  const uint8_t *own = direction == 0 ? other : job->nonce;
  const uint8_t *peer = direction == 0 ? job->nonce : other;
  samara_zero_bytes(record, head_size);
  samara_copy_bytes(record, head, sizeof head);
  record[13] = direction;
  record[15] = direction ^ 1;
  samara_copy_bytes(record + 16, own, sizeof other);
  samara_copy_bytes(record + 24, peer, sizeof other);
}

#include "node_calls.h"
