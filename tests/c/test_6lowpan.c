/* SPDX-License-Identifier: Apache-2.0 */

/* 6LoWPAN: headers worked out by hand from RFC 6282, random packets of all
 * forms and back, fragments in any order, and payloads that contradict
 * themselves. */

#include "check.h"
#include <samara/6lowpan.h>
#include <string.h>

#define CHECK_LOWPAN(got, want) check_lowpan((got), (want), __LINE__)
#define REFUSAL(name) SAMARA_6LOWPAN_ERROR_##name

enum { packet_max = samara_6lowpan_packet_size_max, payloads_max = 64 };

static const samara_6lowpan_context contexts[4] = {
    {{0x20, 0x01, 0x0d, 0xb8}, 64, true},
    {{0xfd, 0, 0, 0x5a}, 32, true},
    {{0x20, 0x01, 0x0d, 0xb8, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6}, 128, true},
    {{0x20, 0x02}, 64, false},
};

static const samara_6lowpan_hop hop = {
    {8, {0xac, 0xde, 0x48, 0, 0, 0, 0, 1}},
    {2, {0x12, 0x34}},
    contexts,
    4,
};

static void check_lowpan(samara_6lowpan_result got, samara_6lowpan_result want,
                         int line) {
  check_that(got == want, __FILE__, line, "%s, expected %s",
             samara_6lowpan_result_name(got), samara_6lowpan_result_name(want));
}

/* --- By hand ------------------------------------------------------------- */

typedef struct by_hand {
  const char *what;
  const char *packet; /* in hex, without the length, which is filled in */
  const char *payload;
} by_hand;

#define FROM_EUI64 "fe80000000000000aede480000000001"
#define TO_SHORT "fe80000000000000000000fffe001234"

static const by_hand cases[] = {
    /* Both addresses elided, hop limit 64, no flow; next header 59. */
    {"shortest", "60000000....3b40" FROM_EUI64 TO_SHORT "aa", "7a333baa"},
    {"hop limit 1", "60000000....3b01" FROM_EUI64 TO_SHORT, "79333b"},
    {"hop limit 255", "60000000....3bff" FROM_EUI64 TO_SHORT, "7b333b"},
    {"hop limit 63", "60000000....3b3f" FROM_EUI64 TO_SHORT, "78333b3f"},
    /* ECN 1 and DSCP 46: class 0xb9, sent as 01 101110. */
    {"class", "6b900000....3b40" FROM_EUI64 TO_SHORT, "72336e3b"},
    {"class and flow", "6b912345....3b40" FROM_EUI64 TO_SHORT,
     "62336e0123453b"},
    {"ECN and flow", "60112345....3b40" FROM_EUI64 TO_SHORT, "6a334123453b"},
    {"flow alone", "60012345....3b40" FROM_EUI64 TO_SHORT, "6a330123453b"},
    /* Identifiers that no address tells. */
    {"64 bits", "60000000....3b40fe800000000000000102030405060708" TO_SHORT,
     "7a133b0102030405060708"},
    {"16 bits", "60000000....3b40fe80000000000000000000fffe00abcd" TO_SHORT,
     "7a233babcd"},
    {"128 bits", "60000000....3b4020030000000000000000000000000001" TO_SHORT,
     "7a033b20030000000000000000000000000001"},
    {"unspecified", "60000000....3bff00000000000000000000000000000000" TO_SHORT,
     "7b433b"},
    /* Contexts: the first, the second (with its byte), one of 128 bits. */
    {"context 0",
     "60000000....3b4020010db800000000aede480000000001"
     "20010db800000000000000fffe001234",
     "7a773b"},
    {"context 1", "60000000....3b40fd00005a00000000aede480000000001" TO_SHORT,
     "7af3103b"},
    {"context 2", "60000000....3b4020010db8000100020003000400050006" TO_SHORT,
     "7af3203b"},
    {"a context only for decompression",
     "60000000....3b4020020000000000000000000000000001" TO_SHORT,
     "7a033b20020000000000000000000000000001"},
    /* Multicast: 8, 32, 48, 128 bits, and by a prefix. */
    {"ff02::1",
     "60000000....3b40" FROM_EUI64 "ff020000000000000000000000000001",
     "7a3b3b01"},
    {"ff05::1:3",
     "60000000....3b40" FROM_EUI64 "ff050000000000000000000000010003",
     "7a3a3b05010003"},
    {"ff05::1:2:3",
     "60000000....3b40" FROM_EUI64 "ff050000000000000000000100020003",
     "7a393b050100020003"},
    {"ff05:1::",
     "60000000....3b40" FROM_EUI64 "ff050001000000000000000000000000",
     "7a383bff050001000000000000000000000000"},
    {"by prefix",
     "60000000....3b40" FROM_EUI64 "ff32004020010db80000000000000042",
     "7a3c3b320000000042"},
    /* UDP: four forms of ports; length from the frame, checksum sent. */
    {"UDP, all bits",
     "60000000....1140" FROM_EUI64 TO_SHORT "16331634....beefaa",
     "7e33f016331634beefaa"},
    {"UDP, destination",
     "60000000....1140" FROM_EUI64 TO_SHORT "1633f034....beef",
     "7e33f1163334beef"},
    {"UDP, source", "60000000....1140" FROM_EUI64 TO_SHORT "f0331634....beef",
     "7e33f2331634beef"},
    {"UDP, four bits",
     "60000000....1140" FROM_EUI64 TO_SHORT "f0b3f0b4....beef", "7e33f334beef"},
    {"UDP, only one has four bits",
     "60000000....1140" FROM_EUI64 TO_SHORT "f0b3f034....beef",
     "7e33f1f0b334beef"},
};

