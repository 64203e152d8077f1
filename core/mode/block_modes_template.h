/* SPDX-License-Identifier: Apache-2.0 */
/* Template: the modes that every cipher of 128-bit blocks has, made of its
 * encrypt and decrypt alone, and batches of CCM and CTR. SAMARA_CIPHER is
 * undefined at the end. */

#include "mode/names.h"

SAMARA_BLOCKS_ONE_BY_ONE

#include "mode/cbc_template.h"
#include "mode/ctr_template.h"
/* CCM is made of CTR. */
#include "mode/ccm_template.h"
#include "mode/frame_template.h"

#include "mode/batch_template.h"

#undef SAMARA_CIPHER
