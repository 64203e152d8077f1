/* SPDX-License-Identifier: Apache-2.0 */
#include "common/bytes.h"
#include "node/node.h"
#include <samara/memory.h>
#include <samara/node_ieee802154.h>

/* Data frames of IEEE 802.15.4. */

/* Places in the settings of a record, and bits there. */
enum {
  frames_at_key_size,
  frames_at_control,
  frames_at_form,
  frames_at_channel,
  frames_at_key_index,
  frames_at_reserved,
  frames_at_pan,
  frames_at_short = frames_at_pan + 2,
  frames_at_host_short = frames_at_short + 2,
  frames_at_address = frames_at_host_short + 2,
  frames_at_host_address = frames_at_address + samara_ieee802154_address_size,
  frames_at_source = frames_at_host_address + samara_ieee802154_address_size,
  frames_settings_size = samara_node_settings_size_max,
  frames_form_2015 = 1,
  frames_form_extended = 2,
  frames_forms = 4,
  frames_controls = 0x20, /* level and key id mode */
  frames_sequence_place = 2
};

static samara_node_frames *frames_of(const samara_node *node) {
  return node->key_state;
}

static uint8_t frames_key_size(const samara_node *node) {
  return node->key_state != NULL &&
                 node->key_state_size >= sizeof(samara_node_frames) &&
                 frames_of(node)->cipher != NULL
             ? frames_of(node)->cipher->key_size
             : 0;
}

static uint16_t frames_word(const uint8_t *bytes) {
  return (uint16_t)((uint16_t)bytes[0] << 8 | bytes[1]);
}

static samara_ieee802154_address
frames_address(const uint8_t *settings, uint8_t at_short, uint8_t at_address) {
  samara_ieee802154_address made = {
      .kind = (settings[frames_at_form] & frames_form_extended) != 0
                  ? SAMARA_IEEE802154_LONG
                  : SAMARA_IEEE802154_SHORT,
      .pan = frames_word(settings + frames_at_pan),
      .short_address = frames_word(settings + at_short)};
  samara_copy_bytes(made.long_address, settings + at_address,
                    samara_ieee802154_address_size);
  return made;
}

/* With two extended addresses of 2015 the bit would remove both PANs. */
static uint16_t frames_control(uint8_t form) {
  const uint16_t control = SAMARA_IEEE802154_DATA | SAMARA_IEEE802154_SECURITY;
  if (form == (frames_form_2015 | frames_form_extended)) {
    return control | SAMARA_IEEE802154_2015;
  }
  return (uint16_t)(control | SAMARA_IEEE802154_PAN_COMPRESSION |
                    (form == frames_form_2015 ? SAMARA_IEEE802154_2015
                                              : SAMARA_IEEE802154_2006));
}

/* Writes the header that all frames have but for sequence number and counter.
 */
static bool frames_write_header(samara_node_frames *frames,
                                const uint8_t *settings) {
  samara_ieee802154_frame frame = {
      .control = frames_control(settings[frames_at_form]),
      .destination = frames_address(settings, frames_at_host_short,
                                    frames_at_host_address),
      .source = frames_address(settings, frames_at_short, frames_at_address),
      .security_control = settings[frames_at_control],
      .key_index = settings[frames_at_key_index]};
  samara_copy_bytes(frame.key_source, settings + frames_at_source,
                    sizeof frame.key_source);
  size_t size;
  if (samara_ieee802154_write_header(&frame, frames->header,
                                     sizeof frames->header,
                                     &size) != SAMARA_IEEE802154_OK) {
    return false;
  }
  frames->header_size = (uint8_t)size;
  return true;
}

/* Levels 0 and 4 do not authenticate. */
static bool frames_are_valid(const uint8_t *settings,
                             const samara_ieee802154_cipher *cipher) {
  const uint8_t control = settings[frames_at_control];
  const uint8_t mic_size = samara_ieee802154_mic_size(control & 7);
  return settings[frames_at_key_size] == cipher->key_size &&
         control < frames_controls && mic_size != 0 &&
         mic_size <= cipher->tag_size &&
         settings[frames_at_form] < frames_forms &&
         settings[frames_at_reserved] == 0 &&
         !samara_equal(settings + frames_at_address,
                       settings + frames_at_host_address,
                       samara_ieee802154_address_size);
}

/* Tables of one key and one device, the host. */
static bool frames_make_tables(samara_node_frames *frames,
                               const uint8_t *settings) {
  samara_ieee802154_security *security = &frames->security;
  const uint8_t level = settings[frames_at_control] & 7;
  samara_ieee802154_init(security, settings + frames_at_address,
                         frames_word(settings + frames_at_pan), &frames->key, 1,
                         &frames->host, 1, &frames->received);
  frames->short_address = frames_word(settings + frames_at_short);
  frames->channel = settings[frames_at_channel];
  frames->mic_size = samara_ieee802154_mic_size(level);
  /* Before the device: it begins with the level that is required of all. */
  return samara_ieee802154_require(security, samara_ieee802154_no_place,
                                   SAMARA_IEEE802154_DATA,
                                   level) == SAMARA_IEEE802154_OK &&
         samara_ieee802154_set_device(
             security, 0, settings + frames_at_host_address, security->pan,
             frames_word(settings + frames_at_host_short)) ==
             SAMARA_IEEE802154_OK;
}

