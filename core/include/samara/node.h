/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_NODE_H
#define SAMARA_NODE_H

/* A node for a device: one end of a serial radio link whose other end is a node
 * of the command `samara node`. Its counters survive a reset (store.h), so it
 * never repeats a nonce and never accepts a message twice.
 *
 * It sends and receives messages of one frame each, as rfserial.h has them. It
 * does not send acknowledgements, and does not join parts of long messages:
 * what a host sends with `--ack`, or in parts, is answered with
 * SAMARA_NODE_OTHER.
 *
 * Life cycle: make the first node of a pair on the host, and a provisioning
 * record from its file pair.json; then remove that file, as the record holds
 * its key. Fill in a samara_node and call samara_node_provision once, where the
 * device is set up: not in the firmware that runs in the field. After each
 * reset call samara_node_open, then the other functions. A device whose store
 * is blank stays silent: an erased memory must not begin again with counter 0
 * under the same key. Never give a record to two devices, nor to one device
 * again whose memory was erased: make new nodes for it.
 *
 * No function allocates memory or turns interrupts off (a memory of the store
 * may). */

#include <samara/rfserial.h>
#include <samara/store.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The provisioning record: "SMN", version 1, direction, packet size, tag size,
 * counter size, identity (2 bytes, high byte first), key size, key. */
enum {
  samara_node_record_size_min = 11,
  samara_node_record_size_max = 11 + 32
};

typedef enum samara_node_result {
  SAMARA_NODE_OK = SAMARA_OK,
  /* Not a provisioning record, or one for a link that the node is not for. */
  SAMARA_NODE_ERROR_RECORD = -160,
  /* A buffer is too small for the messages, or a ring is not valid. */
  SAMARA_NODE_ERROR_ROOM = -161,
  /* The message is longer than message_size_max. */
  SAMARA_NODE_ERROR_MESSAGE_SIZE = -162,
  /* The store did not take or give a counter: see store_result. */
  SAMARA_NODE_ERROR_STORE = -163,
  /* The output did not take the bytes. The counter is used. */
  SAMARA_NODE_ERROR_OUTPUT = -164,
  /* The counters were stored before: a node is provisioned once. */
  SAMARA_NODE_ERROR_PROVISIONED = -165,
  /* The node is not open. */
  SAMARA_NODE_ERROR_CLOSED = -166
} samara_node_result;

/* One English sentence for a result, without a full stop; never NULL. */
const char *samara_node_result_text(samara_node_result result);

typedef struct samara_node {
  const samara_aead *aead;
  void *key; /* aead->state_size bytes, aligned as for uint64_t */
  /* Two rings of the store. `sent` may have any step; what a step of `expected`
   * means is said at samara_store_counter_pass. */
  samara_store_counter *sent;
  samara_store_counter *expected;
  /* Hands bytes to the modem, and answers whether it took all of them. */
  bool (*output)(void *context, const uint8_t *bytes, size_t size);
  void *context;           /* handed to `output` */
  uint8_t *wire;           /* for a unit that is sent */
  size_t wire_size;        /* bytes: see samara_node_wire_size */
  uint8_t *buffer;         /* for units that are received; NULL: only sends */
  size_t buffer_size;      /* bytes: wire_size or more */
  uint8_t *message;        /* received; message_size_max + 2 bytes */
  size_t message_size_max; /* bytes of the longest message, either way */
  uint32_t effort;         /* see samara_rfserial_receiver_init */
  /* What follows is set by the functions. */
  samara_store_result store_result; /* of the last call of the store */
  samara_rfserial_link outgoing, incoming;
  samara_rfserial_receiver receiver;
  bool is_open;
} samara_node;

/* Bytes that `wire` needs for messages of this size: two more are for a mark of
 * messages that begin with 0xf5. 0 when the record is not valid. */
size_t samara_node_wire_size(const samara_aead *aead, const uint8_t *record,
                             size_t record_size, size_t message_size_max);

/* Writes the first counters of a device with a new record, in a blank memory.
 * After a power cut in this call the device may need a new record.
 *
 * RECORD, ROOM, PROVISIONED or STORE. */
SAMARA_MUST_CHECK samara_node_result samara_node_provision(
    samara_node *node, const uint8_t *record, size_t record_size);

/* After each reset: takes key and settings from the record, and the counters
 * from the store. Sends nothing.
 *
 * RECORD, ROOM or STORE (samara_store_result BLANK: not provisioned, or the
 * memory was erased). */
SAMARA_MUST_CHECK samara_node_result samara_node_open(samara_node *node,
                                                      const uint8_t *record,
                                                      size_t record_size);

/* Tells the other end that counters may be missing because of a reset. Once
 * after samara_node_open; without it the other end reports lost messages. The
 * errors of samara_node_send. */
SAMARA_MUST_CHECK samara_node_result samara_node_send_start(samara_node *node);

/* Seals a message and hands it to `output`. The message must not overlap
 * `wire`.
 *
 * MESSAGE_SIZE, STORE or CLOSED: nothing was sent and no counter was used; or
 * OUTPUT. */
SAMARA_MUST_CHECK samara_node_result samara_node_send(samara_node *node,
                                                      const uint8_t *message,
                                                      size_t message_size);

typedef enum samara_node_event_kind {
  SAMARA_NODE_NOTHING = 0,
  SAMARA_NODE_MESSAGE = 1,
  SAMARA_NODE_REPEATED = 2, /* a genuine but old unit; it is not released */
  SAMARA_NODE_STARTED = 3,  /* the other end was interrupted */
  SAMARA_NODE_OTHER = 4     /* genuine and new, of a kind not known here */
} samara_node_event_kind;

typedef struct samara_node_event {
  samara_node_event_kind kind;
  uint64_t number;        /* counter of the message */
  uint64_t lost;          /* counters between the last unit and this */
  const uint8_t *message; /* of a MESSAGE: valid until the next call */
  size_t message_size;
} samara_node_event;

/* Takes received bytes until a unit is complete; *taken is how many. Call it
 * again with the rest. That a message was accepted is durable before it is
 * released.
 *
 * STORE: a genuine message is not released, because the store did not take its
 * counter; or CLOSED. */
SAMARA_MUST_CHECK samara_node_result
samara_node_receive(samara_node *node, samara_node_event *event,
                    const uint8_t *bytes, size_t size, size_t *taken);

/* Wipes the key and all messages. The counters stay in the store. */
void samara_node_close(samara_node *node);

#ifdef __cplusplus
}
#endif

#endif
