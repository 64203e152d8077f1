/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/speck.h>

#include "common/machine.h"

/* Word sizes, key words and rounds of the ten sizes (paper, table 4.1). */

#define SAMARA_CIPHER speck32_64
#define SAMARA_CIPHER_WORD uint16_t
#define SAMARA_CIPHER_WORD_BITS 16
#define SAMARA_CIPHER_KEY_WORDS 4
#define SAMARA_CIPHER_ROUNDS 22
#include "block/speck_template.h"

#define SAMARA_CIPHER speck48_72
#define SAMARA_CIPHER_WORD uint32_t
#define SAMARA_CIPHER_WORD_BITS 24
#define SAMARA_CIPHER_KEY_WORDS 3
#define SAMARA_CIPHER_ROUNDS 22
#include "block/speck_template.h"

#define SAMARA_CIPHER speck48_96
#define SAMARA_CIPHER_WORD uint32_t
#define SAMARA_CIPHER_WORD_BITS 24
#define SAMARA_CIPHER_KEY_WORDS 4
#define SAMARA_CIPHER_ROUNDS 23
#include "block/speck_template.h"

#define SAMARA_CIPHER speck64_96
#define SAMARA_CIPHER_WORD uint32_t
#define SAMARA_CIPHER_WORD_BITS 32
#define SAMARA_CIPHER_KEY_WORDS 3
#define SAMARA_CIPHER_ROUNDS 26
#include "block/speck_template.h"

#define SAMARA_CIPHER speck64_128
#define SAMARA_CIPHER_WORD uint32_t
#define SAMARA_CIPHER_WORD_BITS 32
#define SAMARA_CIPHER_KEY_WORDS 4
#define SAMARA_CIPHER_ROUNDS 27
#include "block/speck_template.h"

#define SAMARA_CIPHER speck96_96
#define SAMARA_CIPHER_WORD uint64_t
#define SAMARA_CIPHER_WORD_BITS 48
#define SAMARA_CIPHER_KEY_WORDS 2
#define SAMARA_CIPHER_ROUNDS 28
#include "block/speck_template.h"

#define SAMARA_CIPHER speck96_144
#define SAMARA_CIPHER_WORD uint64_t
#define SAMARA_CIPHER_WORD_BITS 48
#define SAMARA_CIPHER_KEY_WORDS 3
#define SAMARA_CIPHER_ROUNDS 29
#include "block/speck_template.h"

/* In core/arch/msp430; nothing has to be wiped behind it. */
#if SAMARA_ARCH_MSP430
#define SAMARA_SPECK_ENCRYPT samara_speck128_128_encrypt
#define SAMARA_ENCRYPT_IS_ASSEMBLY
#endif
#define SAMARA_CIPHER speck128_128
#define SAMARA_CIPHER_WORD uint64_t
#define SAMARA_CIPHER_WORD_BITS 64
#define SAMARA_CIPHER_KEY_WORDS 2
#define SAMARA_CIPHER_ROUNDS 32
#include "block/speck_template.h"
#undef SAMARA_SPECK_ENCRYPT
#undef SAMARA_ENCRYPT_IS_ASSEMBLY

#define SAMARA_CIPHER speck128_192
#define SAMARA_CIPHER_WORD uint64_t
#define SAMARA_CIPHER_WORD_BITS 64
#define SAMARA_CIPHER_KEY_WORDS 3
#define SAMARA_CIPHER_ROUNDS 33
#include "block/speck_template.h"

#define SAMARA_CIPHER speck128_256
#define SAMARA_CIPHER_WORD uint64_t
#define SAMARA_CIPHER_WORD_BITS 64
#define SAMARA_CIPHER_KEY_WORDS 4
#define SAMARA_CIPHER_ROUNDS 34
#include "block/speck_template.h"
