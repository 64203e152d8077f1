/* SPDX-License-Identifier: Apache-2.0 */
#include "arch/x86_64/permute.h"
#include "block/aes_permute_tables.h"
#include "block/aes_rounds.h"
#include "block/aes_words.h"
#include "common/wiped.h"
#include "mode/counter.h"

#if SAMARA_ARCH_X86_64
#include "block/aes_permute_template.h"
#endif
