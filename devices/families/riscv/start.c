/* SPDX-License-Identifier: Apache-2.0 */
/* What runs before main on a RISC-V. */

#include <stdint.h>

extern uint32_t data_load[];
extern uint32_t data_start[];
extern uint32_t data_end[];
extern uint32_t bss_start[];
extern uint32_t bss_end[];

int main(void);
void start(void);
void start_in_c(void);

/* Only one that uses no stack can be the first: the stack pointer has any
 * value. */
__attribute__((naked, section(".start"), used)) void start(void) {
  __asm__ volatile(".option push\n"
                   ".option norelax\n"
                   "la gp, __global_pointer$\n"
                   ".option pop\n"
                   "la sp, stack_top\n"
                   "j start_in_c");
}

void start_in_c(void) {
  const uint32_t *from = data_load;
  for (uint32_t *to = data_start; to < data_end; to++) {
    *to = *from++;
  }
  for (uint32_t *to = bss_start; to < bss_end; to++) {
    *to = 0;
  }
  main();
}
