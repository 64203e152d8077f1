/* SPDX-License-Identifier: Apache-2.0 */
#include "arch/x86_64/cpu.h"

#if SAMARA_ARCH_X86_64

#include <cpuid.h>

/* Bits of CPUID (leaf 1, ecx; leaf 7, ebx and ecx) and of XCR0. */
enum {
  leaf1_pclmul = 1 << 1,
  leaf1_ssse3 = 1 << 9,
  leaf1_sse41 = 1 << 19,
  leaf1_aes = 1 << 25,
  leaf1_osxsave = 1 << 27,
  leaf1_avx = 1 << 28,
  leaf7_avx2 = 1 << 5,
  leaf7_bmi2 = 1 << 8,
  leaf7_avx512f = 1 << 16,
  leaf7_avx512dq = 1 << 17,
  leaf7_avx512bw = 1 << 30,
  leaf7c_vbmi = 1 << 1,
  leaf7c_vbmi2 = 1 << 6,
  leaf7c_gfni = 1 << 8,
  leaf7c_vaes = 1 << 9,
  leaf7c_vpclmul = 1 << 10,
  cpu_asked = 1 << 15, /* in what is remembered */
  state_ymm = 0x06,    /* SSE, AVX */
  state_zmm = 0xe6     /* and opmask, both halves of zmm0 to zmm31 */
};
static const unsigned leaf7_avx512vl = 1U << 31;

static bool has_all(unsigned word, unsigned bits) {
  return (word & bits) == bits;
}

/* XCR0, by instructions of their own: _xgetbv needs a compiler's option. */
static unsigned saved_state(unsigned leaf1) {
  unsigned low = 0;
  unsigned high = 0;
  if (has_all(leaf1, leaf1_osxsave | leaf1_avx)) {
    __asm__ __volatile__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  }
  return low;
}

static unsigned ask(void) {
  unsigned eax;
  unsigned ebx = 0;
  unsigned leaf1 = 0;
  unsigned leaf7b = 0;
  unsigned leaf7c = 0;
  unsigned edx;
  unsigned sets = cpu_asked;
  if (!__get_cpuid(1, &eax, &ebx, &leaf1, &edx)) {
    return sets;
  }
  (void)__get_cpuid_count(7, 0, &eax, &leaf7b, &leaf7c, &edx);
  const unsigned state = saved_state(leaf1);
  const bool aes =
      has_all(leaf1, leaf1_aes | leaf1_pclmul | leaf1_ssse3 | leaf1_sse41);
  const bool vaes = aes && has_all(leaf7c, leaf7c_vaes | leaf7c_vpclmul);
  const bool avx2 =
      has_all(state, state_ymm) && has_all(leaf7b, leaf7_avx2 | leaf7_bmi2);
  const bool avx512 = avx2 && has_all(state, state_zmm) &&
                      has_all(leaf7b, leaf7_avx512f | leaf7_avx512dq |
                                          leaf7_avx512bw | leaf7_avx512vl);
  const bool vbmi2 =
      avx512 && has_all(leaf7c, leaf7c_vbmi | leaf7c_vbmi2 | leaf7c_gfni);
  sets |= has_all(leaf1, leaf1_ssse3) ? SAMARA_X86_64_SSSE3 : 0;
  sets |= aes ? SAMARA_X86_64_AES : 0;
  sets |= avx2 ? SAMARA_X86_64_AVX2 : 0;
  sets |= avx2 && vaes ? SAMARA_X86_64_VAES256 : 0;
  sets |= avx512 ? SAMARA_X86_64_AVX512 : 0;
  sets |= avx512 && vaes ? SAMARA_X86_64_VAES512 : 0;
  sets |= vbmi2 ? SAMARA_X86_64_VBMI2 : 0;
  return sets;
}

unsigned samara_x86_64_sets(void) {
  static unsigned known;
  unsigned sets = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (sets == 0) {
    sets = ask();
    __atomic_store_n(&known, sets, __ATOMIC_RELAXED);
  }
  return sets;
}

#endif
