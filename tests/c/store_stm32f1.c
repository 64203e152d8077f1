/* SPDX-License-Identifier: Apache-2.0 */

/* The flash memory of an STM32F1 on a model of its controller (PM0075). Its
 * registers are where those of an STM32L4 are, so it has its own bus. */

#include "check.h"
#include "flash_model.h"
#include "store_chips.h"
#include <string.h>

#define SAMARA_STORE_BUS_BY_CALL
#define samara_store_bus_get stm32f1_get
#define samara_store_bus_set stm32f1_set
#define samara_store_bus_get16 stm32f1_get16
#define samara_store_bus_set16 stm32f1_set16
#include <samara/memories/stm32f1.h>

enum { polls_when_busy = 3 };

/* What a controller forgets at a reset. */
static struct {
  unsigned keys; /* of the two that unlock */
  uint32_t control, status, page;
  bool has_page;    /* since an erase was chosen */
  bool was_changed; /* and not asked whether it is done */
  unsigned busy;    /* polls that it will answer "busy" */
} now;

static void begin_change(void) {
  now.was_changed = true;
  now.busy = polls_when_busy;
}

static uint32_t status(void) {
  /* As chips that copy this one: the first answer comes too early. */
  if (now.was_changed) {
    now.was_changed = false;
    return now.status;
  }
  if (now.busy != 0) {
    now.busy--;
    return now.status | SAMARA_STM32F1_SR_BUSY;
  }
  return now.status;
}

uint32_t stm32f1_get(uint32_t address) {
  if (address == SAMARA_STM32F1_SR) {
    return status();
  }
  if (address == SAMARA_STM32F1_CR) {
    return now.control;
  }
  const uint32_t place = address - SAMARA_STM32F1_CELLS;
  if (now.busy != 0 || now.control != SAMARA_STM32F1_CR_LOCK ||
      place >= flash_size) {
    refuse("a read from an STM32F1 that is busy, or still unlocked");
    return 0;
  }
  return samara_store_bus_word(flash.cells + place);
}

static void erase(void) {
  if (now.control != SAMARA_STM32F1_CR_PAGE_ERASE || !now.has_page ||
      !flash_erase_page(now.page - SAMARA_STM32F1_CELLS)) {
    refuse("a page of the STM32F1");
  }
  begin_change();
}

static void set_control(uint32_t word) {
  if (now.keys != 2) {
    refuse("CR of a locked STM32F1");
  } else if ((word & SAMARA_STM32F1_CR_START) != 0) {
    erase();
  } else {
    now.control = word;
    now.has_page = false;
    now.keys = word == SAMARA_STM32F1_CR_LOCK ? 0 : 2;
  }
}

void stm32f1_set(uint32_t address, uint32_t word) {
  if (now.busy != 0) {
    refuse("a register of a busy STM32F1");
  }
  switch (address) {
  case SAMARA_STM32F1_KEYR:
    /* A wrong key locks the real chip until its reset. */
    if (word != (now.keys == 0 ? 0x45670123u : 0xcdef89abu) || now.keys > 1) {
      refuse("a key of the STM32F1");
    }
    now.keys++;
    now.control = now.keys == 2 ? 0 : now.control;
    break;
  case SAMARA_STM32F1_SR:
    now.status &= ~word;
    break;
  case SAMARA_STM32F1_CR:
    set_control(word);
    break;
  case SAMARA_STM32F1_AR:
    now.page = word;
    now.has_page = true;
    break;
  default:
    refuse("a register of the STM32F1, or a word of 32 bits");
  }
}

uint16_t stm32f1_get16(uint32_t address) {
  (void)address;
  refuse("a half-word of the STM32F1 that is read");
  return 0;
}

/* An error is told in SR, and nothing is changed. */
void stm32f1_set16(uint32_t address, uint16_t word) {
  const uint8_t bytes[2] = {(uint8_t)word, (uint8_t)(word >> 8)};
  const uint32_t place = address - SAMARA_STM32F1_CELLS;
  if (now.busy != 0 || now.control != SAMARA_STM32F1_CR_PROGRAM ||
      now.status != 0) {
    refuse("a write of an STM32F1 that is not ready");
  } else if (flash_program(place, bytes, sizeof bytes)) {
    now.status = 0;
  } else {
    now.status = SAMARA_STM32F1_SR_NOT_ERASED;
    refuse("a half-word of the STM32F1");
  }
  begin_change();
}

const samara_store_memory *start_stm32f1(void) {
  memset(&now, 0, sizeof now);
  now.control = SAMARA_STM32F1_CR_LOCK;
  now.status = SAMARA_STM32F1_SR_NOT_ERASED; /* an error of somebody else */
  return &samara_store_stm32f1;
}
