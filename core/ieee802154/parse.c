/* SPDX-License-Identifier: Apache-2.0 */
#include "ieee802154/layout.h"

#include "common/bytes.h"

/* Reads forward. Past the end there are zeros, and it is remembered that
 * something was missing: so a field is read in a line, and looked at once. */
typedef struct ieee802154_reader {
  const uint8_t *bytes;
  size_t size;
  size_t offset;
  bool truncated;
} ieee802154_reader;

static uint8_t ieee802154_read8(ieee802154_reader *reader) {
  if (reader->offset == reader->size) {
    reader->truncated = true;
    return 0;
  }
  return reader->bytes[reader->offset++];
}

static uint16_t ieee802154_read16(ieee802154_reader *reader) {
  const uint8_t low = ieee802154_read8(reader);
  return (uint16_t)(low | (uint16_t)ieee802154_read8(reader) << 8);
}

static uint32_t ieee802154_read32(ieee802154_reader *reader) {
  const uint16_t low = ieee802154_read16(reader);
  return low | (uint32_t)ieee802154_read16(reader) << 16;
}

static void ieee802154_skip(ieee802154_reader *reader, size_t size) {
  const size_t left = reader->size - reader->offset;
  reader->truncated |= size > left;
  reader->offset += size > left ? left : size;
}

static void ieee802154_read_address(ieee802154_reader *reader,
                                    samara_ieee802154_address *address) {
  if (address->has_pan) {
    address->pan = ieee802154_read16(reader);
  }
  if (address->kind == SAMARA_IEEE802154_SHORT) {
    address->short_address = ieee802154_read16(reader);
  } else if (address->kind == SAMARA_IEEE802154_LONG) {
    for (unsigned i = 0; i < samara_ieee802154_address_size; i++) {
      address->long_address[samara_ieee802154_address_size - 1 - i] =
          ieee802154_read8(reader);
    }
  }
}

static samara_ieee802154_result
ieee802154_read_security(ieee802154_reader *reader,
                         samara_ieee802154_frame *frame) {
  frame->security_control = ieee802154_read8(reader);
  uint8_t flags = frame->security_control;
  if (samara_ieee802154_version(frame) != SAMARA_IEEE802154_2015) {
    flags = 0; /* reserved until 2015 */
  }
  if ((flags & SAMARA_IEEE802154_NO_COUNTER) == 0) {
    if ((flags & SAMARA_IEEE802154_ASN_IN_NONCE) != 0) {
      return SAMARA_IEEE802154_ERROR_SECURITY_CONTROL;
    }
    frame->frame_counter = ieee802154_read32(reader);
  }
  const uint8_t mode = samara_ieee802154_key_id_mode(frame);
  const uint8_t source_size = samara_ieee802154_key_source_size(mode);
  for (uint8_t i = 0; i < sizeof frame->key_source && i < source_size; i++) {
    frame->key_source[i] = ieee802154_read8(reader);
  }
  if (mode != 0) {
    frame->key_index = ieee802154_read8(reader);
  }
  return SAMARA_IEEE802154_OK;
}

static samara_ieee802154_result
ieee802154_read_header(ieee802154_reader *reader,
                       samara_ieee802154_frame *frame) {
  samara_zero_bytes((uint8_t *)frame, sizeof *frame);
  frame->control = ieee802154_read16(reader);
  if (reader->truncated) {
    return SAMARA_IEEE802154_ERROR_TRUNCATED;
  }
  frame->destination.kind = (uint8_t)(frame->control >> 10 & 3);
  frame->source.kind = (uint8_t)(frame->control >> 14 & 3);
  samara_ieee802154_result result = samara_ieee802154_check_control(frame);
  if (result == SAMARA_IEEE802154_OK) {
    result = samara_ieee802154_place_pans(frame);
  }
  if (result != SAMARA_IEEE802154_OK) {
    return result;
  }
  if (samara_ieee802154_has_sequence(frame)) {
    frame->sequence = ieee802154_read8(reader);
  }
  ieee802154_read_address(reader, &frame->destination);
  ieee802154_read_address(reader, &frame->source);
  if (samara_ieee802154_has_security_header(frame)) {
    result = ieee802154_read_security(reader, frame);
  }
  frame->header_size = (uint16_t)reader->offset;
  if (reader->truncated) {
    return SAMARA_IEEE802154_ERROR_TRUNCATED;
  }
  return result;
}

