/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_TESTS_HARDWARE_FLASH_H
#define SAMARA_TESTS_HARDWARE_FLASH_H

/* What samara/memories/rp2040.h needs of the Pico SDK, for a model. */

#include <stddef.h>
#include <stdint.h>

#define XIP_BASE 0x10000000u /* the Pico SDK's addressmap.h has it */
#define FLASH_PAGE_SIZE (1u << 8)
#define FLASH_SECTOR_SIZE (1u << 12)

void flash_range_program(uint32_t offset, const uint8_t *bytes, size_t count);
void flash_range_erase(uint32_t offset, size_t count);

#endif
