/* SPDX-License-Identifier: Apache-2.0 */
#include "ends.h"

#include <string.h>

const uint8_t address_a[8] = {0xac, 0xde, 0x48, 0, 0, 0, 0, 1};
const uint8_t address_b[8] = {0xac, 0xde, 0x48, 0, 0, 0, 0, 2};
const uint8_t key_one[32] = {0xc0, 0xc1, 0xc2, 0xc3, 0xc4};
const uint8_t key_two[32] = {0xd0, 0xd1, 0xd2, 0xd3, 0xd4};

bool check_frame_result(samara_ieee802154_result got,
                        samara_ieee802154_result want, const char *file,
                        int line) {
  return check_that(got == want, file, line, "got \"%s\", want \"%s\"",
                    samara_ieee802154_result_name(got),
                    samara_ieee802154_result_name(want));
}

void end_init(end *one, const uint8_t address[8]) {
  const bool is_a = memcmp(address, address_a, 8) == 0;
  samara_ieee802154_init(&one->security, address, 0x4321, one->keys, end_keys,
                         one->devices, end_devices, one->received);
  CHECK_FRAME(samara_ieee802154_set_device(&one->security, 0,
                                           is_a ? address_b : address_a, 0x4321,
                                           is_a ? 2 : 1),
              SAMARA_IEEE802154_OK);
}

bool end_same(const end *one, const end *copy) {
  return memcmp((const uint8_t *)one, (const uint8_t *)copy, sizeof *one) == 0;
}

samara_ieee802154_key_settings key_settings(uint8_t index) {
  const samara_ieee802154_key_settings settings = {
      .cipher = &samara_ieee802154_aes128,
      .bytes = key_one,
      .mode = 1,
      .index = index,
      .role = SAMARA_IEEE802154_KEY_CURRENT,
      .family = index,
      .device = samara_ieee802154_no_place};
  return settings;
}

void end_add_key(end *one, uint8_t place,
                 const samara_ieee802154_key_settings *settings) {
  CHECK_FRAME(samara_ieee802154_set_key(&one->security, place, settings),
              SAMARA_IEEE802154_OK);
}

samara_ieee802154_frame data_frame(uint8_t level, uint8_t index) {
  samara_ieee802154_frame frame = {
      .control = SAMARA_IEEE802154_DATA | SAMARA_IEEE802154_2015 |
                 SAMARA_IEEE802154_SECURITY | SAMARA_IEEE802154_ACK_REQUEST,
      .sequence = 77,
      .destination = {.kind = SAMARA_IEEE802154_LONG, .pan = 0x4321},
      .source = {.kind = SAMARA_IEEE802154_LONG, .pan = 0x4321},
      .security_control = (uint8_t)(level | 1 << 3),
      .key_index = index};
  memcpy(frame.destination.long_address, address_b, 8);
  memcpy(frame.source.long_address, address_a, 8);
  return frame;
}

size_t frame_write(uint8_t *bytes, size_t room,
                   const samara_ieee802154_frame *frame, size_t payload_size) {
  size_t size = 0;
  CHECK_FRAME(samara_ieee802154_write_header(frame, bytes, room, &size),
              SAMARA_IEEE802154_OK);
  for (size_t i = 0; i < payload_size; i++) {
    bytes[size++] = (uint8_t)i;
  }
  return size;
}
