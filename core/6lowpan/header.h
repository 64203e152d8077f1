/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_6LOWPAN_HEADER_H
#define SAMARA_6LOWPAN_HEADER_H

/* The bits of compressed headers, and addresses as both ends make them
 * (RFC 6282, 3 and 4; RFC 4944, 5). */

#include "common/bytes.h"
#include <samara/6lowpan.h>

/* Dispatch bytes. */
enum {
  lowpan_ipv6 = 0x41, /* an uncompressed header follows */
  lowpan_iphc = 0x60, /* 011 and 13 bits */
  lowpan_iphc_mask = 0xe0,
  lowpan_first = 0xc0, /* 11000 and 11 bits of size */
  lowpan_later = 0xe0, /* 11100 */
  lowpan_fragment_mask = 0xf8,
  lowpan_first_size = 4,
  lowpan_later_size = 5
};

/* The first byte of IPHC. */
enum {
  iphc_no_flow = 0x10,  /* the flow label is zero ... */
  iphc_no_class = 0x08, /* ... and DSCP, or (with it) all of both */
  iphc_next_compressed = 0x04,
  iphc_hop_limit = 0x03 /* 0: inline, 1: 1, 2: 64, 3: 255 */
};

/* The second. */
enum {
  iphc_context_byte = 0x80,
  iphc_source_context = 0x40,
  iphc_source_shift = 4,
  iphc_multicast = 0x08,
  iphc_destination_context = 0x04,
  iphc_destination_shift = 0,
  iphc_mode_mask = 3
};

/* How much of a unicast address is sent. */
enum {
  address_whole = 0,
  address_64_bits = 1,
  address_16_bits = 2,
  address_none = 3
};

/* Compressed next headers. */
enum {
  nhc_udp = 0xf0, /* 11110, checksum left out, ports */
  nhc_udp_mask = 0xf8,
  nhc_udp_no_checksum = 0x04,
  nhc_extension = 0xe0, /* 1110, kind of header, next header compressed */
  nhc_extension_mask = 0xf0
};

enum {
  ipv6_header_size = 40,
  ipv6_next_header_at = 6,
  ipv6_source_at = 8,
  ipv6_destination_at = 24,
  ipv6_address_size = 16,
  next_header_hop_by_hop = 0,
  next_header_udp = 17,
  next_header_routing = 43,
  next_header_fragment = 44,
  next_header_destination = 60,
  next_header_mobility = 135,
  udp_header_size = 8
};

SAMARA_INLINE uint16_t lowpan_load16(const uint8_t bytes[2]) {
  return (uint16_t)((uint16_t)bytes[0] << 8 | bytes[1]);
}

SAMARA_INLINE void lowpan_store16(uint8_t bytes[2], uint16_t word) {
  bytes[0] = (uint8_t)(word >> 8);
  bytes[1] = (uint8_t)word;
}

/* Bytes of a unicast address that are sent in a mode: 16, 8, 2, 0. */
uint8_t samara_6lowpan_sent(unsigned mode);

/* A context by its number, or NULL. */
const samara_6lowpan_context *
samara_6lowpan_context_of(const samara_6lowpan_hop *hop, unsigned number);

/* The address that `sent` stands for in a mode other than address_whole, on a
 * link with this address, with a context or (NULL) with the prefix of the
 * link, fe80::/64. */
void samara_6lowpan_rebuild(uint8_t address[ipv6_address_size],
                            const samara_6lowpan_context *context,
                            unsigned mode, const uint8_t *sent,
                            const samara_6lowpan_address *link);

/* The first 64 bits of a context, zeros behind its prefix. */
void samara_6lowpan_rebuild_prefix(uint8_t prefix[8],
                                   const samara_6lowpan_context *context);

#endif
