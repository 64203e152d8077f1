/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RADIO_H
#define RADIO_H

/* The radio of the ATmega128RFA1. For another one, write these two functions.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sets the channel, 11 to 26, and lets the radio sleep. Boards with different
 * seeds wait for different times when the channel is busy. */
void radio_start(uint8_t channel, uint8_t seed);

/* Sends a frame, to which the radio adds its FCS, and waits until it is out.
 * Answers false when the channel was busy all the time. A function `write` of
 * samara_node. */
bool radio_send(void *context, const uint8_t *frame, size_t size);

#endif
