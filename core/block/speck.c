/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/speck.h>

/* Word sizes, key words and rounds of the ten sizes (paper, table 4.1). */

#define SAMARA_CIPHER speck32_64
#define WORD uint16_t
#define WORD_BITS 16
#define KEY_WORDS 4
#define ROUNDS 22
#include "block/speck_template.h"

#define SAMARA_CIPHER speck48_72
#define WORD uint32_t
#define WORD_BITS 24
#define KEY_WORDS 3
#define ROUNDS 22
#include "block/speck_template.h"

#define SAMARA_CIPHER speck48_96
#define WORD uint32_t
#define WORD_BITS 24
#define KEY_WORDS 4
#define ROUNDS 23
#include "block/speck_template.h"

#define SAMARA_CIPHER speck64_96
#define WORD uint32_t
#define WORD_BITS 32
#define KEY_WORDS 3
#define ROUNDS 26
#include "block/speck_template.h"

#define SAMARA_CIPHER speck64_128
#define WORD uint32_t
#define WORD_BITS 32
#define KEY_WORDS 4
#define ROUNDS 27
#include "block/speck_template.h"

#define SAMARA_CIPHER speck96_96
#define WORD uint64_t
#define WORD_BITS 48
#define KEY_WORDS 2
#define ROUNDS 28
#include "block/speck_template.h"

#define SAMARA_CIPHER speck96_144
#define WORD uint64_t
#define WORD_BITS 48
#define KEY_WORDS 3
#define ROUNDS 29
#include "block/speck_template.h"

#define SAMARA_CIPHER speck128_128
#define WORD uint64_t
#define WORD_BITS 64
#define KEY_WORDS 2
#define ROUNDS 32
#include "block/speck_template.h"

#define SAMARA_CIPHER speck128_192
#define WORD uint64_t
#define WORD_BITS 64
#define KEY_WORDS 3
#define ROUNDS 33
#include "block/speck_template.h"

#define SAMARA_CIPHER speck128_256
#define WORD uint64_t
#define WORD_BITS 64
#define KEY_WORDS 4
#define ROUNDS 34
#include "block/speck_template.h"
