/* SPDX-License-Identifier: Apache-2.0 */

/* Firmware: takes numbers from a counter in FRAM, and shows each in variables;
 * the label `shown` says that they are there. 1: a number, 2: the number with
 * which the counter opened, 255: an error. */

#include <samara/memories/msp430fr.h>

#ifndef STEP
#define STEP 2
#endif

/* Below the vectors; the linker knows nothing of it, and a test looks. */
enum { ring_first = 0xf000, ring_slots = 8 };

static samara_store_counter counter = {.ring = {
                                           .memory = &samara_store_msp430fr,
                                           .first = ring_first,
                                           .size = 12 * ring_slots,
                                           .step = STEP,
                                           .id = 1,
                                       }};

uint64_t number;
uint16_t kind;

static void show(uint64_t value, uint16_t what) {
  number = value;
  kind = what;
  __asm__ volatile(".global shown\nshown: nop\n"
                   ".global behind\nbehind: nop" ::
                       : "memory");
}

int main(void) {
  samara_store_result result = samara_store_counter_open(&counter);
  if (result == SAMARA_STORE_ERROR_BLANK || result == SAMARA_STORE_ERROR_LOST) {
    /* Provisioning was cut: no number was used. The test knows better. */
    result = samara_store_start(&counter.ring, 0, NULL);
    if (result == SAMARA_STORE_OK) {
      result = samara_store_counter_open(&counter);
    }
  }
  uint64_t taken = counter.next;
  for (uint16_t what = 2;; what = 1) {
    show(taken, result == SAMARA_STORE_OK ? what : 255);
    result = samara_store_counter_take(&counter, &taken);
  }
}
