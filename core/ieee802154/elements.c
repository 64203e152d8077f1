/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/ieee802154_frame.h>

/* A descriptor of two bytes, low byte first: of header elements 7 bits of
 * length, 8 of id and a 0; of payload elements 11 of length, 4 of group and a
 * 1 (7.4.2.1 and 7.4.3.1 of 2015). */

static samara_ieee802154_result
ieee802154_read_element(samara_ieee802154_element *element, const uint8_t *list,
                        size_t size, size_t *offset, unsigned length_bits) {
  const bool payload = length_bits == 11;
  if (*offset > size || size - *offset < 2) {
    return SAMARA_IEEE802154_ERROR_ELEMENT;
  }
  const uint16_t descriptor =
      (uint16_t)(list[*offset] | (uint16_t)list[*offset + 1] << 8);
  element->content_size = (uint16_t)(descriptor & ((1U << length_bits) - 1));
  element->id = (descriptor & 0x7fff) >> length_bits;
  element->content_offset = (uint16_t)(*offset + 2);
  if ((descriptor >> 15 != 0) != payload ||
      element->content_size > size - *offset - 2) {
    return SAMARA_IEEE802154_ERROR_ELEMENT;
  }
  *offset += 2 + (size_t)element->content_size;
  return SAMARA_IEEE802154_OK;
}

samara_ieee802154_result
samara_ieee802154_header_element(samara_ieee802154_element *element,
                                 const uint8_t *list, size_t size,
                                 size_t *offset) {
  return ieee802154_read_element(element, list, size, offset, 7);
}

samara_ieee802154_result
samara_ieee802154_payload_element(samara_ieee802154_element *element,
                                  const uint8_t *list, size_t size,
                                  size_t *offset) {
  return ieee802154_read_element(element, list, size, offset, 11);
}

samara_ieee802154_result
samara_ieee802154_payload_elements_size(const uint8_t *payload, size_t size,
                                        size_t *elements_size) {
  *elements_size = 0;
  while (*elements_size < size) {
    samara_ieee802154_element element;
    const samara_ieee802154_result result = samara_ieee802154_payload_element(
        &element, payload, size, elements_size);
    if (result != SAMARA_IEEE802154_OK ||
        element.id == SAMARA_IEEE802154_PAYLOAD_TERMINATION) {
      return result;
    }
  }
  return SAMARA_IEEE802154_OK;
}
