/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_ARCH_X86_64_GCM_SHORT_H
#define SAMARA_ARCH_X86_64_GCM_SHORT_H

/* GCM of a message as short as a radio frame, in one function: the key of
 * GHASH, the mask of the tag and the keystream are encrypted side by side. */

#include "arch/x86_64/cpu.h"
#include "mode/gcm_sizes.h"
#include "mode/ghash.h"
#include <samara/memory.h>

#if SAMARA_ARCH_X86_64

/* Bytes that it takes. */
enum { samara_gcm_short_message = 128, samara_gcm_short_data = 64 };

typedef struct samara_gcm_short {
  const uint32_t *round_keys;
  unsigned rounds;
  const samara_ghash *prepared; /* NULL: its key is to be made */
  uint8_t *output;
  const uint8_t *nonce; /* 12 bytes */
  const uint8_t *associated_data;
  size_t associated_data_size;
  const uint8_t *input;
  size_t size;
} samara_gcm_short;

/* Whether the processor and these sizes are for the functions below. */
SAMARA_INLINE bool samara_gcm_short_takes(size_t nonce_size,
                                          size_t associated_data_size,
                                          size_t message_size) {
  return nonce_size == samara_gcm_nonce_size &&
         associated_data_size <= samara_gcm_short_data &&
         message_size <= samara_gcm_short_message &&
         samara_x86_64_has(SAMARA_X86_64_AES);
}

void samara_aes_x86_64_gcm_seal_short(const samara_gcm_short *call,
                                      uint8_t tag[samara_gcm_tag_size]);

/* Whether the first `tag_size` bytes of the tag are right; when they are not,
 * the output is zeros. */
bool samara_aes_x86_64_gcm_open_short(const samara_gcm_short *call,
                                      const uint8_t *tag, size_t tag_size);

#endif

#endif
