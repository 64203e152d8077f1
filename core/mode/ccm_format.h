/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_MODE_CCM_FORMAT_H
#define SAMARA_MODE_CCM_FORMAT_H

/* How CCM writes nonce and lengths into blocks (SP 800-38C, appendix A): the
 * part that no cipher takes part in. */

#include "common/machine.h"
#include "common/stack.h"
#include <samara/ccm.h>
#include <stdbool.h>

typedef struct samara_ccm_input {
  const uint8_t *nonce;
  size_t nonce_size;
  const uint8_t *associated_data;
  size_t associated_data_size;
  size_t message_size;
  size_t tag_size;
} samara_ccm_input;

enum { samara_ccm_length_size_max = 10 };

/* What CCM adds to the cipher's stack. */
#if SAMARA_AVR_BYTES
enum { samara_ccm_stack = 64 };
#else
enum { samara_ccm_stack = SAMARA_STACK_BYTES(112, 144, 240, 512) };
#endif

/* Whether the message's length fits its field of 15 - nonce_size bytes. */
bool samara_ccm_size_fits(const samara_ccm_input *input);

/* Whether CCM takes these sizes: MESSAGE_, NONCE_ or TAG_SIZE when not. */
SAMARA_MUST_CHECK samara_result samara_ccm_check(const samara_ccm_input *input);

/* B_0: flags, nonce, length of the message (A.2.1). */
void samara_ccm_first_block(uint8_t block[16], const samara_ccm_input *input);

/* The length of the associated data (A.2.2): 2, 6 or 10 bytes, returned. */
unsigned samara_ccm_encode_length(uint8_t length[samara_ccm_length_size_max],
                                  size_t associated_data_size);

/* Ctr_0 (A.3). */
void samara_ccm_counter_block(uint8_t block[16], const samara_ccm_input *input);

/* Where the counter's own bytes begin: those before are flags and nonce, to
 * which it never carries, because the message's length fits its field. */
SAMARA_INLINE unsigned samara_ccm_counted_from(const samara_ccm_input *input) {
  return (unsigned)input->nonce_size + 1;
}

#endif
