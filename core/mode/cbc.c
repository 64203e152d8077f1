/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/cbc.h>

#include "common/secret.h"
#include "mode/padding.h"

size_t samara_cbc_ciphertext_size(size_t message_size) {
  if (message_size > SIZE_MAX - 16) {
    return 0;
  }
  return message_size / 16 * 16 + 16;
}

unsigned samara_padding_size(const uint8_t block[16]) {
  const uint32_t size = block[15];
  /* The differences below are negative, their top bit set, when true. */
  uint32_t wrong = (size - 1) >> 31 | (16 - size) >> 31;
  for (uint32_t i = 0; i < 16; i++) {
    const uint32_t counts = samara_mask32((i - size) >> 31);
    const uint32_t differs = block[15 - i] ^ size;
    wrong = samara_hide32(wrong | (differs & counts));
  }
  /* All ones when `wrong` is 0. */
  const uint32_t right = samara_mask32(((wrong | (0 - wrong)) >> 31) ^ 1);
  return (unsigned)samara_declassify32(size & right);
}
