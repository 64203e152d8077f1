/* SPDX-License-Identifier: Apache-2.0 */

/* Any bytes as a frame: what parses has parts that add up and a header that is
 * written as it was read; what is opened or refused keeps its promises. Half of
 * the inputs are protected first and then opened with one byte changed, or
 * none. The input chooses the cipher, too. */

#include "input.h"
#include <samara/acorn128.h>
#include <samara/aes.h>
#include <samara/ascon_aead128.h>
#include <samara/grain128aead.h>
#include <samara/ieee802154_window.h>
#include <samara/norx32.h>

enum { key_count = 2, device_count = 2, cipher_count = 5, mic_room = 16 };

typedef struct tables {
  samara_ieee802154_security security;
  samara_ieee802154_key keys[key_count];
  samara_ieee802154_device devices[device_count];
  samara_ieee802154_counter received[key_count * device_count];
} tables;

/* What both ends agreed on. */
typedef struct agreed {
  const samara_ieee802154_cipher *cipher;
  int asn;
} agreed;

static const samara_ieee802154_cipher *const ciphers[cipher_count] = {
    &samara_ieee802154_aes128, &samara_ieee802154_grain128aead,
    &samara_ieee802154_ascon_aead128, &samara_ieee802154_acorn128,
    &samara_ieee802154_norx32};

static const uint8_t own[8] = {2, 1};
static const uint8_t key_bytes[32] = {7};

/* The bits of a choice that decide nothing else. An ASN takes a whole nonce. */
static agreed agree(uint8_t choice, int asn) {
  agreed keys = {ciphers[(choice >> 2) % cipher_count], asn};
  if (asn && !keys.cipher->whole_nonce) {
    keys.cipher = &samara_ieee802154_aes128;
  }
  return keys;
}

/* Tables in which the frame finds its sender and key; whether its sender can be
 * in them: who has the address of the tables' owner cannot. */
static bool fill(tables *one, const uint8_t *address,
                 const samara_ieee802154_frame *frame, const agreed *keys) {
  const uint8_t *sender =
      frame->source.kind == SAMARA_IEEE802154_LONG
          ? frame->source.long_address
          : (const uint8_t[samara_ieee802154_address_size]){9, 9};
  samara_ieee802154_init(&one->security, address, frame->destination.pan,
                         one->keys, key_count, one->devices, device_count,
                         one->received);
  const uint16_t pan = frame->source.has_pan || !frame->destination.has_pan
                           ? frame->source.pan
                           : frame->destination.pan;
  const bool has_sender =
      samara_ieee802154_set_device(&one->security, 0, sender, pan,
                                   frame->source.short_address) ==
      SAMARA_IEEE802154_OK;
  const samara_ieee802154_key_settings settings = {
      .cipher = keys->cipher,
      .bytes = key_bytes,
      .source = frame->key_source,
      .mode = samara_ieee802154_key_id_mode(frame),
      .index = frame->key_index,
      .role = SAMARA_IEEE802154_KEY_CURRENT,
      .device = samara_ieee802154_no_place,
      .flags = keys->asn ? SAMARA_IEEE802154_KEY_ASN : 0};
  fuzz_require(samara_ieee802154_set_key(&one->security, 1, &settings) ==
               SAMARA_IEEE802154_OK);
  return has_sender;
}

static void check_parse(const samara_ieee802154_frame *frame,
                        const uint8_t *bytes, size_t size) {
  uint8_t header[samara_ieee802154_header_size_max];
  size_t written;
  fuzz_require((size_t)frame->header_size + frame->elements_size +
                   frame->open_size + frame->payload_size + frame->mic_size ==
               size);
  fuzz_require(
      samara_ieee802154_write_header(frame, header, sizeof header, &written) ==
          SAMARA_IEEE802154_OK &&
      written == frame->header_size && memcmp(header, bytes, written) == 0);
  if (frame->payload_elements) {
    const size_t begin = size - frame->payload_size - frame->mic_size;
    uint8_t *payload = fuzz_allocate(frame->payload_size);
    memcpy(payload, bytes + begin, frame->payload_size);
    size_t elements_size;
    if (samara_ieee802154_payload_elements_size(payload, frame->payload_size,
                                                &elements_size) ==
        SAMARA_IEEE802154_OK) {
      fuzz_require(elements_size <= frame->payload_size);
    }
    free(payload);
  }
}

