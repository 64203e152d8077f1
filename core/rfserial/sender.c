/* SPDX-License-Identifier: Apache-2.0 */
#include "common/bytes.h"
#include "rfserial/unit.h"

/* Zeros, and at the end how many bytes of fill there are. */
static void sender_fill(uint8_t *fill, size_t size, uint8_t code) {
  if (size == 0) {
    return;
  }
  samara_zero_bytes(fill, size);
  fill[size - 1] = (uint8_t)size;
  if (code >= samara_unit_long_code) {
    fill[size - 2] = (uint8_t)(size >> 8);
  }
}

samara_result samara_rfserial_seal(samara_rfserial_sender *sender,
                                   uint8_t *wire, size_t *wire_size,
                                   const uint8_t *message,
                                   size_t message_size) {
  const samara_rfserial_link *link = sender->link;
  if (sender->counter == UINT64_MAX) {
    return SAMARA_ERROR_COUNTER;
  }
  const size_t size = samara_rfserial_wire_size(link, message_size);
  if (size == 0) {
    return SAMARA_ERROR_MESSAGE_SIZE;
  }
  const uint8_t code = samara_unit_for(link, (uint32_t)message_size).code;
  uint8_t nonce[samara_aead_nonce_size];
  uint8_t data[samara_unit_data_size];
  samara_unit_nonce(nonce, link, sender->counter);
  samara_unit_data(data, link, code);
  uint8_t *text = wire + 1 + link->counter_size;
  uint8_t *tag = text + message_size;
  const samara_result result =
      link->aead->seal(link->key, text, tag, link->tag_size, nonce, data,
                       sizeof data, message, message_size);
  if (result != SAMARA_OK) {
    return result;
  }
  wire[0] = code;
  for (unsigned i = 0; i < link->counter_size; i++) {
    wire[link->counter_size - i] = (uint8_t)(sender->counter >> 8 * i);
  }
  uint8_t *fill = tag + link->tag_size;
  sender_fill(fill, size - (size_t)(fill - wire), code);
  sender->counter++;
  *wire_size = size;
  return SAMARA_OK;
}
