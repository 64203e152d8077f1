/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_ARCH_X86_64_WORDS_H
#define SAMARA_ARCH_X86_64_WORDS_H

/* Batches of Speck, ModSpeck and Simon with words of 64 bits. */

#include "arch/x86_64/lanes_call.h"

#if SAMARA_ARCH_X86_64

/* Works on the messages of a batch in CCM or CTR, each with its own key, and
 * fills in results and sizes; false, and no output written, when they are
 * better handled one by one: few messages, no AVX2, counters of CTR that carry
 * out of their lower half. Leaves nothing of secrets in the registers that
 * samara_leave does not clear, and wipes the stack below. */
bool samara_words_x86_64_batch(const samara_lanes_call *call,
                               samara_batch_message *messages, size_t count);

#endif

#endif
