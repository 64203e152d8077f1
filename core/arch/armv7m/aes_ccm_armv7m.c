/* SPDX-License-Identifier: Apache-2.0 */
#include "block/aes_rounds.h"

#if SAMARA_ARCH_ARMV7M

#define LANES_ALIGNED
#include "block/aes_lanes_template.h"

#endif
