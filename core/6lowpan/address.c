/* SPDX-License-Identifier: Apache-2.0 */
#include "6lowpan/header.h"

/* What identifiers made from short addresses begin with (RFC 6282, 3.2.2). */
static void address_short_identifier(uint8_t identifier[8],
                                     const uint8_t bytes[2]) {
  samara_zero_bytes(identifier, 8);
  identifier[3] = 0xff;
  identifier[4] = 0xfe;
  identifier[6] = bytes[0];
  identifier[7] = bytes[1];
}

void samara_6lowpan_identifier(uint8_t identifier[8],
                               const samara_6lowpan_address *address) {
  if (address->size == 2) {
    address_short_identifier(identifier, address->bytes);
    return;
  }
  samara_copy_bytes(identifier, address->bytes, 8);
  identifier[0] ^= 0x02; /* the universal/local bit */
}

uint8_t samara_6lowpan_sent(unsigned mode) {
  static const uint8_t sizes[4] = {16, 8, 2, 0};
  return sizes[mode];
}

const samara_6lowpan_context *
samara_6lowpan_context_of(const samara_6lowpan_hop *hop, unsigned number) {
  if (number >= hop->context_count || hop->contexts[number].prefix_bits == 0) {
    return NULL;
  }
  return &hop->contexts[number];
}

/* The first bits of a prefix into an address, all of it at most. */
static void address_set_prefix(uint8_t address[ipv6_address_size],
                               const uint8_t *prefix, unsigned bits) {
  for (unsigned i = 0; i < ipv6_address_size && 8 * i < bits; i++) {
    const unsigned left = bits - 8 * i;
    const uint8_t kept = (uint8_t)(left < 8 ? 0xff >> left : 0);
    const uint8_t set = (uint8_t)(0xff ^ kept);
    address[i] = (uint8_t)((prefix[i] & set) | (address[i] & kept));
  }
}

void samara_6lowpan_rebuild(uint8_t address[ipv6_address_size],
                            const samara_6lowpan_context *context,
                            unsigned mode, const uint8_t *sent,
                            const samara_6lowpan_address *link) {
  static const uint8_t link_local[8] = {0xfe, 0x80};
  samara_zero_bytes(address, 8);
  if (mode == address_64_bits) {
    samara_copy_bytes(address + 8, sent, 8);
  } else if (mode == address_16_bits) {
    address_short_identifier(address + 8, sent);
  } else {
    samara_6lowpan_identifier(address + 8, link);
  }
  /* A context's bits win over those of the identifier. */
  if (context != NULL) {
    address_set_prefix(address, context->prefix, context->prefix_bits);
  } else {
    address_set_prefix(address, link_local, 64);
  }
}

void samara_6lowpan_rebuild_prefix(uint8_t prefix[8],
                                   const samara_6lowpan_context *context) {
  uint8_t address[ipv6_address_size] = {0};
  address_set_prefix(address, context->prefix, context->prefix_bits);
  samara_copy_bytes(prefix, address, 8);
}
