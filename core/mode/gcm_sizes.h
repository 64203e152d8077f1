/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_MODE_GCM_SIZES_H
#define SAMARA_MODE_GCM_SIZES_H

#include "common/machine.h"
#include "common/stack.h"
#include <samara/gcm.h>
#include <stdbool.h>

/* GCM counts in the last four bytes of a block (inc_32, 6.2). */
enum { samara_gcm_counted_from = 12 };

/* What GCM adds to the cipher's stack. */
enum { samara_gcm_stack = SAMARA_STACK_BYTES(192, 192, 352, 1216) };

/* Whether a truncated tag may have this size (appendix C). */
SAMARA_INLINE bool samara_gcm_takes_tag(size_t tag_size) {
  return tag_size >= 12 && tag_size <= samara_gcm_tag_size;
}

/* Whether GCM takes these sizes (SP 800-38D, 5.2.1.1), in bytes; the result
 * names the first that it does not. */
SAMARA_MUST_CHECK SAMARA_INLINE samara_result samara_gcm_check(
    size_t nonce_size, size_t associated_data_size, size_t message_size) {
  const uint64_t longest_message = ((uint64_t)1 << 36) - 32;
  const uint64_t longest_other = ((uint64_t)1 << 61) - 1;
  if (nonce_size == 0 || nonce_size > longest_other) {
    return SAMARA_ERROR_NONCE_SIZE;
  }
  if (associated_data_size > longest_other) {
    return SAMARA_ERROR_ASSOCIATED_DATA_SIZE;
  }
  return message_size > longest_message ? SAMARA_ERROR_MESSAGE_SIZE : SAMARA_OK;
}

#endif
