/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef AIR_H
#define AIR_H

/* Where frames of IEEE 802.15.4 go: into ZEP packets to a medium, as nodes of
 * this machine send them, or to stdout, each after a byte with its length. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether `name` is zep:PORT, a UDP port of this machine; ends the program when
 * there can be no socket. */
bool air_open(const char *name);

bool air_send(uint8_t channel, const uint8_t *psdu, uint8_t size);

#endif
