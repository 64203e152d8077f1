/* SPDX-License-Identifier: Apache-2.0 */

/* What a secured link refuses, and that a refusal changes nothing. */

#include "ends.h"
#include <samara/ieee802154_names.h>
#include <stdlib.h>
#include <string.h>

#define OK SAMARA_IEEE802154_OK
#define REFUSAL(code) SAMARA_IEEE802154_ERROR_##code

enum { frame_room = 127 };

static end a, b;
static uint8_t frame[frame_room];
static samara_ieee802154_opened opened;

/* Two ends that share one key, AES-128 in key id mode 1 with index 1. */
static void start(void) {
  const samara_ieee802154_key_settings settings = key_settings(1);
  end_init(&a, address_a);
  end_init(&b, address_b);
  end_add_key(&a, 0, &settings);
  end_add_key(&b, 0, &settings);
}

/* Protects a frame with 20 bytes of payload; its size with the MIC. */
static size_t send(const samara_ieee802154_frame *header) {
  size_t size = 0;
  const size_t clear = frame_write(frame, sizeof frame, header, 20);
  CHECK_FRAME(samara_ieee802154_protect(&a.security, &size, NULL, frame, clear,
                                        sizeof frame),
              OK);
  return size;
}

static size_t send_level(uint8_t level) {
  const samara_ieee802154_frame header = data_frame(level, 1);
  return send(&header);
}

/* Opens a copy of `frame` at B. A refusal must not change B, and leave neither
 * plaintext nor, before the cipher, any change. */
static samara_ieee802154_result receive(size_t size) {
  uint8_t *copy = malloc(size);
  const end before = b;
  memcpy(copy, frame, size);
  const samara_ieee802154_result result =
      samara_ieee802154_open(&b.security, &opened, NULL, copy, size);
  if (result != OK) {
    CHECK(end_same(&b, &before), "a refusal changed the state");
  }
  if (result == REFUSAL(AUTHENTICATION)) {
    const size_t payload = opened.frame.payload_size;
    CHECK(all_zero(copy + size - opened.frame.mic_size - payload, payload),
          "a refused payload is zeros");
    CHECK_BYTES(copy, frame, size - opened.frame.mic_size - payload,
                "the rest of a refused frame is left alone");
  } else if (result != OK) {
    CHECK_BYTES(copy, frame, size, "a frame refused unseen is left alone");
  }
  free(copy);
  return result;
}

static samara_ieee802154_counter number(uint32_t low) {
  const samara_ieee802154_counter counter = {low, 0};
  return counter;
}

/* ---- every way to secure ---- */

