/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef IMAGE_H
#define IMAGE_H

#include <stdbool.h>

#include <simavr/sim_avr.h>

/* Puts a program into flash memory: all that an ELF file loads there, which is
 * more than libsimavr's own loader knows. False if that is not possible. */
bool load_image(avr_t *avr, const char *path);

#endif
