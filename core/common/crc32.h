/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_COMMON_CRC32_H
#define SAMARA_COMMON_CRC32_H

/* CRC-32 as Ethernet has it. The bytes may be secret: neither a branch nor,
 * where there may be a cache, an address depends on them. */

#include "common/machine.h"

#define SAMARA_CRC32_BEGIN 0xffffffffu

/* The value after more bytes; the complement of the last one is the check. */
uint32_t samara_crc32(uint32_t crc, const uint8_t *bytes, size_t size);

#endif
