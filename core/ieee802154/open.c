/* SPDX-License-Identifier: Apache-2.0 */
#include "ieee802154/layout.h"
#include "ieee802154/tables.h"

/* Whether the frame is secured as is required of its sender. */
static samara_ieee802154_result
ieee802154_check_level(const samara_ieee802154_security *security,
                       const samara_ieee802154_opened *opened) {
  const samara_ieee802154_frame *frame = &opened->frame;
  const uint8_t *minimum = opened->device == samara_ieee802154_no_place
                               ? security->minimum
                               : security->devices[opened->device].minimum;
  const uint8_t required = minimum[samara_ieee802154_type(frame)];
  if ((frame->control & SAMARA_IEEE802154_SECURITY) != 0 &&
      !samara_ieee802154_has_security_header(frame)) {
    return SAMARA_IEEE802154_ERROR_LEGACY_SECURITY;
  }
  if (samara_ieee802154_suffices(opened->level, required)) {
    return SAMARA_IEEE802154_OK;
  }
  return opened->level == SAMARA_IEEE802154_NONE
             ? SAMARA_IEEE802154_ERROR_UNSECURED
             : SAMARA_IEEE802154_ERROR_LEVEL;
}

/* The key that the frame names, and its counter or the ASN. */
static samara_ieee802154_result
ieee802154_look_up(const samara_ieee802154_security *security,
                   samara_ieee802154_opened *opened,
                   samara_ieee802154_step *step,
                   const samara_ieee802154_context *context) {
  if (opened->device == samara_ieee802154_no_place) {
    return SAMARA_IEEE802154_ERROR_NO_DEVICE;
  }
  step->sender = security->devices[opened->device].address;
  step->source_pan = samara_ieee802154_source_pan(security, step->frame);
  opened->key =
      samara_ieee802154_find_key(security, step->frame, opened->device);
  if (opened->key == samara_ieee802154_no_place) {
    return SAMARA_IEEE802154_ERROR_NO_KEY;
  }
  step->key = &security->keys[opened->key];
  const samara_ieee802154_result result = samara_ieee802154_check_key(step);
  if (result != SAMARA_IEEE802154_OK) {
    return result;
  }
  step->counter.low = step->frame->frame_counter;
  return samara_ieee802154_take_asn(step, context);
}

static samara_ieee802154_result
ieee802154_open_secured(samara_ieee802154_security *security, uint8_t *bytes,
                        samara_ieee802154_opened *opened,
                        const samara_ieee802154_context *context) {
  samara_ieee802154_step step = {
      .bytes = bytes, .frame = &opened->frame, .level = opened->level};
  samara_ieee802154_result result =
      ieee802154_look_up(security, opened, &step, context);
  if (result != SAMARA_IEEE802154_OK) {
    return result;
  }
  samara_ieee802154_counter *received =
      samara_ieee802154_received(security, opened->device, opened->key);
  if (samara_ieee802154_below(step.counter, *received)) {
    return SAMARA_IEEE802154_ERROR_REPLAY;
  }
  result = samara_ieee802154_run(&step, true);
  /* Nothing above changed the state. A frame without a MIC never does. */
  if (result == SAMARA_IEEE802154_OK && step.level != SAMARA_IEEE802154_ENC) {
    *received = samara_ieee802154_after(step.counter);
  }
  return result;
}

samara_ieee802154_result samara_ieee802154_open(
    samara_ieee802154_security *security, samara_ieee802154_opened *opened,
    const samara_ieee802154_context *context, uint8_t *bytes, size_t size) {
  samara_ieee802154_result result =
      samara_ieee802154_parse(&opened->frame, bytes, size);
  if (result != SAMARA_IEEE802154_OK) {
    return result;
  }
  opened->level = samara_ieee802154_level(&opened->frame);
  opened->key = samara_ieee802154_no_place;
  opened->device =
      samara_ieee802154_find_sender(security, &opened->frame, context);
  result = ieee802154_check_level(security, opened);
  if (result != SAMARA_IEEE802154_OK ||
      opened->level == SAMARA_IEEE802154_NONE) {
    return result;
  }
  return ieee802154_open_secured(security, bytes, opened, context);
}

/* Whether two addresses are the same, as far as they can be compared. */
static bool ieee802154_may_be(const samara_ieee802154_address *left,
                              const samara_ieee802154_address *right) {
  if (left->kind != right->kind || left->kind == SAMARA_IEEE802154_ABSENT) {
    return true;
  }
  if (left->kind == SAMARA_IEEE802154_SHORT) {
    return left->short_address == right->short_address;
  }
  for (unsigned i = 0; i < samara_ieee802154_address_size; i++) {
    if (left->long_address[i] != right->long_address[i]) {
      return false;
    }
  }
  return true;
}

samara_ieee802154_result
samara_ieee802154_acknowledges(const samara_ieee802154_frame *sent,
                               const samara_ieee802154_frame *acknowledgement) {
  if (samara_ieee802154_type(acknowledgement) !=
          SAMARA_IEEE802154_ACKNOWLEDGEMENT ||
      samara_ieee802154_has_sequence(sent) !=
          samara_ieee802154_has_sequence(acknowledgement) ||
      sent->sequence != acknowledgement->sequence ||
      !ieee802154_may_be(&acknowledgement->source, &sent->destination) ||
      !ieee802154_may_be(&acknowledgement->destination, &sent->source)) {
    return SAMARA_IEEE802154_ERROR_OTHER_FRAME;
  }
  if (samara_ieee802154_version(sent) != SAMARA_IEEE802154_2015 ||
      samara_ieee802154_suffices(samara_ieee802154_level(acknowledgement),
                                 samara_ieee802154_level(sent))) {
    return SAMARA_IEEE802154_OK;
  }
  return samara_ieee802154_level(acknowledgement) == SAMARA_IEEE802154_NONE
             ? SAMARA_IEEE802154_ERROR_UNSECURED
             : SAMARA_IEEE802154_ERROR_LEVEL;
}
