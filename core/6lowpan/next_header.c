/* SPDX-License-Identifier: Apache-2.0 */
#include "6lowpan/work.h"

/* --- UDP ----------------------------------------------------------------- */

/* Both ports, by their form. */
static void next_ports(uint8_t *udp, unsigned form, const uint8_t *sent) {
  static const uint8_t source_sizes[4] = {2, 2, 1, 0};
  const uint8_t *second = sent + source_sizes[form];
  if (form == 3) { /* four bits of each */
    udp[0] = 0xf0;
    udp[1] = (uint8_t)(0xb0 | sent[0] >> 4);
    udp[2] = 0xf0;
    udp[3] = (uint8_t)(0xb0 | (sent[0] & 0x0f));
    return;
  }
  udp[0] = form == 2 ? 0xf0 : sent[0];
  udp[1] = form == 2 ? sent[0] : sent[1];
  udp[2] = form == 1 ? 0xf0 : second[0];
  udp[3] = form == 1 ? second[0] : second[1];
}

/* Its length is written when that of the packet is known. */
static bool next_udp(lowpan_work *work, uint8_t code) {
  static const uint8_t sizes[4] = {4, 3, 3, 1};
  const unsigned form = code & 3;
  const size_t at = work->out_size;
  const uint8_t *ports = samara_6lowpan_take(work, sizes[form]);
  uint8_t *udp = samara_6lowpan_room(work, udp_header_size);
  if (ports == NULL || udp == NULL) {
    return false;
  }
  work->udp_at = at;
  work->has_no_checksum = (code & nhc_udp_no_checksum) != 0;
  samara_zero_bytes(udp, udp_header_size);
  next_ports(udp, form, ports);
  if (work->has_no_checksum) {
    /* It covers the last destination, which is in the routing header. */
    return !work->has_route ||
           samara_6lowpan_fail(work, SAMARA_6LOWPAN_ERROR_ENCODING);
  }
  const uint8_t *checksum = samara_6lowpan_take(work, 2);
  if (checksum == NULL) {
    return false;
  }
  samara_copy_bytes(udp + 6, checksum, 2);
  return true;
}

static uint32_t checksum_sum(uint32_t sum, const uint8_t *bytes, size_t size) {
  for (size_t i = 0; i + 1 < size; i += 2) {
    sum += lowpan_load16(bytes + i);
  }
  return size % 2 == 0 ? sum : sum + ((uint32_t)bytes[size - 1] << 8);
}

/* At most 1280 bytes: the sum fits. A checksum of 0 is written as ffff. */
void samara_6lowpan_add_checksum(uint8_t *packet, size_t packet_size,
                                 size_t udp_at) {
  const size_t udp_size = packet_size - udp_at;
  uint32_t sum = next_header_udp + (uint32_t)udp_size;
  sum = checksum_sum(sum, packet + ipv6_source_at, 2 * ipv6_address_size);
  sum = checksum_sum(sum, packet + udp_at, udp_size);
  sum = (sum & 0xffff) + (sum >> 16);
  sum = (sum & 0xffff) + (sum >> 16);
  const uint16_t checksum = (uint16_t)~sum;
  /* Without a branch: the bytes that are summed may be secret. */
  const uint16_t ones = (uint16_t)(((uint32_t)checksum - 1) >> 16);
  lowpan_store16(packet + udp_at + 6, checksum | ones);
}

/* --- Extension headers --------------------------------------------------- */

/* The length that IPv6 counts, in units of 8 bytes behind the first 8. Where
 * there are options, those that only fill it up may have been left out. */
static bool next_fill(lowpan_work *work, uint8_t number, size_t begin) {
  const size_t odd = (work->out_size - begin) % 8;
  const size_t fill_size = odd == 0 ? 0 : 8 - odd;
  const bool has_options =
      number == next_header_hop_by_hop || number == next_header_destination;
  if (fill_size != 0 && !has_options) {
    return samara_6lowpan_fail(work, SAMARA_6LOWPAN_ERROR_ENCODING);
  }
  uint8_t *fill = samara_6lowpan_room(work, fill_size);
  if (fill == NULL) {
    return false;
  }
  samara_zero_bytes(fill, fill_size); /* one byte: Pad1 */
  if (fill_size > 1) {
    fill[0] = 1; /* PadN: its size behind two bytes */
    fill[1] = (uint8_t)(fill_size - 2);
  }
  if (number != next_header_fragment) {
    work->out[begin + 1] = (uint8_t)((work->out_size - begin) / 8 - 1);
  }
  return true;
}

/* An extension header: *next is where the number of what follows belongs. */
static bool next_extension(lowpan_work *work, uint8_t number, uint8_t **next,
                           bool follows_inline) {
  const size_t begin = work->out_size;
  uint8_t *header = samara_6lowpan_room(work, 2);
  const uint8_t *sent = samara_6lowpan_take(work, follows_inline ? 2 : 1);
  if (header == NULL || sent == NULL) {
    return false;
  }
  header[0] = follows_inline ? sent[0] : 0;
  header[1] = 0;
  *next = header;
  /* A fragment header has no length: that byte is reserved. */
  const uint8_t length = sent[follows_inline ? 1 : 0];
  const uint8_t size = number == next_header_fragment ? 6 : length;
  const uint8_t *data = samara_6lowpan_take(work, size);
  uint8_t *room = samara_6lowpan_room(work, size);
  if (data == NULL || room == NULL) {
    return false;
  }
  samara_copy_bytes(room, data, size);
  work->has_route = work->has_route || number == next_header_routing;
  return next_fill(work, number, begin);
}

bool samara_6lowpan_next_headers(lowpan_work *work) {
  static const uint8_t numbers[5] = {
      next_header_hop_by_hop, next_header_routing, next_header_fragment,
      next_header_destination, next_header_mobility};
  uint8_t *next = work->out + ipv6_next_header_at;
  for (;;) {
    const uint8_t *code = samara_6lowpan_take(work, 1);
    if (code == NULL) {
      return false;
    }
    if ((code[0] & nhc_udp_mask) == nhc_udp) {
      *next = next_header_udp;
      return next_udp(work, code[0]);
    }
    const unsigned kind = code[0] >> 1 & 7;
    if ((code[0] & nhc_extension_mask) != nhc_extension || kind >= 5) {
      return samara_6lowpan_fail(work, SAMARA_6LOWPAN_ERROR_ENCODING);
    }
    *next = numbers[kind];
    const bool follows_inline = (code[0] & 1) == 0;
    if (!next_extension(work, numbers[kind], &next, follows_inline)) {
      return false;
    }
    if (follows_inline) {
      return true;
    }
  }
}
