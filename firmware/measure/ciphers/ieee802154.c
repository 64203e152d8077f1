/* SPDX-License-Identifier: Apache-2.0 */
/* Frame security of IEEE 802.15.4 with one cipher: seal protects a frame where
 * it lies, open opens it, and set_up fills the tables. The job's associated
 * data is the frame's header: a data frame whose two addresses are both short
 * (the source is 1) or both extended, with any level but 0 and any key id mode.
 * The job's nonce is what the header and the device table must lead to. The
 * state has the size that docs/ieee802154.md speaks of: 2 keys and 8 devices.
 */

#include "measure.h"
#include <samara/samara.h>

enum { key_count = 2, device_count = 8, frame_size_max = 125, pan = 0x4321 };

/* Where the auxiliary security header is, by the kind of both addresses, and
 * where in it the key identifier is: behind control and counter. */
enum { place_with_short = 9, place_with_extended = 21, identifier_place = 5 };

struct {
  samara_ieee802154_security security;
  samara_ieee802154_key keys[key_count];
  samara_ieee802154_device devices[device_count];
  samara_ieee802154_counter received[device_count * key_count];
} measure_state;

static uint8_t measure_frame[frame_size_max];

static const uint8_t other_address[samara_ieee802154_address_size] = {0x02, 1};

/* The key as the header names it; level 4 is allowed, for it is measured. */
static samara_ieee802154_key_settings key_settings(const measure_job *job) {
  static const uint8_t source_sizes[] = {0, 0, 4, 8};
  const uint8_t *header = job->associated_data;
  const uint8_t *security =
      header + (header[1] >> 6 == SAMARA_IEEE802154_LONG ? place_with_extended
                                                         : place_with_short);
  const uint8_t mode = security[0] >> 3 & 3;
  const uint8_t *source = security + identifier_place;
  return (samara_ieee802154_key_settings){
      .cipher = &MEASURE_JOIN(samara_ieee802154_, MEASURE_CIPHER, ),
      .bytes = job->key,
      .source = source,
      .mode = mode,
      .index = mode == 0 ? 0 : source[source_sizes[mode]],
      .role = SAMARA_IEEE802154_KEY_CURRENT,
      .device = samara_ieee802154_no_place,
      .flags = SAMARA_IEEE802154_KEY_ENCRYPTION_ONLY};
}

/* One sender and one receiver, of which we are one; level 4 is enough. */
static samara_ieee802154_result
fill_tables(const uint8_t *own, const uint8_t *other,
            const samara_ieee802154_key_settings *settings) {
  samara_ieee802154_security *security = &measure_state.security;
  samara_ieee802154_init(security, own, pan, measure_state.keys, key_count,
                         measure_state.devices, device_count,
                         measure_state.received);
  samara_ieee802154_result result =
      samara_ieee802154_set_device(security, device_count - 1, other, pan, 1);
  if (result == SAMARA_IEEE802154_OK) {
    result = samara_ieee802154_require(security, device_count - 1,
                                       SAMARA_IEEE802154_DATA,
                                       SAMARA_IEEE802154_NONE);
  }
  return result != SAMARA_IEEE802154_OK
             ? result
             : samara_ieee802154_set_key(security, key_count - 1, settings);
}

static size_t put_frame(const measure_job *job) {
  const size_t header_size = job->associated_data_size;
  for (size_t i = 0; i < header_size; i++) {
    measure_frame[i] = job->associated_data[i];
  }
  for (size_t i = 0; i < job->input_size; i++) {
    measure_frame[header_size + i] = job->input[i];
  }
  return header_size + job->input_size;
}

static void take_payload(measure_job *job) {
  for (size_t i = 0; i < job->input_size; i++) {
    job->output[i] = measure_frame[job->associated_data_size + i];
  }
}

void measure_set_up(measure_job *job) {
  const samara_ieee802154_key_settings settings = key_settings(job);
  const uint8_t *sender = job->nonce;
  MEASURE_START(set_up);
  const samara_ieee802154_result result =
      fill_tables(other_address, sender, &settings);
  MEASURE_STOP(set_up);
  job->result = (uintptr_t)result;
}

void measure_seal(measure_job *job) {
  const samara_ieee802154_key_settings settings = key_settings(job);
  const uint8_t *number = job->nonce + samara_ieee802154_address_size;
  const samara_ieee802154_counter counter = {
      (uint32_t)number[0] << 24 | (uint32_t)number[1] << 16 |
          (uint32_t)number[2] << 8 | number[3],
      0};
  samara_ieee802154_result result =
      fill_tables(job->nonce, other_address, &settings);
  if (result == SAMARA_IEEE802154_OK) {
    result = samara_ieee802154_set_transmit_counter(&measure_state.security,
                                                    key_count - 1, counter);
  }
  if (result != SAMARA_IEEE802154_OK) {
    job->result = (uintptr_t)result;
    return;
  }
  const size_t size = put_frame(job);
  size_t protected_size;
  MEASURE_START(seal);
  result =
      samara_ieee802154_protect(&measure_state.security, &protected_size, NULL,
                                measure_frame, size, sizeof measure_frame);
  MEASURE_STOP(seal);
  take_payload(job);
  for (size_t i = 0; i < job->tag_size; i++) {
    job->tag[i] = measure_frame[size + i];
  }
  job->result = (uintptr_t)result;
}

void measure_open(measure_job *job) {
  const samara_ieee802154_key_settings settings = key_settings(job);
  samara_ieee802154_opened opened;
  samara_ieee802154_result result =
      fill_tables(other_address, job->nonce, &settings);
  if (result != SAMARA_IEEE802154_OK) {
    job->result = (uintptr_t)result;
    return;
  }
  const size_t size = put_frame(job);
  for (size_t i = 0; i < job->tag_size; i++) {
    measure_frame[size + i] = job->tag[i];
  }
  const size_t whole = size + job->tag_size;
  MEASURE_START(open);
  result = samara_ieee802154_open(&measure_state.security, &opened, NULL,
                                  measure_frame, whole);
  MEASURE_STOP(open);
  take_payload(job);
  job->result = (uintptr_t)result;
}
