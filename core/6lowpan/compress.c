/* SPDX-License-Identifier: Apache-2.0 */
#include "6lowpan/header.h"
#include <samara/memory.h>

/* A header being written, from its third byte on: the first two collect bits
 * until the end. */
typedef struct compress_writer {
  uint8_t *bytes;
  uint8_t size;
} compress_writer;

static void compress_byte(compress_writer *writer, uint8_t byte) {
  writer->bytes[writer->size++] = byte;
}

static void compress_bytes(compress_writer *writer, const uint8_t *bytes,
                           uint8_t size) {
  samara_copy_bytes(writer->bytes + writer->size, bytes, size);
  writer->size = (uint8_t)(writer->size + size);
}

/* --- Addresses ----------------------------------------------------------- */

/* How an address is told: its mode, the bytes that are sent, its context. */
typedef struct compress_address {
  uint8_t mode;
  uint8_t sent_size;
  bool has_context;
  uint8_t context;
  uint8_t sent[ipv6_address_size];
} compress_address;

/* The shortest mode that gives an address back with this context, or NULL for
 * the prefix of the link: address_whole if there is none. */
static unsigned compress_mode(const samara_6lowpan_context *context,
                              const uint8_t *address,
                              const samara_6lowpan_address *link) {
  for (unsigned mode = address_none; mode != address_whole; mode--) {
    uint8_t rebuilt[ipv6_address_size];
    const uint8_t *sent =
        address + ipv6_address_size - samara_6lowpan_sent(mode);
    samara_6lowpan_rebuild(rebuilt, context, mode, sent, link);
    if (samara_equal(rebuilt, address, ipv6_address_size)) {
      return mode;
    }
  }
  return address_whole;
}

/* Bytes that an address takes: contexts but the first one need another byte. */
static uint8_t compress_price(unsigned mode, unsigned context) {
  return (uint8_t)(samara_6lowpan_sent(mode) + (context != 0 ? 1 : 0));
}

static compress_address compress_unicast(const samara_6lowpan_hop *hop,
                                         const uint8_t *address,
                                         const samara_6lowpan_address *link) {
  compress_address best = {.mode = (uint8_t)compress_mode(NULL, address, link)};
  uint8_t price = compress_price(best.mode, 0);
  for (unsigned i = 0; i < hop->context_count; i++) {
    const samara_6lowpan_context *context = samara_6lowpan_context_of(hop, i);
    if (context == NULL || !context->compresses) {
      continue;
    }
    const unsigned mode = compress_mode(context, address, link);
    if (mode != address_whole && compress_price(mode, i) < price) {
      price = compress_price(mode, i);
      best.mode = (uint8_t)mode;
      best.has_context = true;
      best.context = (uint8_t)i;
    }
  }
  best.sent_size = samara_6lowpan_sent(best.mode);
  samara_copy_bytes(best.sent, address + ipv6_address_size - best.sent_size,
                    best.sent_size);
  return best;
}

/* The address without any bit: mode 0 with a context. */
static compress_address compress_source(const samara_6lowpan_hop *hop,
                                        const uint8_t *address) {
  static const uint8_t unspecified[ipv6_address_size];
  if (samara_equal(address, unspecified, ipv6_address_size)) {
    return (compress_address){.mode = address_whole, .has_context = true};
  }
  return compress_unicast(hop, address, &hop->source);
}

/* Whether all bytes of a range of an address are zero. */
static bool compress_zeros(const uint8_t *address, unsigned first,
                           unsigned end) {
  for (unsigned i = first; i < end; i++) {
    if (address[i] != 0) {
      return false;
    }
  }
  return true;
}

/* A multicast address that is based on a unicast prefix (RFC 3306): whether the
 * context tells the prefix and its length. The bits behind the prefix's end are
 * zeros, whatever they are in the context. */
static bool compress_by_prefix(const samara_6lowpan_context *context,
                               const uint8_t *address) {
  uint8_t prefix[8];
  if (context == NULL || !context->compresses || context->prefix_bits > 64 ||
      address[3] != context->prefix_bits) {
    return false;
  }
  samara_6lowpan_rebuild_prefix(prefix, context);
  return samara_equal(address + 4, prefix, 8);
}

static compress_address compress_multicast(const samara_6lowpan_hop *hop,
                                           const uint8_t *address) {
  compress_address best = {.mode = 0, .sent_size = ipv6_address_size};
  const uint8_t *last = address + ipv6_address_size;
  if (address[1] == 0x02 && compress_zeros(address, 2, 15)) {
    best.mode = 3;
    best.sent_size = 1;
  } else if (compress_zeros(address, 2, 13)) {
    best.mode = 2;
    best.sent_size = 4;
  } else if (compress_zeros(address, 2, 11)) {
    best.mode = 1;
    best.sent_size = 6;
  } else {
    for (unsigned i = 0; i < hop->context_count; i++) {
      if (compress_by_prefix(samara_6lowpan_context_of(hop, i), address)) {
        best = (compress_address){.mode = 0,
                                  .sent_size = 6,
                                  .has_context = true,
                                  .context = (uint8_t)i};
        best.sent[0] = address[1];
        best.sent[1] = address[2];
        samara_copy_bytes(best.sent + 2, last - 4, 4);
        return best;
      }
    }
  }
  /* The last bytes, behind flags and scope where these are sent, too. */
  samara_copy_bytes(best.sent, last - best.sent_size, best.sent_size);
  if (best.mode == 1 || best.mode == 2) {
    best.sent[0] = address[1];
  }
  return best;
}

