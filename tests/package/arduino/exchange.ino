// SPDX-License-Identifier: Apache-2.0
//
// The test of the library on a board: it sends over a reset, and receives what
// the test has written into frames.h. Each line that it prints is compared.

#include <Samara.h>

#include "frames.h" // KEY, FRAMES: bytes of the other end

SamaraLink *radio;
alignas(SamaraLink) static uint8_t place[sizeof(SamaraLink)];

void *operator new(size_t, void *where) noexcept { return where; }

// What a reset leaves: the EEPROM alone.
void restart(uint8_t direction = 0) {
  radio = new (place) SamaraLink(direction);
}

void printHex(const uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) {
    if (bytes[i] < 16)
      Serial.print('0');
    Serial.print(bytes[i], HEX);
  }
  Serial.println();
}

void send(const char *message) {
  uint8_t wire[SAMARA_WIRE_SIZE_MAX];
  const size_t size = radio->seal(wire, message, strlen(message));
  Serial.print(F("sent "));
  printHex(wire, size);
}

void receiveAll() {
  for (size_t i = 0; i < sizeof FRAMES; i++) {
    if (radio->receive(pgm_read_byte(FRAMES + i))) {
      Serial.print(F("received "));
      Serial.write(radio->message(), radio->size());
      Serial.print(F(" lost "));
      Serial.println(uint8_t(radio->lost()));
    }
  }
}

void show(bool succeeded) {
  Serial.print(succeeded ? F("true ") : F("false "));
  Serial.println(radio->error());
}

bool canSeal() {
  uint8_t wire[SAMARA_WIRE_SIZE_MAX];
  return radio->seal(wire, "early", 5) != 0;
}

size_t sealTooLong() {
  uint8_t wire[SAMARA_WIRE_SIZE_MAX], text[SAMARA_MESSAGE_SIZE_MAX + 1] = {0};
  return radio->seal(wire, text, sizeof text);
}

void setup() {
  Serial.begin(115200);
  restart();
  show(canSeal());
  show(radio->receive(0));
  show(radio->begin());
  show(canSeal());
  show(radio->provision(KEY));
  send("one");
  send("two");
  receiveAll();
  restart();
  show(radio->begin());
  send("three");
  receiveAll();
  Serial.println(sealTooLong());
  show(radio->provision(KEY));
  show(radio->provision(OTHER_KEY));
  send("four");
  restart(2);
  show(radio->begin());
  Serial.println(F("end"));
}

void loop() {}