static unsigned nibble(char letter) {
  return (unsigned)(letter <= '9' ? letter - '0' : letter - 'a' + 10);
}

/* Bytes from hex; dots are zeros. */
static size_t from_hex(uint8_t *bytes, const char *text) {
  size_t size = 0;
  for (; text[2 * size] != 0; size++) {
    const char *pair = text + 2 * size;
    bytes[size] =
        (uint8_t)(pair[0] == '.' ? 0 : nibble(pair[0]) << 4 | nibble(pair[1]));
  }
  return size;
}

static void set_lengths(uint8_t *packet, size_t size) {
  packet[4] = (uint8_t)((size - 40) >> 8);
  packet[5] = (uint8_t)(size - 40);
  if (packet[6] == 17) {
    packet[44] = packet[4];
    packet[45] = packet[5];
  }
}

/* The payload of a packet that needs one frame; 0 bytes on error. */
static size_t one_payload(uint8_t *payload, const samara_6lowpan_hop *way,
                          const uint8_t *packet, size_t size) {
  samara_6lowpan_sender sender;
  size_t payload_size = 0;
  CHECK_LOWPAN(samara_6lowpan_send(&sender, way, packet, size, 7, 2000),
               SAMARA_6LOWPAN_OK);
  CHECK(samara_6lowpan_next(&sender, payload, &payload_size), "a payload");
  size_t none;
  CHECK(!samara_6lowpan_next(&sender, payload, &none) && none == 0, "only one");
  return payload_size;
}

static void check_by_hand(void) {
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    uint8_t packet[200] = {0};
    uint8_t want[200];
    uint8_t payload[2000];
    uint8_t again[packet_max];
    size_t again_size = 0;
    const size_t size = from_hex(packet, cases[i].packet);
    const size_t want_size = from_hex(want, cases[i].payload);
    set_lengths(packet, size);
    const size_t payload_size = one_payload(payload, &hop, packet, size);
    CHECK(payload_size == want_size, "%s: %zu bytes", cases[i].what,
          payload_size);
    CHECK_BYTES(payload, want, want_size, cases[i].what);
    CHECK_LOWPAN(
        samara_6lowpan_decompress(again, &again_size, &hop, want, want_size),
        SAMARA_6LOWPAN_OK);
    CHECK(again_size == size, "%s: back", cases[i].what);
    CHECK_BYTES(again, packet, size, cases[i].what);
  }
}

/* What a sender may write and ours does not: checksums left out, extension
 * headers, headers that are not compressed, contexts that only decompress. */
static const by_hand accepted[] = {
    {"a context only for decompression",
     "60000000....3b4020020000000000000000000000000001" TO_SHORT,
     "7ad3303b0000000000000001"},
    {"uncompressed", "60000000....3b40" FROM_EUI64 TO_SHORT "aa",
     "41600000000001"
     "3b40" FROM_EUI64 TO_SHORT "aa"},
    {"hop-by-hop, filled up, before UDP",
     "60000000....0040" FROM_EUI64 TO_SHORT "11000502aabb0100"
     "f0b1f0b20009beefcc",
     "7e33e1"
     "040502aabb"
     "f312beefcc"},
    {"hop-by-hop with one byte missing, next header sent",
     "60000000....0040" FROM_EUI64 TO_SHORT "3b000503aabbcc00"
     "dd",
     "7e33e0"
     "3b050503aabbcc"
     "dd"},
    {"routing", "60000000....2b40" FROM_EUI64 TO_SHORT "3b00030000000000",
     "7e33e2"
     "3b06030000000000"},
    {"fragment", "60000000....2c40" FROM_EUI64 TO_SHORT "3b00000112345678",
     "7e33e4"
     "3b00000112345678"},
    {"destination options of 16 bytes, twice",
     "60000000....3c40" FROM_EUI64 TO_SHORT "3c010c0c0102030405060708090a0b0c"
     "3b00010400000000",
     "7e33e7"
     "0e0c0c0102030405060708090a0b0c"
     "e6"
     "3b06010400000000"},
};

