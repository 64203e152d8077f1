/* SPDX-License-Identifier: Apache-2.0 */
/* What runs before main. */

#include <stdint.h>

extern uint16_t data_load[];
extern uint16_t data_start[];
extern uint16_t data_end[];
extern uint16_t bss_start[];
extern uint16_t bss_end[];

int main(void);
void start(void);
void start_memory(void);
void board_watchdog(void);

void start_memory(void) {
  const uint16_t *from = data_load;
  for (uint16_t *to = data_start; to < data_end; to++) {
    *to = *from++;
  }
  for (uint16_t *to = bss_start; to < bss_end; to++) {
    *to = 0;
  }
  main();
  for (;;) {
  }
}

/* Sets the stack and stops the watchdog, which a reset starts. */
__attribute__((naked)) void start(void) {
  __asm__("mov #stack_top, r1\n\t"
          "mov #0x5a80, &0x0120\n\t"
          "br #start_memory");
}

/* An interrupt that nobody asked for: begin again, as after a power cut. A
 * write to the watchdog without its key resets the chip. */
__attribute__((naked)) static void begin_again(void) { __asm__("clr &0x0120"); }

enum { watchdog = 10, on_reset = 15 };

__attribute__((section(".vectors"),
               used)) static void (*const vectors[16])(void) = {
    begin_again,
    begin_again,
    begin_again,
    begin_again,
    begin_again,
    begin_again,
    begin_again,
    begin_again,
    begin_again,
    begin_again,
    [watchdog] = board_watchdog,
    begin_again,
    begin_again,
    begin_again,
    begin_again,
    [on_reset] = start};
