/* SPDX-License-Identifier: Apache-2.0 */

/* Keys and devices: what is looked up how, rotation, slots, acknowledgements.
 */

#include "ends.h"
#include "registers.h"
#include <samara/grain128aead.h>
#include <string.h>

#define OK SAMARA_IEEE802154_OK
#define REFUSAL(code) SAMARA_IEEE802154_ERROR_##code

enum { frame_room = 127 };

static end a, b;
static uint8_t frame[frame_room];
static samara_ieee802154_opened opened;

static void start(const samara_ieee802154_key_settings *settings) {
  end_init(&a, address_a);
  end_init(&b, address_b);
  end_add_key(&a, 0, settings);
  end_add_key(&b, 0, settings);
}

static samara_ieee802154_result
protect(const samara_ieee802154_frame *header, size_t *size,
        const samara_ieee802154_context *context) {
  const size_t clear = frame_write(frame, sizeof frame, header, 20);
  return samara_ieee802154_protect(&a.security, size, context, frame, clear,
                                   sizeof frame);
}

static samara_ieee802154_result
receive(size_t size, const samara_ieee802154_context *context) {
  uint8_t copy[frame_room];
  memcpy(copy, frame, sizeof copy);
  return samara_ieee802154_open(&b.security, &opened, context, copy, size);
}

/* ---- key lookup ---- */

