/* SPDX-License-Identifier: Apache-2.0 */
#include "ieee802154/tables.h"

#include "common/bytes.h"
#include <samara/memory.h>

/* Where keys are copied by words, a register keeps one; where they are copied
 * by bytes, the register of the last byte is needed again. */
#if defined(__AVR__) || defined(__MSP430__)
#define IEEE802154_COPIES_WORDS 0
#else
#define IEEE802154_COPIES_WORDS 1
#include "common/stack.h"
enum { ieee802154_copy_stack = 32 };
#endif

/* Not secret, and not worth a comparison in constant time. */
static bool ieee802154_same(const uint8_t *left, const uint8_t *right,
                            size_t size) {
  size_t i = 0;
  while (i < size && left[i] == right[i]) {
    i++;
  }
  return i == size;
}

static const samara_ieee802154_counter ieee802154_zero = {0, 0};

void samara_ieee802154_init(
    samara_ieee802154_security *security,
    const uint8_t address[samara_ieee802154_address_size], uint16_t pan,
    samara_ieee802154_key *keys, uint8_t key_count,
    samara_ieee802154_device *devices, uint8_t device_count,
    samara_ieee802154_counter *received) {
  security->keys = keys;
  security->devices = devices;
  security->received = received;
  security->key_count = key_count;
  security->device_count = device_count;
  security->pan = pan;
  samara_copy_bytes(security->address, address, sizeof security->address);
  for (size_t type = 0; type < sizeof security->minimum; type++) {
    security->minimum[type] = SAMARA_IEEE802154_MIC_32;
  }
  samara_ieee802154_wipe(security);
}

void samara_ieee802154_wipe(samara_ieee802154_security *security) {
  const size_t counters = (size_t)security->device_count * security->key_count;
  samara_wipe(security->keys, security->key_count * sizeof *security->keys);
  samara_wipe(security->devices,
              security->device_count * sizeof *security->devices);
  samara_wipe(security->received, counters * sizeof *security->received);
}

/* ---- keys ---- */

void samara_ieee802154_remove_key(samara_ieee802154_security *security,
                                  uint8_t place) {
  if (place >= security->key_count) {
    return;
  }
  samara_wipe(&security->keys[place], sizeof security->keys[place]);
  for (uint8_t device = 0; device < security->device_count; device++) {
    *samara_ieee802154_received(security, device, place) = ieee802154_zero;
  }
}

static bool
ieee802154_possible(const samara_ieee802154_security *security,
                    const samara_ieee802154_key_settings *settings) {
  const bool asn = (settings->flags & SAMARA_IEEE802154_KEY_ASN) != 0;
  return settings->cipher != NULL && settings->mode <= 3 &&
         settings->role >= SAMARA_IEEE802154_KEY_PREVIOUS &&
         settings->role <= SAMARA_IEEE802154_KEY_NEXT &&
         (settings->device < security->device_count ||
          settings->device == samara_ieee802154_no_place) &&
         (!asn || settings->cipher->whole_nonce);
}

/* Whether a frame could name either. */
static bool
ieee802154_confused(const samara_ieee802154_key *key,
                    const samara_ieee802154_key_settings *settings) {
  return key->mode == settings->mode &&
         (key->mode == 0 || key->index == settings->index) &&
         ieee802154_same(key->source, settings->source,
                         samara_ieee802154_key_source_size(key->mode)) &&
         (key->device == settings->device ||
          key->device == samara_ieee802154_no_place ||
          settings->device == samara_ieee802154_no_place);
}

