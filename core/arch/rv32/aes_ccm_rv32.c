/* SPDX-License-Identifier: Apache-2.0 */
#include "block/aes_rounds.h"

#if SAMARA_ARCH_RV32

#define LANES_ALIGNED _Alignas(uint32_t)
#include "block/aes_lanes_template.h"

#endif
