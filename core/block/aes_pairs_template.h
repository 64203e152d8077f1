/* SPDX-License-Identifier: Apache-2.0 */
/* Template: the whole blocks of a message of CCM in one pass. Each block of the
 * MAC waits for the one before it, and the rounds of a counter go into that
 * time.
 *
 * The file that includes it defines PAIRS_VECTOR, PAIRS_INLINE (storage and
 * target of a function), PAIRS_KERNEL (target), PAIRS_NAME(f) and
 * PAIRS_LOCAL(f), and the functions PAIRS_LOCAL(load), (store) and (xor), and
 * PAIRS_LOCAL(encrypt)(round_keys, rounds, blocks), which encrypts two blocks
 * side by side. Contract: aes_rounds.h, of samara_aes_aarch64_ccm. */

#include "mode/counter.h"
#include <stdbool.h>

#define pairs_counter PAIRS_LOCAL(counter)
#define pairs_ccm_blocks PAIRS_LOCAL(ccm_blocks)

/* The counter's lower half does not carry: eight bytes at least have room for
 * the blocks of a message, or those that count have. */
PAIRS_INLINE PAIRS_VECTOR pairs_counter(const samara_counter *number) {
  uint8_t block[16];
  samara_counter_store(block, number);
  return PAIRS_LOCAL(load)(block);
}

PAIRS_INLINE void pairs_ccm_blocks(const uint32_t *round_keys, unsigned rounds,
                                   bool opening, uint8_t *output,
                                   uint8_t mac[16], samara_counter number,
                                   const uint8_t *input, size_t count) {
  PAIRS_VECTOR chain = PAIRS_LOCAL(load)(mac);
  PAIRS_VECTOR pair[2] = {chain, chain};
  if (opening) {
    /* The keystream is one block ahead of the MAC, which needs plaintext. */
    pair[1] = pairs_counter(&number);
    PAIRS_LOCAL(encrypt)(round_keys, rounds, pair);
  }
  for (; count != 0; count--, input += 16, output += 16) {
    const PAIRS_VECTOR block = PAIRS_LOCAL(load)(input);
    const PAIRS_VECTOR plaintext =
        opening ? PAIRS_LOCAL(xor)(block, pair[1]) : block;
    pair[0] = PAIRS_LOCAL(xor)(chain, plaintext);
    if (opening) {
      number.low++;
    }
    pair[1] = pairs_counter(&number);
    PAIRS_LOCAL(encrypt)(round_keys, rounds, pair);
    if (!opening) {
      number.low++;
    }
    chain = pair[0];
    PAIRS_LOCAL(store)
    (output, opening ? plaintext : PAIRS_LOCAL(xor)(block, pair[1]));
  }
  PAIRS_LOCAL(store)(mac, chain);
}

PAIRS_KERNEL size_t PAIRS_NAME(ccm)(const uint32_t *round_keys, unsigned rounds,
                                    bool opening, uint8_t *output,
                                    uint8_t mac[16], uint8_t counter[16],
                                    const uint8_t *input, size_t size) {
  const size_t count = size / 16;
  samara_counter number = samara_counter_load(counter);
  if (count == 0) {
    return 0;
  }
  if (opening) {
    pairs_ccm_blocks(round_keys, rounds, true, output, mac, number, input,
                     count);
  } else {
    pairs_ccm_blocks(round_keys, rounds, false, output, mac, number, input,
                     count);
  }
  number.low += count;
  samara_counter_store(counter, &number);
  return 16 * count;
}

#undef pairs_counter
#undef pairs_ccm_blocks
#undef PAIRS_KERNEL
#undef PAIRS_INLINE
#undef PAIRS_LOCAL
#undef PAIRS_NAME
#undef PAIRS_VECTOR