/* Whether the key fits beside those in the table, of which it replaces one. */
static samara_ieee802154_result
ieee802154_compare_keys(const samara_ieee802154_security *security,
                        uint8_t place,
                        const samara_ieee802154_key_settings *settings) {
  for (uint8_t i = 0; i < security->key_count; i++) {
    const samara_ieee802154_key *key = &security->keys[i];
    if (key->cipher == NULL) {
      continue;
    }
    if (key->cipher == settings->cipher &&
        samara_equal(key->bytes, settings->bytes, key->cipher->key_size)) {
      return SAMARA_IEEE802154_ERROR_KEY_REPEATED;
    }
    if (i != place && ieee802154_confused(key, settings)) {
      return SAMARA_IEEE802154_ERROR_KEY_REPEATED;
    }
    if (i != place && key->family == settings->family &&
        key->role == settings->role) {
      return SAMARA_IEEE802154_ERROR_KEY_SETTINGS;
    }
  }
  return SAMARA_IEEE802154_OK;
}

samara_ieee802154_result
samara_ieee802154_set_key(samara_ieee802154_security *security, uint8_t place,
                          const samara_ieee802154_key_settings *settings) {
  if (place >= security->key_count) {
    return SAMARA_IEEE802154_ERROR_PLACE;
  }
  if (!ieee802154_possible(security, settings)) {
    return SAMARA_IEEE802154_ERROR_KEY_SETTINGS;
  }
  const samara_ieee802154_result result =
      ieee802154_compare_keys(security, place, settings);
  if (result != SAMARA_IEEE802154_OK) {
    return result;
  }
  samara_ieee802154_remove_key(security, place);
  samara_ieee802154_key *key = &security->keys[place];
  samara_copy_bytes(key->bytes, settings->bytes, settings->cipher->key_size);
  const uint8_t source_size = samara_ieee802154_key_source_size(settings->mode);
  for (uint8_t i = 0; i < sizeof key->source && i < source_size; i++) {
    key->source[i] = settings->source[i];
  }
  key->mode = settings->mode;
  key->index = settings->index;
  key->role = settings->role;
  key->family = settings->family;
  key->device = settings->device;
  key->flags = settings->flags;
  key->cipher = settings->cipher;
#if IEEE802154_COPIES_WORDS
  samara_wipe_stack(ieee802154_copy_stack);
#endif
  return SAMARA_IEEE802154_OK;
}

static uint8_t ieee802154_find_role(const samara_ieee802154_security *security,
                                    uint8_t family, uint8_t role) {
  for (uint8_t i = 0; i < security->key_count; i++) {
    const samara_ieee802154_key *key = &security->keys[i];
    if (key->cipher != NULL && key->family == family && key->role == role) {
      return i;
    }
  }
  return samara_ieee802154_no_place;
}

uint8_t
samara_ieee802154_current_key(const samara_ieee802154_security *security,
                              uint8_t family) {
  return ieee802154_find_role(security, family, SAMARA_IEEE802154_KEY_CURRENT);
}

samara_ieee802154_result
samara_ieee802154_rotate(samara_ieee802154_security *security, uint8_t family) {
  const uint8_t next =
      ieee802154_find_role(security, family, SAMARA_IEEE802154_KEY_NEXT);
  const uint8_t current = samara_ieee802154_current_key(security, family);
  if (next == samara_ieee802154_no_place) {
    return SAMARA_IEEE802154_ERROR_NO_NEXT_KEY;
  }
  samara_ieee802154_remove_key(
      security,
      ieee802154_find_role(security, family, SAMARA_IEEE802154_KEY_PREVIOUS));
  /* In this order: whoever looks in between finds no key to send with, and
   * never two. */
  if (current != samara_ieee802154_no_place) {
    security->keys[current].role = SAMARA_IEEE802154_KEY_PREVIOUS;
  }
  security->keys[next].role = SAMARA_IEEE802154_KEY_CURRENT;
  return SAMARA_IEEE802154_OK;
}