static void check_accepted(void) {
  for (size_t i = 0; i < sizeof accepted / sizeof accepted[0]; i++) {
    uint8_t packet[200] = {0};
    uint8_t payload[200] = {0};
    uint8_t got[packet_max];
    size_t got_size = 0;
    const size_t size = from_hex(packet, accepted[i].packet);
    const size_t payload_size = from_hex(payload, accepted[i].payload);
    set_lengths(packet, size);
    CHECK_LOWPAN(
        samara_6lowpan_decompress(got, &got_size, &hop, payload, payload_size),
        SAMARA_6LOWPAN_OK);
    CHECK(got_size == size, "%s: %zu bytes", accepted[i].what, got_size);
    CHECK_BYTES(got, packet, size, accepted[i].what);
  }
}

/* RFC 768: the sum over pseudo-header and datagram is all ones. */
static unsigned udp_sum(const uint8_t *packet, size_t size) {
  unsigned long sum = 17 + (size - 40);
  for (size_t i = 8; i < size; i++) {
    sum += (unsigned long)packet[i] << (i % 2 == 0 ? 8 : 0);
  }
  while (sum >> 16 != 0) {
    sum = (sum & 0xffff) + (sum >> 16);
  }
  return (unsigned)sum;
}

static void check_checksums(void) {
  for (unsigned i = 0; i < 600; i++) {
    uint8_t payload[700] = {0x7e, 0x33, 0xf7, 0x12};
    uint8_t packet[packet_max];
    size_t size = 0;
    fill_random(payload + 4, i);
    CHECK_LOWPAN(samara_6lowpan_decompress(packet, &size, &hop, payload, 4 + i),
                 SAMARA_6LOWPAN_OK);
    CHECK(size == 48 + i && udp_sum(packet, size) == 0xffff,
          "checksum of %u bytes", i);
    CHECK(packet[46] != 0 || packet[47] != 0, "never 0");
  }
}

typedef struct refused {
  const char *what;
  const char *payload;
  samara_6lowpan_result result;
} refused;

static const refused refusals[] = {
    {"nothing", "", REFUSAL(TRUNCATED)},
    {"not 6LoWPAN", "00aabb", REFUSAL(DISPATCH)},
    {"mesh", "b1aabb", REFUSAL(DISPATCH)},
    {"broadcast", "5001", REFUSAL(DISPATCH)},
    {"HC1", "42aabb", REFUSAL(DISPATCH)},
    {"paging", "f1aabb", REFUSAL(DISPATCH)},
    {"one byte of IPHC", "7a", REFUSAL(TRUNCATED)},
    {"no context byte", "7ab3", REFUSAL(TRUNCATED)},
    {"no next header", "7a33", REFUSAL(TRUNCATED)},
    {"context 5", "7af3503b", REFUSAL(CONTEXT)},
    {"destination context 9, elided", "7ab7093b", REFUSAL(CONTEXT)},
    {"reserved: destination", "7a343b", REFUSAL(ENCODING)},
    {"reserved: multicast 1", "7a3d3b", REFUSAL(ENCODING)},
    {"reserved: multicast 2", "7a3e3b", REFUSAL(ENCODING)},
    {"reserved: multicast 3", "7a3f3b", REFUSAL(ENCODING)},
    {"multicast by a long prefix", "7abc023b010203040506", REFUSAL(CONTEXT)},
    {"a multicast address that is none",
     "7a383bfe050001000000000000000000000000", REFUSAL(ENCODING)},
    {"unknown next header", "7e33d0", REFUSAL(ENCODING)},
    {"reserved extension 5", "7e33ea3b00", REFUSAL(ENCODING)},
    {"IPv6 in it", "7e33ee3b00", REFUSAL(ENCODING)},
    {"UDP without ports", "7e33f01633", REFUSAL(TRUNCATED)},
    {"UDP without checksum", "7e33f312be", REFUSAL(TRUNCATED)},
    {"routing of odd size", "7e33e23b050304000000", REFUSAL(ENCODING)},
    {"extension that ends early", "7e33e03b080502", REFUSAL(TRUNCATED)},
    {"no checksum, with a route", "7e33e306030000000000f712",
     REFUSAL(ENCODING)},
    {"uncompressed, short", "416000000000003b40", REFUSAL(TRUNCATED)},
    {"uncompressed, version 4",
     "41400000000000"
     "3b40" FROM_EUI64 TO_SHORT,
     REFUSAL(PACKET)},
    {"uncompressed, wrong length",
     "41600000000001"
     "3b40" FROM_EUI64 TO_SHORT,
     REFUSAL(PACKET)},
};

static void check_refusals(void) {
  for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
    uint8_t payload[200] = {0};
    uint8_t packet[packet_max];
    size_t size = 0;
    const size_t payload_size = from_hex(payload, refusals[i].payload);
    const samara_6lowpan_result got =
        samara_6lowpan_decompress(packet, &size, &hop, payload, payload_size);
    CHECK(got == refusals[i].result, "%s: %s", refusals[i].what,
          samara_6lowpan_result_name(got));
  }
}