/* --- Other fields -------------------------------------------------------- */

/* Traffic class and flow label; the compressed form has ECN before DSCP. */
static uint8_t compress_class(compress_writer *writer, const uint8_t *packet) {
  const uint8_t class = (uint8_t)(packet[0] << 4 | packet[1] >> 4);
  const uint8_t turned = (uint8_t)(class << 6 | class >> 2);
  const uint8_t flow = packet[1] & 0x0f;
  const bool no_flow = flow == 0 && packet[2] == 0 && packet[3] == 0;
  if (no_flow) {
    if (class == 0) {
      return iphc_no_flow | iphc_no_class;
    }
    compress_byte(writer, turned);
    return iphc_no_flow;
  }
  if ((turned & 0x3f) == 0) {
    compress_byte(writer, (uint8_t)(turned | flow));
    compress_bytes(writer, packet + 2, 2);
    return iphc_no_class;
  }
  compress_byte(writer, turned);
  compress_byte(writer, flow);
  compress_bytes(writer, packet + 2, 2);
  return 0;
}

static uint8_t compress_hop_limit(compress_writer *writer, uint8_t limit) {
  switch (limit) {
  case 1:
    return 1;
  case 64:
    return 2;
  case 255:
    return 3;
  default:
    compress_byte(writer, limit);
    return 0;
  }
}

/* Whether the packet is UDP with a length that follows from the packet's. */
static bool compress_is_udp(const uint8_t *packet, size_t packet_size) {
  return packet[ipv6_next_header_at] == next_header_udp &&
         packet_size >= ipv6_header_size + udp_header_size &&
         lowpan_load16(packet + ipv6_header_size + 4) ==
             packet_size - ipv6_header_size;
}

/* Ports 0xf0b0 to 0xf0bf take four bits each, 0xf000 to 0xf0ff eight. The
 * checksum is sent: to leave it out needs a permission that only the
 * application can give (RFC 6282, 4.3.2). */
static void compress_udp(compress_writer *writer, const uint8_t *udp) {
  const bool short_source = udp[0] == 0xf0;
  const bool short_destination = udp[2] == 0xf0;
  if (short_source && short_destination && udp[1] >> 4 == 0xb &&
      udp[3] >> 4 == 0xb) {
    compress_byte(writer, nhc_udp | 3);
    compress_byte(writer, (uint8_t)(udp[1] << 4 | (udp[3] & 0x0f)));
  } else if (short_destination) {
    compress_byte(writer, nhc_udp | 1);
    compress_bytes(writer, udp, 2);
    compress_byte(writer, udp[3]);
  } else if (short_source) {
    compress_byte(writer, nhc_udp | 2);
    compress_byte(writer, udp[1]);
    compress_bytes(writer, udp + 2, 2);
  } else {
    compress_byte(writer, nhc_udp);
    compress_bytes(writer, udp, 4);
  }
  compress_bytes(writer, udp + 6, 2);
}

/* --- The header ---------------------------------------------------------- */

static bool compress_is_ipv6(const uint8_t *packet, size_t packet_size) {
  return packet_size >= ipv6_header_size && packet[0] >> 4 == 6 &&
         packet_size - ipv6_header_size == lowpan_load16(packet + 4);
}

/* The second byte of IPHC. */
static uint8_t compress_modes(const compress_address *source,
                              const compress_address *destination,
                              bool is_multicast) {
  return (uint8_t)(((source->context | destination->context) != 0
                        ? iphc_context_byte
                        : 0) |
                   (source->has_context ? iphc_source_context : 0) |
                   source->mode << iphc_source_shift |
                   (is_multicast ? iphc_multicast : 0) |
                   (destination->has_context ? iphc_destination_context : 0) |
                   destination->mode << iphc_destination_shift);
}

samara_6lowpan_result
samara_6lowpan_compress(uint8_t header[samara_6lowpan_header_size_max],
                        uint8_t *header_size, uint8_t *covered,
                        const samara_6lowpan_hop *hop, const uint8_t *packet,
                        size_t packet_size) {
  if (!compress_is_ipv6(packet, packet_size)) {
    return SAMARA_6LOWPAN_ERROR_PACKET;
  }
  const uint8_t *to = packet + ipv6_destination_at;
  const bool is_multicast = to[0] == 0xff;
  const bool is_udp = compress_is_udp(packet, packet_size);
  const compress_address source = compress_source(hop, packet + ipv6_source_at);
  const compress_address destination =
      is_multicast ? compress_multicast(hop, to)
                   : compress_unicast(hop, to, &hop->destination);
  compress_writer writer = {header, 2};
  header[1] = compress_modes(&source, &destination, is_multicast);
  if ((header[1] & iphc_context_byte) != 0) {
    compress_byte(&writer,
                  (uint8_t)(source.context << 4 | destination.context));
  }
  header[0] = (uint8_t)(lowpan_iphc | compress_class(&writer, packet));
  if (is_udp) {
    header[0] |= iphc_next_compressed;
  } else {
    compress_byte(&writer, packet[ipv6_next_header_at]);
  }
  header[0] |= compress_hop_limit(&writer, packet[7]);
  compress_bytes(&writer, source.sent, source.sent_size);
  compress_bytes(&writer, destination.sent, destination.sent_size);
  if (is_udp) {
    compress_udp(&writer, packet + ipv6_header_size);
  }
  *header_size = writer.size;
  *covered = is_udp ? ipv6_header_size + udp_header_size : ipv6_header_size;
  return SAMARA_6LOWPAN_OK;
}
