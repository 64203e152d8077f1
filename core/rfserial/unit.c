/* SPDX-License-Identifier: Apache-2.0 */
#include "rfserial/unit.h"

#include "common/bytes.h"

enum { unit_domain = 3 };

bool samara_rfserial_is_valid(const samara_rfserial_link *link) {
  return link->direction <= 1 && link->packet_size >= 1 &&
         link->packet_size <= samara_rfserial_packet_size_max &&
         link->counter_size <= samara_rfserial_counter_size_max &&
         link->tag_size >= samara_rfserial_tag_size_min &&
         link->tag_size <= samara_aead_tag_size_max &&
         (link->aead->tag_sizes >> link->tag_size & 1) != 0;
}

/* Divided upwards. */
static uint32_t unit_quotient(uint32_t size, uint32_t divisor) {
  return (size + divisor - 1) / divisor;
}

/* The first step above the exact ones with so many packets. */
static unsigned unit_long_step(uint32_t packets) {
  unsigned octave = 0;
  while (packets > (uint32_t)128 << octave) {
    octave++;
  }
  const uint32_t steps = unit_quotient(packets, (uint32_t)1 << octave) - 65;
  return 64 * (octave + 1) + (unsigned)steps;
}

samara_unit samara_unit_for(const samara_rfserial_link *link,
                            uint32_t message_size) {
  const unsigned grain = samara_unit_grain(link);
  const uint32_t size = message_size + samara_unit_overhead(link);
  uint32_t packets = unit_quotient(size, grain);
  if (packets <= samara_unit_exact_steps) {
    const uint8_t has_fill = packets * grain != size;
    const uint8_t code = samara_unit_code((unsigned)packets - 1);
    return (samara_unit){packets * grain, code | has_fill};
  }
  /* The fill begins with its own size. */
  const unsigned step = unit_long_step(unit_quotient(size + 2, grain));
  packets = samara_unit_packets(step);
  return (samara_unit){packets * grain, samara_unit_code(step)};
}

/* A size_t may have 16 bits, to which these limits mean nothing. */
static bool unit_is_too_long(uint64_t message_size) {
  return message_size > SAMARA_RFSERIAL_MESSAGE_SIZE_MAX;
}

size_t samara_rfserial_wire_size(const samara_rfserial_link *link,
                                 size_t message_size) {
  if (unit_is_too_long(message_size)) {
    return 0;
  }
  const uint32_t size = samara_unit_for(link, (uint32_t)message_size).size;
  return (size_t)size == size ? (size_t)size : 0;
}

void samara_unit_data(uint8_t data[samara_unit_data_size],
                      const samara_rfserial_link *link, uint8_t code) {
  data[0] = code;
  data[1] = link->packet_size;
  data[2] = (uint8_t)((link->tag_size - 1) << 4 | link->counter_size);
}

void samara_unit_nonce(uint8_t nonce[samara_aead_nonce_size],
                       const samara_rfserial_link *link, uint64_t number) {
  nonce[0] = unit_domain;
  nonce[1] = link->direction;
  nonce[2] = (uint8_t)(link->identity >> 8);
  nonce[3] = (uint8_t)link->identity;
  samara_store64_be(nonce + 4, number);
}