static void check_packets_refused(void) {
  uint8_t packet[1400] = {0x60, 0, 0, 0, 0, 0, 59, 64};
  samara_6lowpan_sender sender;
  CHECK_LOWPAN(samara_6lowpan_send(&sender, &hop, packet, 40, 0, 100),
               SAMARA_6LOWPAN_OK);
  CHECK_LOWPAN(samara_6lowpan_send(&sender, &hop, packet, 41, 0, 100),
               REFUSAL(PACKET));
  CHECK_LOWPAN(samara_6lowpan_send(&sender, &hop, packet, 39, 0, 100),
               REFUSAL(PACKET));
  CHECK_LOWPAN(samara_6lowpan_send(&sender, &hop, packet, 1281, 0, 100),
               REFUSAL(SIZE));
  CHECK_LOWPAN(samara_6lowpan_send(&sender, &hop, packet, 40, 0, 59),
               REFUSAL(SIZE));
  packet[0] = 0x40;
  CHECK_LOWPAN(samara_6lowpan_send(&sender, &hop, packet, 40, 0, 100),
               REFUSAL(PACKET));
  size_t size;
  uint8_t payload[100];
  CHECK(!samara_6lowpan_next(&sender, payload, &size), "nothing to send");
}

/* --- Random packets ------------------------------------------------------ */

static void random_address(uint8_t address[16], const uint8_t identifier[8]) {
  fill_random(address, 16);
  switch (random_below(9)) {
  case 0:
    memset(address, 0, 16);
    return;
  case 1: /* multicast with zeros */
    memset(address, 0, 15 - random_below(8));
    address[0] = 0xff;
    address[1] = (uint8_t)(random_below(2) ? 2 : random_below(256));
    return;
  case 2:
    memcpy(address, (uint8_t[4]){0xff, 0x32, 0, 64}, 4);
    memcpy(address + 4, contexts[0].prefix, 8);
    return;
  case 3:
    memcpy(address, contexts[2].prefix, 16);
    return;
  case 4:
    return;
  default:
    break;
  }
  memset(address, 0, 8);
  const samara_6lowpan_context *context = &contexts[random_below(4)];
  if (random_below(2) != 0) {
    memcpy(address, (uint8_t[2]){0xfe, 0x80}, 2);
  } else {
    memcpy(address, context->prefix, 8);
  }
  if (random_below(2) != 0) {
    memcpy(address + 8, identifier, 8);
  } else if (random_below(2) != 0) {
    memcpy(address + 8, (uint8_t[6]){0, 0, 0, 0xff, 0xfe, 0}, 6);
  }
}

static size_t random_packet(uint8_t *packet, size_t limit) {
  static const uint8_t limits[4] = {1, 64, 255, 9};
  uint8_t identifier[8];
  const size_t size = 48 + random_below(limit - 47);
  fill_random(packet, size);
  packet[0] = (uint8_t)(0x60 | (packet[0] & 0x0f));
  if (random_below(2) != 0) {
    packet[0] = 0x60;
    packet[1] &= 0x3f;
  }
  if (random_below(2) != 0) {
    packet[1] &= 0xf0;
    packet[2] = packet[3] = 0;
  }
  packet[6] = (uint8_t)(random_below(2) ? 17 : random_below(256));
  packet[7] = limits[random_below(4)];
  samara_6lowpan_identifier(identifier, &hop.source);
  random_address(packet + 8, identifier);
  samara_6lowpan_identifier(identifier, &hop.destination);
  random_address(packet + 24, identifier);
  for (unsigned port = 40; port < 44; port += 2) {
    if (random_below(2) != 0) {
      packet[port] = 0xf0;
      packet[port + 1] &= random_below(2) ? 0xff : 0x0f;
      packet[port + 1] |= random_below(2) ? 0 : 0xb0;
    }
  }
  set_lengths(packet, size);
  if (random_below(8) == 0) {
    packet[45] ^= 1; /* UDP that contradicts itself must cross unchanged */
  }
  return size;
}

typedef struct payloads {
  uint8_t bytes[payloads_max][packet_max];
  size_t sizes[payloads_max];
  unsigned count;
} payloads;

static void cut(payloads *all, const samara_6lowpan_hop *way,
                const uint8_t *packet, size_t size, uint16_t tag,
                size_t payload_size) {
  samara_6lowpan_sender sender;
  all->count = 0;
  CHECK_LOWPAN(
      samara_6lowpan_send(&sender, way, packet, size, tag, payload_size),
      SAMARA_6LOWPAN_OK);
  while (samara_6lowpan_next(&sender, all->bytes[all->count],
                             &all->sizes[all->count])) {
    CHECK(all->sizes[all->count] <= payload_size, "a payload that fits");
    all->count++;
  }
}

static void shuffle(unsigned *order, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    order[i] = i;
  }
  for (unsigned i = count; i > 1; i--) {
    const unsigned other = (unsigned)random_below(i);
    const unsigned kept = order[i - 1];
    order[i - 1] = order[other];
    order[other] = kept;
  }
}

