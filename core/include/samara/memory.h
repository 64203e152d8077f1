/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_MEMORY_H
#define SAMARA_MEMORY_H

/* Memory that holds secrets: wipe it, compare it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Overwrites `size` bytes with zeros in a way that the compiler keeps, even
 * when the memory is never read again. */
void samara_wipe(void *memory, size_t size);

/* Whether two buffers hold the same bytes. The time does not depend on where
 * they differ. Use it for tags and keys: the time of memcmp would tell how many
 * leading bytes are right. */
bool samara_equal(const void *left, const void *right, size_t size);

#ifdef __cplusplus
}
#endif

#endif
