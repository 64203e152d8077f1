/* SPDX-License-Identifier: Apache-2.0 */
#include "arch/x86_64/permute.h"
#include "common/bytes.h"
#include "common/wiped.h"
#include "mode/ghash.h"

#if SAMARA_ARCH_X86_64
#include "mode/ghash_permute_template.h"
#endif
