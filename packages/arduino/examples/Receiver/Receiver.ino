// SPDX-License-Identifier: Apache-2.0
//
// Receives the readings of Sender from a radio modem at the serial port, and
// shows them by the LED: on above the middle. Messages that were changed,
// repeated or sent by others never come out of receive().

#include <Samara.h>

SamaraLink radio(1); // the direction of this end
bool ready;

void setup() {
  pinMode(LED_BUILTIN, OUTPUT);
  Serial.begin(9600);
  ready = radio.begin(); // false: upload Provision first
}

void loop() {
  if (!ready || Serial.available() == 0)
    return;
  if (radio.receive(Serial.read())) {
    int reading;
    if (radio.size() != sizeof reading)
      return;
    memcpy(&reading, radio.message(), sizeof reading);
    digitalWrite(LED_BUILTIN, reading > 511 ? HIGH : LOW);
  }
}
