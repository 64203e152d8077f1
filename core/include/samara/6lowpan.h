/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_6LOWPAN_H
#define SAMARA_6LOWPAN_H

/* 6LoWPAN: IPv6 packets in the short frames of a constrained link.
 *
 * A packet of IPv6 begins with a header of 40 bytes, and may be 1280 bytes
 * long; a frame of IEEE 802.15.4 has room for about 100. So
 *
 * - headers are compressed (RFC 6282): what the link address, a context or a
 *   usual value tells is left out, also of UDP headers: 48 bytes become about
 *   10;
 * - a packet that is still too long is cut into fragments (RFC 4944).
 *
 * A sender makes the payloads of frames from a packet, a receiver makes the
 * packet from them:
 *
 *   samara_6lowpan_sender sender;
 *   result = samara_6lowpan_send(&sender, &hop, packet, size, tag++, 96);
 *   while (samara_6lowpan_next(&sender, payload, &payload_size)) {
 *     ...payload, payload_size to the radio...
 *   }
 *
 *   result = samara_6lowpan_receive(&receiver, &event, &hop, payload,
 *                                   payload_size, now);
 *   if (event.packet != NULL) { ...event.packet, event.packet_size... }
 *
 * Nothing here is encrypted or authenticated: that is for the link below, and
 * payloads are to be given to a receiver only after their frame was opened.
 * A payload may still be anything, since a neighbour with the key may be
 * hostile: no payload makes a receiver read or write outside of its memory,
 * and a neighbour cannot take more slots than it is granted.
 *
 * Not done: mesh headers, broadcast headers (LOWPAN_BC0), the first version of
 * header compression (LOWPAN_HC1), IPv6 in compressed IPv6, generic header
 * compression (RFC 7400). Payloads with these are refused by name. */

#include <samara/result.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  samara_6lowpan_packet_size_max = 1280, /* what each IPv6 link must carry */
  samara_6lowpan_contexts_max = 16,
  /* Bytes of the longest compressed header: IPHC 41, UDP 7. */
  samara_6lowpan_header_size_max = 48,
  /* The shortest payload of a frame that packets can be cut for: a header, a
   * fragment header of 4 bytes and 8 bytes of packet. */
  samara_6lowpan_payload_size_min = 60
};

typedef enum samara_6lowpan_result {
  SAMARA_6LOWPAN_OK = SAMARA_OK,
  /* Not a packet of IPv6, or one whose length field is not its length. */
  SAMARA_6LOWPAN_ERROR_PACKET = -128,
  /* A packet longer than 1280 bytes, or a frame too short to cut it for. */
  SAMARA_6LOWPAN_ERROR_SIZE = -129,
  /* A payload that ends within a header, or is empty. */
  SAMARA_6LOWPAN_ERROR_TRUNCATED = -130,
  /* A dispatch byte that is reserved, or of something that is not done. */
  SAMARA_6LOWPAN_ERROR_DISPATCH = -131,
  /* A header that uses reserved values, or contradicts itself. */
  SAMARA_6LOWPAN_ERROR_ENCODING = -132,
  /* A header that needs a context which is not there. */
  SAMARA_6LOWPAN_ERROR_CONTEXT = -133,
  /* A fragment that contradicts another one: both are dropped. */
  SAMARA_6LOWPAN_ERROR_FRAGMENT = -134,
  /* A fragment of a packet for which no slot is free. */
  SAMARA_6LOWPAN_ERROR_FULL = -135
} samara_6lowpan_result;

/* One English sentence for a result, without a full stop; never NULL. */
const char *samara_6lowpan_result_text(samara_6lowpan_result result);

/* Its name in lower case, for programs: "truncated", "full". */
const char *samara_6lowpan_result_name(samara_6lowpan_result result);

/* A link address as RFC 4944 has it: an EUI-64 or a short address, in the order
 * in which it is written (most significant byte first). */
typedef struct samara_6lowpan_address {
  uint8_t size; /* 8 or 2 */
  uint8_t bytes[8];
} samara_6lowpan_address;

/* A prefix that both ends know, from router advertisements (RFC 6775) or by
 * hand. */
typedef struct samara_6lowpan_context {
  uint8_t prefix[16];
  uint8_t prefix_bits; /* 1 to 128; 0: there is no such context */
  bool compresses;     /* used to compress; if not, only to decompress */
} samara_6lowpan_context;

/* What both ends of one hop know of a frame. Its order is the readers'. */
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding)
typedef struct samara_6lowpan_hop {
  samara_6lowpan_address source;
  samara_6lowpan_address destination; /* broadcast: the short address ffff */
  const samara_6lowpan_context *contexts;
  uint8_t context_count; /* at most 16; context 0 costs a byte less */
} samara_6lowpan_hop;

