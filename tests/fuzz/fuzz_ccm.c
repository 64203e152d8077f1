/* SPDX-License-Identifier: Apache-2.0 */

/* CCM and CCM* with any sizes, also those that must be refused. */

#include "input.h"
#include <samara/aes.h>

static int is_tag_size(size_t size) {
  return size >= 4 && size <= 16 && size % 2 == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  fuzz_input input = {bytes, size};
  const int star = fuzz_byte(&input) % 2;
  const size_t tag_size = fuzz_byte(&input) % 20;
  const size_t nonce_size = star ? 13 : fuzz_byte(&input) % 20;
  const uint8_t data_choice = fuzz_byte(&input);
  /* Around the size from which the length takes six bytes, too. */
  const size_t data_size =
      data_choice < 0xf0 ? data_choice : (size_t)0xfef0 + 2 * data_choice;
  uint8_t *key_bytes = fuzz_take(&input, samara_aes128_key_size);
  uint8_t *nonce = fuzz_take(&input, nonce_size);
  uint8_t *tag = fuzz_allocate(tag_size);
  const size_t message_size = input.size;
  uint8_t *message = fuzz_take(&input, message_size);
  uint8_t *data = fuzz_allocate(data_size);
  memset(data, 0x5a, data_size);
  uint8_t *sealed = fuzz_allocate(message_size);

  samara_aes128_key key;
  samara_aes128_set_key(&key, key_bytes);
  const int fits = nonce_size < 13 || message_size <= 0xffff;
  const int right = (is_tag_size(tag_size) || (star && tag_size == 0)) &&
                    nonce_size >= 7 && nonce_size <= 13 && fits;
  const samara_result result =
      star ? samara_aes128_ccm_star_seal(&key, sealed, tag, tag_size, nonce,
                                         data, data_size, message, message_size)
           : samara_aes128_ccm_seal(&key, sealed, tag, tag_size, nonce,
                                    nonce_size, data, data_size, message,
                                    message_size);
  fuzz_require((result == SAMARA_OK) == right);
  if (right) {
    fuzz_require(
        (star ? samara_aes128_ccm_star_open(&key, sealed, tag, tag_size, nonce,
                                            data, data_size, sealed,
                                            message_size)
              : samara_aes128_ccm_open(&key, sealed, tag, tag_size, nonce,
                                       nonce_size, data, data_size, sealed,
                                       message_size)) == SAMARA_OK);
    fuzz_require(memcmp(sealed, message, message_size) == 0);
  }
  free(key_bytes);
  free(nonce);
  free(tag);
  free(message);
  free(data);
  free(sealed);
  return 0;
}
