/* SPDX-License-Identifier: Apache-2.0 */
/* What runs before main. */

#include <stdint.h>

extern uint32_t data_load[];
extern uint32_t data_start[];
extern uint32_t data_end[];
extern uint32_t bss_start[];
extern uint32_t bss_end[];
extern uint32_t stack_top[];

int main(void);
void start(void);

void start(void) {
  const uint32_t *from = data_load;
  for (uint32_t *to = data_start; to < data_end; to++) {
    *to = *from++;
  }
  for (uint32_t *to = bss_start; to < bss_end; to++) {
    *to = 0;
  }
  main();
  for (;;) {
  }
}

/* A fault of the program: begin again, as after a power cut. */
static void begin_again(void) {
  *(volatile uint32_t *)0xe000ed0c = 0x05fa0004;
  for (;;) {
  }
}

/* Stack, reset, then the exceptions of the core (ARMv6-M, B1.5.3;
 * ARMv7-M, B1.5.2). No interrupt
 * has a handler: the board wakes from sleep without. */
__attribute__((section(".vectors"),
               used)) static void (*const vectors[16])(void) = {
    (void (*)(void))(uintptr_t)stack_top,
    start,
    begin_again,
    begin_again,
    begin_again,
    begin_again,
    begin_again};
