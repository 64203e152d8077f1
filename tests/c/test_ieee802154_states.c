/* SPDX-License-Identifier: Apache-2.0 */

/* Tables that are used again: what leaves a place takes its counters along,
 * what comes into one begins at 0, and nothing of either touches a neighbour.
 * Behind each table lies one row more, full of what a step too far would find.
 */

#include "ends.h"
#include <samara/ieee802154_names.h>
#include <string.h>

#define OK SAMARA_IEEE802154_OK
#define REFUSAL(code) SAMARA_IEEE802154_ERROR_##code

enum { keys_max = 3, devices_max = 3, frame_room = 127 };

static const uint8_t key_count = keys_max;
static const uint8_t device_count = devices_max;

static const uint8_t own[8] = {0xac, 0xde, 0x48, 0xff, 0xfe, 0, 0, 0x99};
static const uint8_t none[8] = {0};

/* One more of each than the state is told. */
static samara_ieee802154_security security;
static samara_ieee802154_key keys[keys_max + 1];
static samara_ieee802154_device devices[devices_max + 1];
static samara_ieee802154_counter received[(devices_max + 1) * (keys_max + 1)];

static uint8_t frame[frame_room];
static samara_ieee802154_opened opened;

static void address_of(uint8_t address[8], uint8_t number) {
  const uint8_t begin[8] = {0xac, 0xde, 0x48, 0x11, 0x22, 0x33, 0x44, number};
  memcpy(address, begin, sizeof begin);
}

static samara_ieee802154_key_settings settings_of(uint8_t number,
                                                  const uint8_t *bytes) {
  samara_ieee802154_key_settings settings = key_settings(number);
  settings.bytes = bytes;
  return settings;
}

static void key_bytes(uint8_t bytes[32], uint8_t number) {
  memset(bytes, number, 32);
}

static samara_ieee802154_result put_key(uint8_t place, uint8_t number) {
  uint8_t bytes[32];
  key_bytes(bytes, number);
  const samara_ieee802154_key_settings settings = settings_of(number, bytes);
  return samara_ieee802154_set_key(&security, place, &settings);
}

static samara_ieee802154_result put_device(uint8_t place, uint8_t number) {
  uint8_t address[8];
  address_of(address, number);
  return samara_ieee802154_set_device(&security, place, address, 0x4321,
                                      number);
}

static samara_ieee802154_counter number_of(unsigned device, unsigned key) {
  const samara_ieee802154_counter counter = {1 + 16 * device + key, 0};
  return counter;
}

/* A dirty memory, then keys 1 to 3, devices 1 to 3, and each counter another.
 */
static void start(void) {
  memset(keys, 0x5a, sizeof keys);
  memset(devices, 0x5a, sizeof devices);
  memset(received, 0x5a, sizeof received);
  samara_ieee802154_init(&security, own, 0x4321, keys, key_count, devices,
                         device_count, received);
  CHECK(all_zero((uint8_t *)keys, key_count * sizeof *keys) &&
            all_zero((uint8_t *)devices, device_count * sizeof *devices) &&
            all_zero((uint8_t *)received,
                     sizeof *received * device_count * key_count),
        "empty tables");
  for (uint8_t i = 0; i < key_count; i++) {
    CHECK_FRAME(put_key(i, (uint8_t)(1 + i)), OK);
    CHECK_FRAME(put_device(i, (uint8_t)(1 + i)), OK);
  }
  for (uint8_t device = 0; device < device_count; device++) {
    for (uint8_t key = 0; key < key_count; key++) {
      CHECK_FRAME(samara_ieee802154_set_receive_counter(&security, device, key,
                                                        number_of(device, key)),
                  OK);
    }
  }
  for (uint8_t key = 0; key < key_count; key++) {
    CHECK_FRAME(samara_ieee802154_set_transmit_counter(&security, key,
                                                       number_of(7, key)),
                OK);
  }
}

/* Whether the rows behind the tables are as they were made. */
static void check_behind(void) {
  const uint8_t *rows[] = {(uint8_t *)&keys[key_count],
                           (uint8_t *)&devices[device_count],
                           (uint8_t *)&received[device_count * key_count]};
  const size_t sizes[] = {sizeof keys[0], sizeof devices[0],
                          sizeof received -
                              sizeof *received * device_count * key_count};
  for (size_t i = 0; i < 3; i++) {
    for (size_t j = 0; j < sizes[i]; j++) {
      CHECK(rows[i][j] == 0x5a, "byte %zu behind table %zu", j, i);
    }
  }
}

