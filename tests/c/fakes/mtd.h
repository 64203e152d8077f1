/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_TESTS_MTD_H
#define SAMARA_TESTS_MTD_H

/* What samara/memories/riot_mtd.h needs of RIOT's mtd.h, for a model. */

#include <stdint.h>

#define MTD_DRIVER_FLAG_DIRECT_WRITE 1

typedef struct mtd_desc {
  uint8_t flags;
} mtd_desc_t;

typedef struct {
  const mtd_desc_t *driver;
  uint32_t sector_count;
  uint32_t pages_per_sector;
  uint32_t page_size;
  uint32_t write_size;
} mtd_dev_t;

int mtd_init(mtd_dev_t *mtd);
int mtd_read(mtd_dev_t *mtd, void *bytes, uint32_t address, uint32_t count);
int mtd_write_page_raw(mtd_dev_t *mtd, const void *bytes, uint32_t page,
                       uint32_t offset, uint32_t size);
int mtd_erase_sector(mtd_dev_t *mtd, uint32_t sector, uint32_t count);

#endif
