/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_IEEE802154_TABLES_H
#define SAMARA_IEEE802154_TABLES_H

/* Looking up keys, devices and counters, and what protect and open share. */

#include <samara/ieee802154.h>

/* The place of a device by its address, or no_place. An address without a PAN
 * is in ours. */
uint8_t
samara_ieee802154_find_device(const samara_ieee802154_security *security,
                              const samara_ieee802154_address *address);

/* The place of the key that a frame names, for use with a device (or
 * no_place); no_place when there is none. */
uint8_t samara_ieee802154_find_key(const samara_ieee802154_security *security,
                                   const samara_ieee802154_frame *frame,
                                   uint8_t device);

/* The receive counter of a device and key. */
samara_ieee802154_counter *
samara_ieee802154_received(const samara_ieee802154_security *security,
                           uint8_t device, uint8_t key);

/* The PAN of a frame's source: its own, the destination's where that is left
 * out, or ours. */
uint16_t
samara_ieee802154_source_pan(const samara_ieee802154_security *security,
                             const samara_ieee802154_frame *frame);

/* Who sent a frame, or no_place. Inline: a device that accepts no late frames
 * does not pay for a call. */
static inline uint8_t
samara_ieee802154_find_sender(const samara_ieee802154_security *security,
                              const samara_ieee802154_frame *frame,
                              const samara_ieee802154_context *context) {
  samara_ieee802154_address source = frame->source;
  if (source.kind == SAMARA_IEEE802154_ABSENT) {
    const uint8_t told =
        context == NULL ? samara_ieee802154_no_place : context->device;
    return told < security->device_count && security->devices[told].used
               ? told
               : samara_ieee802154_no_place;
  }
  source.pan = samara_ieee802154_source_pan(security, frame);
  source.has_pan = true;
  return samara_ieee802154_find_device(security, &source);
}

/* Whether `left` is lower than `right`. */
bool samara_ieee802154_below(samara_ieee802154_counter left,
                             samara_ieee802154_counter right);

/* Whether a level's MIC is as long as another's, and it encrypts if that does.
 */
bool samara_ieee802154_suffices(uint8_t level, uint8_t minimum);

/* A frame between its parsing and its cipher. */
typedef struct samara_ieee802154_step {
  uint8_t *bytes;
  const samara_ieee802154_frame *frame;
  const samara_ieee802154_key *key;
  const uint8_t *sender; /* its extended address */
  uint16_t source_pan;   /* of a short source address */
  samara_ieee802154_counter counter;
  uint8_t level;
} samara_ieee802154_step;

/* Whether key and level go together: ENCRYPTION_ONLY, MIC_SIZE, NONCE_KIND. */
SAMARA_MUST_CHECK samara_ieee802154_result
samara_ieee802154_check_key(const samara_ieee802154_step *step);

/* The ASN of a frame whose nonce is made of it, which is not to be the last:
 * NO_ASN, COUNTER_END. */
SAMARA_MUST_CHECK samara_ieee802154_result samara_ieee802154_take_asn(
    samara_ieee802154_step *step, const samara_ieee802154_context *context);

samara_ieee802154_counter
samara_ieee802154_after(samara_ieee802154_counter counter);

/* Runs the cipher over a frame in place: its MIC lies, or is written, behind
 * the payload. */
SAMARA_MUST_CHECK samara_ieee802154_result
samara_ieee802154_run(const samara_ieee802154_step *step, bool opening);

#endif
