/* SPDX-License-Identifier: Apache-2.0 */
#include "aead/grain128aead_word.h"

#include "common/carryless.h"

#if SAMARA_ARCH_X86_64

/* The authenticator of Grain-128AEAD by PCLMULQDQ. With T the register followed
 * by the fresh bits, 96 bits in all, the accumulator gets the sum of T >> j for
 * every bit j that is 1. Turned around, bit j is the coefficient of x^(31 - j):
 * that sum is one product of polynomials, 31 places up. */

#include <wmmintrin.h>

__attribute__((target("pclmul,sse2"))) void
samara_grain128aead_word_x86_64(samara_grain128aead *state, uint32_t bits,
                                uint32_t fresh) {
  const uint64_t shifted =
      state->authenticator[0] | (uint64_t)state->authenticator[1] << 32;
  const __m128i factor = _mm_cvtsi64_si128(samara_reverse32(bits));
  const __m128i low =
      _mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)shifted), factor, 0);
  const __m128i high =
      _mm_clmulepi64_si128(_mm_cvtsi64_si128(fresh), factor, 0);
  const uint64_t word0 = (uint64_t)_mm_cvtsi128_si64(low);
  const uint64_t word1 =
      (uint64_t)_mm_cvtsi128_si64(_mm_xor_si128(_mm_srli_si128(low, 8), high));
  const uint64_t sum = word0 >> 31 | word1 << 33;
  state->accumulator[0] ^= (uint32_t)sum;
  state->accumulator[1] ^= (uint32_t)(sum >> 32);
  state->authenticator[0] = state->authenticator[1];
  state->authenticator[1] = fresh;
}

#endif
