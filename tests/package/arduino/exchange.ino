// SPDX-License-Identifier: Apache-2.0
//
// The test of the library on a board: what is refused and why, and then
// messages one after the other, until the power fails.

#include <Samara.h>

#include "record.h"

SamaraSerialLink<> radio(Serial);

void show(bool succeeded) {
  Serial.print(succeeded ? F("true ") : F("false "));
  Serial.println(radio.error());
}

// On a board without a key.
void refuse() {
  uint32_t id = 0;
  show(radio.send("early"));
  show(radio.sendConfirmed("early", 5, id));
  show(radio.receive());
  show(radio.acknowledge());
  show(radio.begin());
  uint8_t damaged[sizeof samara_node_record];
  memcpy(damaged, samara_node_record, sizeof damaged);
  damaged[20] ^= 1;
  show(radio.provision(damaged, sizeof damaged));
  show(radio.provision(samara_node_record, sizeof samara_node_record));
  show(radio.provision(samara_node_record, sizeof samara_node_record));
  show(radio.send("early"));
  show(radio.begin());
  show(radio.forget());
  show(radio.send("early"));
  show(radio.begin());
  show(radio.provision(samara_node_record, sizeof samara_node_record));
  Serial.println(F("end"));
}

void setup() {
  Serial.begin(9600);
  if (!radio.begin())
    refuse();
}

void loop() {
  static uint32_t number;
  char text[12];
  ultoa(number++, text, 10);
  radio.send(text);
}
