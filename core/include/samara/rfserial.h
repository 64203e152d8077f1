/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_RFSERIAL_H
#define SAMARA_RFSERIAL_H

/* Sealed messages over a byte pipe that loses, inserts and flips bytes: a radio
 * modem on a serial port. docs/rf-serial.md defines the format bit by bit and
 * says what it costs and what an attacker can do.
 *
 * A message is sent as one unit. The size of a unit is a multiple of the
 * modem's packet size, so no part of it waits in the modem for more bytes:
 *
 *   header   1 byte    number of packets in the unit
 *   number   0 to 4    low bytes of the message counter
 *   text               the encrypted message, as long as the message
 *   tag      4 to 16   authenticates header, settings, counter and text
 *   fill               padding to the end of the last packet
 *
 * There is no start mark. A receiver treats every byte as the possible end of a
 * unit, finds the headers that would fit, and opens those that pass the cheap
 * tests. So it finds the next message whatever bytes came before, and a damaged
 * header does not make it wait.
 *
 * Life cycle: fill in a samara_rfserial_link and check it once with
 * samara_rfserial_is_valid; the other functions do not check it again. The
 * sender counts messages; never use a counter twice under a key. Store the
 * counter over a restart, or set it above every value that may have been used.
 * The receiver accepts only counters above the last accepted one. Store its
 * counter over a restart too; otherwise it accepts old messages again.
 *
 * Both directions of a link may use one key. The nonce contains the direction
 * and the identity of the link, so a message that is sent back to its sender or
 * into another link is refused. */

#include <samara/aead.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  samara_rfserial_packet_size_max = 240, /* bytes, the modem's ATPK */
  samara_rfserial_tag_size_min = 4,
  samara_rfserial_counter_size_max = 4
};

/* Bytes of the longest message (less where a size_t ends before). */
#define SAMARA_RFSERIAL_MESSAGE_SIZE_MAX 65536

/* Settings of one direction of a link: both ends must have the same. */
typedef struct samara_rfserial_link {
  const samara_aead *aead;
  const void *key;      /* the state that aead->set_key wrote */
  uint16_t identity;    /* of the link, where one key serves several */
  uint8_t direction;    /* 0 one way, 1 the other */
  uint8_t packet_size;  /* 1 to 240 bytes */
  uint8_t tag_size;     /* 4 to 16 bytes, of the sizes in aead->tag_sizes */
  uint8_t counter_size; /* bytes of the counter that are sent: 0 to 4 */
} samara_rfserial_link;

/* Whether every setting is within its limits. */
bool samara_rfserial_is_valid(const samara_rfserial_link *link);

/* Bytes on the wire of a message; 0 when it is too long. */
size_t samara_rfserial_wire_size(const samara_rfserial_link *link,
                                 size_t message_size);

typedef struct samara_rfserial_sender {
  const samara_rfserial_link *link;
  uint64_t counter; /* the number of the next message */
} samara_rfserial_sender;

/* Writes one unit; *wire_size is its size, which samara_rfserial_wire_size
 * tells before. `wire` must have room for it. The message may be in the place
 * of its ciphertext, wire + 1 + counter_size; any other overlap with the unit
 * is an error of the caller.
 *
 * SAMARA_ERROR_MESSAGE_SIZE when the message is too long; SAMARA_ERROR_COUNTER
 * when the counter is at its end, 2^64 - 1; or an error of the cipher. On error
 * nothing is written and the counter does not change. */
SAMARA_MUST_CHECK samara_result samara_rfserial_seal(
    samara_rfserial_sender *sender, uint8_t *wire, size_t *wire_size,
    const uint8_t *message, size_t message_size);

typedef struct samara_rfserial_receiver {
  const samara_rfserial_link *link;
  uint64_t counter; /* of the next message, if none is lost */
  uint8_t *buffer;  /* received bytes of a unit that is not yet complete */
  size_t buffer_size;
  uint8_t *message; /* the last message that was opened */
  size_t message_size_max;
  size_t reach;      /* bytes of the longest unit that is accepted */
  size_t filled;     /* bytes in the buffer */
  uint32_t effort;   /* bytes for the cipher per byte received; 0: no limit */
  uint32_t credit;   /* bytes that the cipher may process now */
  uint32_t noise;    /* bytes since the last unit; stops at 2^32 - 1 */
  uint32_t attempts; /* number of tags checked; wraps */
  uint32_t skipped;  /* number of tags not checked for lack of credit; wraps */
} samara_rfserial_receiver;

/* Starts a receiver. `counter` is the lowest message counter that it accepts.
 *
 * `message` has room for message_size_max bytes; longer messages are not
 * received. `buffer_size` is at least the wire size of a message of that size,
 * else SAMARA_ERROR_MESSAGE_SIZE; with twice as much, bytes are moved less
 * often.
 *
 * `effort` limits the work that noise or an attacker can cause: the cipher
 * processes at most this many bytes for each byte received, and possible units
 * beyond that are skipped. The bytes directly behind a unit are always tried.
 */
SAMARA_MUST_CHECK samara_result samara_rfserial_receiver_init(
    samara_rfserial_receiver *receiver, const samara_rfserial_link *link,
    uint64_t counter, uint8_t *buffer, size_t buffer_size, uint8_t *message,
    size_t message_size_max, uint32_t effort);

typedef enum samara_rfserial_event_kind {
  SAMARA_RFSERIAL_NOTHING = 0,
  SAMARA_RFSERIAL_MESSAGE = 1, /* a genuine, new message */
  SAMARA_RFSERIAL_REPEATED = 2 /* a genuine but old one; it is not released */
} samara_rfserial_event_kind;

typedef struct samara_rfserial_event {
  samara_rfserial_event_kind kind;
  uint64_t number;     /* counter of the message */
  uint64_t lost;       /* messages between the last one and this */
  uint32_t noise;      /* bytes since then that belong to no message */
  const uint8_t *unit; /* as received; it and the message are valid until */
  size_t unit_size;    /* the next call */
  const uint8_t *message;
  size_t message_size;
} samara_rfserial_event;

/* Processes received bytes up to the end of the first genuine unit, or all of
 * them. Returns how many were processed: call again with the rest. */
size_t samara_rfserial_receive(samara_rfserial_receiver *receiver,
                               samara_rfserial_event *event,
                               const uint8_t *bytes, size_t size);

/* Bytes received since the last unit: noise, or an incomplete unit. */
uint32_t
samara_rfserial_receiver_waiting(const samara_rfserial_receiver *receiver);

/* Wipes message and buffer, and so drops the bytes received so far. The counter
 * and the settings stay. */
void samara_rfserial_receiver_wipe(samara_rfserial_receiver *receiver);

#ifdef __cplusplus
}
#endif

#endif
