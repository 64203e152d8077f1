/* SPDX-License-Identifier: Apache-2.0 */
/* Start-up code for AVRxt. The linker puts the sections .init0 to .init9 one
 * behind the other: libgcc has the initial values of variables in .init4. */

#define SECTION(name) __attribute__((section(name), naked, used))

int main(void);

SECTION(".vectors") static void reset_vector(void) { __asm__("jmp start"); }

/* avr-gcc wants 0 in r1. */
SECTION(".init0") static void set_stack(void) {
  __asm__("start:\n"
          "clr r1\n"
          "out __SREG__, r1\n"
          "ldi r28, lo8(stack_top)\n"
          "ldi r29, hi8(stack_top)\n"
          "out __SP_L__, r28\n"
          "out __SP_H__, r29\n");
}

SECTION(".init9") static void call_main(void) {
  __asm__("call main\n"
          "1: rjmp 1b\n");
}
