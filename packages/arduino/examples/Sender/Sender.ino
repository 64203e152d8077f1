// SPDX-License-Identifier: Apache-2.0
//
// Sends a reading each 10 s over a radio modem at the serial port, and again
// until the host has it. The LED is on while the host does not answer. Upload
// Provision first. On the host type
//
//     samara node listen host --port /dev/ttyUSB0 --baud 9600

#include <Samara.h>

SamaraSerialLink<> radio(Serial);

void setup() {
  pinMode(LED_BUILTIN, OUTPUT);
  digitalWrite(LED_BUILTIN, HIGH);
  Serial.begin(9600);
  while (!radio.begin()) // there is no key
    delay(1000);
}

// Whether the acknowledgement comes within 2 s.
bool arrives(uint32_t id) {
  const unsigned long start = millis();
  while (!radio.isDelivered(id) && millis() - start < 2000)
    radio.receive();
  return radio.isDelivered(id);
}

void loop() {
  char text[8];
  itoa(analogRead(A0), text, 10);
  uint32_t id = 0; // a new message
  while (!radio.sendConfirmed(text, strlen(text), id) || !arrives(id))
    digitalWrite(LED_BUILTIN, HIGH);
  digitalWrite(LED_BUILTIN, LOW);
  delay(10000);
}