static samara_6lowpan_slot slots[4];
static uint8_t room[packet_max];
static payloads all;
static payloads others;

static samara_6lowpan_receiver receiver_of(uint8_t count, uint8_t each) {
  samara_6lowpan_receiver receiver;
  samara_6lowpan_receiver_init(&receiver, slots, count, each, 1000, room);
  return receiver;
}

static void check_random(void) {
  samara_6lowpan_receiver receiver = receiver_of(4, 2);
  restart_random();
  for (unsigned round = 0; round < 4000; round++) {
    uint8_t packet[packet_max];
    unsigned order[payloads_max] = {0};
    const size_t size = random_packet(packet, packet_max);
    samara_6lowpan_event event = {0};
    cut(&all, &hop, packet, size, (uint16_t)round, 60 + random_below(70));
    shuffle(order, all.count);
    for (unsigned i = 0; i < all.count; i++) {
      /* Some twice: what came before is ignored. */
      const unsigned again = i == 0 ? 0 : (unsigned)random_below(i);
      if (i != 0) {
        CHECK_LOWPAN(samara_6lowpan_receive(&receiver, &event, &hop,
                                            all.bytes[order[again]],
                                            all.sizes[order[again]], round),
                     SAMARA_6LOWPAN_OK);
        CHECK(event.packet == NULL, "not complete");
      }
      CHECK_LOWPAN(samara_6lowpan_receive(&receiver, &event, &hop,
                                          all.bytes[order[i]],
                                          all.sizes[order[i]], round),
                   SAMARA_6LOWPAN_OK);
      CHECK((event.packet != NULL) == (i + 1 == all.count), "complete at last");
    }
    if (CHECK(event.packet_size == size, "size %zu", size)) {
      CHECK_BYTES(event.packet, packet, size, "packet");
    }
  }
  CHECK(receiver.expired == 0, "all arrived");
}

/* A prefix of any length: its bits are the context's, the others those of the
 * identifier, or zero in front of it. */
static void check_prefixes(void) {
  restart_random();
  for (unsigned bits = 1; bits <= 128; bits++) {
    samara_6lowpan_context context = {.prefix_bits = (uint8_t)bits,
                                      .compresses = true};
    samara_6lowpan_hop way = hop;
    uint8_t packet[40] = {0x60, 0, 0, 0, 0, 0, 59, 64};
    uint8_t payload[2000];
    uint8_t again[packet_max];
    size_t size;
    way.contexts = &context;
    way.context_count = 1;
    fill_random(context.prefix, sizeof context.prefix);
    context.prefix[0] = 0x20;
    samara_6lowpan_identifier(packet + 16, &hop.source);
    for (unsigned i = 0; i < bits; i++) {
      const uint8_t bit = (uint8_t)(0x80 >> i % 8);
      packet[8 + i / 8] =
          (uint8_t)((packet[8 + i / 8] & ~bit) | (context.prefix[i / 8] & bit));
    }
    memcpy(packet + 24, packet + 8, 16);
    const size_t payload_size = one_payload(payload, &way, packet, 40);
    CHECK(payload_size <= 12, "%u bits: %zu bytes", bits, payload_size);
    CHECK(payload[1] >> 4 == 7, "%u bits: nothing of the source is sent", bits);
    CHECK_LOWPAN(
        samara_6lowpan_decompress(again, &size, &way, payload, payload_size),
        SAMARA_6LOWPAN_OK);
    CHECK_BYTES(again + 8, packet + 8, 32, "addresses");
  }
}

/* An address that is nearly one that a context can tell: of one host, or a
 * multicast address of the prefix (RFC 3306), and one bit in it turned around
 * or none. */
static void address_near(uint8_t address[16],
                         const samara_6lowpan_context *context,
                         const uint8_t identifier[8]) {
  memcpy(address, context->prefix, 16);
  if (random_below(2) != 0) {
    fill_random(address, 16);
    address[0] = 0xff;
    address[3] = context->prefix_bits;
    memcpy(address + 4, context->prefix, 8);
  } else if (random_below(2) != 0) {
    memcpy(address + 8, identifier, 8);
  }
  if (random_below(2) != 0) {
    address[random_below(16)] ^= (uint8_t)(1 << random_below(8));
  }
}

/* Prefixes that end anywhere, with bits behind their end or without. */
static void random_contexts(samara_6lowpan_context *some, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    fill_random(some[i].prefix, 16);
    some[i].prefix_bits = (uint8_t)random_below(129);
    some[i].compresses = random_below(4) != 0;
    if (random_below(2) != 0) {
      some[i].prefix_bits = (uint8_t)(1 + random_below(64));
      memset(some[i].prefix + (some[i].prefix_bits + 7) / 8, 0,
             16u - (some[i].prefix_bits + 7u) / 8);
    }
  }
}

