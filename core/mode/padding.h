/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_MODE_PADDING_H
#define SAMARA_MODE_PADDING_H

/* PKCS#7 padding of blocks of 16 bytes (RFC 5652, 6.3): n bytes of value n,
 * 1 <= n <= 16. */

#include "common/bytes.h"
#include "common/stack.h"

/* What CBC adds to the cipher's stack. */
enum { samara_cbc_stack = SAMARA_STACK_BYTES(64, 64, 144, 384) };

/* `block` = `rest` bytes (0 to 15), padded. */
SAMARA_INLINE void samara_pad_block(uint8_t block[16], const uint8_t *bytes,
                                    size_t rest) {
  for (size_t i = 0; i < 16; i++) {
    block[i] = i < rest ? bytes[i] : (uint8_t)(16 - rest);
  }
}

/* How many bytes of a message's last block are padding, or 0 when it is wrong.
 * Takes the same time for every block; only the answer is public. */
unsigned samara_padding_size(const uint8_t block[16]);

#endif
