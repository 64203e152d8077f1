/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_RFSERIAL_H
#define SAMARA_RFSERIAL_H

/* Sealed messages over a byte pipe that loses, inserts and flips bytes: a radio
 * modem on a serial port. docs/rf-serial.md has the format to the bit, its
 * costs, and what an attacker can and cannot do.
 *
 * A message travels as one unit, whose size is a multiple of the modem's packet
 * size, so that no part of it waits in the modem for a packet to fill:
 *
 *   header   1 byte    how many packets the unit has
 *   number   0 to 4    the low bytes of the message's number
 *   text               the message, encrypted: as long as it is
 *   tag      4 to 16   over header, settings, number and text
 *   fill               up to the end of the last packet
 *
 * There is no start mark: the tag is the mark. A receiver takes every byte as
 * the possible end of a unit, asks which headers would make it so, and opens
 * what passes the cheap tests; so it finds the next message whatever came
 * before, and waits for nothing that a damaged header announced.
 *
 * Life cycle: fill in a samara_rfserial_link and check it once with
 * samara_rfserial_is_valid; the other functions rely on that. The sender seals
 * with ascending numbers, of which none is ever to be used twice under a key:
 * over a restart its counter has to be kept, or be set beyond all that may have
 * been used. The receiver takes only numbers that it has not had: its counter
 * is to be kept over a restart, too, or old messages pass as new.
 *
 * Both directions of a link may use one key: the direction is part of the
 * nonce, so that a message sent back to its sender is refused, and so is the
 * identity of the link. */

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

/* What both ends have to agree on, for one direction. */
typedef struct samara_rfserial_link {
  const samara_aead *aead;
  const void *key;      /* what aead->set_key made of the key */
  uint16_t identity;    /* of the link, where one key serves several */
  uint8_t direction;    /* 0 one way, 1 the other */
  uint8_t packet_size;  /* 1 to 240 bytes */
  uint8_t tag_size;     /* 4 to 16 bytes, as far as the cipher has it */
  uint8_t counter_size; /* 0 to 4 bytes of the number that are sent */
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

/* Writes one unit of *wire_size = samara_rfserial_wire_size bytes, for which
 * there has to be room. The message may lie where its ciphertext will, at
 * wire + 1 + counter_size, and must not overlap the unit in another way.
 *
 * SAMARA_ERROR_MESSAGE_SIZE when it is too long; SAMARA_ERROR_COUNTER when the
 * counter is at its end, 2^64 - 1; both, and what the cipher refuses, write
 * nothing and leave the counter as it is. */
SAMARA_MUST_CHECK samara_result samara_rfserial_seal(
    samara_rfserial_sender *sender, uint8_t *wire, size_t *wire_size,
    const uint8_t *message, size_t message_size);

typedef struct samara_rfserial_receiver {
  const samara_rfserial_link *link;
  uint64_t counter; /* the number of the next message, if none is lost */
  uint8_t *buffer;  /* bytes that may belong to a unit not yet whole */
  size_t buffer_size;
  uint8_t *message; /* the message opened last */
  size_t message_size_max;
  size_t reach;      /* bytes of the longest unit that is waited for */
  size_t filled;     /* bytes in the buffer */
  uint32_t effort;   /* bytes the cipher may work on for one received; 0: all */
  uint32_t credit;   /* bytes it may work on now */
  uint32_t noise;    /* bytes gone since the last unit; stops at 2^32 - 1 */
  uint32_t attempts; /* how often a tag was checked; wraps */
  uint32_t skipped;  /* how often there was no credit to check one; wraps */
} samara_rfserial_receiver;

/* Begins with nothing received and `counter` as the first number expected.
 *
 * `message` has room for message_size_max bytes, and longer messages are not
 * waited for. `buffer_size` is at least the wire size of such a message, else
 * SAMARA_ERROR_MESSAGE_SIZE; in twice as much, bytes are moved less often.
 *
 * `effort` bounds the work that noise, or an attacker, can cause: a place that
 * looks like a unit is passed over when the cipher has worked on more than that
 * for each byte received. The place right behind a unit is always tried. */
SAMARA_MUST_CHECK samara_result samara_rfserial_receiver_init(
    samara_rfserial_receiver *receiver, const samara_rfserial_link *link,
    uint64_t counter, uint8_t *buffer, size_t buffer_size, uint8_t *message,
    size_t message_size_max, uint32_t effort);

typedef enum samara_rfserial_event_kind {
  SAMARA_RFSERIAL_NOTHING = 0,
  SAMARA_RFSERIAL_MESSAGE = 1, /* a genuine message, not had before */
  SAMARA_RFSERIAL_REPEATED = 2 /* a genuine one that was; not released again */
} samara_rfserial_event_kind;

typedef struct samara_rfserial_event {
  samara_rfserial_event_kind kind;
  uint64_t number;     /* of the message */
  uint64_t lost;       /* messages between the last one and this */
  uint32_t noise;      /* bytes since then that belong to no message */
  const uint8_t *unit; /* as it was received; until the next call, */
  size_t unit_size;    /* as the message is */
  const uint8_t *message;
  size_t message_size;
} samara_rfserial_event;

/* Takes received bytes up to the first that ends a genuine unit, or all of
 * them. Returns how many were taken: call again with the rest. */
size_t samara_rfserial_receive(samara_rfserial_receiver *receiver,
                               samara_rfserial_event *event,
                               const uint8_t *bytes, size_t size);

/* Bytes received since the last unit: noise, or a unit that is not yet whole.
 */
uint32_t
samara_rfserial_receiver_waiting(const samara_rfserial_receiver *receiver);

/* Forgets message and buffer, and with it what was received so far; the counter
 * and the settings stay. */
void samara_rfserial_receiver_wipe(samara_rfserial_receiver *receiver);

#ifdef __cplusplus
}
#endif

#endif