/* What is compressed is what is decompressed again, whatever the contexts; and
 * so is what is compressed of that. */
static void check_random_contexts(void) {
  restart_random();
  for (unsigned round = 0; round < 6000; round++) {
    samara_6lowpan_context some[5];
    samara_6lowpan_hop way = hop;
    uint8_t packet[60], again[packet_max], payload[2][200], identifier[8];
    size_t sizes[2], size;
    way.contexts = some;
    way.context_count = 5;
    random_contexts(some, 5);
    fill_random(packet, sizeof packet);
    packet[0] = 0x60;
    packet[6] = 59;
    samara_6lowpan_identifier(identifier, &way.source);
    address_near(packet + 8, &some[random_below(5)], identifier);
    samara_6lowpan_identifier(identifier, &way.destination);
    address_near(packet + 24, &some[random_below(5)], identifier);
    set_lengths(packet, sizeof packet);
    for (unsigned turn = 0; turn < 2; turn++) {
      const uint8_t *from = turn == 0 ? packet : again;
      sizes[turn] = one_payload(payload[turn], &way, from, sizeof packet);
      CHECK_LOWPAN(samara_6lowpan_decompress(again, &size, &way, payload[turn],
                                             sizes[turn]),
                   SAMARA_6LOWPAN_OK);
      CHECK(size == sizeof packet, "size %zu", size);
      CHECK_BYTES(again, packet, sizeof packet, "packet");
    }
    CHECK(sizes[0] == sizes[1] && memcmp(payload[0], payload[1], sizes[0]) == 0,
          "the same payload again");
  }
}

/* A checksum that was left out of a packet in fragments. */
static void check_checksum_of_fragments(void) {
  samara_6lowpan_receiver receiver = receiver_of(1, 1);
  samara_6lowpan_event event = {0};
  uint8_t first[] = {0xc0, 80, 0, 9, 0x7e, 0x33, 0xf7, 0x12,
                     1,    2,  3, 4, 5,    6,    7,    8};
  uint8_t later[5 + 24] = {0xe0, 80, 0, 9, 7, 0xaa, 0xbb};
  CHECK_LOWPAN(
      samara_6lowpan_receive(&receiver, &event, &hop, later, sizeof later, 0),
      SAMARA_6LOWPAN_OK);
  CHECK_LOWPAN(
      samara_6lowpan_receive(&receiver, &event, &hop, first, sizeof first, 0),
      SAMARA_6LOWPAN_OK);
  CHECK(event.packet_size == 80 && udp_sum(event.packet, 80) == 0xffff,
        "its checksum");
}

/* --- Hostile and lost fragments ------------------------------------------ */

static size_t long_packet(uint8_t *packet, uint8_t fill) {
  memset(packet, fill, packet_max);
  memcpy(packet, (uint8_t[8]){0x60, 0, 0, 0, 0, 0, 59, 64}, 8);
  set_lengths(packet, packet_max);
  return packet_max;
}

static samara_6lowpan_result give(samara_6lowpan_receiver *receiver,
                                  samara_6lowpan_event *event,
                                  const samara_6lowpan_hop *way,
                                  const payloads *from, unsigned i,
                                  uint32_t now) {
  return samara_6lowpan_receive(receiver, event, way, from->bytes[i],
                                from->sizes[i], now);
}

static void check_contradiction(void) {
  samara_6lowpan_receiver receiver = receiver_of(2, 2);
  samara_6lowpan_event event = {0};
  uint8_t packet[packet_max];
  const size_t size = long_packet(packet, 0x11);
  cut(&all, &hop, packet, size, 1, 100);
  CHECK_LOWPAN(give(&receiver, &event, &hop, &all, 0, 0), SAMARA_6LOWPAN_OK);
  CHECK_LOWPAN(give(&receiver, &event, &hop, &all, 1, 0), SAMARA_6LOWPAN_OK);
  others = all;
  others.bytes[1][50] ^= 1; /* other bytes in the same place */
  CHECK_LOWPAN(give(&receiver, &event, &hop, &others, 1, 0), REFUSAL(FRAGMENT));
  for (unsigned i = 2; i < all.count; i++) { /* both are gone */
    CHECK_LOWPAN(give(&receiver, &event, &hop, &all, i, 0), SAMARA_6LOWPAN_OK);
    CHECK(event.packet == NULL, "a packet of a contradiction");
  }
  receiver = receiver_of(2, 2);
  CHECK_LOWPAN(give(&receiver, &event, &hop, &all, 1, 0), SAMARA_6LOWPAN_OK);
  others.bytes[1][50] ^= 1;
  others.bytes[1][4]++; /* 8 bytes further on: it overlaps in part */
  CHECK_LOWPAN(give(&receiver, &event, &hop, &others, 1, 0), REFUSAL(FRAGMENT));
}

