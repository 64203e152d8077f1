/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_COMMON_OVERLAP_H
#define SAMARA_COMMON_OVERLAP_H

#include "common/machine.h"
#include <stdbool.h>

/* Whether two buffers overlap without being the same: then output would
 * overwrite input that is not yet read. */
SAMARA_INLINE bool samara_overlaps(const uint8_t *output, size_t output_size,
                                   const uint8_t *input, size_t input_size) {
  const uintptr_t out = (uintptr_t)output;
  const uintptr_t in = (uintptr_t)input;
  return out < in ? in - out < output_size : out != in && out - in < input_size;
}

/* Whether two buffers have a byte in common: output that does not keep step
 * with its input must not even be the same buffer. */
SAMARA_INLINE bool samara_touches(const uint8_t *output, size_t output_size,
                                  const uint8_t *input, size_t input_size) {
  return output_size != 0 && input_size != 0 &&
         (output == input ||
          samara_overlaps(output, output_size, input, input_size));
}

#endif