static bool frames_apply(samara_node *node, const uint8_t *settings) {
  samara_node_frames *frames = frames_of(node);
  if (!frames_are_valid(settings, frames->cipher) ||
      !frames_write_header(frames, settings) ||
      !frames_make_tables(frames, settings)) {
    return false;
  }
  node->text_at = frames->header_size;
  return true;
}

static size_t frames_payload_size(const samara_node *node) {
  const samara_node_frames *frames = frames_of(node);
  const size_t rest = (size_t)frames->header_size + frames->mic_size;
  const bool receives = node->buffer == NULL ||
                        node->buffer_size >= (size_t)samara_node_frame_size;
  return receives && node->wire_size >= (size_t)samara_node_frame_size
             ? samara_node_frame_size - rest
             : 0;
}

static int frames_begin(samara_node *node, const uint8_t *key,
                        uint64_t expected) {
  samara_node_frames *frames = frames_of(node);
  samara_ieee802154_frame frame;
  if (samara_ieee802154_parse_unprotected(&frame, frames->header,
                                          frames->header_size) !=
      SAMARA_IEEE802154_OK) {
    return SAMARA_NODE_ERROR_SETTINGS;
  }
  const samara_ieee802154_key_settings settings = {
      .cipher = frames->cipher,
      .bytes = key,
      .source = frame.key_source,
      .mode = samara_ieee802154_key_id_mode(&frame),
      .index = frame.key_index,
      .role = SAMARA_IEEE802154_KEY_CURRENT,
      .device = samara_ieee802154_no_place};
  const samara_ieee802154_counter counter = {.low = (uint32_t)expected};
  if (expected > UINT32_MAX) {
    return SAMARA_ERROR_COUNTER;
  }
  return samara_ieee802154_set_key(&frames->security, 0, &settings) ==
                     SAMARA_IEEE802154_OK &&
                 samara_ieee802154_set_receive_counter(
                     &frames->security, 0, 0, counter) == SAMARA_IEEE802154_OK
             ? SAMARA_OK
             : SAMARA_NODE_ERROR_SETTINGS;
}

static int frames_seal(samara_node *node, uint64_t number, size_t payload_size,
                       size_t *wire_size) {
  samara_node_frames *frames = frames_of(node);
  const samara_ieee802154_counter counter = {.low = (uint32_t)number};
  if (number >= UINT32_MAX) {
    return SAMARA_ERROR_COUNTER;
  }
  samara_copy_bytes(node->wire, frames->header, frames->header_size);
  node->wire[frames_sequence_place] = (uint8_t)number;
  return samara_ieee802154_set_transmit_counter(
             &frames->security, 0, counter) == SAMARA_IEEE802154_OK &&
                 samara_ieee802154_protect(
                     &frames->security, wire_size, NULL, node->wire,
                     frames->header_size + payload_size,
                     node->wire_size) == SAMARA_IEEE802154_OK
             ? SAMARA_OK
             : SAMARA_ERROR_COUNTER;
}

static bool frames_is_ours(const samara_node_frames *frames,
                           const samara_ieee802154_address *address) {
  if (address->pan != frames->security.pan && address->pan != 0xffff) {
    return false;
  }
  return address->kind == SAMARA_IEEE802154_LONG
             ? samara_equal(address->long_address, frames->security.address,
                            samara_ieee802154_address_size)
             : address->kind == SAMARA_IEEE802154_SHORT &&
                   address->short_address == frames->short_address;
}

/* A data frame for this node, of which nobody knows yet whether it is genuine.
 */
static bool frames_is_for(const samara_node *node, const uint8_t *bytes,
                          size_t size) {
  samara_ieee802154_frame frame;
  return samara_ieee802154_parse(&frame, bytes, size) == SAMARA_IEEE802154_OK &&
         samara_ieee802154_type(&frame) == SAMARA_IEEE802154_DATA &&
         !frame.payload_elements &&
         frames_is_ours(frames_of(node), &frame.destination);
}

static size_t frames_receive(samara_node *node, samara_node_unit *unit,
                             const uint8_t *bytes, size_t size) {
  samara_node_frames *frames = frames_of(node);
  samara_ieee802154_opened opened;
  if (size > node->buffer_size || !frames_is_for(node, bytes, size)) {
    return size;
  }
  samara_copy_bytes(node->buffer, bytes, size);
  const samara_ieee802154_result result = samara_ieee802154_open(
      &frames->security, &opened, NULL, node->buffer, size);
  if (result == SAMARA_IEEE802154_ERROR_REPLAY) {
    unit->kind = SAMARA_NODE_UNIT_REPEATED;
  } else if (result == SAMARA_IEEE802154_OK) {
    unit->kind = SAMARA_NODE_UNIT_NEW;
  }
  unit->number = opened.frame.frame_counter;
  unit->payload = node->buffer + opened.frame.header_size +
                  opened.frame.elements_size + opened.frame.open_size;
  unit->payload_size = opened.frame.payload_size;
  return size;
}

static void frames_wipe(samara_node *node) {
  samara_wipe(&frames_of(node)->key, sizeof frames_of(node)->key);
}

const samara_node_link samara_node_ieee802154 = {
    .magic = {'s', 'm', 'f', '1'},
    .settings_size = frames_settings_size,
    .key_size = frames_key_size,
    .apply = frames_apply,
    .payload_size = frames_payload_size,
    .begin = frames_begin,
    .seal = frames_seal,
    .receive = frames_receive,
    .wipe = frames_wipe};