static void check_bad_fragments(void) {
  static const refused rows[] = {
      {"only a header", "c0000001", REFUSAL(TRUNCATED)},
      {"only a later header", "e400000101", REFUSAL(TRUNCATED)},
      {"1281 bytes",
       "e5010001"
       "01aabbccddeeff0011",
       REFUSAL(SIZE)},
      {"0 bytes",
       "e0000001"
       "01aabbccddeeff0011",
       REFUSAL(ENCODING)},
      {"beyond its packet",
       "e0300001"
       "06aabbccddeeff0011",
       REFUSAL(ENCODING)},
      {"7 bytes in the middle",
       "e0800001"
       "06aabbccddeeff00",
       REFUSAL(ENCODING)},
      {"a later one without offset",
       "e0800001"
       "00aabbccddeeff0011",
       REFUSAL(ENCODING)},
      {"first, with a bad header",
       "c0800001"
       "00aabb",
       REFUSAL(DISPATCH)},
      {"first, longer than its packet",
       "c0290001"
       "7a333baaaaaaaa",
       REFUSAL(ENCODING)},
      {"first, less than a header of IPv6",
       "c0100001"
       "7a333b",
       REFUSAL(ENCODING)},
      {"first, 41 of 100 bytes",
       "c0640001"
       "7a333baa",
       REFUSAL(ENCODING)},
      {"a fragment in a fragment",
       "c0800001"
       "c0800001"
       "7a333b",
       REFUSAL(DISPATCH)},
  };
  samara_6lowpan_receiver receiver = receiver_of(1, 1);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    uint8_t payload[60] = {0};
    samara_6lowpan_event event = {0};
    const size_t size = from_hex(payload, rows[i].payload);
    const samara_6lowpan_result got =
        samara_6lowpan_receive(&receiver, &event, &hop, payload, size, 0);
    CHECK(got == rows[i].result && event.packet == NULL, "%s: %s", rows[i].what,
          samara_6lowpan_result_name(got));
    CHECK(slots[0].size == 0, "%s takes a slot", rows[i].what);
  }
}

static void check_lifetime(void) {
  samara_6lowpan_receiver receiver = receiver_of(1, 1);
  samara_6lowpan_event event = {0};
  uint8_t packet[packet_max];
  const uint32_t begin = UINT32_MAX - 500; /* the clock wraps on the way */
  cut(&all, &hop, packet, long_packet(packet, 0x22), 1, 100);
  CHECK_LOWPAN(give(&receiver, &event, &hop, &all, 0, begin),
               SAMARA_6LOWPAN_OK);
  for (unsigned i = 1; i + 1 < all.count; i++) { /* these do not extend it */
    CHECK_LOWPAN(give(&receiver, &event, &hop, &all, i, begin + 900),
                 SAMARA_6LOWPAN_OK);
  }
  CHECK_LOWPAN(give(&receiver, &event, &hop, &all, all.count - 1, begin + 1001),
               SAMARA_6LOWPAN_OK);
  CHECK(event.packet == NULL && receiver.expired == 1, "too late");
  CHECK_LOWPAN(give(&receiver, &event, &hop, &all, all.count - 1, begin + 1001),
               SAMARA_6LOWPAN_OK);
}

/* Two packets, begun one after the other: each is complete at the end of its
 * own lifetime, and given up one millisecond later. */
static void check_end_of_lifetime(void) {
  static const uint32_t clocks[] = {0, 70000, UINT32_MAX - 500};
  for (unsigned i = 0; i < sizeof clocks / sizeof clocks[0]; i++) {
    samara_6lowpan_receiver receiver = receiver_of(3, 3);
    samara_6lowpan_event event = {0};
    uint8_t early[packet_max], late[packet_max];
    payloads *cuts[2] = {&all, &others};
    cut(&all, &hop, early, long_packet(early, 0x22), 1, 100);
    cut(&others, &hop, late, long_packet(late, 0x33), 2, 100);
    for (unsigned k = 0; k < 2; k++) {
      for (unsigned j = 0; j + 1 < cuts[k]->count; j++) {
        CHECK_LOWPAN(
            give(&receiver, &event, &hop, cuts[k], j, clocks[i] + 300 * k),
            SAMARA_6LOWPAN_OK);
      }
    }
    const unsigned last = all.count - 1;
    samara_6lowpan_receiver copy = receiver;
    samara_6lowpan_slot kept[3];
    memcpy(kept, receiver.slots, sizeof kept);
    CHECK_LOWPAN(give(&receiver, &event, &hop, &all, last, clocks[i] + 1000),
                 SAMARA_6LOWPAN_OK);
    CHECK(event.packet != NULL && receiver.expired == 0, "just in time");
    receiver = copy;
    memcpy(receiver.slots, kept, sizeof kept);
    CHECK_LOWPAN(give(&receiver, &event, &hop, &all, last, clocks[i] + 1001),
                 SAMARA_6LOWPAN_OK);
    CHECK(event.packet == NULL && receiver.expired == 1, "too late");
    CHECK_LOWPAN(give(&receiver, &event, &hop, &others, last, clocks[i] + 1300),
                 SAMARA_6LOWPAN_OK);
    if (CHECK(event.packet_size == packet_max, "the other in time")) {
      CHECK_BYTES(event.packet, late, packet_max, "the other packet");
    }
  }
}

