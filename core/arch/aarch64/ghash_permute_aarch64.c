/* SPDX-License-Identifier: Apache-2.0 */
#include "mode/ghash.h"

#if SAMARA_ARCH_AARCH64

#include "arch/aarch64/permute.h"

#include "mode/ghash_permute_template.h"

#endif
