/* SPDX-License-Identifier: Apache-2.0 */
#include "radio.h"

#include <avr/io.h>
#include <util/delay.h>

/* States and commands of the data sheet (8266, sections 9.4.1 and 9.4.2). */
enum {
  fcs_size = 2,
  status_bits = 0x1f,
  trac_place = 5, /* TRAC_STATUS in TRX_STATE: 0 is success */
  start_us = 16
};

static void wait_for(uint8_t status) {
  while ((TRX_STATUS & status_bits) != status) {
  }
}

static void order(uint8_t command, uint8_t status) {
  TRX_STATE = command;
  wait_for(status);
}

void radio_start(uint8_t channel, uint8_t seed) {
  order(CMD_TRX_OFF, TRX_OFF);
  TRX_CTRL_1 |= 1 << TX_AUTO_CRC_ON;
  PHY_CC_CCA = 1 << CCA_MODE0 | channel;
  CSMA_SEED_0 = seed;
  TRXPR |= 1 << SLPTR;
}

/* CSMA-CA by the radio itself; no acknowledgement is asked for. */
bool radio_send(void *context, const uint8_t *frame, size_t size) {
  (void)context;
  TRXPR &= (uint8_t)~(1 << SLPTR);
  wait_for(TRX_OFF);
  order(CMD_PLL_ON, PLL_ON);
  order(CMD_TX_ARET_ON, TX_ARET_ON);
  volatile uint8_t *buffer = &TRXFBST;
  *buffer++ = (uint8_t)(size + fcs_size);
  for (size_t i = 0; i < size; i++) {
    buffer[i] = frame[i];
  }
  TRX_STATE = CMD_TX_START;
  _delay_us(start_us);
  wait_for(TX_ARET_ON);
  const bool is_sent = TRX_STATE >> trac_place == 0;
  order(CMD_PLL_ON, PLL_ON);
  order(CMD_TRX_OFF, TRX_OFF);
  TRXPR |= 1 << SLPTR;
  return is_sent;
}
