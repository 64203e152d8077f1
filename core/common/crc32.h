/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_COMMON_CRC32_H
#define SAMARA_COMMON_CRC32_H

/* CRC-32 as Ethernet has it. Begins with 0xffffffff; the complement of the last
 * value is the check. The bytes may be secret: no branch depends on them. */

#include "common/secret.h"

SAMARA_INLINE uint32_t samara_crc32_next(uint32_t crc, uint8_t byte) {
  crc ^= byte;
  for (uint8_t i = 0; i < 8; i++) {
    crc = crc >> 1 ^ (0xedb88320u & samara_mask32(crc));
  }
  return crc;
}

#endif