/* A neighbour that begins packets without end has only its own slots. */
static void check_flood(void) {
  samara_6lowpan_receiver receiver = receiver_of(4, 2);
  samara_6lowpan_hop hostile = hop;
  samara_6lowpan_event event = {0};
  uint8_t packet[packet_max];
  const size_t size = long_packet(packet, 0x33);
  hostile.source = (samara_6lowpan_address){2, {0xba, 0xad}};
  cut(&all, &hop, packet, size, 1, 100);
  for (unsigned i = 0; i < all.count; i++) {
    for (unsigned tag = 0; tag < 20; tag++) {
      cut(&others, &hostile, packet, size, (uint16_t)(20 * i + tag), 100);
      CHECK_LOWPAN(give(&receiver, &event, &hostile, &others, 0, 0),
                   SAMARA_6LOWPAN_OK);
    }
    CHECK_LOWPAN(give(&receiver, &event, &hop, &all, i, 0), SAMARA_6LOWPAN_OK);
  }
  CHECK(event.packet != NULL && event.packet_size == size, "it arrived");
  CHECK(receiver.expired == 20 * all.count - 2, "its oldest went");
  /* Where there are fewer slots than neighbours: undivided packets pass. */
  receiver = receiver_of(1, 1);
  CHECK_LOWPAN(give(&receiver, &event, &hostile, &others, 0, 0),
               SAMARA_6LOWPAN_OK);
  CHECK_LOWPAN(give(&receiver, &event, &hop, &all, 0, 0), REFUSAL(FULL));
  set_lengths(packet, 60);
  cut(&all, &hop, packet, 60, 1, 100);
  CHECK(all.count == 1, "undivided");
  CHECK_LOWPAN(give(&receiver, &event, &hop, &all, 0, 0), SAMARA_6LOWPAN_OK);
  CHECK(event.packet_size == 60, "it passes");
}

/* Equal tags of two neighbours, and to two destinations, do not mix. */
static void check_apart(void) {
  samara_6lowpan_receiver receiver = receiver_of(4, 2);
  samara_6lowpan_hop ways[4] = {hop, hop, hop, hop};
  uint8_t packets[4][packet_max];
  samara_6lowpan_event event = {0};
  static payloads third, fourth;
  payloads *cuts[4] = {&all, &others, &third, &fourth};
  /* The begin of the others' address. */
  ways[0].source.size = 2;
  ways[1].source.bytes[7] = 2;
  ways[2].destination.bytes[1] = 0x35;
  for (unsigned i = 0; i < 4; i++) {
    cut(cuts[i], &ways[i], packets[i],
        long_packet(packets[i], (uint8_t)(0x40 + i)), 9, 100);
  }
  for (unsigned k = 0; k < all.count; k++) {
    for (unsigned i = 0; i < 4; i++) {
      CHECK_LOWPAN(give(&receiver, &event, &ways[i], cuts[i], k, 0),
                   SAMARA_6LOWPAN_OK);
      if (k + 1 == all.count &&
          CHECK(event.packet_size == packet_max, "complete")) {
        CHECK_BYTES(event.packet, packets[i], packet_max, "its own bytes");
      }
    }
  }
}

static void check_wipe(void) {
  samara_6lowpan_receiver receiver = receiver_of(4, 2);
  samara_6lowpan_event event = {0};
  uint8_t packet[packet_max];
  cut(&all, &hop, packet, long_packet(packet, 0x55), 9, 100);
  CHECK_LOWPAN(give(&receiver, &event, &hop, &all, 0, 0), SAMARA_6LOWPAN_OK);
  samara_6lowpan_receiver_wipe(&receiver);
  CHECK(all_zero((const uint8_t *)slots, sizeof slots), "slots");
  CHECK(all_zero(room, sizeof room), "packet");
}

static void check_names(void) {
  for (int code = -140; code <= 0; code++) {
    const samara_6lowpan_result result = (samara_6lowpan_result)code;
    const bool known =
        strcmp(samara_6lowpan_result_name(result), "unknown") != 0;
    const bool has_text = strcmp(samara_6lowpan_result_text(result),
                                 "not a result of 6LoWPAN") != 0;
    CHECK(known == has_text, "name and text of %d", code);
  }
}

int main(void) {
  check_by_hand();
  check_accepted();
  check_checksums();
  check_refusals();
  check_packets_refused();
  check_random();
  check_prefixes();
  check_random_contexts();
  check_checksum_of_fragments();
  check_contradiction();
  check_bad_fragments();
  check_lifetime();
  check_end_of_lifetime();
  check_flood();
  check_apart();
  check_wipe();
  check_names();
  return check_report();
}
