/* SPDX-License-Identifier: Apache-2.0 */
/* A node of a serial radio link. The job's nonce is the identity of the link.
 */

#include "common/bytes.h"
#include "measure.h"
#include <samara/node.h>
#include <samara/samara.h>

#define NODE_AEAD MEASURE_JOIN(samara_, MEASURE_CIPHER, _ccm_aead)

enum {
  head_size = 12,
  cells_size = 464, /* what samara_node_memory_size tells */
  message_size_max = 32,
  unit_size_max = 60 /* with packets of 12 bytes */
};

typedef struct node_own {
  MEASURE_NAME(key) key;
  uint8_t message[message_size_max + samara_node_overhead];
} node_own;

static void fit(samara_node *node, node_own *own) {
  node->link = &samara_node_rfserial;
  node->aead = &NODE_AEAD;
  node->key_state = &own->key;
  node->key_state_size = sizeof own->key;
  node->message_size_max = message_size_max;
  node->message = own->message;
  node->message_room = sizeof own->message;
}

static void write_head(uint8_t *record, const measure_job *job,
                       uint8_t direction) {
  const uint8_t head[head_size] = {'s',           'm',          'r', '1', 16,
                                   direction,     12,           8,   4,   0,
                                   job->nonce[0], job->nonce[1]};
  samara_copy_bytes(record, head, sizeof head);
}

#include "node_calls.h"
