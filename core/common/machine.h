/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_COMMON_MACHINE_H
#define SAMARA_COMMON_MACHINE_H

/* What the machine compiled for is good at. The tests compile the library for
 * a host as if it were each of the others (CMake's SAMARA_MACHINE). */

#include <stddef.h>
#include <stdint.h>

/* Bits of the words that the portable code works with. */
#ifndef SAMARA_WORD_BITS
#if SIZE_MAX > 0xffffffffu
#define SAMARA_WORD_BITS 64
#else
#define SAMARA_WORD_BITS 32
#endif
#endif

/* AES with S-boxes in program memory: small and fast on AVR and MSP430, where
 * no cache tells which entry was read. Leaks on every larger machine, and on an
 * MSP430FR above 8 MHz, whose FRAM then waits behind a cache: see below. */
#if defined(__AVR__) || defined(__MSP430__)
#define SAMARA_FLASH_TABLES 1
#elif !defined(SAMARA_FLASH_TABLES)
#define SAMARA_FLASH_TABLES 0
#endif

/* 1, for who asks for it on an MSP430: AES as logic on words, which takes one
 * time also where program memory waits behind a cache. */
#ifndef SAMARA_AES_WITHOUT_TABLES
#define SAMARA_AES_WITHOUT_TABLES 0
#elif SAMARA_AES_WITHOUT_TABLES && defined(__AVR__)
#error "No AVR has a cache: its AES has tables (docs/constant-time.md)."
#endif
#define SAMARA_AES_TABLES (SAMARA_FLASH_TABLES && !SAMARA_AES_WITHOUT_TABLES)

/* Whether a product of two words takes one time whatever the factors are, and
 * leaves nothing behind: 32 x 32 -> 32 bits, and 64 x 64 -> 64 on machines of
 * 64 bits. It does on x86, on Arm from version 6 on, on AVRs with MUL, and on
 * RISC-V that says so (Zkt). AVRs without MUL and RISC-V without M call a loop
 * of the compiler's library, and so does an MSP430, or has its products in
 * registers of a peripheral. Elsewhere it is for who knows the processor to
 * say; until then secrets are not multiplied, which is slower. */
#ifndef SAMARA_MULTIPLIES
#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__) ||        \
    (defined(__arm__) && __ARM_ARCH >= 6) || defined(__AVR_HAVE_MUL__) ||      \
    defined(__riscv_zkt)
#define SAMARA_MULTIPLIES 1
#else
#define SAMARA_MULTIPLIES 0
#if !defined(__AVR__) && !defined(__MSP430__) &&                               \
    !(defined(__riscv) && !defined(__riscv_mul) && !defined(__riscv_zmmul))
#warning Does this processor multiply in constant time? Define \
    SAMARA_MULTIPLIES as 1 if so, as 0 if not or if unknown (docs/constant-time.md).
#endif
#endif
#endif

/* Tables in program memory, which an AVR reads with instructions of its own. */
#if defined(__AVR__)
#include <avr/pgmspace.h>
#define SAMARA_FLASH PROGMEM
#define SAMARA_READ_FLASH(table, index) pgm_read_byte(&(table)[index])
#define SAMARA_READ_FLASH32(table, index) pgm_read_dword(&(table)[index])
#else
#define SAMARA_FLASH
#define SAMARA_READ_FLASH(table, index) ((table)[index])
#define SAMARA_READ_FLASH32(table, index) ((table)[index])
#endif

/* Bodies in arch/x86_64, used when the processor at hand has what they need. */
#ifndef SAMARA_ARCH_X86_64
#if defined(__x86_64__) && defined(__GNUC__)
#define SAMARA_ARCH_X86_64 1
#else
#define SAMARA_ARCH_X86_64 0
#endif
#endif

/* The same for arch/aarch64. The order of bytes is that of nearly all. */
#ifndef SAMARA_ARCH_AARCH64
#if defined(__aarch64__) && defined(__GNUC__) && !defined(__AARCH64EB__)
#define SAMARA_ARCH_AARCH64 1
#else
#define SAMARA_ARCH_AARCH64 0
#endif
#endif

