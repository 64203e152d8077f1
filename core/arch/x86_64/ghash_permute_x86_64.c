/* SPDX-License-Identifier: Apache-2.0 */
#include "mode/ghash.h"

#if SAMARA_ARCH_X86_64

#include "arch/x86_64/permute.h"

#include "mode/ghash_permute_template.h"

#endif
