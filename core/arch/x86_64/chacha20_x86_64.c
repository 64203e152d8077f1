/* SPDX-License-Identifier: Apache-2.0 */
#include "arch/x86_64/chacha20.h"

#if SAMARA_ARCH_X86_64

#include <immintrin.h>

#define WIDE_WITHOUT_AES

#define WIDE avx2_chacha20
#define WIDE_BLOCKS 2
#define CHACHA20_GROUPS 3
#include "arch/x86_64/wide_template.h"

#include "arch/x86_64/chacha20_template.h"

#include "arch/x86_64/wide_end_template.h"

#if SAMARA_X86_64_SETS & SAMARA_X86_64_AVX512
#define WIDE avx512_chacha20
#define WIDE_BLOCKS 4
#define CHACHA20_GROUPS 4
#include "arch/x86_64/wide_template.h"

#include "arch/x86_64/chacha20_template.h"

#include "arch/x86_64/wide_end_template.h"
#else /* never called */
#define avx512_chacha20_crypt avx2_chacha20_crypt
#endif

#undef WIDE_WITHOUT_AES

size_t samara_chacha20_x86_64_crypt(uint32_t words[16], uint8_t *output,
                                    const uint8_t *input, size_t size) {
  if (samara_x86_64_has(SAMARA_X86_64_AVX512)) {
    return avx512_chacha20_crypt(words, output, input, size);
  }
  if (samara_x86_64_has(SAMARA_X86_64_AVX2)) {
    return avx2_chacha20_crypt(words, output, input, size);
  }
  return 0;
}

#endif
