/* SPDX-License-Identifier: Apache-2.0 */
#include "6lowpan/header.h"

samara_6lowpan_result samara_6lowpan_send(samara_6lowpan_sender *sender,
                                          const samara_6lowpan_hop *hop,
                                          const uint8_t *packet,
                                          size_t packet_size, uint16_t tag,
                                          size_t payload_size) {
  if (packet_size > samara_6lowpan_packet_size_max ||
      payload_size < samara_6lowpan_payload_size_min) {
    return SAMARA_6LOWPAN_ERROR_SIZE;
  }
  *sender = (samara_6lowpan_sender){.packet = packet, .tag = tag};
  const samara_6lowpan_result result =
      samara_6lowpan_compress(sender->header, &sender->header_size,
                              &sender->covered, hop, packet, packet_size);
  if (result == SAMARA_6LOWPAN_OK) {
    sender->packet_size = (uint16_t)packet_size;
    sender->payload_size =
        payload_size < UINT16_MAX ? (uint16_t)payload_size : UINT16_MAX;
  }
  return result;
}

/* Appends a part of the packet to a payload. */
static void fragment_append(samara_6lowpan_sender *sender, uint8_t *payload,
                            size_t *payload_size, uint16_t size) {
  samara_copy_bytes(payload + *payload_size, sender->packet + sender->offset,
                    size);
  sender->offset = (uint16_t)(sender->offset + size);
  *payload_size += size;
}

/* Bytes of the packet that fit: all that is left, or a multiple of 8 with the
 * `covered` bytes that a header in front of them stands for. */
static uint16_t fragment_part(const samara_6lowpan_sender *sender,
                              size_t headers_size, uint16_t covered) {
  const uint16_t left = (uint16_t)(sender->packet_size - sender->offset);
  const uint16_t room = (uint16_t)(sender->payload_size - headers_size);
  if (left <= room) {
    return left;
  }
  return (uint16_t)(((room + covered) & ~7u) - covered);
}

static void fragment_header(const samara_6lowpan_sender *sender,
                            uint8_t *payload, uint8_t kind) {
  lowpan_store16(payload, sender->packet_size);
  payload[0] |= kind;
  lowpan_store16(payload + 2, sender->tag);
}

bool samara_6lowpan_next(samara_6lowpan_sender *sender, uint8_t *payload,
                         size_t *payload_size) {
  *payload_size = 0;
  if (sender->offset == sender->packet_size) {
    return false;
  }
  if (sender->offset != 0) {
    fragment_header(sender, payload, lowpan_later);
    payload[4] = (uint8_t)(sender->offset / 8);
    *payload_size = lowpan_later_size;
    fragment_append(sender, payload, payload_size,
                    fragment_part(sender, lowpan_later_size, 0));
    return true;
  }
  const size_t whole =
      (size_t)sender->header_size + sender->packet_size - sender->covered;
  if (whole > sender->payload_size) {
    fragment_header(sender, payload, lowpan_first);
    *payload_size = lowpan_first_size;
  }
  samara_copy_bytes(payload + *payload_size, sender->header,
                    sender->header_size);
  *payload_size += sender->header_size;
  sender->offset = sender->covered;
  fragment_append(sender, payload, payload_size,
                  fragment_part(sender, *payload_size, sender->covered));
  return true;
}