static void check_key_source(void) {
  const uint8_t source[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  samara_ieee802154_key_settings settings = key_settings(1);
  samara_ieee802154_frame header = data_frame(5, 1);
  size_t size = 0;
  settings.mode = 3;
  settings.source = source;
  start(&settings);
  header.security_control = 5 | 3 << 3;
  memcpy(header.key_source, source, 8);
  CHECK_FRAME(protect(&header, &size, NULL), OK);
  /* The receiver has a key of that index, from another source. */
  const uint8_t other[8] = {1, 2, 3, 4, 5, 6, 7, 9};
  settings.source = other;
  end_init(&b, address_b);
  end_add_key(&b, 0, &settings);
  CHECK_FRAME(receive(size, NULL), REFUSAL(NO_KEY));
  /* And then one from the right source, which is not the same key. */
  settings.source = source;
  settings.bytes = key_two;
  settings.family = 2;
  end_add_key(&b, 1, &settings);
  CHECK_FRAME(receive(size, NULL), REFUSAL(AUTHENTICATION));
  header.key_source[0] = 9;
  CHECK_FRAME(protect(&header, &size, NULL), REFUSAL(NO_KEY));
  header.security_control = 5 | 2 << 3;
  CHECK_FRAME(protect(&header, &size, NULL), REFUSAL(NO_KEY));
}

static void check_key_of_a_device(void) {
  samara_ieee802154_key_settings settings = key_settings(0);
  samara_ieee802154_frame header = data_frame(5, 0);
  size_t size = 0;
  settings.mode = 0;
  settings.device = 0;
  header.security_control = 5;
  start(&settings);
  CHECK_FRAME(protect(&header, &size, NULL), OK);
  CHECK_FRAME(receive(size, NULL), OK);
  b.keys[0].device = 1;
  CHECK_FRAME(protect(&header, &size, NULL), OK);
  CHECK_FRAME(receive(size, NULL), REFUSAL(NO_KEY));
  header.destination.long_address[0] = 1;
  CHECK_FRAME(protect(&header, &size, NULL), REFUSAL(NO_KEY));
}

static void check_key_settings(void) {
  samara_ieee802154_key_settings settings = key_settings(1);
  start(&settings);
  samara_ieee802154_security *security = &a.security;
  CHECK_FRAME(samara_ieee802154_set_key(security, end_keys, &settings),
              REFUSAL(PLACE));
  /* The same key again, under any name and in any place, its own included. */
  CHECK_FRAME(samara_ieee802154_set_key(security, 0, &settings),
              REFUSAL(KEY_REPEATED));
  settings = key_settings(2);
  CHECK_FRAME(samara_ieee802154_set_key(security, 1, &settings),
              REFUSAL(KEY_REPEATED));
  /* Another key under the same name. */
  settings = key_settings(1);
  settings.bytes = key_two;
  settings.family = 2;
  CHECK_FRAME(samara_ieee802154_set_key(security, 1, &settings),
              REFUSAL(KEY_REPEATED));
  /* Two current keys of one family; modes, roles, devices there are not. */
  settings.index = 2;
  settings.family = 1;
  CHECK_FRAME(samara_ieee802154_set_key(security, 1, &settings),
              REFUSAL(KEY_SETTINGS));
  settings.family = 2;
  settings.mode = 4;
  CHECK_FRAME(samara_ieee802154_set_key(security, 1, &settings),
              REFUSAL(KEY_SETTINGS));
  settings.mode = 1;
  settings.role = 0;
  CHECK_FRAME(samara_ieee802154_set_key(security, 1, &settings),
              REFUSAL(KEY_SETTINGS));
  settings.role = SAMARA_IEEE802154_KEY_CURRENT;
  settings.device = end_devices;
  CHECK_FRAME(samara_ieee802154_set_key(security, 1, &settings),
              REFUSAL(KEY_SETTINGS));
  settings.device = samara_ieee802154_no_place;
  end_add_key(&a, 1, &settings);
  samara_ieee802154_counter counter;
  CHECK_FRAME(samara_ieee802154_transmit_counter(security, 2, &counter),
              REFUSAL(PLACE));
  CHECK_FRAME(samara_ieee802154_receive_counter(security, 1, 0, &counter),
              REFUSAL(PLACE));
  samara_ieee802154_remove_key(security, 0);
  CHECK(all_zero((const uint8_t *)&a.keys[0], sizeof a.keys[0]), "wiped");
}

/* ---- rotation ---- */

/* Key 2 is the next of key 1's family, in place 1. */
/* No part of a key stays in a vector register, into which it may be copied.
 * Code that is not optimised, and sanitizers, use those for other things. */
static void check_key_left(void) {
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
  const samara_ieee802154_key_settings settings = key_settings(1);
  end_init(&a, address_a);
  clear_registers();
  const samara_ieee802154_result result =
      samara_ieee802154_set_key(&a.security, 0, &settings);
  const bool clear = registers_are_clear();
  CHECK_FRAME(result, OK);
  CHECK(clear, "a part of the key is left in a register");
#endif
}

static void add_next(end *one) {
  samara_ieee802154_key_settings settings = key_settings(2);
  settings.bytes = key_two;
  settings.family = 1;
  settings.role = SAMARA_IEEE802154_KEY_NEXT;
  end_add_key(one, 1, &settings);
}

static void check_rotation(void) {
  const samara_ieee802154_key_settings settings = key_settings(1);
  const samara_ieee802154_frame by_one = data_frame(5, 1);
  const samara_ieee802154_frame by_two = data_frame(5, 2);
  size_t size = 0;
  start(&settings);
  CHECK_FRAME(samara_ieee802154_rotate(&a.security, 1), REFUSAL(NO_NEXT_KEY));
  add_next(&a);
  add_next(&b);
  CHECK_FRAME(protect(&by_two, &size, NULL), REFUSAL(KEY_ROLE));
  CHECK_FRAME(protect(&by_one, &size, NULL), OK);
  CHECK_FRAME(protect(&by_one, &size, NULL), OK);
  uint8_t late[frame_room];
  memcpy(late, frame, sizeof late);

  /* Half way: A has rotated, B has not. The new key begins at 0. */
  CHECK_FRAME(samara_ieee802154_rotate(&a.security, 1), OK);
  CHECK(samara_ieee802154_current_key(&a.security, 1) == 1, "current key");
  CHECK_FRAME(protect(&by_one, &size, NULL), REFUSAL(KEY_ROLE));
  CHECK_FRAME(protect(&by_two, &size, NULL), OK);
  CHECK_FRAME(receive(size, NULL), OK);
  CHECK(opened.key == 1 && opened.frame.frame_counter == 0, "the next key");
  /* A frame of the old key that was under way, counter 1, still comes in. */
  memcpy(frame, late, sizeof late);
  CHECK_FRAME(receive(size, NULL), OK);
  CHECK_FRAME(receive(size, NULL), REFUSAL(REPLAY));

  CHECK_FRAME(samara_ieee802154_rotate(&b.security, 1), OK);
  CHECK_FRAME(receive(size, NULL), REFUSAL(REPLAY));
  CHECK_FRAME(protect(&by_two, &size, NULL), OK);
  CHECK_FRAME(receive(size, NULL), OK);
  /* A key's second rotation ends it. */
  samara_ieee802154_key_settings third = key_settings(3);
  uint8_t key_three[16] = {3};
  third.bytes = key_three;
  third.family = 1;
  third.role = SAMARA_IEEE802154_KEY_NEXT;
  end_add_key(&b, 2, &third);
  CHECK_FRAME(samara_ieee802154_rotate(&b.security, 1), OK);
  memcpy(frame, late, sizeof late);
  CHECK_FRAME(receive(size, NULL), REFUSAL(NO_KEY));
  CHECK(all_zero((const uint8_t *)&b.keys[0], sizeof b.keys[0]), "forgotten");
}

/* ---- nonces of the ASN ---- */

static samara_ieee802154_context at_slot(uint8_t high, uint32_t low) {
  const samara_ieee802154_context context = {
      true, {low, high}, samara_ieee802154_no_place};
  return context;
}

static void check_asn(void) {
  samara_ieee802154_key_settings settings = key_settings(1);
  samara_ieee802154_frame header = data_frame(6, 1);
  samara_ieee802154_context slot = at_slot(1, 0xfffffffe);
  size_t size = 0;
  settings.flags = SAMARA_IEEE802154_KEY_ASN;
  start(&settings);
  CHECK_FRAME(protect(&header, &size, &slot), REFUSAL(NONCE_KIND));
  header.security_control |=
      SAMARA_IEEE802154_NO_COUNTER | SAMARA_IEEE802154_ASN_IN_NONCE;
  CHECK_FRAME(protect(&header, &size, NULL), REFUSAL(NO_ASN));
  CHECK_FRAME(protect(&header, &size, &slot), OK);
  CHECK_FRAME(receive(size, NULL), REFUSAL(NO_ASN));
  slot.asn.low++;
  CHECK_FRAME(receive(size, &slot), REFUSAL(AUTHENTICATION));
  slot.asn.low--;
  CHECK_FRAME(receive(size, &slot), OK);
  CHECK_FRAME(receive(size, &slot), REFUSAL(REPLAY));
  CHECK_FRAME(protect(&header, &size, &slot), REFUSAL(ASN_USED));
  /* Past four bytes, and at the end of five. */
  slot = at_slot(2, 0);
  CHECK_FRAME(protect(&header, &size, &slot), OK);
  CHECK_FRAME(receive(size, &slot), OK);
  slot = at_slot(0xff, 0xfffffffe);
  CHECK_FRAME(protect(&header, &size, &slot), OK);
  CHECK_FRAME(receive(size, &slot), OK);
  slot = at_slot(0xff, 0xffffffff);
  CHECK_FRAME(receive(size, &slot), REFUSAL(COUNTER_END));
  CHECK_FRAME(protect(&header, &size, &slot), REFUSAL(COUNTER_END));
}

/* What A sent in slot 0x0102030405 has the MIC of a nonce that begins so. */
static void check_nonce_begin(const samara_ieee802154_frame *header,
                              const uint8_t begin[8]) {
  samara_ieee802154_context slot = at_slot(1, 0x02030405);
  uint8_t nonce[13] = {[8] = 1, 2, 3, 4, 5};
  uint8_t by_hand[frame_room];
  size_t size = 0;
  samara_ieee802154_key_settings settings = key_settings(1);
  settings.flags = SAMARA_IEEE802154_KEY_ASN;
  start(&settings);
  CHECK_FRAME(
      samara_ieee802154_set_device(&b.security, 0, address_a, 0x4321, 0x0201),
      OK);
  memcpy(nonce, begin, 8);
  /* A nonce without a zero byte lies on the stack before. */
  memset(a.security.address, 0xff, 8);
  samara_ieee802154_frame other = *header;
  other.source.kind = SAMARA_IEEE802154_LONG;
  memset(other.source.long_address, 0xff, 8);
  const samara_ieee802154_context before = at_slot(0, 1);
  CHECK_FRAME(protect(&other, &size, &before), OK);
  memcpy(a.security.address, address_a, 8);
  const size_t clear = frame_write(by_hand, sizeof by_hand, header, 20);
  CHECK_RESULT(samara_ieee802154_aes128.seal(key_one, by_hand + clear, 8, nonce,
                                             by_hand, clear - 20,
                                             by_hand + clear - 20, 20),
               SAMARA_OK, "a frame by hand");
  CHECK_FRAME(protect(header, &size, &slot), OK);
  CHECK(size == clear + 8, "size");
  CHECK_BYTES(frame, by_hand, size, "a nonce of the ASN");
  CHECK_FRAME(receive(size, &slot), OK);
  CHECK_FRAME(receive(size, &slot), REFUSAL(REPLAY));
}

static samara_ieee802154_frame slotted_frame(void) {
  samara_ieee802154_frame header = data_frame(6, 1);
  header.security_control |=
      SAMARA_IEEE802154_NO_COUNTER | SAMARA_IEEE802154_ASN_IN_NONCE;
  return header;
}

/* 9.3.2.2 of 2015: a short source stands for itself. */
static void check_asn_with_short_source(void) {
  samara_ieee802154_frame header = slotted_frame();
  check_nonce_begin(&header, address_a);
  header.source.kind = SAMARA_IEEE802154_SHORT;
  header.source.short_address = 0x0201;
  const uint8_t own_pan[8] = {0xba, 0x55, 0xec, 0, 0x43, 0x21, 2, 1};
  check_nonce_begin(&header, own_pan);
  /* The PAN is the frame's: its own, or the destination's when compressed. */
  header.destination.pan = 0x8765;
  check_nonce_begin(&header, own_pan);
  header.destination.pan = 0x4321;
  header.source.pan = 0;
  header.control |= SAMARA_IEEE802154_PAN_COMPRESSION;
  check_nonce_begin(&header, own_pan);
  /* Ours where the frame has none. */
  header.destination.kind = SAMARA_IEEE802154_ABSENT;
  check_nonce_begin(&header, own_pan);
}

static void check_asn_with_shared_source(void) {
  samara_ieee802154_frame header = slotted_frame();
  samara_ieee802154_context slot = at_slot(0, 1);
  samara_ieee802154_key_settings settings = key_settings(1);
  size_t size = 0;
  settings.flags = SAMARA_IEEE802154_KEY_ASN;
  start(&settings);
  header.source.kind = SAMARA_IEEE802154_SHORT;
  for (uint32_t shared = 0xfffe; shared <= 0xffff; shared++) {
    header.source.short_address = (uint16_t)shared;
    const end before = a;
    CHECK_FRAME(protect(&header, &size, &slot), REFUSAL(SOURCE));
    CHECK(end_same(&a, &before), "a refusal changed the state");
  }
  header.source.short_address = 0xfffd;
  CHECK_FRAME(protect(&header, &size, &slot), OK);
}

/* Without the nonce's last byte, an ASN would be used again. */
static void check_asn_with_grain(void) {
  samara_ieee802154_key_settings settings = key_settings(1);
  end_init(&a, address_a);
  settings.flags = SAMARA_IEEE802154_KEY_ASN;
  settings.cipher = &samara_ieee802154_grain128aead;
  CHECK_FRAME(samara_ieee802154_set_key(&a.security, 0, &settings),
              REFUSAL(KEY_SETTINGS));
}

/* ---- sources ---- */

static void check_short_source(void) {
  const samara_ieee802154_key_settings settings = key_settings(1);
  samara_ieee802154_frame header = data_frame(5, 1);
  size_t size = 0;
  start(&settings);
  header.source.kind = SAMARA_IEEE802154_SHORT;
  header.source.short_address = 1;
  header.control |= SAMARA_IEEE802154_PAN_COMPRESSION;
  CHECK_FRAME(protect(&header, &size, NULL), OK);
  CHECK_FRAME(receive(size, NULL), OK);
  header.destination.pan = 0x4322;
  CHECK_FRAME(protect(&header, &size, NULL), OK);
  CHECK_FRAME(receive(size, NULL), REFUSAL(NO_DEVICE));
  header.destination.pan = 0x4321;
  header.source.short_address = samara_ieee802154_no_short_address;
  CHECK_FRAME(protect(&header, &size, NULL), OK);
  CHECK_FRAME(samara_ieee802154_set_device(&b.security, 0, address_a, 0x4321,
                                           samara_ieee802154_no_short_address),
              OK);
  CHECK_FRAME(receive(size, NULL), REFUSAL(NO_DEVICE));
}

static void check_long_source(void) {
  const samara_ieee802154_key_settings settings = key_settings(1);
  samara_ieee802154_frame header = data_frame(5, 1);
  size_t size = 0;
  start(&settings);
  header.source.long_address[7] = 9;
  CHECK_FRAME(protect(&header, &size, NULL), REFUSAL(SOURCE));
  /* Our own frame, sent back to us. */
  header = data_frame(5, 1);
  CHECK_FRAME(protect(&header, &size, NULL), OK);
  CHECK_FRAME(samara_ieee802154_open(&a.security, &opened, NULL, frame, size),
              REFUSAL(NO_DEVICE));
}

static void check_room(void) {
  const samara_ieee802154_key_settings settings = key_settings(1);
  const samara_ieee802154_frame header = data_frame(7, 1);
  start(&settings);
  const size_t clear = frame_write(frame, sizeof frame, &header, 20);
  const end before = a;
  size_t size = 1;
  CHECK_FRAME(samara_ieee802154_protect(&a.security, &size, NULL, frame, clear,
                                        clear + 15),
              REFUSAL(NO_ROOM));
  CHECK(size == 0 && end_same(&a, &before), "nothing changed");
}

/* ---- acknowledgements ---- */

/* An enhanced one from B, without addresses, for the frame that A sent. */
static size_t acknowledge(const samara_ieee802154_frame *sent, uint8_t level) {
  samara_ieee802154_frame answer = {
      .control = SAMARA_IEEE802154_ACKNOWLEDGEMENT | SAMARA_IEEE802154_2015,
      .sequence = sent->sequence,
      .security_control = (uint8_t)(level | 1 << 3),
      .key_index = 1};
  if (level != 0) {
    answer.control |= SAMARA_IEEE802154_SECURITY;
  }
  size_t size = frame_write(frame, sizeof frame, &answer, 0);
  if (level != 0) {
    CHECK_FRAME(samara_ieee802154_protect(&b.security, &size, NULL, frame, size,
                                          sizeof frame),
                OK);
  }
  return size;
}

static void check_acknowledgements(void) {
  const samara_ieee802154_key_settings settings = key_settings(1);
  samara_ieee802154_frame sent = data_frame(6, 1);
  const samara_ieee802154_context from_b = {.device = 0};
  start(&settings);
  size_t size = acknowledge(&sent, 6);
  CHECK_FRAME(samara_ieee802154_open(&a.security, &opened, NULL, frame, size),
              REFUSAL(NO_DEVICE));
  CHECK_FRAME(
      samara_ieee802154_open(&a.security, &opened, &from_b, frame, size), OK);
  CHECK_FRAME(samara_ieee802154_acknowledges(&sent, &opened.frame), OK);
  sent.sequence++;
  CHECK_FRAME(samara_ieee802154_acknowledges(&sent, &opened.frame),
              REFUSAL(OTHER_FRAME));
  /* Less secured than the frame, or not at all. */
  size = acknowledge(&sent, 1);
  CHECK_FRAME(
      samara_ieee802154_open(&a.security, &opened, &from_b, frame, size), OK);
  CHECK_FRAME(samara_ieee802154_acknowledges(&sent, &opened.frame),
              REFUSAL(LEVEL));
  size = acknowledge(&sent, 0);
  CHECK_FRAME(
      samara_ieee802154_open(&a.security, &opened, &from_b, frame, size),
      REFUSAL(UNSECURED));
  CHECK_FRAME(samara_ieee802154_acknowledges(&sent, &opened.frame),
              REFUSAL(UNSECURED));
  /* A frame of 2006 has plain ones only. */
  sent.control = (uint16_t)((sent.control & 0x0fff) | SAMARA_IEEE802154_2006);
  CHECK_FRAME(samara_ieee802154_acknowledges(&sent, &opened.frame), OK);
  opened.frame.source = sent.source;
  CHECK_FRAME(samara_ieee802154_acknowledges(&sent, &opened.frame),
              REFUSAL(OTHER_FRAME));
}

int main(void) {
  check_key_source();
  check_key_of_a_device();
  check_key_settings();
  check_key_left();
  check_rotation();
  check_asn();
  check_asn_with_short_source();
  check_asn_with_shared_source();
  check_asn_with_grain();
  check_short_source();
  check_long_source();
  check_room();
  check_acknowledgements();
  return check_report();
}
