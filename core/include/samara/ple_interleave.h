/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_PLE_INTERLEAVE_H
#define SAMARA_PLE_INTERLEAVE_H

/* The order in which the coded bits of a frame are sent.
 *
 * A pulse of interference hits bits that follow one another on the air. A
 * convolutional code corrects many errors that are far apart, and few that are
 * close. So the bits of a frame are sent in another order: coded bit i, of
 * `count`, goes to place
 *
 *     i * stride mod count
 *
 * where stride is the first number from floor(count * 40503 / 65536) on that
 * has no factor in common with count. 40503 / 65536 is the golden section: of
 * the frames that exist (108 coded bits and more), bits from a run of n places
 * are at least 0.3 count / n coded bits apart, for runs of up to a quarter of
 * the frame.
 *
 * The order is public, adds no bits, and is the last step of a transmitter
 * before its modulator, after the encryption. A receiver undoes it first;
 * samara_ple_sync_search and samara_ple_sync_scan do so by themselves. */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  /* What a frame is on the air. 1: bits in the order of the code. 2: in the
   * order above. It is not sent; both ends must have the same. */
  samara_ple_air_version = 2
};

/* The stride of frames with `count` coded bits; 1 for 0 or 1 of them. */
uint32_t samara_ple_stride(uint32_t count);

/* The place after `place`, which is that of the next coded bit. */
static inline uint32_t samara_ple_next_place(uint32_t place, uint32_t stride,
                                             uint32_t count) {
  return place < count - stride ? place + stride : place - (count - stride);
}

#ifdef __cplusplus
}
#endif

#endif
