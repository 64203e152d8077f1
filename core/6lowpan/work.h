/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_6LOWPAN_WORK_H
#define SAMARA_6LOWPAN_WORK_H

/* What is left of a payload, and the packet that grows from it. Every read and
 * every write asks for its bytes first. Without them nothing is done, and
 * `failed` says why. */

#include "6lowpan/header.h"

typedef struct lowpan_work {
  const uint8_t *in;
  size_t in_size;
  uint8_t *out; /* 1280 bytes */
  size_t out_size;
  size_t udp_at; /* where a compressed header of UDP begins; 0: there is none */
  bool has_no_checksum;
  bool has_route; /* a routing header: the destination is not the last one */
  samara_6lowpan_result failed;
} lowpan_work;

/* Keeps the first reason; false, to be returned. */
SAMARA_INLINE bool samara_6lowpan_fail(lowpan_work *work,
                                       samara_6lowpan_result result) {
  if (work->failed == SAMARA_6LOWPAN_OK) {
    work->failed = result;
  }
  return false;
}

/* The next bytes of the payload, or NULL. */
SAMARA_INLINE const uint8_t *samara_6lowpan_take(lowpan_work *work,
                                                 size_t size) {
  const uint8_t *taken = work->in;
  if (work->in_size < size) {
    (void)samara_6lowpan_fail(work, SAMARA_6LOWPAN_ERROR_TRUNCATED);
    return NULL;
  }
  work->in += size;
  work->in_size -= size;
  return taken;
}

/* Room for more bytes of the packet, or NULL. */
SAMARA_INLINE uint8_t *samara_6lowpan_room(lowpan_work *work, size_t size) {
  uint8_t *room = work->out + work->out_size;
  if (samara_6lowpan_packet_size_max - work->out_size < size) {
    (void)samara_6lowpan_fail(work, SAMARA_6LOWPAN_ERROR_SIZE);
    return NULL;
  }
  work->out_size += size;
  return room;
}

/* The compressed headers behind the header of IPv6. */
bool samara_6lowpan_next_headers(lowpan_work *work);

/* The begin of a packet of packet_size bytes (0: of as many as the payload
 * gives). *checksum_at is where UDP begins if its checksum is to be made. */
SAMARA_MUST_CHECK samara_6lowpan_result
samara_6lowpan_expand(uint8_t *packet, size_t *written, size_t *checksum_at,
                      const samara_6lowpan_hop *hop, const uint8_t *payload,
                      size_t payload_size, size_t packet_size);

/* Writes the checksum of UDP (RFC 8200, 8.1), which was left out. */
void samara_6lowpan_add_checksum(uint8_t *packet, size_t packet_size,
                                 size_t udp_at);

#endif
