/* SPDX-License-Identifier: Apache-2.0 */
#include "common/stack.h"

#include "arch/x86_64/cpu.h"

#if SAMARA_ARCH_MSP430 || SAMARA_ARCH_MSP430_GRAIN

/* Pushes zeros: a fifth of the code and of the time that the compiler needs.
 * The result, in r12, is returned; r13 has the size. */
__attribute__((naked)) samara_result samara_leave(samara_result result,
                                                  size_t stack_size) {
  __asm__("mov r1, r14\n"
          "mov r1, r15\n"
          "sub r13, r15\n"
          "clr r13\n"
          "1:\n"
          "push r13\n"
          "push r13\n"
          "cmp r1, r15\n"
          "jlo 1b\n"
          "mov r14, r1\n"
          "clr r11\n"
          "clr r14\n"
          "clr r15\n"
          "ret\n");
}

#elif SAMARA_ARCH_ARMV6M || SAMARA_ARCH_ARMV7M

/* The same idea. The result, in r0, is returned; r1 has the size, and counts.
 * r12 becomes an address, r2 and r3 zeros. */
__attribute__((naked)) samara_result samara_leave(samara_result result,
                                                  size_t stack_size) {
  (void)result;
  (void)stack_size;
  __asm__(".syntax unified\n"
          "mov r12, sp\n"
          "movs r2, #0\n"
          "movs r3, #0\n"
          "1:\n"
          "push {r2, r3}\n"
          "push {r2, r3}\n"
          "push {r2, r3}\n"
          "push {r2, r3}\n"
          "subs r1, #32\n"
          "bhi 1b\n"
          "mov sp, r12\n"
          "bx lr\n");
}

#elif SAMARA_ARCH_RV32

/* The same idea, and zeros in all registers that a call need not keep. The
 * result, in a0, is returned; a1 has the size, and counts. */
__attribute__((naked)) samara_result samara_leave(samara_result result
                                                  __attribute__((unused)),
                                                  size_t stack_size
                                                  __attribute__((unused))) {
  __asm__("mv t0, sp\n"
          "1:\n"
          "addi sp, sp, -32\n"
          "addi a1, a1, -32\n"
          "sw zero, 0(sp)\n"
          "sw zero, 4(sp)\n"
          "sw zero, 8(sp)\n"
          "sw zero, 12(sp)\n"
          "sw zero, 16(sp)\n"
          "sw zero, 20(sp)\n"
          "sw zero, 24(sp)\n"
          "sw zero, 28(sp)\n"
          "bgtz a1, 1b\n"
          "mv sp, t0\n"
          "li a1, 0\n"
          "li a2, 0\n"
          "li a3, 0\n"
          "li a4, 0\n"
          "li a5, 0\n"
          "li a6, 0\n"
          "li a7, 0\n"
          "li t1, 0\n"
          "li t2, 0\n"
          "li t3, 0\n"
          "li t4, 0\n"
          "li t5, 0\n"
          "li t6, 0\n"
          "ret\n");
}

#else

enum { stack_step = 16 };

/* Registers that a call need not keep. Compilers save them, too, to make room
 * in a frame; so those that hold no argument are cleared before the stack is
 * wiped, and all but that of the result afterwards. */
#if defined(__AVR__)
/* T, to which compilers move bits; the other flags change on the way. So does
 * r0, into which a new frame takes SREG; but not on XMEGA and what came after,
 * whose stack pointer is written without that. */
#if defined(__AVR_XMEGA__)
#define CLEAR_BEFORE() __asm__ __volatile__("clt\n eor r0, r0")
#else
#define CLEAR_BEFORE() __asm__ __volatile__("clt")
#endif
#define CLEAR_AFTER()                                                          \
  __asm__ __volatile__("ldi r18, 0\n ldi r19, 0\n ldi r20, 0\n ldi r21, 0\n"   \
                       "ldi r22, 0\n ldi r23, 0\n ldi r26, 0\n ldi r27, 0\n"   \
                       "ldi r30, 0\n ldi r31, 0\n" ::                          \
                           : "r18", "r19", "r20", "r21", "r22", "r23", "r26",  \
                             "r27", "r30", "r31")
#elif defined(__MSP430__)
#define CLEAR_BEFORE() ((void)0)
#define CLEAR_AFTER()                                                          \
  __asm__ __volatile__("clr r11\n clr r13\n clr r14\n clr r15\n" ::            \
                           : "r11", "r13", "r14", "r15")
#elif defined(__arm__)
#define CLEAR_BEFORE()                                                         \
  __asm__ __volatile__("mov r2, sp\n mov r3, r2\n mov r12, r2" ::              \
                           : "r2", "r3", "r12")
#define CLEAR_AFTER()                                                          \
  __asm__ __volatile__("mov r1, sp\n mov r2, r1\n mov r3, r1\n mov r12, r1" :: \
                           : "r1", "r2", "r3", "r12")
