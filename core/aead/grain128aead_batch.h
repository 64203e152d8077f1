/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_AEAD_GRAIN128AEAD_BATCH_H
#define SAMARA_AEAD_GRAIN128AEAD_BATCH_H

/* The batch calls of samara/grain128aead.h, with the width of the lanes said:
 * what the tests compare. */

#include "stream/grain128_lanes.h"
#include <samara/grain128aead.h>

#if SAMARA_WORD_BITS == 64

SAMARA_MUST_CHECK samara_result samara_grain128aead_batch_width(
    const grain128_width *width, samara_batch_message *messages, size_t count,
    bool opening);

#endif

#endif
