/* SPDX-License-Identifier: Apache-2.0 */

/* Lets programs of picolibc, a C library for machines without an operating
 * system, run on Linux, as QEMU emulates it for 32-bit RISC-V: Debian has no
 * other C library for that. The start of a program, and the calls of Linux that
 * picolibc's files and memory are made of. */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

enum { heap_size = 1 << 24, thread_size = 256 };

/* Numbers of Linux for RISC-V. */
enum {
  call_openat = 56,
  call_close = 57,
  call_lseek = 62,
  call_read = 63,
  call_write = 64,
  call_exit_group = 94
};
enum { here = -100 }; /* AT_FDCWD: the working directory */

int main(int argument_count, char **arguments);
void begin(int *stack);
void _start(void);
void *sbrk(ptrdiff_t size);

/* Where picolibc keeps errno: of one thread, and zeros. */
uint8_t thread_memory[thread_size] __attribute__((aligned(16)));

__attribute__((naked)) void _start(void) {
  __asm__(".option push\n .option norelax\n la gp, __global_pointer$\n"
          ".option pop\n la tp, thread_memory\n mv a0, sp\n"
          "andi sp, sp, -16\n j begin");
}

/* Linux leaves the number of arguments on the stack, and behind it these. */
void begin(int *stack) { exit(main(stack[0], (char **)(stack + 1))); }

static long ask(long number, long a, long b, long c, long d, long e) {
  register long a0 __asm__("a0") = a;
  register long a1 __asm__("a1") = b;
  register long a2 __asm__("a2") = c;
  register long a3 __asm__("a3") = d;
  register long a4 __asm__("a4") = e;
  register long a7 __asm__("a7") = number;
  __asm__ __volatile__("ecall"
                       : "+r"(a0)
                       : "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a7)
                       : "memory");
  if (a0 < 0) {
    errno = (int)-a0;
    return -1;
  }
  return a0;
}

_Noreturn void _exit(int status) {
  for (;;) {
    (void)ask(call_exit_group, status, 0, 0, 0, 0);
  }
}

/* abort() raises a signal, which ends the program. */
pid_t getpid(void) { return 1; }
int kill(pid_t process, int signal) {
  (void)process;
  _exit(128 + signal);
}

int open(const char *path, int flags, ...) {
  return (int)ask(call_openat, here, (long)path, flags & O_ACCMODE, 0, 0);
}

int close(int file) { return (int)ask(call_close, file, 0, 0, 0, 0); }

ssize_t read(int file, void *bytes, size_t size) {
  return ask(call_read, file, (long)bytes, (long)size, 0, 0);
}

ssize_t write(int file, const void *bytes, size_t size) {
  return ask(call_write, file, (long)bytes, (long)size, 0, 0);
}

/* Linux gives the place as 64 bits, by a pointer. */
off_t lseek(int file, off_t offset, int whence) {
  int64_t place = 0;
  const long result = ask(call_lseek, file, offset < 0 ? -1 : 0, (long)offset,
                          (long)&place, whence);
  return result < 0 ? -1 : (off_t)place;
}

void *sbrk(ptrdiff_t size) {
  static char heap[heap_size] __attribute__((aligned(16)));
  static ptrdiff_t used;
  if (size > heap_size - used) {
    errno = ENOMEM;
    return (void *)-1;
  }
  used += size;
  return heap + used - size;
}

static int put(char character, FILE *file) {
  (void)file;
  return write(1, &character, 1) == 1 ? (unsigned char)character : EOF;
}

static FILE terminal = FDEV_SETUP_STREAM(put, NULL, NULL, _FDEV_SETUP_WRITE);
FILE *const stdin = &terminal;
FILE *const stdout = &terminal;
FILE *const stderr = &terminal;
