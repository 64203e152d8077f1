/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_NODE_H
#define SAMARA_NODE_H

/* A node on a device: it speaks with `samara node listen` and `samara node
 * send` on a host, over a serial radio link (samara/rfserial.h) or in frames of
 * IEEE 802.15.4 (samara/node_ieee802154.h). Its keys and counters survive a
 * reset (samara/store.h).
 *
 * The device gets its key from a provisioning record, which `samara node
 * export` or `samara node init --for-device` writes on the host. That of a
 * serial link is:
 *
 *   magic      4 bytes   "smr1"
 *   key size   1
 *   direction  1         0 or 1; the host has the other one
 *   packet     1         packet size of the modem in bytes
 *   tag        1         size of the tag in bytes
 *   counter    1         bytes of the counter that are sent
 *   reserved   1         0
 *   identity   2         of the link; high byte first
 *   key        key size
 *   check      4         CRC-32 of the above, low byte first
 *
 * Life cycle: fill in the settings of a samara_node. After each reset call
 * samara_node_open. On a new device it answers SAMARA_STORE_ERROR_BLANK: call
 * samara_node_adopt with the record, once, and samara_node_open again. Then
 * send and receive.
 *
 * NEVER adopt a record a second time after the memory was erased as a whole:
 * the counters would begin again, and nonces repeat. On an AVR, programming the
 * flash erases the EEPROM unless the fuse EESAVE is set. A device whose memory
 * was erased gets a new record (`samara node rekey --offline` on the host). The
 * host's node refuses the messages of a device that began again, as replays.
 *
 * A call that can fail answers 0, or a negative value of samara_node_error, of
 * samara_store_result or of samara_result; no two of these are equal. */

#include <samara/rfserial.h>
#include <samara/store.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  samara_node_key_size_max = 32,
  samara_node_record_size_max = 44 + samara_node_key_size_max,
  /* Bytes that a message which is to be acknowledged has more, and each part of
   * a message that is longer than one frame or unit. */
  samara_node_overhead = 8,
  /* Parts of the longest message that is received in parts. */
  samara_node_missing_max = 64
};

/* Bytes of the longest message that is sent, in parts where it has to be. */
#define SAMARA_NODE_MESSAGE_SIZE_MAX 1048576

/* A kind of link. A device has the code of those that it names. */
typedef struct samara_node_link samara_node_link;

/* Units of a serial link; samara_node_ieee802154 is the other kind. */
extern const samara_node_link samara_node_rfserial;

typedef struct samara_node samara_node;

typedef enum samara_node_error {
  /* The provisioning record is damaged, or of another format. */
  SAMARA_NODE_ERROR_RECORD = -160,
  /* The settings of the node, or the record, do not fit to each other: sizes of
   * key and tag, of buffers, of the memory. */
  SAMARA_NODE_ERROR_SETTINGS = -161,
  /* The device has a key: samara_node_forget takes it away. */
  SAMARA_NODE_ERROR_ADOPTED = -162,
  /* The application's function `write` did not take the bytes. The number of
   * the message is used; send the message again. */
  SAMARA_NODE_ERROR_WRITE = -163,
  /* The node is not open: samara_node_open was not called since the node was
   * closed or got its key, or it failed. */
  SAMARA_NODE_ERROR_CLOSED = -164
} samara_node_error;

/* One English sentence for the result of any call here, without a full stop;
 * never NULL. */
const char *samara_node_result_text(int result);

struct samara_node {
  /* Settings, from the application. They must stay the same while the device
   * has a key; only `step` may be made larger. */
  const samara_node_link *link;
  const samara_aead *aead; /* of the suite that the host's node names */
  void *key_state;         /* aead->state_size bytes, aligned for uint64_t */
  size_t key_state_size;
  const samara_store_memory *memory;
  uint32_t first; /* address of the first byte in the memory */
  uint32_t size;  /* bytes: samara_node_memory_size or more */
  uint32_t step;  /* numbers of sent messages in one record of the store */
  uint32_t receive_step; /* of received ones; 1 loses none by a reset */
  /* Sends bytes to the modem; answers whether it took them all. */
  bool (*write)(void *context, const uint8_t *bytes, size_t size);
  void *context;
  size_t message_size_max; /* bytes of the longest message in one unit */
  uint8_t *wire;           /* one unit that is sent: samara_node_wire_size */
  size_t wire_size;
  uint8_t *buffer; /* received bytes; as large or larger. NULL: it only sends */
  size_t buffer_size;
  uint8_t *message; /* message_size_max + samara_node_overhead bytes */
  size_t message_room;
  /* Room for a message that is received in parts; NULL: it takes none. */
  uint8_t *parts;
  size_t parts_room;
  uint32_t effort; /* see samara_rfserial_receiver_init */

  /* What follows is set by the functions. Do not change it. */
  samara_store_ring identity;
  samara_store_counter sent, expected;
  samara_store_counter taken;         /* ids of messages that were given out */
  uint32_t expected_base, taken_base; /* where those of this key begin */
  samara_rfserial_link out, in;
  samara_rfserial_receiver receiver;
  size_t payload_size; /* of the longest payload of a unit; 0: it is closed */
  uint8_t text_at;     /* place of the payload in `wire` */
  bool may_have_skipped;
  bool gave_out; /* a message with an id, in this life */
  /* The message in parts that is being received. */
  bool parts_begun, parts_fit;
  uint32_t parts_id;
  size_t part_size, parts_size;
  uint16_t parts_count; /* 0: not known yet */
  uint8_t parts_have[samara_node_missing_max / 8];
  /* Parts of a message of ours that the host misses. */
  uint32_t missing_id;
  uint16_t missing_first;
  uint8_t missing[samara_node_missing_max / 8];
};

