/* SPDX-License-Identifier: Apache-2.0 */
/* What runs before main on a Cortex-M, which has set the stack by itself. */

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
}

/* Initial stack pointer and reset vector (ARMv7-M, B1.5.3); no other
 * exception is enabled. */
__attribute__((section(".vectors"), used)) static const uintptr_t vectors[2] = {
    (uintptr_t)stack_top, (uintptr_t)start};
