/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/ple_sync.h>

#include "common/bytes.h"

void samara_ple_nonce(uint8_t nonce[samara_ple_sync_nonce_size],
                      samara_ple_domain domain, uint8_t direction,
                      uint16_t link_id, uint64_t counter) {
  nonce[0] = (uint8_t)domain;
  nonce[1] = direction;
  nonce[2] = (uint8_t)(link_id >> 8);
  nonce[3] = (uint8_t)link_id;
  samara_store64_be(nonce + 4, counter);
}