uint8_t samara_ieee802154_find_key(const samara_ieee802154_security *security,
                                   const samara_ieee802154_frame *frame,
                                   uint8_t device) {
  const uint8_t mode = samara_ieee802154_key_id_mode(frame);
  for (uint8_t i = 0; i < security->key_count; i++) {
    const samara_ieee802154_key *key = &security->keys[i];
    if (key->cipher != NULL && key->mode == mode &&
        (mode == 0 || key->index == frame->key_index) &&
        ieee802154_same(key->source, frame->key_source,
                        samara_ieee802154_key_source_size(mode)) &&
        (key->device == samara_ieee802154_no_place || key->device == device)) {
      return i;
    }
  }
  return samara_ieee802154_no_place;
}

/* ---- devices ---- */

static uint8_t
ieee802154_find_long(const samara_ieee802154_security *security,
                     const uint8_t address[samara_ieee802154_address_size]) {
  for (uint8_t i = 0; i < security->device_count; i++) {
    const samara_ieee802154_device *device = &security->devices[i];
    if (device->used &&
        ieee802154_same(device->address, address, sizeof device->address)) {
      return i;
    }
  }
  return samara_ieee802154_no_place;
}

static uint8_t ieee802154_find_short(const samara_ieee802154_security *security,
                                     uint16_t pan, uint16_t short_address) {
  if (short_address >= samara_ieee802154_no_short_address) {
    return samara_ieee802154_no_place;
  }
  for (uint8_t i = 0; i < security->device_count; i++) {
    const samara_ieee802154_device *device = &security->devices[i];
    if (device->used && device->pan == pan &&
        device->short_address == short_address) {
      return i;
    }
  }
  return samara_ieee802154_no_place;
}

uint8_t
samara_ieee802154_find_device(const samara_ieee802154_security *security,
                              const samara_ieee802154_address *address) {
  switch (address->kind) {
  case SAMARA_IEEE802154_LONG:
    return ieee802154_find_long(security, address->long_address);
  case SAMARA_IEEE802154_SHORT:
    return ieee802154_find_short(
        security, address->has_pan ? address->pan : security->pan,
        address->short_address);
  default:
    return samara_ieee802154_no_place;
  }
}

void samara_ieee802154_remove_device(samara_ieee802154_security *security,
                                     uint8_t place) {
  if (place >= security->device_count) {
    return;
  }
  samara_wipe(&security->devices[place], sizeof security->devices[place]);
  for (uint8_t key = 0; key < security->key_count; key++) {
    *samara_ieee802154_received(security, place, key) = ieee802154_zero;
  }
}

/* Whether the device may stand in this place, beside the others. */
static samara_ieee802154_result
ieee802154_compare_devices(const samara_ieee802154_security *security,
                           uint8_t place, const uint8_t *address, uint16_t pan,
                           uint16_t short_address) {
  const uint8_t by_long = ieee802154_find_long(security, address);
  const uint8_t by_short = ieee802154_find_short(security, pan, short_address);
  if (ieee802154_same(address, security->address, sizeof security->address)) {
    return SAMARA_IEEE802154_ERROR_OWN_ADDRESS;
  }
  if ((by_long != samara_ieee802154_no_place && by_long != place) ||
      (by_short != samara_ieee802154_no_place && by_short != place)) {
    return SAMARA_IEEE802154_ERROR_DEVICE_REPEATED;
  }
  return SAMARA_IEEE802154_OK;
}

samara_ieee802154_result samara_ieee802154_set_device(
    samara_ieee802154_security *security, uint8_t place,
    const uint8_t address[samara_ieee802154_address_size], uint16_t pan,
    uint16_t short_address) {
  if (place >= security->device_count) {
    return SAMARA_IEEE802154_ERROR_PLACE;
  }
  const samara_ieee802154_result result =
      ieee802154_compare_devices(security, place, address, pan, short_address);
  if (result != SAMARA_IEEE802154_OK) {
    return result;
  }
  samara_ieee802154_device *device = &security->devices[place];
  if (ieee802154_find_long(security, address) != place) {
    samara_ieee802154_remove_device(security, place);
    samara_copy_bytes(device->address, address, sizeof device->address);
    samara_copy_bytes(device->minimum, security->minimum,
                      sizeof device->minimum);
  }
  device->pan = pan;
  device->short_address = short_address;
  device->used = true;
  return SAMARA_IEEE802154_OK;
}

