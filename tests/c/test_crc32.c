/* SPDX-License-Identifier: Apache-2.0 */

/* CRC-32 of records: the check value that catalogues have of it, and every byte
 * beside the definition, a polynomial division bit by bit. */

#include "check.h"
#include "common/crc32.h"

static uint32_t divided(uint32_t crc, uint8_t byte) {
  for (unsigned bit = 0; bit < 8; bit++) {
    const uint32_t out = (crc ^ (uint32_t)byte >> bit) & 1;
    crc = crc >> 1 ^ (out != 0 ? 0xedb88320u : 0);
  }
  return crc;
}

static void test_known(void) {
  static const uint8_t digits[] = {'1', '2', '3', '4', '5', '6', '7', '8', '9'};
  CHECK(~samara_crc32(SAMARA_CRC32_BEGIN, digits, sizeof digits) == 0xcbf43926u,
        "of the digits");
  CHECK(samara_crc32(0x12345678u, digits, 0) == 0x12345678u, "of nothing");
}

static void test_bytes(void) {
  for (unsigned byte = 0; byte < 256; byte++) {
    for (unsigned i = 0; i < 8; i++) {
      const uint8_t bytes[] = {(uint8_t)byte, (uint8_t)(byte * 7 + i)};
      uint8_t begin[4];
      fill_random(begin, sizeof begin);
      const uint32_t crc = (uint32_t)begin[0] << 24 | (uint32_t)begin[1] << 16 |
                           (uint32_t)begin[2] << 8 | begin[3];
      CHECK(samara_crc32(crc, bytes, 2) ==
                divided(divided(crc, bytes[0]), bytes[1]),
            "byte %02x", byte);
    }
  }
}

int main(void) {
  test_known();
  test_bytes();
  return check_report();
}
