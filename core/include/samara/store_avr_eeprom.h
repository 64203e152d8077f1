/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_STORE_AVR_EEPROM_H
#define SAMARA_STORE_AVR_EEPROM_H

/* The EEPROM of an AVR as a memory of samara/store.h; on AVRs only.
 *
 * Addresses begin with 0. A byte takes 3.4 ms to write. The calls wait for that
 * and leave interrupts on; avr-libc turns them off for the few cycles between
 * the two bits that start a write. Turn on the brown-out detection of the chip:
 * without it, a processor below its voltage may write anywhere. */

#include <samara/store.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __AVR__
extern const samara_store_memory samara_store_avr_eeprom;
#endif

#ifdef __cplusplus
}
#endif

#endif