/* Every receive counter but those of one device, or of one key, is as it was;
 * those are 0. */
static void check_counters(uint8_t gone_device, uint8_t gone_key) {
  for (uint8_t device = 0; device < device_count; device++) {
    for (uint8_t key = 0; key < key_count; key++) {
      const bool gone = device == gone_device || key == gone_key;
      const samara_ieee802154_counter counter =
          received[device * key_count + key];
      CHECK(counter.high == 0 &&
                counter.low == (gone ? 0 : number_of(device, key).low),
            "counter of device %u and key %u: %lu", device, key,
            (unsigned long)counter.low);
    }
  }
  check_behind();
}

/* ---- devices ---- */

static void check_devices_leave(void) {
  for (uint8_t place = 0; place < device_count; place++) {
    start();
    samara_ieee802154_remove_device(&security, place);
    check_counters(place, samara_ieee802154_no_place);
    CHECK(all_zero((uint8_t *)&devices[place], sizeof devices[0]), "wiped");
    samara_ieee802154_counter counter;
    CHECK_FRAME(
        samara_ieee802154_receive_counter(&security, place, 0, &counter),
        REFUSAL(PLACE));
    CHECK_FRAME(samara_ieee802154_set_receive_counter(&security, place, 0,
                                                      number_of(9, 9)),
                REFUSAL(PLACE));
    /* It comes again, elsewhere or here, and begins at 0. */
    CHECK_FRAME(put_device(place, (uint8_t)(1 + place)), OK);
    check_counters(place, samara_ieee802154_no_place);
  }
}

/* A new device does not inherit what the last one in its place had. */
static void check_devices_replaced(void) {
  for (uint8_t place = 0; place < device_count; place++) {
    start();
    CHECK_FRAME(samara_ieee802154_require(&security, place, 1, 0), OK);
    CHECK_FRAME(put_device(place, 77), OK);
    check_counters(place, samara_ieee802154_no_place);
    for (uint8_t type = 0; type < 4; type++) {
      CHECK(devices[place].minimum[type] == SAMARA_IEEE802154_MIC_32,
            "levels required of a new device");
    }
    /* The old one is a stranger now, and may come into another place. */
    const uint8_t next = (uint8_t)((place + 1) % device_count);
    samara_ieee802154_remove_device(&security, next);
    CHECK_FRAME(put_device(next, (uint8_t)(1 + place)), OK);
  }
}

/* The same device with another short address keeps all it has. */
static void check_device_changed(void) {
  start();
  uint8_t address[8];
  address_of(address, 2);
  CHECK_FRAME(samara_ieee802154_require(&security, 1, 1, 6), OK);
  CHECK_FRAME(
      samara_ieee802154_set_device(&security, 1, address, 0x8765, 0x1234), OK);
  check_counters(samara_ieee802154_no_place, samara_ieee802154_no_place);
  CHECK(devices[1].minimum[1] == 6 && devices[1].pan == 0x8765 &&
            devices[1].short_address == 0x1234,
        "a changed device");
}

static void check_devices_repeated(void) {
  start();
  uint8_t address[8];
  address_of(address, 88);
  /* Another's short address in its PAN; free in another PAN. */
  CHECK_FRAME(samara_ieee802154_set_device(&security, 2, address, 0x4321, 2),
              REFUSAL(DEVICE_REPEATED));
  CHECK_FRAME(samara_ieee802154_set_device(&security, 0, address, 0x4321, 2),
              REFUSAL(DEVICE_REPEATED));
  check_counters(samara_ieee802154_no_place, samara_ieee802154_no_place);
  CHECK_FRAME(samara_ieee802154_set_device(&security, 2, address, 0x4322, 2),
              OK);
  /* Its own, in its own place. */
  CHECK_FRAME(samara_ieee802154_set_device(&security, 2, address, 0x4322, 2),
              OK);
  /* Any number of devices have none. */
  for (uint8_t i = 0; i < device_count; i++) {
    address_of(address, (uint8_t)(90 + i));
    CHECK_FRAME(
        samara_ieee802154_set_device(&security, i, address, 0x4321,
                                     samara_ieee802154_no_short_address),
        OK);
  }
  /* The row behind the table is no place. */
  CHECK_FRAME(put_device(device_count, 99), REFUSAL(PLACE));
  samara_ieee802154_remove_device(&security, device_count);
  check_behind();
}