#elif defined(__x86_64__)
#define CLEAR_BEFORE()                                                         \
  __asm__ __volatile__("xorl %%eax, %%eax\n xorl %%ecx, %%ecx\n"               \
                       "xorl %%edx, %%edx\n xorl %%r8d, %%r8d\n"               \
                       "xorl %%r9d, %%r9d\n xorl %%r10d, %%r10d\n"             \
                       "xorl %%r11d, %%r11d\n" ::                              \
                           : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11",    \
                             "cc")
#define CLEAR_AFTER()                                                          \
  __asm__ __volatile__(                                                        \
      "xorl %%ecx, %%ecx\n xorl %%edx, %%edx\n xorl %%esi, %%esi\n"            \
      "xorl %%edi, %%edi\n xorl %%r8d, %%r8d\n xorl %%r9d, %%r9d\n"            \
      "xorl %%r10d, %%r10d\n xorl %%r11d, %%r11d\n"                            \
      "pxor %%xmm0, %%xmm0\n pxor %%xmm1, %%xmm1\n pxor %%xmm2, %%xmm2\n"      \
      "pxor %%xmm3, %%xmm3\n pxor %%xmm4, %%xmm4\n pxor %%xmm5, %%xmm5\n"      \
      "pxor %%xmm6, %%xmm6\n pxor %%xmm7, %%xmm7\n pxor %%xmm8, %%xmm8\n"      \
      "pxor %%xmm9, %%xmm9\n pxor %%xmm10, %%xmm10\n"                          \
      "pxor %%xmm11, %%xmm11\n pxor %%xmm12, %%xmm12\n"                        \
      "pxor %%xmm13, %%xmm13\n pxor %%xmm14, %%xmm14\n"                        \
      "pxor %%xmm15, %%xmm15\n" ::                                             \
          : "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc",        \
            "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",    \
            "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",       \
            "xmm15")
#elif defined(__aarch64__)
#define CLEAR_BEFORE() ((void)0)
/* x18 is the platform's; the lower halves of v8 to v15 are the caller's. */
#define CLEAR_AFTER()                                                          \
  __asm__ __volatile__(                                                        \
      "mov x1, 0\n mov x2, 0\n mov x3, 0\n mov x4, 0\n mov x5, 0\n"            \
      "mov x6, 0\n mov x7, 0\n mov x8, 0\n mov x9, 0\n mov x10, 0\n"           \
      "mov x11, 0\n mov x12, 0\n mov x13, 0\n mov x14, 0\n mov x15, 0\n"       \
      "mov x16, 0\n mov x17, 0\n"                                              \
      "movi v0.2d, 0\n movi v1.2d, 0\n movi v2.2d, 0\n movi v3.2d, 0\n"        \
      "movi v4.2d, 0\n movi v5.2d, 0\n movi v6.2d, 0\n movi v7.2d, 0\n"        \
      "movi v16.2d, 0\n movi v17.2d, 0\n movi v18.2d, 0\n movi v19.2d, 0\n"    \
      "movi v20.2d, 0\n movi v21.2d, 0\n movi v22.2d, 0\n movi v23.2d, 0\n"    \
      "movi v24.2d, 0\n movi v25.2d, 0\n movi v26.2d, 0\n movi v27.2d, 0\n"    \
      "movi v28.2d, 0\n movi v29.2d, 0\n movi v30.2d, 0\n movi v31.2d, 0\n" :: \
          : "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10",       \
            "x11", "x12", "x13", "x14", "x15", "x16", "x17", "v0", "v1", "v2", \
            "v3", "v4", "v5", "v6", "v7", "v16", "v17", "v18", "v19", "v20",   \
            "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29",     \
            "v30", "v31")
#elif defined(__riscv)
#define CLEAR_BEFORE() ((void)0)
/* RV32E has no registers beyond a5. */
#if defined(__riscv_e) || defined(__riscv_32e)
#define CLEAR_MORE() ((void)0)
#else
#define CLEAR_MORE()                                                           \
  __asm__ __volatile__("li a6, 0\n li a7, 0\n li t3, 0\n li t4, 0\n"           \
                       "li t5, 0\n li t6, 0\n" ::                              \
                           : "a6", "a7", "t3", "t4", "t5", "t6")
#endif
#define CLEAR_AFTER()                                                          \
  CLEAR_MORE();                                                                \
  __asm__ __volatile__("li a1, 0\n li a2, 0\n li a3, 0\n li a4, 0\n"           \
                       "li a5, 0\n li t0, 0\n li t1, 0\n li t2, 0\n" ::        \
                           : "a1", "a2", "a3", "a4", "a5", "t0", "t1", "t2")
#else
#define CLEAR_BEFORE() ((void)0)
#define CLEAR_AFTER() ((void)0)
#endif

SAMARA_INLINE void stack_wipe_words(uint32_t *words, size_t size) {
#if SAMARA_WORD_BITS == 64
  __builtin_memset(words, 0, size);
  /* Claims to read the memory, so that the compiler must have written it. */
  __asm__ __volatile__("" : : "r"(words) : "memory");
#else
  /* Volatile, or compilers make it a call of a memset that is slower. Several
   * at a time, because on small machines counting takes as long as storing. */
  for (volatile uint32_t *word = words; size != 0; size -= stack_step) {
    word[0] = 0;
    word[1] = 0;
    word[2] = 0;
    word[3] = 0;
    word += 4;
  }
#endif
}

/* An array of the size asked for lies where the work was. */
SAMARA_NOT_INLINED static samara_result stack_wipe(samara_result result,
                                                   size_t size) {
  uint32_t dead[size / sizeof(uint32_t)];
  stack_wipe_words(dead, sizeof dead);
#if SAMARA_ARCH_X86_64
  if ((samara_x86_64_sets() & SAMARA_X86_64_AVX512) != 0) {
    SAMARA_X86_64_CLEAR_UPPER();
  }
#endif
  CLEAR_AFTER();
  return result;
}

samara_result samara_leave(samara_result result, size_t stack_size) {
  CLEAR_BEFORE();
  return stack_wipe(result,
                    (stack_size + stack_step - 1) / stack_step * stack_step);
}

#undef CLEAR_BEFORE
#undef CLEAR_MORE
#undef CLEAR_AFTER

#endif
