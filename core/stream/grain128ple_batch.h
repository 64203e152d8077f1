/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_STREAM_GRAIN128PLE_BATCH_H
#define SAMARA_STREAM_GRAIN128PLE_BATCH_H

/* samara_grain128ple_keystream_batch with the width of the lanes said: what the
 * tests compare. */

#include "stream/grain128_lanes.h"
#include <samara/grain128ple.h>

#if SAMARA_WORD_BITS == 64

void samara_grain128ple_batch_width(const grain128_width *width,
                                    const samara_batch_keystream *streams,
                                    size_t count);

#endif

#endif