/* ---- keys ---- */

static void check_keys_leave(void) {
  for (uint8_t place = 0; place < key_count; place++) {
    start();
    samara_ieee802154_remove_key(&security, place);
    check_counters(samara_ieee802154_no_place, place);
    CHECK(all_zero((uint8_t *)&keys[place], sizeof keys[0]), "wiped");
    samara_ieee802154_counter counter;
    CHECK_FRAME(samara_ieee802154_transmit_counter(&security, place, &counter),
                REFUSAL(PLACE));
    CHECK_FRAME(samara_ieee802154_set_receive_counter(&security, 0, place,
                                                      number_of(9, 9)),
                REFUSAL(PLACE));
    CHECK_FRAME(put_key(place, (uint8_t)(1 + place)), OK);
    CHECK_FRAME(samara_ieee802154_transmit_counter(&security, place, &counter),
                OK);
    CHECK(counter.low == 0 && counter.high == 0, "a key begins at 0");
  }
  start();
  samara_ieee802154_remove_key(&security, key_count);
  check_counters(samara_ieee802154_no_place, samara_ieee802154_no_place);
}

/* A shorter key leaves nothing of a longer one behind it. */
static void check_keys_replaced(void) {
  for (uint8_t place = 0; place < key_count; place++) {
    start();
    uint8_t bytes[32];
    const uint8_t source[8] = {9, 9, 9, 9, 9, 9, 9, 9};
    key_bytes(bytes, 0xee);
    samara_ieee802154_key_settings settings = settings_of(50, bytes);
    settings.cipher = &samara_ieee802154_aes256;
    settings.mode = 3;
    settings.source = source;
    settings.role = SAMARA_IEEE802154_KEY_PREVIOUS;
    CHECK_FRAME(samara_ieee802154_set_key(&security, place, &settings), OK);
    check_counters(samara_ieee802154_no_place, place);
    CHECK_FRAME(put_key(place, 60), OK);
    CHECK(all_zero(keys[place].bytes + 16, 16) &&
              all_zero(keys[place].source, 8),
          "bytes of the key before");
    samara_ieee802154_counter counter;
    CHECK_FRAME(samara_ieee802154_transmit_counter(&security, place, &counter),
                OK);
    CHECK(counter.low == 0 && counter.high == 0, "a key begins at 0");
  }
}

/* In any place, whichever others there are. */
static void check_keys_repeated(void) {
  for (uint8_t place = 0; place < key_count; place++) {
    for (uint8_t number = 1; number <= key_count; number++) {
      start();
      uint8_t bytes[32];
      key_bytes(bytes, number);
      samara_ieee802154_key_settings settings = settings_of(70, bytes);
      CHECK_FRAME(samara_ieee802154_set_key(&security, place, &settings),
                  REFUSAL(KEY_REPEATED));
      /* Another key with that one's name. */
      key_bytes(bytes, 71);
      settings = settings_of(number, bytes);
      settings.family = 70;
      CHECK_FRAME(samara_ieee802154_set_key(&security, place, &settings),
                  place == number - 1 ? OK : REFUSAL(KEY_REPEATED));
      if (place != number - 1) {
        check_counters(samara_ieee802154_no_place, samara_ieee802154_no_place);
      }
    }
  }
}

/* One name for two keys, each for a device of its own. */
static void check_keys_of_devices(void) {
  start();
  uint8_t first[32], second[32];
  key_bytes(first, 80);
  key_bytes(second, 81);
  samara_ieee802154_key_settings one = settings_of(9, first);
  samara_ieee802154_key_settings two = settings_of(9, second);
  two.family = 81;
  one.device = 0;
  two.device = 0;
  CHECK_FRAME(samara_ieee802154_set_key(&security, 0, &one), OK);
  CHECK_FRAME(samara_ieee802154_set_key(&security, 1, &two),
              REFUSAL(KEY_REPEATED));
  two.device = samara_ieee802154_no_place;
  CHECK_FRAME(samara_ieee802154_set_key(&security, 1, &two),
              REFUSAL(KEY_REPEATED));
  two.device = 2;
  CHECK_FRAME(samara_ieee802154_set_key(&security, 1, &two), OK);
  one.device = samara_ieee802154_no_place;
  one.bytes = key_one;
  CHECK_FRAME(samara_ieee802154_set_key(&security, 0, &one),
              REFUSAL(KEY_REPEATED));
  /* The third key of the table is for all. */
  two.index = 3;
  two.bytes = key_two;
  two.family = 82;
  two.device = 1;
  CHECK_FRAME(samara_ieee802154_set_key(&security, 0, &two),
              REFUSAL(KEY_REPEATED));
  two.index = 9;
  two.device = device_count;
  CHECK_FRAME(samara_ieee802154_set_key(&security, 1, &two),
              REFUSAL(KEY_SETTINGS));
}

