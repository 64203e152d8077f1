// SPDX-License-Identifier: Apache-2.0
//
// The test of links of IEEE 802.15.4: the radio is a line of hex digits at the
// serial port. Each message is sent back.

#include <Samara.h>

#include "record.h"

bool transmit(void *, const uint8_t *frame, size_t size) {
  Serial.print(F("frame "));
  for (size_t i = 0; i < size; i++) {
    if (frame[i] < 16)
      Serial.print('0');
    Serial.print(frame[i], HEX);
  }
  Serial.println();
  return true;
}

SamaraFrameLink<300> radio(transmit);

void setup() {
  Serial.begin(9600);
  if (!radio.begin())
    radio.provision(samara_node_record, sizeof samara_node_record);
  Serial.print(F("ready "));
  Serial.print(radio.error());
  Serial.print(' ');
  Serial.println(radio.channel());
}

void take(const uint8_t *frame, size_t size) {
  if (radio.receive(frame, size)) {
    radio.send(radio.message(), radio.size());
    radio.acknowledge();
  }
  Serial.println(F("done"));
}

void loop() {
  static uint8_t frame[samara_node_frame_size];
  static size_t digits;
  const int c = Serial.read();
  if (c == '\n') {
    take(frame, digits / 2);
    digits = 0;
  } else if (isxdigit(c) && digits / 2 < sizeof frame) {
    const uint8_t value = isdigit(c) ? c - '0' : (c | 0x20) - 'a' + 10;
    uint8_t &byte = frame[digits / 2];
    byte = digits % 2 ? byte << 4 | value : value;
    digits++;
  }
}
