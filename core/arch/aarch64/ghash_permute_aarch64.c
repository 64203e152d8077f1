/* SPDX-License-Identifier: Apache-2.0 */
#include "arch/aarch64/permute.h"
#include "common/bytes.h"
#include "common/wiped.h"
#include "mode/ghash.h"

#if SAMARA_ARCH_AARCH64
#include "mode/ghash_permute_template.h"
#endif