static bool ieee802154_has_device(const samara_ieee802154_security *security,
                                  uint8_t place) {
  return place < security->device_count && security->devices[place].used;
}

samara_ieee802154_result
samara_ieee802154_require(samara_ieee802154_security *security, uint8_t device,
                          uint8_t type, uint8_t level) {
  if (type > SAMARA_IEEE802154_COMMAND ||
      level > SAMARA_IEEE802154_ENC_MIC_128) {
    return SAMARA_IEEE802154_ERROR_PLACE;
  }
  if (device == samara_ieee802154_no_place) {
    security->minimum[type] = level;
    return SAMARA_IEEE802154_OK;
  }
  if (!ieee802154_has_device(security, device)) {
    return SAMARA_IEEE802154_ERROR_PLACE;
  }
  security->devices[device].minimum[type] = level;
  return SAMARA_IEEE802154_OK;
}

/* ---- counters ---- */

samara_ieee802154_counter *
samara_ieee802154_received(const samara_ieee802154_security *security,
                           uint8_t device, uint8_t key) {
  return &security->received[(size_t)device * security->key_count + key];
}

bool samara_ieee802154_below(samara_ieee802154_counter left,
                             samara_ieee802154_counter right) {
  return left.high < right.high ||
         (left.high == right.high && left.low < right.low);
}

samara_ieee802154_counter
samara_ieee802154_after(samara_ieee802154_counter counter) {
  counter.low++;
  counter.high = (uint8_t)(counter.high + (counter.low == 0));
  return counter;
}

static bool ieee802154_has_key(const samara_ieee802154_security *security,
                               uint8_t place) {
  return place < security->key_count && security->keys[place].cipher != NULL;
}

samara_ieee802154_result
samara_ieee802154_transmit_counter(const samara_ieee802154_security *security,
                                   uint8_t key,
                                   samara_ieee802154_counter *counter) {
  if (!ieee802154_has_key(security, key)) {
    return SAMARA_IEEE802154_ERROR_PLACE;
  }
  *counter = security->keys[key].next;
  return SAMARA_IEEE802154_OK;
}

static samara_ieee802154_result
ieee802154_raise(samara_ieee802154_counter *counter,
                 samara_ieee802154_counter value) {
  if (samara_ieee802154_below(value, *counter)) {
    return SAMARA_IEEE802154_ERROR_COUNTER_LOWERED;
  }
  *counter = value;
  return SAMARA_IEEE802154_OK;
}

samara_ieee802154_result
samara_ieee802154_set_transmit_counter(samara_ieee802154_security *security,
                                       uint8_t key,
                                       samara_ieee802154_counter counter) {
  return ieee802154_has_key(security, key)
             ? ieee802154_raise(&security->keys[key].next, counter)
             : SAMARA_IEEE802154_ERROR_PLACE;
}

samara_ieee802154_result
samara_ieee802154_receive_counter(const samara_ieee802154_security *security,
                                  uint8_t device, uint8_t key,
                                  samara_ieee802154_counter *counter) {
  if (!ieee802154_has_device(security, device) ||
      !ieee802154_has_key(security, key)) {
    return SAMARA_IEEE802154_ERROR_PLACE;
  }
  *counter = *samara_ieee802154_received(security, device, key);
  return SAMARA_IEEE802154_OK;
}

samara_ieee802154_result
samara_ieee802154_set_receive_counter(samara_ieee802154_security *security,
                                      uint8_t device, uint8_t key,
                                      samara_ieee802154_counter counter) {
  if (!ieee802154_has_device(security, device) ||
      !ieee802154_has_key(security, key)) {
    return SAMARA_IEEE802154_ERROR_PLACE;
  }
  return ieee802154_raise(samara_ieee802154_received(security, device, key),
                          counter);
}
