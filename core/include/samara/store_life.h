/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_STORE_LIFE_H
#define SAMARA_STORE_LIFE_H

/* How many years a ring of a store lasts: what `samara energy store` computes,
 * for a device that tells it itself or a test of a firmware's settings. */

#include <samara/store.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whole years, rounded down, until each slot of a ring that is valid has been
 * written (or its page erased) `endurance` times, which is in the data sheet of
 * the memory.
 *
 * A counter writes one record in `step` messages and one after each reset; a
 * reset that cuts a write costs one more, so count it twice. A ring with a
 * payload writes one record for each message, which is a change of its value.
 * There are never more records than messages.
 *
 * UINT64_MAX when nothing is written. How many years a memory keeps its content
 * is another limit, which the data sheet states apart. */
uint64_t samara_store_years(const samara_store_ring *ring, uint32_t endurance,
                            uint32_t messages_per_year,
                            uint32_t resets_per_year);

#ifdef __cplusplus
}
#endif

#endif
