/* SPDX-License-Identifier: Apache-2.0 */
#include "6lowpan/work.h"

/* --- Fields of the header of IPv6 ---------------------------------------- */

static bool decompress_class(lowpan_work *work, uint8_t first) {
  static const uint8_t sizes[4] = {4, 3, 1, 0};
  const unsigned form = first >> 3 & 3;
  const uint8_t *sent = samara_6lowpan_take(work, sizes[form]);
  if (sent == NULL) {
    return false;
  }
  uint8_t *out = work->out;
  const uint8_t turned = sizes[form] == 0 ? 0
                         : form == 1      ? sent[0] & 0xc0
                                          : sent[0];
  const uint8_t class = (uint8_t)(turned << 2 | turned >> 6);
  /* The label's first four bits share a byte with ECN where there is no DSCP.
   */
  const uint8_t *flow = form == 0 ? sent + 1 : sent;
  const bool has_flow = form < 2;
  out[0] = (uint8_t)(0x60 | class >> 4);
  out[1] = (uint8_t)(class << 4 | (has_flow ? flow[0] & 0x0f : 0));
  out[2] = has_flow ? flow[1] : 0;
  out[3] = has_flow ? flow[2] : 0;
  return true;
}

static bool decompress_hop_limit(lowpan_work *work, uint8_t first) {
  static const uint8_t limits[4] = {0, 1, 64, 255};
  const unsigned form = first & iphc_hop_limit;
  work->out[7] = limits[form];
  if (form == 0) {
    const uint8_t *sent = samara_6lowpan_take(work, 1);
    if (sent == NULL) {
      return false;
    }
    work->out[7] = sent[0];
  }
  return true;
}

static bool decompress_unicast(lowpan_work *work, uint8_t *address,
                               const samara_6lowpan_context *context,
                               unsigned mode,
                               const samara_6lowpan_address *link) {
  const uint8_t *sent = samara_6lowpan_take(work, samara_6lowpan_sent(mode));
  if (sent == NULL) {
    return false;
  }
  if (mode == address_whole) {
    samara_copy_bytes(address, sent, ipv6_address_size);
  } else {
    samara_6lowpan_rebuild(address, context, mode, sent, link);
  }
  return true;
}

static bool decompress_multicast(lowpan_work *work, uint8_t *address,
                                 unsigned mode) {
  static const uint8_t sizes[4] = {16, 6, 4, 1};
  const uint8_t size = sizes[mode];
  const uint8_t *sent = samara_6lowpan_take(work, size);
  if (sent == NULL) {
    return false;
  }
  if (mode == address_whole) {
    samara_copy_bytes(address, sent, ipv6_address_size);
    return address[0] == 0xff ||
           samara_6lowpan_fail(work, SAMARA_6LOWPAN_ERROR_ENCODING);
  }
  samara_zero_bytes(address, ipv6_address_size);
  address[0] = 0xff;
  if (mode == 3) {
    address[1] = 0x02;
    address[15] = sent[0];
  } else {
    address[1] = sent[0];
    samara_copy_bytes(address + ipv6_address_size - (size - 1), sent + 1,
                      size - 1u);
  }
  return true;
}

/* RFC 3306: flags and scope, reserved, prefix length, prefix, group. */
static bool decompress_by_prefix(lowpan_work *work, uint8_t *address,
                                 const samara_6lowpan_context *context) {
  const uint8_t *sent = samara_6lowpan_take(work, 6);
  if (sent == NULL) {
    return false;
  }
  if (context->prefix_bits > 64) {
    return samara_6lowpan_fail(work, SAMARA_6LOWPAN_ERROR_CONTEXT);
  }
  address[0] = 0xff;
  address[1] = sent[0];
  address[2] = sent[1];
  address[3] = context->prefix_bits;
  samara_6lowpan_rebuild_prefix(address + 4, context);
  samara_copy_bytes(address + 12, sent + 2, 4);
  return true;
}

/* The context of an address, if it needs one. */
static bool decompress_context(lowpan_work *work, const samara_6lowpan_hop *hop,
                               bool needed, unsigned number,
                               const samara_6lowpan_context **context) {
  *context = needed ? samara_6lowpan_context_of(hop, number) : NULL;
  return !needed || *context != NULL ||
         samara_6lowpan_fail(work, SAMARA_6LOWPAN_ERROR_CONTEXT);
}

static bool decompress_source(lowpan_work *work, const samara_6lowpan_hop *hop,
                              uint8_t modes, unsigned number) {
  uint8_t *address = work->out + ipv6_source_at;
  const bool has_context = (modes & iphc_source_context) != 0;
  const unsigned mode = modes >> iphc_source_shift & iphc_mode_mask;
  const samara_6lowpan_context *context;
  if (has_context && mode == address_whole) {
    samara_zero_bytes(address, ipv6_address_size); /* the unspecified one */
    return true;
  }
  return decompress_context(work, hop, has_context, number, &context) &&
         decompress_unicast(work, address, context, mode, &hop->source);
}