/* AES-128 by the engine of the ATmega128RFA1 and its kin, or of an ATxmega, for
 * who asks for it. */
#ifndef SAMARA_ARCH_AVR_AES_ENGINE
#define SAMARA_ARCH_AVR_AES_ENGINE 0
#endif

/* AES by the AES256 engine of the MSP430FR59xx and FR69xx, for who asks for it.
 */
#ifndef SAMARA_ARCH_MSP430_AES_ENGINE
#define SAMARA_ARCH_MSP430_AES_ENGINE 0
#endif

/* Assembly of arch/avr; 0 takes C. */
#ifndef SAMARA_ARCH_AVR
#if defined(__AVR_HAVE_LPMX__) && defined(__AVR_HAVE_MOVW__)
#define SAMARA_ARCH_AVR 1
#else
#define SAMARA_ARCH_AVR 0
#endif
#endif

/* Grain's, in three sizes (docs/performance.md): fast where the assembly of
 * arch/avr is used, unless one of the others is asked for. It needs a stack
 * pointer of 16 bits. */
#define SAMARA_AVR_GRAIN_FAST 1
#define SAMARA_AVR_GRAIN_BALANCED 2
#define SAMARA_AVR_GRAIN_SMALL 3
#ifndef SAMARA_ARCH_AVR_GRAIN_BALANCED
#define SAMARA_ARCH_AVR_GRAIN_BALANCED 0
#endif
#ifndef SAMARA_ARCH_AVR_GRAIN_SMALL
#define SAMARA_ARCH_AVR_GRAIN_SMALL 0
#endif
#if defined(__AVR_SP8__)
#define SAMARA_ARCH_AVR_GRAIN 0
#elif SAMARA_ARCH_AVR_GRAIN_SMALL
#define SAMARA_ARCH_AVR_GRAIN SAMARA_AVR_GRAIN_SMALL
#elif SAMARA_ARCH_AVR_GRAIN_BALANCED && defined(__AVR_HAVE_MUL__)
#define SAMARA_ARCH_AVR_GRAIN SAMARA_AVR_GRAIN_BALANCED
#elif SAMARA_ARCH_AVR || SAMARA_ARCH_AVR_GRAIN_BALANCED
#define SAMARA_ARCH_AVR_GRAIN SAMARA_AVR_GRAIN_FAST
#else
#define SAMARA_ARCH_AVR_GRAIN 0
#endif

/* Assembly of arch/msp430; 0 takes C. Pointers have 16 bits. */
#ifndef SAMARA_ARCH_MSP430
#if defined(__MSP430__) && SIZE_MAX == 0xffff
#define SAMARA_ARCH_MSP430 1
#else
#define SAMARA_ARCH_MSP430 0
#endif
#endif

/* AES by the tables of that assembly. */
#define SAMARA_ARCH_MSP430_AES (SAMARA_ARCH_MSP430 && SAMARA_AES_TABLES)

/* Grain's, in two sizes (docs/performance.md): fast where the assembly of
 * arch/msp430 is used, unless the small one is asked for. */
#define SAMARA_MSP430_GRAIN_FAST 1
#define SAMARA_MSP430_GRAIN_SMALL 2
#ifndef SAMARA_ARCH_MSP430_GRAIN_SMALL
#define SAMARA_ARCH_MSP430_GRAIN_SMALL 0
#endif
#if SAMARA_ARCH_MSP430_GRAIN_SMALL
#define SAMARA_ARCH_MSP430_GRAIN SAMARA_MSP430_GRAIN_SMALL
#elif SAMARA_ARCH_MSP430
#define SAMARA_ARCH_MSP430_GRAIN SAMARA_MSP430_GRAIN_FAST
#else
#define SAMARA_ARCH_MSP430_GRAIN 0
#endif

/* All the work of Grain-128AEAD is in core/arch (aead/grain128aead_work.h). */
#ifndef SAMARA_ARCH_GRAIN128AEAD
#define SAMARA_ARCH_GRAIN128AEAD                                               \
  (SAMARA_ARCH_MSP430_GRAIN || SAMARA_ARCH_AVR_GRAIN)
#endif

