/* SPDX-License-Identifier: Apache-2.0 */
#include "ieee802154/layout.h"

#include "common/bytes.h"

/* Writes forward, and past the end nothing: `offset` then tells what would have
 * been needed. */
typedef struct ieee802154_writer {
  uint8_t *bytes;
  size_t room;
  size_t offset;
} ieee802154_writer;

static void ieee802154_write8(ieee802154_writer *writer, uint8_t byte) {
  if (writer->offset < writer->room) {
    writer->bytes[writer->offset] = byte;
  }
  writer->offset++;
}

static void ieee802154_write16(ieee802154_writer *writer, uint16_t word) {
  ieee802154_write8(writer, (uint8_t)word);
  ieee802154_write8(writer, (uint8_t)(word >> 8));
}

static void ieee802154_write_address(ieee802154_writer *writer,
                                     const samara_ieee802154_address *address) {
  if (address->has_pan) {
    ieee802154_write16(writer, address->pan);
  }
  if (address->kind == SAMARA_IEEE802154_SHORT) {
    ieee802154_write16(writer, address->short_address);
  } else if (address->kind == SAMARA_IEEE802154_LONG) {
    for (unsigned i = samara_ieee802154_address_size; i-- > 0;) {
      ieee802154_write8(writer, address->long_address[i]);
    }
  }
}

static samara_ieee802154_result
ieee802154_write_security(ieee802154_writer *writer,
                          const samara_ieee802154_frame *frame) {
  const uint8_t mode = samara_ieee802154_key_id_mode(frame);
  uint8_t flags = frame->security_control;
  if (samara_ieee802154_version(frame) != SAMARA_IEEE802154_2015) {
    flags = 0;
  }
  ieee802154_write8(writer, frame->security_control);
  if ((flags & SAMARA_IEEE802154_NO_COUNTER) == 0) {
    if ((flags & SAMARA_IEEE802154_ASN_IN_NONCE) != 0) {
      return SAMARA_IEEE802154_ERROR_SECURITY_CONTROL;
    }
    ieee802154_write16(writer, (uint16_t)frame->frame_counter);
    ieee802154_write16(writer, (uint16_t)(frame->frame_counter >> 16));
  }
  const uint8_t source_size = samara_ieee802154_key_source_size(mode);
  for (uint8_t i = 0; i < source_size; i++) {
    ieee802154_write8(writer, frame->key_source[i]);
  }
  if (mode != 0) {
    ieee802154_write8(writer, frame->key_index);
  }
  return SAMARA_IEEE802154_OK;
}

static uint16_t ieee802154_control(const samara_ieee802154_frame *frame) {
  return (uint16_t)((frame->control & 0x33ff) |
                    (uint16_t)frame->destination.kind << 10 |
                    (uint16_t)frame->source.kind << 14);
}

samara_ieee802154_result
samara_ieee802154_write_header(const samara_ieee802154_frame *frame,
                               uint8_t *bytes, size_t room, size_t *size) {
  samara_ieee802154_frame placed = *frame;
  *size = 0;
  samara_ieee802154_result result = samara_ieee802154_check_control(frame);
  if (result == SAMARA_IEEE802154_OK) {
    result = samara_ieee802154_place_pans(&placed);
  }
  if (result != SAMARA_IEEE802154_OK) {
    return result;
  }
  ieee802154_writer writer = {bytes, room, 0};
  ieee802154_write16(&writer, ieee802154_control(frame));
  if (samara_ieee802154_has_sequence(frame)) {
    ieee802154_write8(&writer, frame->sequence);
  }
  ieee802154_write_address(&writer, &placed.destination);
  ieee802154_write_address(&writer, &placed.source);
  if (samara_ieee802154_has_security_header(frame)) {
    result = ieee802154_write_security(&writer, frame);
  }
  if (result == SAMARA_IEEE802154_OK && writer.offset > room) {
    result = SAMARA_IEEE802154_ERROR_NO_ROOM;
  }
  if (result == SAMARA_IEEE802154_OK) {
    *size = writer.offset;
  }
  return result;
}
