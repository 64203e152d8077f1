// SPDX-License-Identifier: Apache-2.0
//
// Gives a board its key, once. On the host type
//
//     samara node init host --link rf-serial --for-device record.h
//
// and add record.h to this sketch (Sketch, Add File). Upload it, open the
// serial monitor at 9600 baud, and wait for `ready`. Then remove record.h, and
// upload Sender or Receiver: they find the key in the EEPROM.
//
// Never give a record to a second board, or to the same one after its EEPROM
// was erased, as by an upload through a programmer: nonces would repeat, and
// the key then no longer protects. Make new keys instead (`samara node rekey
// --offline host`, `samara node export host record.h`).

#include <Samara.h>
#if !__has_include("record.h")
#error "record.h is missing: see the first lines of this sketch"
#endif
#include "record.h"

SamaraSerialLink<32, 0, samara_node_record_key> radio(Serial,
                                                      SAMARA_NODE_RECORD_AEAD);

void provision() {
  if (radio.provision(samara_node_record, sizeof samara_node_record)) {
    Serial.println(F("ready"));
  } else {
    Serial.print(F("failed: error "));
    Serial.println(radio.error()); // errorText() on boards with more RAM
  }
}

void setup() {
  Serial.begin(9600);
  if (radio.begin())
    Serial.println(F("has a key: send r to replace it by that of record.h"));
  else
    provision();
}

void loop() {
  if (Serial.read() == 'r' && radio.forget())
    provision();
}