/* Keys of one family come and go through one place after the other; each has
 * its own counters all the time. */
static void check_rotations(void) {
  start();
  samara_ieee802154_counter counter;
  for (uint8_t key = 0; key < key_count; key++) {
    samara_ieee802154_remove_key(&security, key);
  }
  for (uint8_t round = 0; round < 20; round++) {
    uint8_t bytes[32];
    const uint8_t place = round % key_count;
    key_bytes(bytes, (uint8_t)(100 + round));
    samara_ieee802154_key_settings settings = settings_of(round, bytes);
    settings.family = 5;
    settings.role = SAMARA_IEEE802154_KEY_NEXT;
    CHECK_FRAME(samara_ieee802154_set_key(&security, place, &settings), OK);
    CHECK_FRAME(samara_ieee802154_set_receive_counter(&security, 1, place,
                                                      number_of(1, round)),
                OK);
    CHECK_FRAME(samara_ieee802154_set_transmit_counter(&security, place,
                                                       number_of(2, round)),
                OK);
    CHECK_FRAME(samara_ieee802154_rotate(&security, 5), OK);
    CHECK_FRAME(samara_ieee802154_rotate(&security, 5), REFUSAL(NO_NEXT_KEY));
    CHECK(samara_ieee802154_current_key(&security, 5) == place, "current");
    /* This one and the one before; the third place is empty. */
    const uint8_t gone = (uint8_t)((place + 1) % key_count);
    CHECK(all_zero((uint8_t *)&keys[gone], sizeof keys[0]), "forgotten");
    CHECK(received[key_count + gone].low == 0, "its counter, too");
    CHECK_FRAME(samara_ieee802154_transmit_counter(&security, place, &counter),
                OK);
    CHECK(counter.low == number_of(2, round).low, "sends with its own counter");
    if (round != 0) {
      const uint8_t last = (uint8_t)((place + key_count - 1) % key_count);
      CHECK(keys[last].role == SAMARA_IEEE802154_KEY_PREVIOUS, "previous");
      CHECK_FRAME(
          samara_ieee802154_receive_counter(&security, 1, last, &counter), OK);
      CHECK(counter.low == number_of(1, round - 1u).low,
            "opens with its own counter");
    }
  }
  CHECK_FRAME(samara_ieee802154_rotate(&security, 6), REFUSAL(NO_NEXT_KEY));
  check_behind();
}

/* ---- what is required ---- */

static void check_required(void) {
  for (uint8_t type = 0; type < 4; type++) {
    start();
    CHECK(security.minimum[type] == SAMARA_IEEE802154_MIC_32, "at first");
    CHECK_FRAME(samara_ieee802154_require(&security, samara_ieee802154_no_place,
                                          type, 7),
                OK);
    CHECK_FRAME(samara_ieee802154_require(&security, 1, type, 6), OK);
    CHECK_FRAME(samara_ieee802154_require(&security, device_count, type, 0),
                REFUSAL(PLACE));
    CHECK_FRAME(put_device(2, 55), OK);
    for (uint8_t other = 0; other < 4; other++) {
      const bool same = other == type;
      CHECK(security.minimum[other] == (same ? 7 : 1) &&
                devices[0].minimum[other] == 1 &&
                devices[1].minimum[other] == (same ? 6 : 1) &&
                devices[2].minimum[other] == (same ? 7 : 1),
            "type %u where %u was required", other, type);
    }
    check_behind();
  }
}

/* ---- a device's frames, by where it stands ---- */

static size_t protect_from(uint8_t number, uint8_t level) {
  static end sender;
  uint8_t address[8], bytes[32];
  size_t size = 0;
  address_of(address, number);
  end_init(&sender, address);
  key_bytes(bytes, 2);
  const samara_ieee802154_key_settings settings = settings_of(2, bytes);
  end_add_key(&sender, 0, &settings);
  const samara_ieee802154_counter counter = {1000, 0};
  CHECK_FRAME(
      samara_ieee802154_set_transmit_counter(&sender.security, 0, counter), OK);
  samara_ieee802154_frame header = data_frame(level, 2);
  memcpy(header.destination.long_address, own, 8);
  memcpy(header.source.long_address, address, 8);
  const size_t clear = frame_write(frame, sizeof frame, &header, 5);
  CHECK_FRAME(samara_ieee802154_protect(&sender.security, &size, NULL, frame,
                                        clear, sizeof frame),
              OK);
  return size;
}

