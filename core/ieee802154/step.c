/* SPDX-License-Identifier: Apache-2.0 */
#include "ieee802154/tables.h"

#include "common/bytes.h"
#include <samara/memory.h>

bool samara_ieee802154_suffices(uint8_t level, uint8_t minimum) {
  return (level & 3) >= (minimum & 3) && (level & 4) >= (minimum & 4);
}

static bool ieee802154_uses_asn(const samara_ieee802154_key *key) {
  return (key->flags & SAMARA_IEEE802154_KEY_ASN) != 0;
}

samara_ieee802154_result
samara_ieee802154_check_key(const samara_ieee802154_step *step) {
  const samara_ieee802154_key *key = step->key;
  /* The bit is reserved before 2015: then there is a counter. */
  const bool asn =
      samara_ieee802154_version(step->frame) == SAMARA_IEEE802154_2015 &&
      (step->frame->security_control & SAMARA_IEEE802154_NO_COUNTER) != 0;
  if (asn != ieee802154_uses_asn(key)) {
    return SAMARA_IEEE802154_ERROR_NONCE_KIND;
  }
  if (step->level == SAMARA_IEEE802154_ENC &&
      (key->flags & SAMARA_IEEE802154_KEY_ENCRYPTION_ONLY) == 0) {
    return SAMARA_IEEE802154_ERROR_ENCRYPTION_ONLY;
  }
  return samara_ieee802154_mic_size(step->level) > key->cipher->tag_size
             ? SAMARA_IEEE802154_ERROR_MIC_SIZE
             : SAMARA_IEEE802154_OK;
}

/* Whether a counter is the last one, or beyond. */
static bool ieee802154_at_end(const samara_ieee802154_key *key,
                              samara_ieee802154_counter counter) {
  const samara_ieee802154_counter last = {
      UINT32_MAX, ieee802154_uses_asn(key) ? UINT8_MAX : 0};
  return !samara_ieee802154_below(counter, last);
}

samara_ieee802154_result
samara_ieee802154_take_asn(samara_ieee802154_step *step,
                           const samara_ieee802154_context *context) {
  if (ieee802154_uses_asn(step->key)) {
    if (context == NULL || !context->has_asn) {
      return SAMARA_IEEE802154_ERROR_NO_ASN;
    }
    step->counter = context->asn;
  }
  return ieee802154_at_end(step->key, step->counter)
             ? SAMARA_IEEE802154_ERROR_COUNTER_END
             : SAMARA_IEEE802154_OK;
}

uint16_t
samara_ieee802154_source_pan(const samara_ieee802154_security *security,
                             const samara_ieee802154_frame *frame) {
  if (frame->source.has_pan) {
    return frame->source.pan;
  }
  /* Compressed: both are in one PAN. */
  return frame->destination.has_pan ? frame->destination.pan : security->pan;
}

/* The source of a nonce of the ASN where the frame's source address is short:
 * the company identifier of IEEE 802.15, a zero byte, PAN and short address
 * (9.3.2.2 of 2015). */
static void
ieee802154_put_short_source(uint8_t nonce[samara_ieee802154_address_size],
                            const samara_ieee802154_step *step) {
  nonce[0] = 0xba;
  nonce[1] = 0x55;
  nonce[2] = 0xec;
  nonce[3] = 0x00;
  nonce[4] = (uint8_t)(step->source_pan >> 8);
  nonce[5] = (uint8_t)step->source_pan;
  nonce[6] = (uint8_t)(step->frame->source.short_address >> 8);
  nonce[7] = (uint8_t)step->frame->source.short_address;
}

/* The sender, then frame counter and level, or the ASN: highest byte first. */
static void ieee802154_make_nonce(uint8_t nonce[samara_ieee802154_nonce_size],
                                  const samara_ieee802154_step *step) {
  if (ieee802154_uses_asn(step->key) &&
      step->frame->source.kind == SAMARA_IEEE802154_SHORT) {
    ieee802154_put_short_source(nonce, step);
  } else {
    samara_copy_bytes(nonce, step->sender, samara_ieee802154_address_size);
  }
  uint8_t *rest = nonce + samara_ieee802154_address_size;
  const uint32_t low = step->counter.low;
  if (ieee802154_uses_asn(step->key)) {
    *rest++ = step->counter.high;
  }
  *rest++ = (uint8_t)(low >> 24);
  *rest++ = (uint8_t)(low >> 16);
  *rest++ = (uint8_t)(low >> 8);
  *rest++ = (uint8_t)low;
  if (!ieee802154_uses_asn(step->key)) {
    *rest = step->level;
  }
}

samara_ieee802154_result
samara_ieee802154_run(const samara_ieee802154_step *step, bool opening) {
  const samara_ieee802154_frame *frame = step->frame;
  const samara_ieee802154_cipher *cipher = step->key->cipher;
  const size_t mic_size = samara_ieee802154_mic_size(step->level);
  const size_t mic_at = (size_t)frame->header_size + frame->elements_size +
                        frame->open_size + frame->payload_size;
  /* What is not encrypted is authenticated; they lie one behind the other. */
  const size_t text_size =
      (step->level & SAMARA_IEEE802154_ENC) != 0 ? frame->payload_size : 0;
  const size_t text_at = mic_at - text_size;
  uint8_t nonce[samara_ieee802154_nonce_size];
  ieee802154_make_nonce(nonce, step);
  const samara_result result =
      opening ? cipher->open(step->key->bytes, step->bytes + mic_at, mic_size,
                             nonce, step->bytes, text_at, step->bytes + text_at,
                             text_size)
              : cipher->seal(step->key->bytes, step->bytes + mic_at, mic_size,
                             nonce, step->bytes, text_at, step->bytes + text_at,
                             text_size);
  if (result == SAMARA_OK) {
    return SAMARA_IEEE802154_OK;
  }
  /* At levels 1 to 3 the payload is associated data, which no cipher clears. */
  samara_wipe(step->bytes + mic_at - frame->payload_size, frame->payload_size);
  return SAMARA_IEEE802154_ERROR_AUTHENTICATION;
}