/* The list ends with a termination, or where the frame has nothing else. */
static samara_ieee802154_result
ieee802154_read_elements(ieee802154_reader *reader,
                         samara_ieee802154_frame *frame) {
  const uint8_t *list = reader->bytes + reader->offset;
  const size_t size = reader->size - reader->offset;
  size_t offset = 0;
  bool ended = false;
  while (offset < size && !ended) {
    samara_ieee802154_element element;
    const samara_ieee802154_result result =
        samara_ieee802154_header_element(&element, list, size, &offset);
    if (result != SAMARA_IEEE802154_OK) {
      return result;
    }
    frame->payload_elements =
        element.id == SAMARA_IEEE802154_HEADER_TERMINATION_1;
    ended = frame->payload_elements ||
            element.id == SAMARA_IEEE802154_HEADER_TERMINATION_2;
  }
  frame->elements_size = (uint16_t)offset;
  reader->offset += offset;
  return SAMARA_IEEE802154_OK;
}

/* Superframe specification, guaranteed time slots, pending addresses (7.2.2.1
 * of 2006). */
static void ieee802154_skip_beacon(ieee802154_reader *reader) {
  ieee802154_skip(reader, 2);
  const uint8_t slots = ieee802154_read8(reader) & 7;
  ieee802154_skip(reader, slots == 0 ? 0 : 1 + 3 * (size_t)slots);
  const uint8_t pending = ieee802154_read8(reader);
  ieee802154_skip(reader,
                  2 * (size_t)(pending & 7) + 8 * (size_t)(pending >> 4 & 7));
}

/* What is never encrypted. Frames of 2015 have no such part. */
static samara_ieee802154_result
ieee802154_read_open(ieee802154_reader *reader,
                     samara_ieee802154_frame *frame) {
  const size_t begin = reader->offset;
  const uint8_t type = samara_ieee802154_type(frame);
  if (type == SAMARA_IEEE802154_COMMAND && reader->offset == reader->size) {
    return SAMARA_IEEE802154_ERROR_COMMAND;
  }
  if (samara_ieee802154_version(frame) == SAMARA_IEEE802154_2015) {
    return SAMARA_IEEE802154_OK;
  }
  if (type == SAMARA_IEEE802154_BEACON) {
    ieee802154_skip_beacon(reader);
  } else if (type == SAMARA_IEEE802154_COMMAND) {
    ieee802154_skip(reader, 1);
  } else if (type == SAMARA_IEEE802154_ACKNOWLEDGEMENT &&
             reader->offset != reader->size) {
    return SAMARA_IEEE802154_ERROR_ACKNOWLEDGEMENT;
  }
  frame->open_size = (uint16_t)(reader->offset - begin);
  return reader->truncated ? SAMARA_IEEE802154_ERROR_TRUNCATED
                           : SAMARA_IEEE802154_OK;
}

static samara_ieee802154_result
ieee802154_parse_as(samara_ieee802154_frame *frame, const uint8_t *bytes,
                    size_t size, bool without_mic) {
  if (size > samara_ieee802154_size_max) {
    return SAMARA_IEEE802154_ERROR_FRAME_SIZE;
  }
  ieee802154_reader reader = {bytes, size, 0, false};
  samara_ieee802154_result result = ieee802154_read_header(&reader, frame);
  if (result != SAMARA_IEEE802154_OK) {
    return result;
  }
  if (!without_mic) {
    frame->mic_size =
        samara_ieee802154_mic_size(samara_ieee802154_level(frame));
  }
  if (frame->mic_size > reader.size - reader.offset) {
    return SAMARA_IEEE802154_ERROR_TRUNCATED;
  }
  reader.size -= frame->mic_size;
  if (samara_ieee802154_has_elements(frame)) {
    result = ieee802154_read_elements(&reader, frame);
  }
  const bool opaque = (frame->control & SAMARA_IEEE802154_SECURITY) != 0 &&
                      !samara_ieee802154_has_security_header(frame);
  if (result == SAMARA_IEEE802154_OK && !opaque) {
    result = ieee802154_read_open(&reader, frame);
  }
  frame->payload_size = (uint16_t)(reader.size - reader.offset);
  return result;
}

samara_ieee802154_result samara_ieee802154_parse(samara_ieee802154_frame *frame,
                                                 const uint8_t *bytes,
                                                 size_t size) {
  return ieee802154_parse_as(frame, bytes, size, false);
}

samara_ieee802154_result
samara_ieee802154_parse_unprotected(samara_ieee802154_frame *frame,
                                    const uint8_t *bytes, size_t size) {
  return ieee802154_parse_as(frame, bytes, size, true);
}