static void check_found_in_every_place(void) {
  for (uint8_t place = 0; place < device_count; place++) {
    start();
    const size_t size = protect_from((uint8_t)(1 + place), 5);
    uint8_t again[frame_room];
    memcpy(again, frame, sizeof again);
    CHECK_FRAME(samara_ieee802154_open(&security, &opened, NULL, frame, size),
                OK);
    CHECK(opened.device == place && opened.key == 1, "who sent it");
    CHECK(received[place * key_count + 1].low == 1001, "its counter");
    received[place * key_count + 1] = number_of(place, 1);
    check_counters(samara_ieee802154_no_place, samara_ieee802154_no_place);
    received[place * key_count + 1].low = 1001;
    memcpy(frame, again, sizeof again);
    CHECK_FRAME(samara_ieee802154_open(&security, &opened, NULL, frame, size),
                REFUSAL(REPLAY));
    /* Removed and known again, it is a device that nothing was heard of. */
    samara_ieee802154_remove_device(&security, place);
    CHECK_FRAME(samara_ieee802154_open(&security, &opened, NULL, frame, size),
                REFUSAL(NO_DEVICE));
    CHECK_FRAME(put_device(place, (uint8_t)(1 + place)), OK);
    CHECK_FRAME(samara_ieee802154_open(&security, &opened, NULL, frame, size),
                OK);
  }
}

/* A frame without a source: only a place that is used tells one. */
static void check_told_device(void) {
  start();
  samara_ieee802154_frame header = data_frame(0, 1);
  header.control &= (uint16_t)~SAMARA_IEEE802154_SECURITY;
  header.source.kind = SAMARA_IEEE802154_ABSENT;
  CHECK_FRAME(
      samara_ieee802154_require(&security, samara_ieee802154_no_place, 1, 0),
      OK);
  samara_ieee802154_remove_device(&security, 1);
  for (uint8_t told = 0; told <= device_count; told++) {
    const samara_ieee802154_context context = {.device = told};
    const size_t size = frame_write(frame, sizeof frame, &header, 5);
    const bool used = told == 0 || told == 2;
    CHECK_FRAME(
        samara_ieee802154_open(&security, &opened, &context, frame, size),
        used ? REFUSAL(UNSECURED) : OK);
    CHECK(opened.device == (used ? told : samara_ieee802154_no_place),
          "told %u", told);
  }
}

/* ---- acknowledgements ---- */

static samara_ieee802154_result acknowledges(samara_ieee802154_frame answer) {
  const samara_ieee802154_frame sent = data_frame(0, 1);
  return samara_ieee802154_acknowledges(&sent, &answer);
}

static void check_acknowledged(void) {
  samara_ieee802154_frame answer = data_frame(0, 1);
  answer.control = SAMARA_IEEE802154_ACKNOWLEDGEMENT | SAMARA_IEEE802154_2015;
  const samara_ieee802154_address to = answer.source;
  answer.source = answer.destination;
  answer.destination = to;
  CHECK_FRAME(acknowledges(answer), OK);
  samara_ieee802154_frame other = answer;
  other.control ^= SAMARA_IEEE802154_ACKNOWLEDGEMENT ^ SAMARA_IEEE802154_DATA;
  CHECK_FRAME(acknowledges(other), REFUSAL(OTHER_FRAME));
  other = answer;
  other.control |= SAMARA_IEEE802154_NO_SEQUENCE;
  CHECK_FRAME(acknowledges(other), REFUSAL(OTHER_FRAME));
  for (unsigned i = 0; i < 8; i++) {
    other = answer;
    other.source.long_address[i] ^= 0x80;
    CHECK_FRAME(acknowledges(other), REFUSAL(OTHER_FRAME));
    other = answer;
    other.destination.long_address[i] ^= 0x80;
    CHECK_FRAME(acknowledges(other), REFUSAL(OTHER_FRAME));
  }
  /* Of other kinds, they cannot be compared. */
  other = answer;
  other.source.kind = SAMARA_IEEE802154_SHORT;
  other.destination.kind = SAMARA_IEEE802154_ABSENT;
  CHECK_FRAME(acknowledges(other), OK);
  samara_ieee802154_frame sent = data_frame(0, 1);
  sent.destination.kind = SAMARA_IEEE802154_SHORT;
  sent.destination.short_address = 2;
  other.source.short_address = 2;
  CHECK_FRAME(samara_ieee802154_acknowledges(&sent, &other), OK);
  other.source.short_address = 3;
  CHECK_FRAME(samara_ieee802154_acknowledges(&sent, &other),
              REFUSAL(OTHER_FRAME));
}