/* The interface identifier of a link address: the last 64 bits of addresses
 * made from it (RFC 6282, 3.2.2). */
void samara_6lowpan_identifier(uint8_t identifier[8],
                               const samara_6lowpan_address *address);

/* Compresses the headers at the begin of a packet. `header` gets *header_size
 * bytes, which stand for the first *covered bytes of the packet; what follows
 * them is sent as it is.
 *
 * SAMARA_6LOWPAN_ERROR_PACKET if it is not a packet of IPv6. */
SAMARA_MUST_CHECK samara_6lowpan_result samara_6lowpan_compress(
    uint8_t header[samara_6lowpan_header_size_max], uint8_t *header_size,
    uint8_t *covered, const samara_6lowpan_hop *hop, const uint8_t *packet,
    size_t packet_size);

/* Makes the packet of an undivided payload.
 *
 * On error packet_size is 0, and `packet` has nothing that may be used. */
SAMARA_MUST_CHECK samara_6lowpan_result samara_6lowpan_decompress(
    uint8_t packet[samara_6lowpan_packet_size_max], size_t *packet_size,
    const samara_6lowpan_hop *hop, const uint8_t *payload, size_t payload_size);

/* The payloads of one packet, one after another. */
typedef struct samara_6lowpan_sender {
  const uint8_t *packet; /* the caller's, unchanged until the last payload */
  uint16_t packet_size;
  uint16_t offset; /* bytes of the packet that have been sent */
  uint16_t payload_size;
  uint16_t tag;
  uint8_t header[samara_6lowpan_header_size_max];
  uint8_t header_size;
  uint8_t covered;
} samara_6lowpan_sender;

/* Begins to send a packet in payloads of at most `payload_size` bytes. `tag`
 * tells the fragments of packets apart: count it up for each packet.
 *
 * SAMARA_6LOWPAN_ERROR_PACKET or ..._SIZE; then there is nothing to send. */
SAMARA_MUST_CHECK samara_6lowpan_result
samara_6lowpan_send(samara_6lowpan_sender *sender,
                    const samara_6lowpan_hop *hop, const uint8_t *packet,
                    size_t packet_size, uint16_t tag, size_t payload_size);

/* Writes the next payload: false when there is none. */
bool samara_6lowpan_next(samara_6lowpan_sender *sender, uint8_t *payload,
                         size_t *payload_size);

/* A packet that is being put together. */
typedef struct samara_6lowpan_slot {
  samara_6lowpan_address source;
  samara_6lowpan_address destination;
  uint32_t begun; /* ms: when its first fragment came */
  uint16_t tag;
  uint16_t size;        /* of the packet; 0: the slot is free */
  uint16_t missing;     /* bytes */
  uint16_t checksum_at; /* of UDP, where it is to be made; 0: nowhere */
  uint8_t there[samara_6lowpan_packet_size_max / 8 / 8]; /* a bit for 8 bytes */
  uint8_t packet[samara_6lowpan_packet_size_max];
} samara_6lowpan_slot;

typedef struct samara_6lowpan_receiver {
  samara_6lowpan_slot *slots;
  uint8_t slot_count;
  uint8_t slots_each;   /* slots that one neighbour may have */
  uint32_t lifetime_ms; /* of a packet that is not complete; RFC: <= 60,000 */
  uint8_t *packet;      /* 1280 bytes, for headers and undivided packets */
  uint32_t expired;     /* packets that were given up; wraps */
} samara_6lowpan_receiver;

/* Starts a receiver with all slots free; slots_each is at least 1. Where there
 * are as many slots as neighbours times slots_each, no neighbour can keep
 * another from being heard. A neighbour that begins more packets than it has
 * slots loses its oldest one. */
void samara_6lowpan_receiver_init(samara_6lowpan_receiver *receiver,
                                  samara_6lowpan_slot *slots,
                                  uint8_t slot_count, uint8_t slots_each,
                                  uint32_t lifetime_ms, uint8_t *packet);

/* Wipes all packets, complete or not; the settings stay. */
void samara_6lowpan_receiver_wipe(samara_6lowpan_receiver *receiver);

typedef struct samara_6lowpan_event {
  const uint8_t *packet; /* NULL: none is complete. Valid until the next call */
  size_t packet_size;
} samara_6lowpan_event;

/* Takes the payload of one frame. `now_ms` is any clock that counts up and may
 * wrap. A fragment that was received before is ignored. */
SAMARA_MUST_CHECK samara_6lowpan_result samara_6lowpan_receive(
    samara_6lowpan_receiver *receiver, samara_6lowpan_event *event,
    const samara_6lowpan_hop *hop, const uint8_t *payload, size_t payload_size,
    uint32_t now_ms);

#ifdef __cplusplus
}
#endif

#endif
