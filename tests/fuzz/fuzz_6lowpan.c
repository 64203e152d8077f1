/* SPDX-License-Identifier: Apache-2.0 */

/* Two neighbours and a hostile one. The fuzzer chooses what is sent: packets
 * that it makes up, which must cross unchanged, and payloads that it makes up,
 * which may do anything but harm. */

#include "input.h"
#include <samara/6lowpan.h>

enum { slots_count = 3, packet_max = samara_6lowpan_packet_size_max };

static const samara_6lowpan_context contexts[] = {
    {{0x20, 0x01, 0x0d, 0xb8}, 64, true},
    {{0xfd, 0xff}, 7, true},
    {{0}, 0, true},
    {{0xfd, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 77, true},
    {{0xfd, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, 128, false},
};

static const samara_6lowpan_hop honest = {
    {8, {1, 2, 3, 4, 5, 6, 7, 8}}, {2, {0xff, 0xff}}, contexts, 5};
static const samara_6lowpan_hop hostile = {
    {2, {9, 9}}, {8, {8, 7, 6, 5, 4, 3, 2, 1}}, contexts, 5};

/* What came of a payload, compressed anew, is the same packet. */
static void hear_again(const samara_6lowpan_hop *hop, const uint8_t *packet,
                       size_t size) {
  static uint8_t payload[packet_max + 1], again[packet_max];
  samara_6lowpan_sender sender;
  size_t payload_size, again_size;
  if (samara_6lowpan_send(&sender, hop, packet, size, 0, sizeof payload) !=
      SAMARA_6LOWPAN_OK) {
    return;
  }
  fuzz_require(samara_6lowpan_next(&sender, payload, &payload_size));
  fuzz_require(samara_6lowpan_decompress(again, &again_size, hop, payload,
                                         payload_size) == SAMARA_6LOWPAN_OK);
  fuzz_require(again_size == size && memcmp(again, packet, size) == 0);
}

/* Any payload at all: a packet that comes of it has the length it says. */
static void hear(samara_6lowpan_receiver *receiver,
                 const samara_6lowpan_hop *hop, const uint8_t *payload,
                 size_t size, uint32_t now) {
  samara_6lowpan_event event;
  const samara_6lowpan_result result =
      samara_6lowpan_receive(receiver, &event, hop, payload, size, now);
  if (event.packet == NULL) {
    return;
  }
  fuzz_require(result == SAMARA_6LOWPAN_OK);
  fuzz_require(event.packet_size >= 40 && event.packet_size <= packet_max);
  fuzz_require(event.packet[0] >> 4 == 6);
  fuzz_require((size_t)event.packet[4] * 256 + event.packet[5] + 40 ==
               event.packet_size);
  hear_again(hop, event.packet, event.packet_size);
}

/* The fuzzer's bytes behind a header that is one. */
static void send(samara_6lowpan_receiver *receiver, fuzz_input *input,
                 uint32_t now) {
  static uint16_t tag;
  const size_t size = 40 + (fuzz_byte(input) * 5u) % (packet_max - 39);
  const size_t payload_size = 60 + fuzz_byte(input) % 100;
  uint8_t *packet = fuzz_take(input, size);
  samara_6lowpan_sender sender;
  samara_6lowpan_event event = {0};
  packet[0] = (uint8_t)(0x60 | (fuzz_byte(input) & 0x0f));
  packet[4] = (uint8_t)((size - 40) >> 8);
  packet[5] = (uint8_t)(size - 40);
  fuzz_require(samara_6lowpan_send(&sender, &honest, packet, size, ++tag,
                                   payload_size) == SAMARA_6LOWPAN_OK);
  for (;;) {
    uint8_t *payload = fuzz_allocate(payload_size);
    size_t got;
    const bool more = samara_6lowpan_next(&sender, payload, &got);
    if (more) {
      fuzz_require(got <= payload_size && event.packet == NULL);
      fuzz_require(samara_6lowpan_receive(receiver, &event, &honest, payload,
                                          got, now) == SAMARA_6LOWPAN_OK);
    }
    free(payload);
    if (!more) {
      break;
    }
  }
  fuzz_require(event.packet != NULL && event.packet_size == size);
  fuzz_require(memcmp(event.packet, packet, size) == 0);
  free(packet);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  fuzz_input input = {bytes, size};
  samara_6lowpan_slot *slots =
      (samara_6lowpan_slot *)fuzz_allocate(slots_count * sizeof *slots);
  uint8_t *room = fuzz_allocate(packet_max);
  samara_6lowpan_receiver receiver;
  uint32_t now = 0;
  samara_6lowpan_receiver_init(&receiver, slots, slots_count, 2, 100, room);
  while (input.size != 0) {
    const uint8_t what = fuzz_byte(&input);
    now += what >> 4;
    if ((what & 3) == 0) {
      send(&receiver, &input, now);
      continue;
    }
    const size_t taken = fuzz_byte(&input) % 128;
    uint8_t *payload = fuzz_take(&input, taken);
    hear(&receiver, &hostile, payload, taken, now);
    free(payload);
  }
  free(room);
  free(slots);
  return 0;
}
