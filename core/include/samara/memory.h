/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_MEMORY_H
#define SAMARA_MEMORY_H

/* Memory that holds secrets: wiping it and comparing it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Overwrites `size` bytes with zeros in a way that the compiler keeps, even
 * when the memory is never read again. */
void samara_wipe(void *memory, size_t size);

/* Whether two buffers hold the same bytes. Takes the same time wherever they
 * differ: use it for tags and keys, where memcmp would tell how many leading
 * bytes were right. */
bool samara_equal(const void *left, const void *right, size_t size);

#ifdef __cplusplus
}
#endif

#endif
