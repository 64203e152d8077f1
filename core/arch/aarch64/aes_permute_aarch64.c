/* SPDX-License-Identifier: Apache-2.0 */
#include "block/aes_rounds.h"
#include "common/wiped.h"

#if SAMARA_ARCH_AARCH64

#include "arch/aarch64/permute.h"

#include "block/aes_permute_template.h"

#endif
