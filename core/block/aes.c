/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/aes.h>

#include "block/aes_rounds.h"
#include "mode/names.h"
#include <samara/memory.h>

/* Words of 32 bits hold the bits of two blocks (mode/names.h). */
#if SAMARA_WORD_BITS == 32 && !SAMARA_AES_TABLES
#define SAMARA_CIPHER_ENCRYPTS_PAIRS
#endif

#define SAMARA_CIPHER aes128
#define SAMARA_CIPHER_KEY_WORDS 4
#include "block/aes_template.h"

#define SAMARA_CIPHER aes192
#define SAMARA_CIPHER_KEY_WORDS 6
#include "block/aes_template.h"

#define SAMARA_CIPHER aes256
#define SAMARA_CIPHER_KEY_WORDS 8
#include "block/aes_template.h"

#undef SAMARA_CIPHER_ENCRYPTS_PAIRS
#undef SAMARA_CIPHER_CTR
#undef SAMARA_CIPHER_CCM
#undef SAMARA_CIPHER_BATCH
#undef SAMARA_CIPHER_GCM_SEAL
#undef SAMARA_CIPHER_GCM_SHORT
