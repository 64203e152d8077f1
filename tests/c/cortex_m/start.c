/* SPDX-License-Identifier: Apache-2.0 */

/* Lets programs of newlib run on a Cortex-M that QEMU emulates: files and
 * arguments come by semihosting, from the machine that QEMU runs on. The memory
 * is link.ld's; all of it is there when the processor starts. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { arguments_max = 256, line_size = 1 << 15 };
enum { call_command_line = 0x15 }; /* SYS_GET_CMDLINE */

extern uint32_t stack_top[];

int main(int argument_count, char **arguments);
void initialise_monitor_handles(void);
void start(void);

static char line[line_size];
static char *arguments[arguments_max + 1];

static int ask(int call, void *block) {
  register int r0 __asm__("r0") = call;
  register void *r1 __asm__("r1") = block;
  __asm__ __volatile__("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

/* Splits the command line at its blanks; returns the number of its words. */
static int words(char *at) {
  int count = 0;
  while (*at != '\0' && count < arguments_max) {
    arguments[count++] = at;
    while (*at != '\0' && *at != ' ') {
      at++;
    }
    if (*at == ' ') {
      *at++ = '\0';
    }
  }
  return count;
}

void start(void) {
  struct {
    char *text;
    uint32_t size;
  } block = {line, line_size - 1};
  initialise_monitor_handles();
  if (ask(call_command_line, &block) != 0) {
    puts("the command line is longer than a program here can take");
    exit(EXIT_FAILURE);
  }
  exit(main(words(line), arguments));
}

/* A fault ends the program; otherwise it would stand still. */
static void fault(void) {
  puts("a fault of the processor");
  _Exit(EXIT_FAILURE);
}

/* Stack pointer, reset, NMI, and the faults (ARMv7-M, B1.5.3). */
__attribute__((section(".vectors"), used)) static const uintptr_t vectors[] = {
    (uintptr_t)stack_top, (uintptr_t)start, (uintptr_t)fault, (uintptr_t)fault,
    (uintptr_t)fault,     (uintptr_t)fault, (uintptr_t)fault, (uintptr_t)fault};

/* The C library calls it when a program ends. */
void _fini(void);
void _fini(void) {}
