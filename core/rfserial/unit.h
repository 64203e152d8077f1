/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_RFSERIAL_UNIT_H
#define SAMARA_RFSERIAL_UNIT_H

/* The sizes of units, and what a cipher is told of one: shared by both ends.
 *
 * Codes 0 to 127 count up to 64 packets, low bit set when there is fill; then
 * the last byte of the unit is its size. Codes from 128 on are eight octaves of
 * 16 codes, from 64 packets up to 16,384. Each stands for four sizes (steps),
 * and only the tag tells which was meant: so long units, too, are filled by no
 * more than one part in 64. The last two bytes are the size of their fill, high
 * byte first. Sizes are uint32_t: a size_t may have 16 bits. */

#include "common/machine.h"
#include <samara/rfserial.h>

enum {
  samara_unit_exact_steps = 64, /* sizes that are counted one by one */
  samara_unit_steps = 64 + 8 * 64,
  samara_unit_long_code = 128
};

typedef struct samara_unit {
  uint32_t size; /* bytes, with fill */
  uint8_t code;  /* the header */
} samara_unit;

/* Bytes by which a unit of this step is longer than that of the step before:
 * one grain, twice as much in each octave after the first. So the sizes are
 * 1 to 64 grains, then 64 of them in each octave, and nobody has to divide. */
SAMARA_INLINE uint32_t samara_unit_growth(unsigned step, unsigned grain) {
  return step < samara_unit_exact_steps ? grain
                                        : (uint32_t)grain << (step / 64 - 1);
}

/* The header of a unit; below samara_unit_exact_steps with the low bit
 * clear, which says whether there is fill. */
SAMARA_INLINE uint8_t samara_unit_code(unsigned step) {
  return (uint8_t)(step < samara_unit_exact_steps
                       ? 2 * step
                       : samara_unit_long_code + (step - 64) / 4);
}

/* What units are counted in: the packet, or as many packets as are needed to
 * reach 64 KiB where packets have less than 5 bytes. */
SAMARA_INLINE unsigned samara_unit_grain(const samara_rfserial_link *link) {
  unsigned grain = link->packet_size;
  while (grain < 5) {
    grain += link->packet_size;
  }
  return grain;
}

/* Bytes of a unit that are neither text nor fill. */
SAMARA_INLINE unsigned samara_unit_overhead(const samara_rfserial_link *link) {
  return 1u + link->counter_size + link->tag_size;
}

/* The smallest unit for a message of at most 64 KiB. */
samara_unit samara_unit_for(const samara_rfserial_link *link,
                            uint32_t message_size);

/* The size of what the cipher authenticates beside the text: the header, and
 * the settings on which both ends have to agree. */
enum { samara_unit_data_size = 3 };

void samara_unit_data(uint8_t data[samara_unit_data_size],
                      const samara_rfserial_link *link, uint8_t code);

/* Domain 3, direction, identity, number; high bytes first. */
void samara_unit_nonce(uint8_t nonce[samara_aead_nonce_size],
                       const samara_rfserial_link *link, uint64_t number);

#endif
