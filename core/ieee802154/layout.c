/* SPDX-License-Identifier: Apache-2.0 */
#include "ieee802154/layout.h"

uint8_t samara_ieee802154_type(const samara_ieee802154_frame *frame) {
  return frame->control & 7;
}

uint16_t samara_ieee802154_version(const samara_ieee802154_frame *frame) {
  return frame->control & 0x3000;
}

uint8_t samara_ieee802154_level(const samara_ieee802154_frame *frame) {
  return samara_ieee802154_has_security_header(frame)
             ? frame->security_control & 7
             : SAMARA_IEEE802154_NONE;
}

uint8_t samara_ieee802154_key_id_mode(const samara_ieee802154_frame *frame) {
  return frame->security_control >> 3 & 3;
}

uint8_t samara_ieee802154_mic_size(uint8_t level) {
  static const uint8_t sizes[] = {0, 4, 8, 16};
  return sizes[level & 3];
}

uint8_t samara_ieee802154_key_source_size(uint8_t mode) {
  static const uint8_t sizes[] = {0, 0, 4, 8};
  return sizes[mode & 3];
}

bool samara_ieee802154_has_security_header(
    const samara_ieee802154_frame *frame) {
  return (frame->control & SAMARA_IEEE802154_SECURITY) != 0 &&
         samara_ieee802154_version(frame) != SAMARA_IEEE802154_2003;
}

bool samara_ieee802154_has_elements(const samara_ieee802154_frame *frame) {
  return (frame->control & SAMARA_IEEE802154_ELEMENTS) != 0 &&
         samara_ieee802154_version(frame) == SAMARA_IEEE802154_2015;
}

bool samara_ieee802154_has_sequence(const samara_ieee802154_frame *frame) {
  return (frame->control & SAMARA_IEEE802154_NO_SEQUENCE) == 0 ||
         samara_ieee802154_version(frame) != SAMARA_IEEE802154_2015;
}

static bool ieee802154_knows_kind(uint8_t kind) {
  return kind == SAMARA_IEEE802154_ABSENT || kind == SAMARA_IEEE802154_SHORT ||
         kind == SAMARA_IEEE802154_LONG;
}

samara_ieee802154_result
samara_ieee802154_check_control(const samara_ieee802154_frame *frame) {
  static const int8_t refusals[] = {SAMARA_IEEE802154_ERROR_RESERVED_TYPE,
                                    SAMARA_IEEE802154_ERROR_MULTIPURPOSE,
                                    SAMARA_IEEE802154_ERROR_FRAGMENT,
                                    SAMARA_IEEE802154_ERROR_EXTENDED};
  const uint8_t type = samara_ieee802154_type(frame);
  if (type > SAMARA_IEEE802154_COMMAND) {
    return (samara_ieee802154_result)refusals[type - 4];
  }
  if (samara_ieee802154_version(frame) == 0x3000) {
    return SAMARA_IEEE802154_ERROR_VERSION;
  }
  if (!ieee802154_knows_kind(frame->destination.kind) ||
      !ieee802154_knows_kind(frame->source.kind)) {
    return SAMARA_IEEE802154_ERROR_ADDRESS_MODE;
  }
  /* One of 2015 is a frame like any other ("enhanced"). */
  if (type == SAMARA_IEEE802154_ACKNOWLEDGEMENT &&
      samara_ieee802154_version(frame) != SAMARA_IEEE802154_2015 &&
      ((frame->control & SAMARA_IEEE802154_SECURITY) != 0 ||
       frame->destination.kind != SAMARA_IEEE802154_ABSENT ||
       frame->source.kind != SAMARA_IEEE802154_ABSENT)) {
    return SAMARA_IEEE802154_ERROR_ACKNOWLEDGEMENT;
  }
  return SAMARA_IEEE802154_OK;
}

/* Which PANs there are where only one address, or none, is present. */
static void ieee802154_place_pans_2015(samara_ieee802154_frame *frame,
                                       bool compressed) {
  samara_ieee802154_address *to = &frame->destination;
  samara_ieee802154_address *from = &frame->source;
  if (to->kind == SAMARA_IEEE802154_ABSENT) {
    /* Without any address, the bit says that there is a PAN. */
    const bool alone = from->kind == SAMARA_IEEE802154_ABSENT;
    to->has_pan = alone && compressed;
    from->has_pan = !alone && !compressed;
  } else if (from->kind == SAMARA_IEEE802154_ABSENT ||
             (to->kind == SAMARA_IEEE802154_LONG &&
              from->kind == SAMARA_IEEE802154_LONG)) {
    to->has_pan = !compressed;
    from->has_pan = false;
  } else {
    to->has_pan = true;
    from->has_pan = !compressed;
  }
}

samara_ieee802154_result
samara_ieee802154_place_pans(samara_ieee802154_frame *frame) {
  const bool compressed =
      (frame->control & SAMARA_IEEE802154_PAN_COMPRESSION) != 0;
  if (samara_ieee802154_version(frame) == SAMARA_IEEE802154_2015) {
    ieee802154_place_pans_2015(frame, compressed);
    return SAMARA_IEEE802154_OK;
  }
  const bool to = frame->destination.kind != SAMARA_IEEE802154_ABSENT;
  const bool from = frame->source.kind != SAMARA_IEEE802154_ABSENT;
  if (compressed && !(to && from)) {
    return SAMARA_IEEE802154_ERROR_PAN_COMPRESSION;
  }
  frame->destination.has_pan = to;
  frame->source.has_pan = from && !compressed;
  return SAMARA_IEEE802154_OK;
}
