/* SPDX-License-Identifier: Apache-2.0 */
/* Template: the whole blocks of a message of CCM by assembly that works on two
 * blocks (SAMARA_AES_LANES in aes_rounds.h). Its two passes go side by side:
 * while one lane makes keystream, the other takes a block into the CBC-MAC.
 *
 * The file that includes it defines LANES_ALIGNED: what makes addresses of two
 * blocks those that are fast. Contract: aes_rounds.h, of the declaration. */

#include "mode/counter.h"

#include "common/bytes.h"
#include "common/wiped.h"

enum {
  ccm_block_size = 16,
  /* Bytes 12 to 15 count: no more than 2^28 blocks fit the address space. */
  ccm_counted_from = 12
};

/* The next counter to `block`. */
static void ccm_next_counter(uint8_t block[ccm_block_size],
                             uint8_t counter[ccm_block_size]) {
  samara_counter next = samara_counter_load(counter);
  samara_counter_store(block, &next);
  samara_count_up(&next, ccm_counted_from);
  samara_counter_store(counter, &next);
}

static void ccm_seal_blocks(const uint32_t *round_keys, unsigned rounds,
                            uint8_t *output, uint8_t mac[ccm_block_size],
                            uint8_t counter[ccm_block_size],
                            const uint8_t *input, size_t count) {
  LANES_ALIGNED uint8_t lanes[2 * ccm_block_size]; /* keystream, then CBC-MAC */
  SAMARA_WIPED(lanes);
  for (; count != 0; count--) {
    ccm_next_counter(lanes, counter);
    samara_xor_bytes(lanes + ccm_block_size, mac, input, ccm_block_size);
    SAMARA_AES_LANES(encrypt_two)(round_keys, rounds, lanes, lanes,
                                  ccm_block_size);
    samara_xor_bytes(output, input, lanes, ccm_block_size);
    samara_copy_bytes(mac, lanes + ccm_block_size, ccm_block_size);
    output += ccm_block_size;
    input += ccm_block_size;
  }
}

/* A block can enter the CBC-MAC when its keystream is there: so the keystream
 * is a block ahead, and the first and the last block have an idle lane. */
static void ccm_open_blocks(const uint32_t *round_keys, unsigned rounds,
                            uint8_t *output, uint8_t mac[ccm_block_size],
                            uint8_t counter[ccm_block_size],
                            const uint8_t *input, size_t count) {
  LANES_ALIGNED uint8_t lanes[2 * ccm_block_size];
  SAMARA_WIPED(lanes);
  ccm_next_counter(lanes, counter);
  SAMARA_AES_LANES(encrypt_two)(round_keys, rounds, lanes, lanes, 0);
  for (;;) {
    samara_xor_bytes(output, input, lanes, ccm_block_size);
    samara_xor_bytes(lanes + ccm_block_size, mac, output, ccm_block_size);
    if (--count == 0) {
      break;
    }
    ccm_next_counter(lanes, counter);
    SAMARA_AES_LANES(encrypt_two)(round_keys, rounds, lanes, lanes,
                                  ccm_block_size);
    samara_copy_bytes(mac, lanes + ccm_block_size, ccm_block_size);
    output += ccm_block_size;
    input += ccm_block_size;
  }
  SAMARA_AES_LANES(encrypt_two)(round_keys, rounds, mac, lanes + ccm_block_size,
                                0);
}

size_t SAMARA_AES_LANES(ccm)(const uint32_t *round_keys, unsigned rounds,
                             bool opening, uint8_t *output,
                             uint8_t mac[ccm_block_size],
                             uint8_t counter[ccm_block_size],
                             const uint8_t *input, size_t size) {
  const size_t count = size / ccm_block_size;
  if (count == 0) {
    return 0;
  }
  (opening ? ccm_open_blocks : ccm_seal_blocks)(round_keys, rounds, output, mac,
                                                counter, input, count);
  return count * ccm_block_size;
}

#undef LANES_ALIGNED