static bool decompress_destination(lowpan_work *work,
                                   const samara_6lowpan_hop *hop, uint8_t modes,
                                   unsigned number) {
  uint8_t *address = work->out + ipv6_destination_at;
  const bool has_context = (modes & iphc_destination_context) != 0;
  const bool is_multicast = (modes & iphc_multicast) != 0;
  const unsigned mode = modes >> iphc_destination_shift & iphc_mode_mask;
  const samara_6lowpan_context *context;
  if (has_context && (is_multicast ? mode != 0 : mode == address_whole)) {
    return samara_6lowpan_fail(work, SAMARA_6LOWPAN_ERROR_ENCODING);
  }
  if (!decompress_context(work, hop, has_context, number, &context)) {
    return false;
  }
  if (is_multicast) {
    return has_context ? decompress_by_prefix(work, address, context)
                       : decompress_multicast(work, address, mode);
  }
  return decompress_unicast(work, address, context, mode, &hop->destination);
}

/* --- Whole headers ------------------------------------------------------- */

/* The header that two bytes of IPHC and what follows them stand for. */
static bool decompress_iphc(lowpan_work *work, const samara_6lowpan_hop *hop) {
  const uint8_t *code = samara_6lowpan_take(work, 2);
  if (code == NULL) {
    return false;
  }
  const uint8_t first = code[0];
  const uint8_t modes = code[1];
  uint8_t contexts = 0;
  if ((modes & iphc_context_byte) != 0) {
    const uint8_t *sent = samara_6lowpan_take(work, 1);
    if (sent == NULL) {
      return false;
    }
    contexts = sent[0];
  }
  (void)samara_6lowpan_room(work, ipv6_header_size);
  if (!decompress_class(work, first)) {
    return false;
  }
  if ((first & iphc_next_compressed) == 0) {
    const uint8_t *next = samara_6lowpan_take(work, 1);
    if (next == NULL) {
      return false;
    }
    work->out[ipv6_next_header_at] = next[0];
  }
  return decompress_hop_limit(work, first) &&
         decompress_source(work, hop, modes, contexts >> 4) &&
         decompress_destination(work, hop, modes, contexts & 0x0f) &&
         ((first & iphc_next_compressed) == 0 ||
          samara_6lowpan_next_headers(work));
}

/* The lengths, which no compressed header has. */
static void decompress_lengths(lowpan_work *work, size_t packet_size) {
  lowpan_store16(work->out + 4, (uint16_t)(packet_size - ipv6_header_size));
  if (work->udp_at != 0) {
    lowpan_store16(work->out + work->udp_at + 4,
                   (uint16_t)(packet_size - work->udp_at));
  }
}

/* A header that was sent as it is. */
static bool decompress_nothing(lowpan_work *work, size_t packet_size) {
  const uint8_t *sent = samara_6lowpan_take(work, ipv6_header_size);
  if (sent == NULL) {
    return false;
  }
  samara_copy_bytes(samara_6lowpan_room(work, ipv6_header_size), sent,
                    ipv6_header_size);
  return (sent[0] >> 4 == 6 &&
          lowpan_load16(sent + 4) + (size_t)ipv6_header_size == packet_size) ||
         samara_6lowpan_fail(work, SAMARA_6LOWPAN_ERROR_PACKET);
}

static bool decompress_headers(lowpan_work *work, const samara_6lowpan_hop *hop,
                               size_t packet_size) {
  if (work->in_size == 0) {
    return samara_6lowpan_fail(work, SAMARA_6LOWPAN_ERROR_TRUNCATED);
  }
  if (work->in[0] == lowpan_ipv6) {
    (void)samara_6lowpan_take(work, 1);
    return decompress_nothing(work,
                              packet_size == 0 ? work->in_size : packet_size);
  }
  if ((work->in[0] & lowpan_iphc_mask) != lowpan_iphc) {
    return samara_6lowpan_fail(work, SAMARA_6LOWPAN_ERROR_DISPATCH);
  }
  if (!decompress_iphc(work, hop)) {
    return false;
  }
  const size_t present = work->out_size + work->in_size;
  const size_t size = packet_size == 0 ? present : packet_size;
  if (size < present) {
    return samara_6lowpan_fail(work, SAMARA_6LOWPAN_ERROR_ENCODING);
  }
  decompress_lengths(work, size);
  return true;
}

samara_6lowpan_result
samara_6lowpan_expand(uint8_t *packet, size_t *written, size_t *checksum_at,
                      const samara_6lowpan_hop *hop, const uint8_t *payload,
                      size_t payload_size, size_t packet_size) {
  lowpan_work work = {.in = payload, .in_size = payload_size, .out = packet};
  if (decompress_headers(&work, hop, packet_size)) {
    const size_t rest_size = work.in_size;
    uint8_t *rest = samara_6lowpan_room(&work, rest_size);
    if (rest != NULL) {
      samara_copy_bytes(rest, work.in, rest_size);
    }
  }
  *written = work.out_size;
  *checksum_at = work.has_no_checksum ? work.udp_at : 0;
  return work.failed;
}

samara_6lowpan_result
samara_6lowpan_decompress(uint8_t packet[samara_6lowpan_packet_size_max],
                          size_t *packet_size, const samara_6lowpan_hop *hop,
                          const uint8_t *payload, size_t payload_size) {
  size_t checksum_at;
  *packet_size = 0;
  const samara_6lowpan_result result = samara_6lowpan_expand(
      packet, packet_size, &checksum_at, hop, payload, payload_size, 0);
  if (result == SAMARA_6LOWPAN_OK && checksum_at != 0) {
    samara_6lowpan_add_checksum(packet, *packet_size, checksum_at);
  }
  return result;
}
