// SPDX-License-Identifier: Apache-2.0
//
// Gives a board its key, once: upload it, open the serial monitor at 9600 baud,
// and send the 32 hex digits that `samara keygen aes128-ccm-8` prints. Give the
// other board the same key, with the other DIRECTION. Then upload Sender or
// Receiver.
//
// Use a new key each time. An upload by a programmer may erase the EEPROM, and
// with it the counters: a key that comes back then repeats nonces, and no
// longer protects.

#include <Samara.h>

const uint8_t DIRECTION = 0; // 1 on the other board

SamaraLink radio(DIRECTION);

// Reads hex digits until there are enough; other characters are left out.
void readKey(uint8_t key[SAMARA_KEY_SIZE]) {
  for (uint8_t digits = 0; digits < 2 * SAMARA_KEY_SIZE;) {
    const int c = Serial.read();
    if (c < 0 || !isxdigit(c))
      continue;
    const uint8_t value = isdigit(c) ? c - '0' : (c | 0x20) - 'a' + 10;
    key[digits / 2] = (digits % 2 ? key[digits / 2] << 4 : 0) | value;
    digits++;
  }
}

void setup() {
  uint8_t key[SAMARA_KEY_SIZE];
  Serial.begin(9600);
  Serial.println(F("key?"));
  readKey(key);
  if (radio.provision(key)) {
    Serial.println(F("ready"));
  } else {
    Serial.print(F("failed: error "));
    Serial.println(radio.error()); // errorText() on boards with more RAM
  }
  samara_wipe(key, sizeof key);
}

void loop() {}