/* ---- our own frames ---- */

static samara_ieee802154_result protect_as(const uint8_t source[8],
                                           size_t payload_size, size_t *size) {
  static uint8_t room[samara_ieee802154_size_max + 16];
  samara_ieee802154_frame header = data_frame(5, 1);
  memcpy(header.source.long_address, source, 8);
  const size_t clear = frame_write(room, sizeof room, &header, payload_size);
  return samara_ieee802154_protect(&security, size, NULL, room, clear,
                                   sizeof room);
}

static void check_own_source(void) {
  start();
  size_t size = 0;
  CHECK_FRAME(protect_as(own, 5, &size), OK);
  for (unsigned i = 0; i < 8; i++) {
    uint8_t other[8];
    memcpy(other, own, 8);
    other[i] ^= 1;
    CHECK_FRAME(protect_as(other, 5, &size), REFUSAL(SOURCE));
  }
  CHECK_FRAME(protect_as(none, 5, &size), REFUSAL(SOURCE));
}

/* The longest PSDU has 2045 bytes without its FCS: header 27, MIC 4. */
static void check_longest(void) {
  start();
  size_t size = 0;
  CHECK_FRAME(protect_as(own, samara_ieee802154_size_max - 27 - 4, &size), OK);
  CHECK(size == samara_ieee802154_size_max, "the longest: %zu", size);
  CHECK_FRAME(protect_as(own, samara_ieee802154_size_max - 27 - 3, &size),
              REFUSAL(FRAME_SIZE));
}

/* ---- the fifth byte of an ASN ---- */

static void check_asn_carries(void) {
  start();
  samara_ieee802154_key_settings settings = settings_of(40, key_one);
  settings.flags = SAMARA_IEEE802154_KEY_ASN;
  CHECK_FRAME(samara_ieee802154_set_key(&security, 0, &settings), OK);
  samara_ieee802154_frame header = data_frame(6, 40);
  memcpy(header.source.long_address, own, 8);
  header.security_control |=
      SAMARA_IEEE802154_NO_COUNTER | SAMARA_IEEE802154_ASN_IN_NONCE;
  const samara_ieee802154_context slot = {
      .has_asn = true, .asn = {UINT32_MAX, 6}, .device = 0};
  const size_t clear = frame_write(frame, sizeof frame, &header, 5);
  size_t size = 0;
  CHECK_FRAME(samara_ieee802154_protect(&security, &size, &slot, frame, clear,
                                        sizeof frame),
              OK);
  samara_ieee802154_counter next;
  CHECK_FRAME(samara_ieee802154_transmit_counter(&security, 0, &next), OK);
  CHECK(next.high == 7 && next.low == 0, "the slot after: %u, %lu", next.high,
        (unsigned long)next.low);
  /* Only upwards, by all five bytes. */
  const samara_ieee802154_counter lower = {UINT32_MAX, 6};
  CHECK_FRAME(samara_ieee802154_set_transmit_counter(&security, 0, lower),
              REFUSAL(COUNTER_LOWERED));
  CHECK_FRAME(samara_ieee802154_set_transmit_counter(&security, 0, next), OK);
  CHECK_FRAME(samara_ieee802154_set_receive_counter(&security, 1, 1, next), OK);
  CHECK_FRAME(samara_ieee802154_set_receive_counter(&security, 1, 1, lower),
              REFUSAL(COUNTER_LOWERED));
}

int main(void) {
  check_devices_leave();
  check_devices_replaced();
  check_device_changed();
  check_devices_repeated();
  check_keys_leave();
  check_keys_replaced();
  check_keys_repeated();
  check_keys_of_devices();
  check_rotations();
  check_required();
  check_found_in_every_place();
  check_told_device();
  check_acknowledged();
  check_own_source();
  check_longest();
  check_asn_carries();
  return check_report();
}
