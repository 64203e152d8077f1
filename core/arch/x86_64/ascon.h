/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_ARCH_X86_64_ASCON_H
#define SAMARA_ARCH_X86_64_ASCON_H

#include "arch/x86_64/cpu.h"
#include <samara/batch.h>
#include <stdbool.h>

#if SAMARA_ARCH_X86_64

/* Works on the messages of a batch of Ascon-AEAD128, each with its own key, and
 * fills in results and sizes; false, and nothing written, for fewer messages
 * than pay or on a processor without AVX2. Leaves nothing of secrets in the
 * registers that samara_leave does not clear, and wipes the stack below. */
bool samara_ascon_x86_64_batch(samara_batch_message *messages, size_t count,
                               bool opening);

#endif

#endif
