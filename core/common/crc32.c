/* SPDX-License-Identifier: Apache-2.0 */
#include "common/crc32.h"

#include "common/secret.h"

#if SAMARA_FLASH_TABLES

/* The value of a byte is the sum of those of its halves: two tables of 16, and
 * no shift but by whole bytes. */
static const uint32_t crc32_low[16] SAMARA_FLASH = {
    0x00000000, 0x77073096, 0xee0e612c, 0x990951ba, 0x076dc419, 0x706af48f,
    0xe963a535, 0x9e6495a3, 0x0edb8832, 0x79dcb8a4, 0xe0d5e91e, 0x97d2d988,
    0x09b64c2b, 0x7eb17cbd, 0xe7b82d07, 0x90bf1d91,
};
static const uint32_t crc32_high[16] SAMARA_FLASH = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
    0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
    0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
};

static uint32_t crc32_next(uint32_t crc, uint8_t byte) {
  const uint8_t place = (uint8_t)(crc ^ byte);
  return crc >> 8 ^ SAMARA_READ_FLASH32(crc32_low, place & 15) ^
         SAMARA_READ_FLASH32(crc32_high, place >> 4);
}

#else

static uint32_t crc32_next(uint32_t crc, uint8_t byte) {
  crc ^= byte;
  for (uint8_t i = 0; i < 8; i++) {
    crc = crc >> 1 ^ (0xedb88320u & samara_mask32(crc));
  }
  return crc;
}

#endif

uint32_t samara_crc32(uint32_t crc, const uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) {
    crc = crc32_next(crc, bytes[i]);
  }
  return crc;
}
