/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_TESTS_HARDWARE_SYNC_H
#define SAMARA_TESTS_HARDWARE_SYNC_H

#include <stdint.h>

uint32_t save_and_disable_interrupts(void);
void restore_interrupts(uint32_t state);

#endif
