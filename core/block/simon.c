/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/simon.h>

#include "block/simon_sequences.h"

static const uint64_t simon_z0 = SAMARA_SIMON_Z0;
static const uint64_t simon_z1 = SAMARA_SIMON_Z1;
static const uint64_t simon_z2 = SAMARA_SIMON_Z2;
static const uint64_t simon_z3 = SAMARA_SIMON_Z3;
static const uint64_t simon_z4 = SAMARA_SIMON_Z4;

/* Word sizes, key words, rounds and sequence of the ten sizes (paper, table
 * 3.1). */

#define SAMARA_CIPHER simon32_64
#define SAMARA_CIPHER_WORD uint16_t
#define SAMARA_CIPHER_WORD_BITS 16
#define SAMARA_CIPHER_KEY_WORDS 4
#define SAMARA_CIPHER_ROUNDS 32
#define SAMARA_SEQUENCE simon_z0
#include "block/simon_template.h"

#define SAMARA_CIPHER simon48_72
#define SAMARA_CIPHER_WORD uint32_t
#define SAMARA_CIPHER_WORD_BITS 24
#define SAMARA_CIPHER_KEY_WORDS 3
#define SAMARA_CIPHER_ROUNDS 36
#define SAMARA_SEQUENCE simon_z0
#include "block/simon_template.h"

#define SAMARA_CIPHER simon48_96
#define SAMARA_CIPHER_WORD uint32_t
#define SAMARA_CIPHER_WORD_BITS 24
#define SAMARA_CIPHER_KEY_WORDS 4
#define SAMARA_CIPHER_ROUNDS 36
#define SAMARA_SEQUENCE simon_z1
#include "block/simon_template.h"

#define SAMARA_CIPHER simon64_96
#define SAMARA_CIPHER_WORD uint32_t
#define SAMARA_CIPHER_WORD_BITS 32
#define SAMARA_CIPHER_KEY_WORDS 3
#define SAMARA_CIPHER_ROUNDS 42
#define SAMARA_SEQUENCE simon_z2
#include "block/simon_template.h"

#define SAMARA_CIPHER simon64_128
#define SAMARA_CIPHER_WORD uint32_t
#define SAMARA_CIPHER_WORD_BITS 32
#define SAMARA_CIPHER_KEY_WORDS 4
#define SAMARA_CIPHER_ROUNDS 44
#define SAMARA_SEQUENCE simon_z3
#include "block/simon_template.h"

#define SAMARA_CIPHER simon96_96
#define SAMARA_CIPHER_WORD uint64_t
#define SAMARA_CIPHER_WORD_BITS 48
#define SAMARA_CIPHER_KEY_WORDS 2
#define SAMARA_CIPHER_ROUNDS 52
#define SAMARA_SEQUENCE simon_z2
#include "block/simon_template.h"

#define SAMARA_CIPHER simon96_144
#define SAMARA_CIPHER_WORD uint64_t
#define SAMARA_CIPHER_WORD_BITS 48
#define SAMARA_CIPHER_KEY_WORDS 3
#define SAMARA_CIPHER_ROUNDS 54
#define SAMARA_SEQUENCE simon_z3
#include "block/simon_template.h"

#define SAMARA_CIPHER simon128_128
#define SAMARA_CIPHER_WORD uint64_t
#define SAMARA_CIPHER_WORD_BITS 64
#define SAMARA_CIPHER_KEY_WORDS 2
#define SAMARA_CIPHER_ROUNDS 68
#define SAMARA_SEQUENCE simon_z2
#include "block/simon_template.h"

#define SAMARA_CIPHER simon128_192
#define SAMARA_CIPHER_WORD uint64_t
#define SAMARA_CIPHER_WORD_BITS 64
#define SAMARA_CIPHER_KEY_WORDS 3
#define SAMARA_CIPHER_ROUNDS 69
#define SAMARA_SEQUENCE simon_z3
#include "block/simon_template.h"

#define SAMARA_CIPHER simon128_256
#define SAMARA_CIPHER_WORD uint64_t
#define SAMARA_CIPHER_WORD_BITS 64
#define SAMARA_CIPHER_KEY_WORDS 4
#define SAMARA_CIPHER_ROUNDS 72
#define SAMARA_SEQUENCE simon_z4
#include "block/simon_template.h"
