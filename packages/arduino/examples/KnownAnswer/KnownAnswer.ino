// SPDX-License-Identifier: Apache-2.0
//
// Seals a reading with Ascon and opens it again: shows that the library works
// on this board. It must print
//
//     sealed FD24CEBCB62B9C1255A68F65618B609B2E847B9B25C3
//     opened 21.5 C

#include <Samara.h>

void printHex(const uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) {
    if (bytes[i] < 16)
      Serial.print('0');
    Serial.print(bytes[i], HEX);
  }
}

void setup() {
  const uint8_t key[16] = {0, 1, 2,  3,  4,  5,  6,  7,
                           8, 9, 10, 11, 12, 13, 14, 15};
  const uint8_t nonce[16] = {1}; // never use one twice with a key
  const uint8_t reading[6] = {'2', '1', '.', '5', ' ', 'C'};
  uint8_t text[sizeof reading], tag[16];

  Serial.begin(9600);
  samara_result result = samara_ascon_aead128_seal(
      key, text, tag, nonce, nullptr, 0, reading, sizeof reading);
  if (result != SAMARA_OK) {
    Serial.println(samara_result_text(result));
    return;
  }
  Serial.print(F("sealed "));
  printHex(text, sizeof text);
  printHex(tag, sizeof tag);
  Serial.println();
  result = samara_ascon_aead128_open(key, text, tag, nonce, nullptr, 0, text,
                                     sizeof text);
  Serial.print(F("opened "));
  if (result == SAMARA_OK) {
    Serial.write(text, sizeof text);
    Serial.println();
  } else {
    Serial.println(samara_result_text(result));
  }
}

void loop() {}
