/* SPDX-License-Identifier: Apache-2.0 */
#include "mode/ccm_format.h"

#include "common/bytes.h"

bool samara_ccm_size_fits(const samara_ccm_input *input) {
  const size_t field_size = 15 - input->nonce_size;
  return field_size >= sizeof(size_t) ||
         input->message_size >> (8 * field_size) == 0;
}

samara_result samara_ccm_check(const samara_ccm_input *input) {
  if (input->nonce_size < samara_ccm_nonce_size_min ||
      input->nonce_size > samara_ccm_nonce_size_max) {
    return SAMARA_ERROR_NONCE_SIZE;
  }
  if (input->tag_size < samara_ccm_tag_size_min ||
      input->tag_size > samara_ccm_tag_size_max || input->tag_size % 2 != 0) {
    return SAMARA_ERROR_TAG_SIZE;
  }
  return samara_ccm_size_fits(input) ? SAMARA_OK : SAMARA_ERROR_MESSAGE_SIZE;
}

/* Flags, nonce, and zeros where the message length or counter goes. */
static void ccm_start_block(uint8_t block[16], uint8_t flags,
                            const samara_ccm_input *input) {
  /* Copies of the fields, which a compiler must expect the block to change. */
  const uint8_t *nonce = input->nonce;
  const uint8_t size = (uint8_t)input->nonce_size;
  *block++ = (uint8_t)(flags | (14 - size));
  for (uint8_t i = 0; i < 15; i++) {
    *block++ = i < size ? *nonce++ : 0;
  }
}

void samara_ccm_first_block(uint8_t block[16], const samara_ccm_input *input) {
  const unsigned has_data = input->associated_data_size != 0;
  const unsigned tag_code = (unsigned)(input->tag_size - 2) / 2;
  ccm_start_block(block, (uint8_t)(has_data << 6 | tag_code << 3), input);
  size_t rest = input->message_size;
  for (unsigned i = 15; rest != 0; i--) {
    block[i] = (uint8_t)rest;
    rest >>= 8;
  }
}

unsigned samara_ccm_encode_length(uint8_t length[samara_ccm_length_size_max],
                                  size_t associated_data_size) {
  const uint64_t size = associated_data_size;
  if (size < 0xff00) {
    length[0] = (uint8_t)(size >> 8);
    length[1] = (uint8_t)size;
    return 2;
  }
  /* 0xfffe and 4 bytes, or 0xffff and 8. */
  const unsigned bytes = size >> 32 == 0 ? 4 : 8;
  length[0] = 0xff;
  length[1] = bytes == 4 ? 0xfe : 0xff;
  for (unsigned i = 0; i < bytes; i++) {
    length[2 + i] = (uint8_t)(size >> (8 * (bytes - 1 - i)));
  }
  return 2 + bytes;
}

void samara_ccm_counter_block(uint8_t block[16],
                              const samara_ccm_input *input) {
  ccm_start_block(block, 0, input);
}
