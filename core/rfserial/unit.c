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

samara_unit samara_unit_for(const samara_rfserial_link *link,
                            uint32_t message_size) {
  const unsigned grain = samara_unit_grain(link);
  uint32_t needed = message_size + samara_unit_overhead(link);
  uint32_t size = grain;
  unsigned step = 0;
  while (size < needed) {
    step++;
    size += samara_unit_growth(step, grain);
    if (step == samara_unit_exact_steps) {
      needed += 2; /* the size of the fill, which there always is now */
    }
  }
  uint8_t code = samara_unit_code(step);
  if (step < samara_unit_exact_steps && size != needed) {
    code |= 1;
  }
  return (samara_unit){size, code};
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
