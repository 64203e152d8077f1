/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_ARCH_AVR_AES_ENGINE_H
#define SAMARA_ARCH_AVR_AES_ENGINE_H

#include "common/machine.h"

/* The AES engines of the ATmega128RFA1 and of the ATxmega. AES_KEY and
 * AES_STATE are windows of 16 bytes that move on by themselves; AES_CTRL sets
 * them back. */

#if SAMARA_ARCH_AVR_AES_ENGINE

#include <avr/io.h>

#if defined(__AVR_XMEGA__)
enum {
  ENGINE_START = 0x80,
  ENGINE_RESET = 0x20,
  ENGINE_DECRYPT = 0x10,
  ENGINE_CBC = 0x04, /* what is written to the state is added to it */
  ENGINE_ERROR = 0x80,
  ENGINE_DONE = 0x01
};
#else
enum {
  ENGINE_START = 0x80,
  ENGINE_CBC = 0x20,
  ENGINE_DECRYPT = 0x08,
  ENGINE_DONE = 0x01
};
#endif

/* Sixteen bytes to a window or from it, spelled out: counting would take longer
 * than the copying. r0 is zero at the end. In functions that are not inlined:
 * the compiler takes .rept for a single instruction, and no branch may cross
 * it. */
#define ENGINE_COPY(from, to)                                                  \
  ".rept 16\n" from to ".endr\n"                                               \
  "clr __tmp_reg__\n"

SAMARA_NOT_INLINED static void engine_set_key(const uint8_t *key) {
  AES_CTRL = 0;
  __asm__ __volatile__(
      ENGINE_COPY("ld __tmp_reg__, %a0+\n", "sts %1, __tmp_reg__\n")
      : "+e"(key)
      : "n"(_SFR_MEM_ADDR(AES_KEY))
      : "memory");
}

SAMARA_NOT_INLINED static void engine_write(const uint8_t *block) {
  __asm__ __volatile__(
      ENGINE_COPY("ld __tmp_reg__, %a0+\n", "sts %1, __tmp_reg__\n")
      : "+e"(block)
      : "n"(_SFR_MEM_ADDR(AES_STATE))
      : "memory");
}

/* The sum of two blocks. */
SAMARA_NOT_INLINED static void engine_write_sum(const uint8_t *block,
                                                const uint8_t *other) {
  uint8_t byte;
  __asm__ __volatile__(ENGINE_COPY("ld __tmp_reg__, %a0+\n"
                                   "ld %2, %a1+\n"
                                   "eor __tmp_reg__, %2\n",
                                   "sts %3, __tmp_reg__\n") "clr %2\n"
                       : "+e"(block), "+e"(other), "=&r"(byte)
                       : "n"(_SFR_MEM_ADDR(AES_STATE))
                       : "memory");
}

SAMARA_NOT_INLINED static void engine_read(uint8_t *block) {
  __asm__ __volatile__(
      ENGINE_COPY("lds __tmp_reg__, %1\n", "st %a0+, __tmp_reg__\n")
      : "+e"(block)
      : "n"(_SFR_MEM_ADDR(AES_STATE))
      : "memory");
}

/* output = input + the result. */
SAMARA_NOT_INLINED static void engine_read_and_add(uint8_t *output,
                                                   const uint8_t *input) {
  uint8_t byte;
  __asm__ __volatile__(ENGINE_COPY("lds __tmp_reg__, %3\n"
                                   "ld %2, %a1+\n"
                                   "eor __tmp_reg__, %2\n",
                                   "st %a0+, __tmp_reg__\n") "clr %2\n"
                       : "+e"(output), "+e"(input), "=&r"(byte)
                       : "n"(_SFR_MEM_ADDR(AES_STATE))
                       : "memory");
}

static void engine_wait(void) {
  while ((AES_STATUS & ENGINE_DONE) == 0) {
  }
}

#endif

#endif
