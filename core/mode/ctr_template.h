/* SPDX-License-Identifier: Apache-2.0 */
/* Template: see mode/names.h. Contract: samara/ctr.h. */

#include "common/bytes.h"
#include "common/overlap.h"
#include "common/stack.h"
#include "common/wiped.h"
#include "mode/counter.h"
#include "mode/names.h"

/* Adds the encrypted counters to the input. Bytes `first` to 15 of the block
 * count: all of them in CTR, the last four in GCM, those behind the nonce in
 * CCM. */
SAMARA_NOT_INLINED static void
SAMARA_LOCAL(count_and_add)(const SAMARA_KEY *key, uint8_t *output,
                            uint8_t counter_block[SAMARA_BLOCK_SIZE],
                            unsigned first, const uint8_t *input, size_t size) {
#ifdef SAMARA_CIPHER_CTR
  if (SAMARA_CIPHER_CTR(key, output, counter_block, first, input, size)) {
    return;
  }
#endif
#ifdef SAMARA_CIPHER_COUNT_BLOCKS
  if (size >= SAMARA_BLOCK_SIZE) {
    const size_t rest = size % SAMARA_BLOCK_SIZE;
    SAMARA_CIPHER_COUNT_BLOCKS(key, output, counter_block, first, input,
                               size / SAMARA_BLOCK_SIZE);
    output += size - rest;
    input += size - rest;
    size = rest;
  }
#endif
  samara_counter counter = samara_counter_load(counter_block);
  uint8_t keystream[SAMARA_BLOCK_SIZE * SAMARA_PARALLEL_BLOCKS];
  SAMARA_WIPED(keystream);
  while (size != 0) {
    const size_t part = size < sizeof keystream ? size : sizeof keystream;
#if SAMARA_PARALLEL_BLOCKS == 1
    /* Without a copy of the counter, where it is counted in memory. */
    SAMARA_LOCAL(encrypt_blocks)(key, keystream, counter_block, 1);
    samara_count_up(&counter, first);
#else
    const size_t blocks = (part + SAMARA_BLOCK_SIZE - 1) / SAMARA_BLOCK_SIZE;
    for (size_t i = 0; i < blocks; i++) {
      samara_counter_store(keystream + SAMARA_BLOCK_SIZE * i, &counter);
      samara_count_up(&counter, first);
    }
    SAMARA_LOCAL(encrypt_blocks)(key, keystream, keystream, blocks);
#endif
    samara_xor_bytes(output, input, keystream, part);
    output += part;
    input += part;
    size -= part;
  }
  samara_counter_store(counter_block, &counter);
}

samara_result SAMARA_NAME(ctr_encrypt)(const SAMARA_KEY *key, uint8_t *output,
                                       uint8_t counter[samara_ctr_counter_size],
                                       const uint8_t *input, size_t size) {
  if (samara_overlaps(output, size, input, size)) {
    return SAMARA_ERROR_OVERLAP;
  }
  SAMARA_LOCAL(count_and_add)(key, output, counter, 0, input, size);
  return samara_leave(SAMARA_OK,
                      SAMARA_CIPHER_ENCRYPT_STACK + samara_ctr_stack);
}