/* The least bytes of memory: room for keys, and for eight records of each of
 * three counters; of a memory that is erased by pages, eight pages. More memory
 * lasts longer. 0 when `link`, `memory` or the cipher is not set. */
uint32_t samara_node_memory_size(const samara_node *node);

/* Bytes on the wire of the longest unit with this packet size, at most: of a
 * serial link. */
size_t samara_node_wire_size(const samara_node *node, uint8_t packet_size);

/* Gives a new device its key. Counters that exist go on; of what is received,
 * they are the 0 of the new key. May be called again after a power cut. Where
 * it answers ADOPTED, an open node stays as it is.
 *
 * RECORD, SETTINGS, ADOPTED; WORN or READ of the store. */
SAMARA_MUST_CHECK int
samara_node_adopt(samara_node *node, const uint8_t *record, size_t record_size);

/* After each reset. SAMARA_STORE_ERROR_BLANK when there is no key, also when a
 * power cut ended samara_node_adopt; SETTINGS, or an error of the store. */
SAMARA_MUST_CHECK int samara_node_open(samara_node *node);

/* A factory reset: erases the key, and keeps the counters. The node is closed
 * then. After a power cut, call it again. An error of the store. */
SAMARA_MUST_CHECK int samara_node_forget(samara_node *node);

/* Wipes key, message and buffer in RAM, as before sleep without retention. The
 * node is closed then: until it is opened again, the calls below answer CLOSED,
 * and nothing is sent, received or counted. */
void samara_node_close(samara_node *node);

/* Sends a message, in parts when it does not fit into one unit or frame. Before
 * the first one after a reset, the host is told that numbers may be missing.
 *
 * SAMARA_ERROR_MESSAGE_SIZE above SAMARA_NODE_MESSAGE_SIZE_MAX or 65,536 parts,
 * and then nothing is sent; WRITE, SAMARA_ERROR_COUNTER at the counter's end,
 * or an error of the store. */
SAMARA_MUST_CHECK int samara_node_send(samara_node *node,
                                       const uint8_t *message, size_t size);

/* The same, and asks for an acknowledgement. *id is 0 for a new message, and is
 * then set to its id. When the answer is that parts are missing (status 1), or
 * none arrives, call again with the same message and *id: the parts that the
 * host misses are sent, or the last one, which asks again. The host hands the
 * message on once. Receive between two calls. */
SAMARA_MUST_CHECK int samara_node_send_confirmed(samara_node *node,
                                                 const uint8_t *message,
                                                 size_t size, uint32_t *id);

typedef enum samara_node_event_kind {
  SAMARA_NODE_NOTHING = 0,
  SAMARA_NODE_MESSAGE = 1,
  /* A message that was given out before, and is sent again because its
   * acknowledgement was lost: acknowledge it, and do not act on it again. If it
   * was given out before a reset, nobody knows whether it was acted on, and
   * samara_node_acknowledge says so to the host. */
  SAMARA_NODE_AGAIN = 2,
  /* The host has what samara_node_send_confirmed sent: see id and status. */
  SAMARA_NODE_ACKNOWLEDGED = 3,
  /* A replay; it was refused. A frame is one by its counter, and nobody has
   * looked whether it is genuine. */
  SAMARA_NODE_REPLAY = 4,
  /* Something that nodes tell each other; nothing is to be done. */
  SAMARA_NODE_NOTICE = 5,
  /* A genuine payload that this node cannot take: a message in parts without
   * room for it, or what newer nodes say. */
  SAMARA_NODE_UNKNOWN = 6,
  /* A part of a message; others are still to come. */
  SAMARA_NODE_PART = 7
} samara_node_event_kind;

typedef struct samara_node_event {
  samara_node_event_kind kind;
  uint64_t number; /* counter of the unit */
  uint64_t lost;   /* units between the last one and this; skipped ones too */
  uint32_t id;     /* of a message that wants an acknowledgement, or of ours */
  uint8_t status;  /* of ACKNOWLEDGED: 0 delivered, 1 parts are missing,
                      2 not known there, 3 waiting to be taken there; otherwise
                      what samara_node_acknowledge tells the host */
  bool wants_acknowledgement; /* call samara_node_acknowledge */
  const uint8_t *message;     /* valid until the next call */
  size_t message_size;
} samara_node_event;

/* Processes received bytes up to the end of the first genuine unit, or all of
 * them; *processed is how many. Call again with the rest. That a number was
 * received, and the id of a message that has one, is durable before the message
 * is given out: after a reset it is not given out again.
 *
 * An error of the store: then nothing is given out, and the message is lost. */
SAMARA_MUST_CHECK int samara_node_receive(samara_node *node,
                                          samara_node_event *event,
                                          const uint8_t *bytes, size_t size,
                                          size_t *processed);

/* Tells the host what became of the message of an event that wants it. Call it
 * after acting on the message, before the next samara_node_receive. As
 * samara_node_send. */
SAMARA_MUST_CHECK int samara_node_acknowledge(samara_node *node,
                                              const samara_node_event *event);

#ifdef __cplusplus
}
#endif

#endif
