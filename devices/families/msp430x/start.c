/* SPDX-License-Identifier: Apache-2.0 */
/* What runs before main on an MSP430FR59xx or FR69xx. */

#include <stdint.h>

extern uint16_t data_load[];
extern uint16_t data_start[];
extern uint16_t data_end[];
extern uint16_t bss_start[];
extern uint16_t bss_end[];

int main(void);
void start_memory(void);
void _start(void);

void start_memory(void) {
  const uint16_t *from = data_load;
  for (uint16_t *to = data_start; to < data_end; to++) {
    *to = *from++;
  }
  for (uint16_t *to = bss_start; to < bss_end; to++) {
    *to = 0;
  }
  main();
}

/* Sets the stack, stops the watchdog (WDTPW | WDTHOLD into WDTCTL). */
__attribute__((naked, section(".init"))) void _start(void) {
  __asm__("mov #stack_top, r1\n"
          "mov #0x5a80, &0x015c\n"
          "br #start_memory");
}

/* The reset vector is the last of the 64 words. */
__attribute__((section(".vectors"),
               used)) static void (*const vectors[64])(void) = {[63] = _start};
