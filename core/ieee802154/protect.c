/* SPDX-License-Identifier: Apache-2.0 */
#include "ieee802154/layout.h"
#include "ieee802154/tables.h"

#include "common/bytes.h"

/* Only what we may send in our own name has a nonce of ours. */
static bool ieee802154_is_ours(const samara_ieee802154_security *security,
                               const samara_ieee802154_address *source) {
  if (source->kind != SAMARA_IEEE802154_LONG) {
    return true;
  }
  for (unsigned i = 0; i < samara_ieee802154_address_size; i++) {
    if (source->long_address[i] != security->address[i]) {
      return false;
    }
  }
  return true;
}

/* A nonce of the ASN has the short address in it: one that belongs to nobody
 * in particular would give two senders the same nonce in the same slot. */
static bool ieee802154_shares_source(const samara_ieee802154_step *step) {
  return (step->key->flags & SAMARA_IEEE802154_KEY_ASN) != 0 &&
         step->frame->source.kind == SAMARA_IEEE802154_SHORT &&
         step->frame->source.short_address >=
             samara_ieee802154_no_short_address;
}

/* The frame counter lies in front of the key identifier, which ends the header.
 */
static void ieee802154_put_counter(uint8_t *bytes,
                                   const samara_ieee802154_frame *frame,
                                   uint32_t counter) {
  static const uint8_t identifier_sizes[] = {0, 1, 5, 9};
  const uint8_t mode = samara_ieee802154_key_id_mode(frame);
  samara_store32_le(bytes + frame->header_size - identifier_sizes[mode] - 4,
                    counter);
}

/* The key that is to send, and the counter or ASN that is to be used up. */
static samara_ieee802154_result
ieee802154_prepare(samara_ieee802154_security *security,
                   samara_ieee802154_step *step,
                   const samara_ieee802154_context *context) {
  const uint8_t place = samara_ieee802154_find_key(
      security, step->frame,
      samara_ieee802154_find_device(security, &step->frame->destination));
  if (place == samara_ieee802154_no_place) {
    return SAMARA_IEEE802154_ERROR_NO_KEY;
  }
  step->key = &security->keys[place];
  if (step->key->role != SAMARA_IEEE802154_KEY_CURRENT) {
    return SAMARA_IEEE802154_ERROR_KEY_ROLE;
  }
  if (!ieee802154_is_ours(security, &step->frame->source)) {
    return SAMARA_IEEE802154_ERROR_SOURCE;
  }
  samara_ieee802154_result result = samara_ieee802154_check_key(step);
  if (result != SAMARA_IEEE802154_OK) {
    return result;
  }
  if (ieee802154_shares_source(step)) {
    return SAMARA_IEEE802154_ERROR_SOURCE;
  }
  step->counter = step->key->next;
  result = samara_ieee802154_take_asn(step, context);
  if (result != SAMARA_IEEE802154_OK) {
    return result;
  }
  if (samara_ieee802154_below(step->counter, step->key->next)) {
    return SAMARA_IEEE802154_ERROR_ASN_USED;
  }
  /* Before the cipher is called: whatever happens to it, this nonce is gone. */
  security->keys[place].next = samara_ieee802154_after(step->counter);
  return SAMARA_IEEE802154_OK;
}

static samara_ieee802154_result
ieee802154_check_form(const samara_ieee802154_frame *frame) {
  if ((frame->control & SAMARA_IEEE802154_SECURITY) == 0) {
    return SAMARA_IEEE802154_ERROR_UNSECURED;
  }
  return samara_ieee802154_has_security_header(frame)
             ? SAMARA_IEEE802154_OK
             : SAMARA_IEEE802154_ERROR_LEGACY_SECURITY;
}

samara_ieee802154_result
samara_ieee802154_protect(samara_ieee802154_security *security,
                          size_t *protected_size,
                          const samara_ieee802154_context *context,
                          uint8_t *bytes, size_t size, size_t room) {
  samara_ieee802154_frame frame;
  *protected_size = 0;
  samara_ieee802154_result result =
      samara_ieee802154_parse_unprotected(&frame, bytes, size);
  if (result == SAMARA_IEEE802154_OK) {
    result = ieee802154_check_form(&frame);
  }
  if (result != SAMARA_IEEE802154_OK) {
    return result;
  }
  samara_ieee802154_step step = {
      .bytes = bytes,
      .frame = &frame,
      .sender = security->address,
      .source_pan = samara_ieee802154_source_pan(security, &frame),
      .level = samara_ieee802154_level(&frame)};
  const size_t whole = size + samara_ieee802154_mic_size(step.level);
  if (whole > room) {
    return SAMARA_IEEE802154_ERROR_NO_ROOM;
  }
  if (whole > samara_ieee802154_size_max) {
    return SAMARA_IEEE802154_ERROR_FRAME_SIZE;
  }
  if (step.level != SAMARA_IEEE802154_NONE) {
    result = ieee802154_prepare(security, &step, context);
    if (result != SAMARA_IEEE802154_OK) {
      return result;
    }
    if ((step.key->flags & SAMARA_IEEE802154_KEY_ASN) == 0) {
      ieee802154_put_counter(bytes, &frame, step.counter.low);
    }
    result = samara_ieee802154_run(&step, false);
  }
  if (result == SAMARA_IEEE802154_OK) {
    *protected_size = whole;
  }
  return result;
}