/* A refusal changes no table; only what nobody sealed may not be opened. */
static void check_open(const samara_ieee802154_frame *frame,
                       const uint8_t *bytes, size_t size, const agreed *keys,
                       int genuine) {
  tables receiver;
  samara_ieee802154_opened opened;
  const samara_ieee802154_context context = {true, {1, 0}, 0};
  uint8_t *copy = fuzz_allocate(size);
  memcpy(copy, bytes, size);
  (void)!fill(&receiver, own, frame, keys);
  const tables before = receiver;
  const samara_ieee802154_result result =
      samara_ieee802154_open(&receiver.security, &opened, &context, copy, size);
  if (result != SAMARA_IEEE802154_OK) {
    fuzz_require(memcmp((const uint8_t *)&receiver, (const uint8_t *)&before,
                        sizeof before) == 0);
  } else {
    fuzz_require(genuine && opened.level != SAMARA_IEEE802154_ENC);
    memcpy(copy, bytes, size);
    fuzz_require(samara_ieee802154_open(&receiver.security, &opened, &context,
                                        copy, size) ==
                 SAMARA_IEEE802154_ERROR_REPLAY);
  }
  free(copy);
}

/* A frame that is late, or new, to a window: accepted once, and a refusal
 * changes nothing. */
static void check_late(const samara_ieee802154_frame *frame,
                       const uint8_t *bytes, size_t size, const agreed *keys,
                       int genuine, int late) {
  tables receiver;
  samara_ieee802154_window windows[key_count * device_count] = {0};
  samara_ieee802154_opened opened;
  uint32_t lost;
  const samara_ieee802154_context context = {true, {1, 0}, 0};
  const samara_ieee802154_counter above = {frame->frame_counter + 2, 0};
  const uint32_t missing[2] = {1, 0};
  uint8_t *copy = fuzz_allocate(size);
  memcpy(copy, bytes, size);
  if (fill(&receiver, own, frame, keys) && late) {
    fuzz_require(
        samara_ieee802154_set_receive_counter(&receiver.security, 0, 1,
                                              above) == SAMARA_IEEE802154_OK &&
        samara_ieee802154_set_missing(&receiver.security, windows, 0, 1,
                                      missing) == SAMARA_IEEE802154_OK);
  }
  const tables before = receiver;
  const samara_ieee802154_window window = windows[1];
  const samara_ieee802154_result result = samara_ieee802154_open_late(
      &receiver.security, windows, &opened, &lost, &context, copy, size);
  if (result != SAMARA_IEEE802154_OK) {
    fuzz_require(memcmp((const uint8_t *)&receiver, (const uint8_t *)&before,
                        sizeof before) == 0 &&
                 memcmp((const uint8_t *)&windows[1], (const uint8_t *)&window,
                        sizeof window) == 0);
  } else {
    fuzz_require(genuine && opened.level != SAMARA_IEEE802154_ENC);
    memcpy(copy, bytes, size);
    fuzz_require(samara_ieee802154_open_late(
                     &receiver.security, windows, &opened, &lost, &context,
                     copy, size) == SAMARA_IEEE802154_ERROR_REPLAY);
  }
  free(copy);
}

static void check_protect(fuzz_input *input, uint8_t change) {
  const size_t size = input->size;
  samara_ieee802154_frame frame;
  if (samara_ieee802154_parse_unprotected(&frame, input->bytes, size) !=
      SAMARA_IEEE802154_OK) {
    return;
  }
  const int asn = (frame.security_control & SAMARA_IEEE802154_NO_COUNTER) != 0;
  const agreed keys = agree(change, asn);
  tables sender;
  uint8_t *bytes = fuzz_allocate(size + mic_room);
  memcpy(bytes, input->bytes, size);
  const int is_long = frame.source.kind == SAMARA_IEEE802154_LONG;
  const samara_ieee802154_context context = {true, {1, 0}, 0};
  (void)!fill(&sender, is_long ? own : (const uint8_t[8]){9, 9}, &frame, &keys);
  memcpy(sender.security.address,
         is_long ? frame.source.long_address : (const uint8_t[8]){9, 9}, 8);
  size_t whole;
  if (samara_ieee802154_protect(&sender.security, &whole, &context, bytes, size,
                                size + mic_room) == SAMARA_IEEE802154_OK &&
      whole != 0) {
    const int changed = change >= 128;
    if (changed) {
      bytes[change % whole] ^= change;
    }
    uint8_t *exact = fuzz_allocate(whole);
    memcpy(exact, bytes, whole);
    if (samara_ieee802154_parse(&frame, exact, whole) == SAMARA_IEEE802154_OK) {
      check_open(&frame, exact, whole, &keys, !changed);
      if (!asn) {
        check_late(&frame, exact, whole, &keys, !changed,
                   change % 4 == 1 && frame.frame_counter < UINT32_MAX - 2);
      }
    }
    free(exact);
  }
  free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  fuzz_input input = {bytes, size};
  const uint8_t change = fuzz_byte(&input);
  samara_ieee802154_frame frame;
  if (change % 2 != 0) {
    check_protect(&input, change);
    return 0;
  }
  const size_t rest = input.size;
  uint8_t *exact = fuzz_take(&input, rest);
  if (samara_ieee802154_parse(&frame, exact, rest) == SAMARA_IEEE802154_OK) {
    check_parse(&frame, exact, rest);
    const agreed keys = agree(change, change & 2);
    check_open(&frame, exact, rest, &keys, 0);
  }
  free(exact);
  return 0;
}
