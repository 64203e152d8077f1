/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_HOST_BLOCK128_H
#define SAMARA_HOST_BLOCK128_H

/* The modes of a cipher of 128-bit blocks as a table of functions, so that
 * modes.c can serve every such cipher. Hosts only: devices call directly. */

#include <samara/suite.h>

typedef struct samara_block128 {
  void (*set_key)(void *key, const uint8_t *bytes);
  samara_result (*ctr)(const void *key, uint8_t *output, uint8_t *counter,
                       const uint8_t *input, size_t size);
  samara_result (*cbc_encrypt)(const void *key, uint8_t *ciphertext,
                               const uint8_t *iv, const uint8_t *message,
                               size_t size);
  samara_result (*cbc_decrypt)(const void *key, uint8_t *message,
                               size_t *message_size, const uint8_t *iv,
                               const uint8_t *ciphertext, size_t size);
  samara_result (*cbc_encrypt_blocks)(const void *key, uint8_t *ciphertext,
                                      uint8_t *iv, const uint8_t *message,
                                      size_t block_count);
  samara_result (*cbc_decrypt_blocks)(const void *key, uint8_t *message,
                                      uint8_t *iv, const uint8_t *ciphertext,
                                      size_t block_count);
  samara_result (*ccm_seal)(const void *key, samara_batch_message *message,
                            size_t tag_size);
  samara_result (*ccm_open)(const void *key, samara_batch_message *message,
                            size_t tag_size);
  /* NULL where there is no GCM. */
  samara_result (*gcm_seal)(const void *key, samara_batch_message *message);
  samara_result (*gcm_open)(const void *key, samara_batch_message *message);
} samara_block128;

/* Memory for the expanded key of any cipher: 72 words of Simon128/256. */
typedef struct samara_any_key {
  uint64_t words[72];
} samara_any_key;

/* The calls of a samara_suite whose `implementation` is a samara_block128. */
samara_result samara_ctr_suite_seal(const samara_suite *suite,
                                    samara_batch_message *message);
samara_result samara_cbc_suite_seal(const samara_suite *suite,
                                    samara_batch_message *message);
samara_result samara_cbc_suite_open(const samara_suite *suite,
                                    samara_batch_message *message);
samara_result samara_ccm_suite_seal(const samara_suite *suite,
                                    samara_batch_message *message);
samara_result samara_ccm_suite_open(const samara_suite *suite,
                                    samara_batch_message *message);
samara_result samara_gcm_suite_seal(const samara_suite *suite,
                                    samara_batch_message *message);
samara_result samara_gcm_suite_open(const samara_suite *suite,
                                    samara_batch_message *message);

#endif
