// SPDX-License-Identifier: Apache-2.0
//
// Sends a reading each 10 s over a radio modem at the serial port. Another
// radio takes the bytes of `wire` in its own way, such as LoRa.write(wire,
// size).

#include <Samara.h>

SamaraLink radio(0); // the direction of this end
bool ready;

void setup() {
  pinMode(LED_BUILTIN, OUTPUT);
  Serial.begin(9600);
  ready = radio.begin(); // false: upload Provision first
  digitalWrite(LED_BUILTIN, ready ? LOW : HIGH);
}

void loop() {
  if (!ready)
    return;
  const int reading = analogRead(A0);
  uint8_t wire[SAMARA_WIRE_SIZE_MAX];
  const size_t size = radio.seal(wire, &reading, sizeof reading);
  Serial.write(wire,
               size); // size is 0 when it failed; radio.errorText() says why
  delay(10000);
}
