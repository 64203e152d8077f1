/* SPDX-License-Identifier: Apache-2.0 */
#include "ccm_phases.h"

#include "common/bytes.h"
#include <samara/memory.h>

/* Writes bytes behind those that a block has, and zeros to the end of the last;
 * returns the address behind. */
static uint8_t *append(uint8_t *block, unsigned filled, const uint8_t *bytes,
                       size_t size) {
  uint8_t *end = block + filled;
  samara_copy_bytes(end, bytes, size);
  end += size;
  const unsigned rest = (unsigned)(filled + size) % 16;
  if (rest != 0) {
    samara_zero_bytes(end, 16 - rest);
    end += 16 - rest;
  }
  return end;
}

samara_result samara_phases_transform(uint8_t *auth_data,
                                      size_t *auth_data_size,
                                      const samara_ccm_input *input,
                                      const uint8_t *message) {
  const samara_result result = samara_ccm_check(input);
  if (result != SAMARA_OK) {
    return result;
  }
  uint8_t *end = auth_data;
  if (input->associated_data_size != 0) {
    const unsigned length_size =
        samara_ccm_encode_length(end, input->associated_data_size);
    end = append(end, length_size, input->associated_data,
                 input->associated_data_size);
  }
  end = append(end, 0, message, input->message_size);
  *auth_data_size = (size_t)(end - auth_data);
  return SAMARA_OK;
}

void samara_phases_authenticate(const MEASURE_NAME(key) * key, uint8_t mac[16],
                                const samara_ccm_input *input,
                                const uint8_t *auth_data,
                                size_t auth_data_size) {
  samara_ccm_first_block(mac, input);
  MEASURE_NAME(encrypt)(key, mac, mac);
  for (size_t i = 0; i < auth_data_size; i += 16) {
    samara_xor_bytes(mac, mac, auth_data + i, 16);
    MEASURE_NAME(encrypt)(key, mac, mac);
  }
}

samara_result samara_phases_crypt(const MEASURE_NAME(key) * key,
                                  uint8_t *output, uint8_t tag[16],
                                  const samara_ccm_input *input,
                                  const uint8_t *from) {
  uint8_t counter[16];
  uint8_t mask[16];
  samara_ccm_counter_block(counter, input);
  MEASURE_NAME(encrypt)(key, mask, counter);
  samara_xor_bytes(tag, tag, mask, sizeof mask);
  samara_wipe(mask, sizeof mask);
  counter[15] = 1;
  return MEASURE_NAME(ctr_encrypt)(key, output, counter, from,
                                   input->message_size);
}

samara_result samara_phases_verify(const MEASURE_NAME(key) * key,
                                   const uint8_t tag[16],
                                   const samara_ccm_input *input,
                                   const uint8_t *auth_data,
                                   size_t auth_data_size, uint8_t *message) {
  uint8_t mac[16];
  samara_result result = SAMARA_OK;
  samara_phases_authenticate(key, mac, input, auth_data, auth_data_size);
  if (!samara_equal(mac, tag, input->tag_size)) {
    samara_wipe(message, input->message_size);
    result = SAMARA_ERROR_AUTHENTICATION;
  }
  samara_wipe(mac, sizeof mac);
  return result;
}
