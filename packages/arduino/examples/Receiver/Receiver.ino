// SPDX-License-Identifier: Apache-2.0
//
// Does what the host says: "on" and "off" switch the LED, and any other message
// is sent back, up to 200 bytes. Messages that were changed, repeated or sent
// by others never come out of receive(). Upload Provision first. On the host
// type
//
//     samara node send host on --ack --port /dev/ttyUSB0 --baud 9600

#include <Samara.h>

SamaraSerialLink<32, 200> radio(Serial); // the longer ones arrive in parts

void setup() {
  pinMode(LED_BUILTIN, OUTPUT);
  Serial.begin(9600);
  while (!radio.begin()) // there is no key
    delay(1000);
}

bool is(const char *text) {
  return radio.size() == strlen(text) &&
         memcmp(radio.message(), text, radio.size()) == 0;
}

void loop() {
  if (!radio.receive())
    return;
  if (is("on") || is("off"))
    digitalWrite(LED_BUILTIN, is("on") ? HIGH : LOW);
  else
    radio.send(radio.message(), radio.size());
  radio.acknowledge(); // after it was used
}
