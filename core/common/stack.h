/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_COMMON_STACK_H
#define SAMARA_COMMON_STACK_H

/* No public call leaves secrets behind on the stack.
 *
 * Objects are wiped by samara_wipe, but a compiler also saves registers and
 * intermediate values in places of the stack that have no name in C. So a
 * public call is in two parts: the work, in a function of its own that is never
 * inlined (its name begins with bare_, or it is SAMARA_NOT_INLINED), and
 * behind it a call that wipes the stack which the work has used. What one
 * public call needs of another is the bare form, so that the stack is wiped
 * once.
 *
 * How deep the work goes is known from measurements: the sizes given to
 * SAMARA_STACK_BYTES. They cover every optimisation level of the compilers in
 * use; docs/residue.md says how that is checked. */

#include "common/machine.h"
#include <samara/result.h>

#define SAMARA_NOT_INLINED __attribute__((noinline))

/* The bytes of stack that work takes, compiled with optimisation: on AVR, on
 * MSP430, on other machines of 32 bits and of 64 bits. */
#if defined(__AVR__)
#define SAMARA_STACK_BYTES(avr, msp430, of32, of64) (avr)
#elif defined(__MSP430__)
#define SAMARA_STACK_BYTES(avr, msp430, of32, of64) (msp430)
#elif SIZE_MAX <= 0xffffffffu
#define SAMARA_STACK_BYTES(avr, msp430, of32, of64) (of32)
#else
#define SAMARA_STACK_BYTES(avr, msp430, of32, of64) (of64)
#endif

/* Wipes `stack_size` bytes or a little more below the caller's stack frame and
 * returns `result`. The last call of a public function. */
SAMARA_MUST_CHECK SAMARA_NOT_INLINED samara_result
samara_leave(samara_result result, size_t stack_size);

/* The same, for functions without a result. Nothing for 0 bytes: assembly that
 * leaves no secrets on the stack or in registers. */
SAMARA_INLINE void samara_wipe_stack(size_t stack_size) {
  if (stack_size != 0) {
    (void)!samara_leave(SAMARA_OK, stack_size);
  }
}

#endif
