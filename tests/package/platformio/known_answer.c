/* SPDX-License-Identifier: Apache-2.0 */

/* Sends the example of FIPS 197, appendix C.1, by the UART of an Uno. */

#include <avr/io.h>
#include <samara/aes.h>

static volatile uint8_t bytes[16];

static void send(uint8_t byte) {
  while (!(UCSR0A & 1 << UDRE0)) {
  }
  UDR0 = byte;
}

int main(void) {
  uint8_t key[16];
  uint8_t text[16];
  for (uint8_t i = 0; i < 16; i++) {
    bytes[i] = i;
  }
  for (uint8_t i = 0; i < 16; i++) {
    key[i] = bytes[i];
    text[i] = (uint8_t)(0x11 * bytes[i]);
  }
  samara_aes128_key expanded;
  samara_aes128_set_key(&expanded, key);
  samara_aes128_encrypt(&expanded, text, text);
  UCSR0B = 1 << TXEN0;
  for (uint8_t i = 0; i < 16; i++) {
    send(text[i]);
  }
  for (;;) {
  }
}