static void cross(const samara_ieee802154_cipher *cipher, uint16_t version,
                  uint8_t level, uint8_t mode) {
  samara_ieee802154_key_settings settings = key_settings(9);
  samara_ieee802154_frame header = data_frame(level, 9);
  const uint8_t source[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  settings.cipher = cipher;
  settings.mode = mode;
  settings.source = source;
  settings.flags = SAMARA_IEEE802154_KEY_ENCRYPTION_ONLY;
  header.control = (uint16_t)((header.control & 0x0fff) | version);
  header.security_control = (uint8_t)(level | mode << 3);
  memcpy(header.key_source, source, 8);
  end_init(&a, address_a);
  end_init(&b, address_b);
  end_add_key(&a, 3, &settings);
  end_add_key(&b, 1, &settings);
  CHECK_FRAME(
      samara_ieee802154_require(&b.security, 0, SAMARA_IEEE802154_DATA, level),
      OK);
  if (samara_ieee802154_mic_size(level) > cipher->tag_size) {
    size_t size = frame_write(frame, sizeof frame, &header, 20);
    CHECK_FRAME(samara_ieee802154_protect(&a.security, &size, NULL, frame, size,
                                          sizeof frame),
                REFUSAL(MIC_SIZE));
    return;
  }
  uint8_t clear[frame_room];
  const size_t clear_size = frame_write(clear, sizeof clear, &header, 20);
  size_t size = send(&header);
  CHECK(size == clear_size + samara_ieee802154_mic_size(level), "size");
  CHECK((level < 4) ==
            (memcmp(frame + clear_size - 20, clear + clear_size - 20, 20) == 0),
        "encrypted from level 4 on");
  CHECK_FRAME(samara_ieee802154_open(&b.security, &opened, NULL, frame, size),
              OK);
  CHECK_BYTES(frame, clear, clear_size, "what was sent arrives");
  CHECK(opened.level == level && opened.device == 0 && opened.key == 1,
        "who sent it");
}

static void check_every_way(void) {
  const char *slug;
  const samara_ieee802154_cipher *cipher;
  for (size_t i = 0; (cipher = samara_ieee802154_cipher_at(i, &slug)); i++) {
    for (uint8_t level = 1; level <= 7; level++) {
      for (uint8_t mode = 0; mode <= 3; mode++) {
        cross(cipher, SAMARA_IEEE802154_2006, level, mode);
        cross(cipher, SAMARA_IEEE802154_2015, level, mode);
      }
    }
  }
}

/* ---- forgeries ---- */

/* Every bit of the frame, header included, at every level with a MIC. */
static void check_bits(uint16_t version) {
  for (uint8_t level = 1; level <= 7; level++) {
    if (level == SAMARA_IEEE802154_ENC) {
      continue;
    }
    start();
    samara_ieee802154_frame header = data_frame(level, 1);
    header.control = (uint16_t)((header.control & 0x0fff) | version);
    const size_t size = send(&header);
    size_t unauthentic = 0;
    for (size_t bit = 0; bit < 8 * size; bit++) {
      frame[bit / 8] ^= (uint8_t)(1U << bit % 8);
      const samara_ieee802154_result result = receive(size);
      CHECK(result != OK, "bit %zu changed, and accepted", bit);
      unauthentic += result == REFUSAL(AUTHENTICATION);
      frame[bit / 8] ^= (uint8_t)(1U << bit % 8);
    }
    /* Payload and MIC at least, and so it was seen that they are zeroed. */
    CHECK(unauthentic >= 8 * (size_t)(20 + opened.frame.mic_size),
          "%zu bits changed the MIC", unauthentic);
    CHECK_FRAME(receive(size - 1), REFUSAL(AUTHENTICATION));
    CHECK_FRAME(receive(size), OK);
  }
}

/* A beacon's and a command's open part is no payload: it stays. */
static void check_forged_open_part(void) {
  start();
  samara_ieee802154_frame header = data_frame(1, 1);
  header.control = SAMARA_IEEE802154_COMMAND | SAMARA_IEEE802154_2006 |
                   SAMARA_IEEE802154_SECURITY;
  const size_t size = send(&header);
  frame[size - 1] ^= 1;
  CHECK_FRAME(receive(size), REFUSAL(AUTHENTICATION));
  CHECK(opened.frame.open_size == 1 && opened.frame.payload_size == 19,
        "the command id is not payload");
  frame[size - 1] ^= 1;
  CHECK_FRAME(receive(size), OK);
}

/* The counter is at a fixed place of these frames: behind the security control,
 * in front of the index. */
static void set_counter(uint32_t counter) {
  for (unsigned i = 0; i < 4; i++) {
    frame[22 + i] = (uint8_t)(counter >> (8 * i));
  }
}

static void check_forged_high_counter(void) {
  start();
  size_t size = send_level(5);
  set_counter(0xfffffffe);
  CHECK_FRAME(receive(size), REFUSAL(AUTHENTICATION));
  set_counter(0);
  CHECK_FRAME(receive(size), OK);
}

/* ---- replays ---- */

static void check_replay(void) {
  start();
  size_t size = send_level(5);
  CHECK_FRAME(receive(size), OK);
  CHECK_FRAME(receive(size), REFUSAL(REPLAY));
  uint8_t first[frame_room];
  memcpy(first, frame, sizeof first);
  size = send_level(5);
  CHECK_FRAME(receive(size), OK);
  memcpy(frame, first, sizeof first);
  CHECK_FRAME(receive(size), REFUSAL(REPLAY));

  /* After a restart, with the counter that was stored. */
  samara_ieee802154_counter counter;
  const samara_ieee802154_key_settings settings = key_settings(1);
  CHECK_FRAME(samara_ieee802154_receive_counter(&b.security, 0, 0, &counter),
              OK);
  CHECK(counter.low == 2 && counter.high == 0, "two frames were received");
  end_init(&b, address_b);
  end_add_key(&b, 0, &settings);
  CHECK_FRAME(samara_ieee802154_set_receive_counter(&b.security, 0, 0, counter),
              OK);
  CHECK_FRAME(receive(size), REFUSAL(REPLAY));
  size = send_level(5);
  CHECK_FRAME(receive(size), OK);
}

/* A device keeps its counters when it is told again, or has another place for
 * its short address. */
static void check_device_told_again(void) {
  start();
  const size_t size = send_level(5);
  CHECK_FRAME(receive(size), OK);
  CHECK_FRAME(samara_ieee802154_set_device(&b.security, 0, address_a, 0x4321,
                                           samara_ieee802154_no_short_address),
              OK);
  CHECK_FRAME(receive(size), REFUSAL(REPLAY));
  CHECK_FRAME(
      samara_ieee802154_set_device(&b.security, 1, address_a, 0x4321, 5),
      REFUSAL(DEVICE_REPEATED));
  CHECK_FRAME(
      samara_ieee802154_set_device(&b.security, 1, address_b, 0x4321, 5),
      REFUSAL(OWN_ADDRESS));
  CHECK_FRAME(samara_ieee802154_set_device(&b.security, end_devices, address_b,
                                           0x4321, 5),
              REFUSAL(PLACE));
}

/* ---- levels ---- */

static void check_downgrade(void) {
  start();
  CHECK_FRAME(samara_ieee802154_require(&b.security, 0, SAMARA_IEEE802154_DATA,
                                        SAMARA_IEEE802154_ENC_MIC_64),
              OK);
  static const bool enough[] = {false, false, false, false,
                                false, false, true,  true};
  for (uint8_t level = 1; level <= 7; level++) {
    if (level != 4) {
      const size_t size = send_level(level);
      CHECK_FRAME(receive(size), enough[level] ? OK : REFUSAL(LEVEL));
    }
  }
}

static void check_unsecured(void) {
  start();
  samara_ieee802154_frame header = data_frame(0, 1);
  header.control &= (uint16_t)~SAMARA_IEEE802154_SECURITY;
  size_t size = frame_write(frame, sizeof frame, &header, 20);
  CHECK_FRAME(receive(size), REFUSAL(UNSECURED));
  /* From a device that nobody knows, too. */
  header.source.long_address[7] = 99;
  size = frame_write(frame, sizeof frame, &header, 20);
  CHECK_FRAME(receive(size), REFUSAL(UNSECURED));
  /* One that says it is secured, at level 0. */
  header = data_frame(0, 1);
  size = frame_write(frame, sizeof frame, &header, 20);
  CHECK_FRAME(receive(size), REFUSAL(UNSECURED));
  /* And in the way of 2003. */
  header.control = SAMARA_IEEE802154_DATA | SAMARA_IEEE802154_SECURITY;
  size = frame_write(frame, sizeof frame, &header, 20);
  CHECK_FRAME(receive(size), REFUSAL(LEGACY_SECURITY));
  CHECK_FRAME(samara_ieee802154_protect(&a.security, &size, NULL, frame, size,
                                        sizeof frame),
              REFUSAL(LEGACY_SECURITY));
}

static void check_unsecured_allowed(void) {
  start();
  samara_ieee802154_frame header = data_frame(0, 1);
  header.control &= (uint16_t)~SAMARA_IEEE802154_SECURITY;
  size_t size = frame_write(frame, sizeof frame, &header, 20);
  CHECK_FRAME(samara_ieee802154_require(&b.security, 0, SAMARA_IEEE802154_DATA,
                                        SAMARA_IEEE802154_NONE),
              OK);
  CHECK_FRAME(receive(size), OK);
  CHECK(opened.level == 0 && opened.key == samara_ieee802154_no_place, "level");
  size_t protected_size;
  CHECK_FRAME(samara_ieee802154_protect(&a.security, &protected_size, NULL,
                                        frame, size, sizeof frame),
              REFUSAL(UNSECURED));
  /* Only of data frames, and of that device. */
  header.control ^= SAMARA_IEEE802154_DATA ^ SAMARA_IEEE802154_COMMAND;
  size = frame_write(frame, sizeof frame, &header, 20);
  CHECK_FRAME(receive(size), REFUSAL(UNSECURED));
  CHECK_FRAME(samara_ieee802154_require(&b.security, 1, 0, 0), REFUSAL(PLACE));
  CHECK_FRAME(samara_ieee802154_require(&b.security, 0, 4, 0), REFUSAL(PLACE));
  CHECK_FRAME(samara_ieee802154_require(&b.security, 0, 0, 8), REFUSAL(PLACE));
}

static void check_encryption_only(void) {
  start();
  const samara_ieee802154_frame header = data_frame(SAMARA_IEEE802154_ENC, 1);
  size_t size = frame_write(frame, sizeof frame, &header, 20);
  CHECK_FRAME(samara_ieee802154_protect(&a.security, &size, NULL, frame, size,
                                        sizeof frame),
              REFUSAL(ENCRYPTION_ONLY));
  a.keys[0].flags = SAMARA_IEEE802154_KEY_ENCRYPTION_ONLY;
  size = send(&header);
  CHECK_FRAME(receive(size), REFUSAL(LEVEL));
  CHECK_FRAME(samara_ieee802154_require(&b.security, 0, SAMARA_IEEE802154_DATA,
                                        SAMARA_IEEE802154_ENC),
              OK);
  CHECK_FRAME(receive(size), REFUSAL(ENCRYPTION_ONLY));
  b.keys[0].flags = SAMARA_IEEE802154_KEY_ENCRYPTION_ONLY;
  const end before = b;
  set_counter(0xfffffffe);
  CHECK_FRAME(receive(size), OK);
  CHECK(end_same(&b, &before), "level 4 moved the counter");
}

/* ---- counters at their end ---- */

static void check_last_counter_sent(void) {
  start();
  CHECK_FRAME(samara_ieee802154_set_transmit_counter(&a.security, 0,
                                                     number(0xfffffffe)),
              OK);
  CHECK_FRAME(samara_ieee802154_set_transmit_counter(&a.security, 0, number(7)),
              REFUSAL(COUNTER_LOWERED));
  size_t size = send_level(5);
  CHECK_FRAME(receive(size), OK);
  const samara_ieee802154_frame header = data_frame(5, 1);
  for (int i = 0; i < 2; i++) {
    const end before = a;
    size = frame_write(frame, sizeof frame, &header, 20);
    CHECK_FRAME(samara_ieee802154_protect(&a.security, &size, NULL, frame, size,
                                          sizeof frame),
                REFUSAL(COUNTER_END));
    CHECK(end_same(&a, &before), "the counter stays at its end");
  }
}

/* A frame that is genuine, but for its counter. */
static void check_last_counter_received(void) {
  start();
  const samara_ieee802154_frame header = data_frame(5, 1);
  const size_t size = frame_write(frame, sizeof frame, &header, 20);
  uint8_t nonce[13] = {0xac, 0xde, 0x48, 0, 0, 0, 0, 1, 255, 255, 255, 255, 5};
  set_counter(0xffffffff);
  CHECK_RESULT(samara_ieee802154_aes128.seal(key_one, frame + size, 4, nonce,
                                             frame, size - 20,
                                             frame + size - 20, 20),
               SAMARA_OK, "a frame by hand");
  CHECK_FRAME(receive(size + 4), REFUSAL(COUNTER_END));
  /* By hand it is right: with the counter before it opens. */
  frame_write(frame, sizeof frame, &header, 20);
  set_counter(0xfffffffe);
  nonce[11] = 0xfe;
  CHECK_RESULT(samara_ieee802154_aes128.seal(key_one, frame + size, 4, nonce,
                                             frame, size - 20,
                                             frame + size - 20, 20),
               SAMARA_OK, "a frame by hand");
  CHECK_FRAME(receive(size + 4), OK);
}

int main(void) {
  check_every_way();
  check_bits(SAMARA_IEEE802154_2006);
  check_bits(SAMARA_IEEE802154_2015);
  check_forged_open_part();
  check_forged_high_counter();
  check_replay();
  check_device_told_again();
  check_downgrade();
  check_unsecured();
  check_unsecured_allowed();
  check_encryption_only();
  check_last_counter_sent();
  check_last_counter_received();
  return check_report();
}