/* And so are its seal and open. */
#define SAMARA_ARCH_GRAIN128AEAD_CALLS                                         \
  (SAMARA_ARCH_MSP430_GRAIN == SAMARA_MSP430_GRAIN_SMALL ||                    \
   SAMARA_ARCH_AVR_GRAIN)

/* The assembly of arch/avr that has nothing to do with a cipher. */
#define SAMARA_AVR_BYTES (SAMARA_ARCH_AVR || SAMARA_ARCH_AVR_AES_ENGINE)

/* Assembly of arch/armv6m, for Cortex-M0 and M0+; 0 takes C, and so does to
 * choose by the macro below alone. Clang refuses functions of assembly that
 * name their arguments, as gcc's warnings want it. */
#ifndef SAMARA_ARCH_ARMV6M
#if defined(__thumb__) && !defined(__thumb2__) &&                              \
    defined(__ARM_ARCH_PROFILE) && !defined(__ARM_BIG_ENDIAN) &&               \
    defined(__GNUC__) && !defined(__clang__) && !defined(SAMARA_ARCH_ARMV7M)
#define SAMARA_ARCH_ARMV6M (__ARM_ARCH_PROFILE == 'M')
#else
#define SAMARA_ARCH_ARMV6M 0
#endif
#endif

/* Assembly of arch/armv7m, for Cortex-M3, M4 and larger; 0 takes C. */
#ifndef SAMARA_ARCH_ARMV7M
#if defined(__thumb2__) && defined(__ARM_ARCH_PROFILE) &&                      \
    defined(__ARM_FEATURE_UNALIGNED) && !defined(__ARM_BIG_ENDIAN) &&          \
    defined(__GNUC__)
#define SAMARA_ARCH_ARMV7M (__ARM_ARCH_PROFILE == 'M')
#else
#define SAMARA_ARCH_ARMV7M 0
#endif
#endif

/* Assembly of arch/rv32, for RISC-V of 32 bits with all 32 registers; 0 takes
 * C. It has instructions of RV32I alone. */
#ifndef SAMARA_ARCH_RV32
#if defined(__riscv) && defined(__GNUC__) && !defined(__riscv_32e) &&          \
    !defined(__riscv_abi_rve)
#define SAMARA_ARCH_RV32                                                       \
  (__riscv_xlen == 32 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
#else
#define SAMARA_ARCH_RV32 0
#endif
#endif

/* Whether the clocks of Grain are assembly. */
#define SAMARA_ARCH_GRAIN128                                                   \
  (SAMARA_ARCH_AVR_GRAIN || SAMARA_ARCH_ARMV7M || SAMARA_ARCH_RV32)

/* Blocks that a mode hands to the cipher at a time: as many as hide the latency
 * of the AES instructions; one where memory is counted in bytes. */
#if SAMARA_WORD_BITS == 64
#define SAMARA_PARALLEL_BLOCKS 8
#elif SAMARA_AES_TABLES
#define SAMARA_PARALLEL_BLOCKS 1
#else
#define SAMARA_PARALLEL_BLOCKS 2
#endif

/* Functions that are part of their callers, for speed and so that fewer secrets
 * lie on the stack. With SAMARA_COMPACT, which builds with sanitizers define,
 * the compiler chooses: each copy of code that is checked takes seconds to
 * compile. What they compute, and what is checked, is the same. */
#ifdef SAMARA_COMPACT
#define SAMARA_ALWAYS_INLINE
#else
#define SAMARA_ALWAYS_INLINE __attribute__((always_inline))
#endif
#define SAMARA_INLINE SAMARA_ALWAYS_INLINE static inline __attribute__((unused))

/* Functions of hundreds of instructions that several functions call. An AVR
 * and an MSP430 work on such words piece by piece: there a call costs a
 * hundredth of the work, and a copy for each caller kilobytes of code and bytes
 * of stack. */
#if defined(__AVR__) || defined(__MSP430__)
#define SAMARA_INLINE_IF_LARGE static __attribute__((noinline, unused))
#else
#define SAMARA_INLINE_IF_LARGE SAMARA_INLINE
#endif

#endif
