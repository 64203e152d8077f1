/* SPDX-License-Identifier: Apache-2.0 */

/* CBC: any bytes as a ciphertext, and any padding as its last block. */

#include "input.h"
#include <samara/aes.h>

/* The padding by its definition, slowly: its size, or 0 when it is wrong. */
static size_t padding_of(const uint8_t block[16]) {
  const size_t size = block[15];
  if (size < 1 || size > 16) {
    return 0;
  }
  for (size_t i = 0; i < size; i++) {
    if (block[15 - i] != size) {
      return 0;
    }
  }
  return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  fuzz_input input = {bytes, size};
  uint8_t *key_bytes = fuzz_take(&input, samara_aes256_key_size);
  uint8_t *iv = fuzz_take(&input, 16);
  const size_t text_size = input.size;
  uint8_t *text = fuzz_take(&input, text_size);
  uint8_t *ciphertext = fuzz_allocate(text_size);
  uint8_t *message = fuzz_allocate(text_size);
  memset(ciphertext, 0, text_size);

  /* The fuzzer chooses what the decrypted blocks will be. */
  samara_aes256_key key;
  samara_aes256_set_key(&key, key_bytes);
  uint8_t chain[16];
  memcpy(chain, iv, sizeof chain);
  fuzz_require(samara_aes256_cbc_encrypt_blocks(&key, ciphertext, chain, text,
                                                text_size / 16) == SAMARA_OK);
  size_t message_size = 99;
  const samara_result result = samara_aes256_cbc_decrypt(
      &key, message, &message_size, iv, ciphertext, text_size);
  if (text_size == 0 || text_size % 16 != 0) {
    fuzz_require(result == SAMARA_ERROR_CIPHERTEXT_SIZE && message_size == 0);
  } else {
    const size_t padding = padding_of(text + text_size - 16);
    fuzz_require((result == SAMARA_OK) == (padding != 0));
    fuzz_require(message_size == (padding != 0 ? text_size - padding : 0));
    fuzz_require(memcmp(message, text, message_size) == 0);
    for (size_t i = message_size; i < text_size; i++) {
      fuzz_require(message[i] == 0);
    }
  }
  free(key_bytes);
  free(iv);
  free(text);
  free(ciphertext);
  free(message);
  return 0;
}
