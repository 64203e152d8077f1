/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_STORE_NRF51_H
#define SAMARA_STORE_NRF51_H

/* The flash memory of an nRF51 as a memory of samara/store.h: as that of an
 * nRF52 (samara/memories/nrf52.h, whose text holds here too) with pages of 1024
 * bytes. A word takes up to 46 us to write and a page up to 22 ms to erase.
 *
 * It was never run on the chip. A test has a model of the controller. */

#include <samara/memories/nrf52.h>

#ifdef __cplusplus
extern "C" {
#endif

static const samara_store_memory samara_store_nrf51 = {samara_nrf52_read,
                                                       samara_nrf52_write,
                                                       samara_nrf52_erase,
                                                       NULL,
                                                       1024,
                                                       4,
                                                       0xff};

#ifdef __cplusplus
}
#endif

#endif
