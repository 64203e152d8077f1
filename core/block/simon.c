/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/simon.h>

/* The constant sequences of the key schedule (paper, section 3.3): periods of
 * 62 bits, bit i of a number being z_j[i]. */
static const uint64_t simon_z0 = 0x19c3522fb386a45f;
static const uint64_t simon_z1 = 0x16864fb8ad0c9f71;
static const uint64_t simon_z2 = 0x3369f885192c0ef5;
static const uint64_t simon_z3 = 0x3c2ce51207a635db;
static const uint64_t simon_z4 = 0x3dc94c3a046d678b;

/* Word sizes, key words, rounds and sequence of the ten sizes (paper, table
 * 3.1). */

#define SAMARA_CIPHER simon32_64
#define WORD uint16_t
#define WORD_BITS 16
#define KEY_WORDS 4
#define ROUNDS 32
#define SEQUENCE simon_z0
#include "block/simon_template.h"

#define SAMARA_CIPHER simon48_72
#define WORD uint32_t
#define WORD_BITS 24
#define KEY_WORDS 3
#define ROUNDS 36
#define SEQUENCE simon_z0
#include "block/simon_template.h"

#define SAMARA_CIPHER simon48_96
#define WORD uint32_t
#define WORD_BITS 24
#define KEY_WORDS 4
#define ROUNDS 36
#define SEQUENCE simon_z1
#include "block/simon_template.h"

#define SAMARA_CIPHER simon64_96
#define WORD uint32_t
#define WORD_BITS 32
#define KEY_WORDS 3
#define ROUNDS 42
#define SEQUENCE simon_z2
#include "block/simon_template.h"

#define SAMARA_CIPHER simon64_128
#define WORD uint32_t
#define WORD_BITS 32
#define KEY_WORDS 4
#define ROUNDS 44
#define SEQUENCE simon_z3
#include "block/simon_template.h"

#define SAMARA_CIPHER simon96_96
#define WORD uint64_t
#define WORD_BITS 48
#define KEY_WORDS 2
#define ROUNDS 52
#define SEQUENCE simon_z2
#include "block/simon_template.h"

#define SAMARA_CIPHER simon96_144
#define WORD uint64_t
#define WORD_BITS 48
#define KEY_WORDS 3
#define ROUNDS 54
#define SEQUENCE simon_z3
#include "block/simon_template.h"

#define SAMARA_CIPHER simon128_128
#define WORD uint64_t
#define WORD_BITS 64
#define KEY_WORDS 2
#define ROUNDS 68
#define SEQUENCE simon_z2
#include "block/simon_template.h"

#define SAMARA_CIPHER simon128_192
#define WORD uint64_t
#define WORD_BITS 64
#define KEY_WORDS 3
#define ROUNDS 69
#define SEQUENCE simon_z3
#include "block/simon_template.h"

#define SAMARA_CIPHER simon128_256
#define WORD uint64_t
#define WORD_BITS 64
#define KEY_WORDS 4
#define ROUNDS 72
#define SEQUENCE simon_z4
#include "block/simon_template.h"
