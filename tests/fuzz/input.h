/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_TESTS_FUZZ_INPUT_H
#define SAMARA_TESTS_FUZZ_INPUT_H

/* Cuts the fuzzer's bytes into arguments. Each cut is copied to memory of its
 * own exact size, so that the address sanitizer sees a step past its end. */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct fuzz_input {
  const uint8_t *bytes;
  size_t size;
} fuzz_input;

/* The entry points that libFuzzer calls: with each input, and once before the
 * first, which a target need not have. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerInitialize(int *count, char ***arguments);

static inline uint8_t *fuzz_allocate(size_t size) {
  uint8_t *memory = malloc(size == 0 ? 1 : size);
  if (memory == NULL) {
    abort();
  }
  return memory;
}

/* The next byte, or 0 when there is none. */
static inline uint8_t fuzz_byte(fuzz_input *input) {
  if (input->size == 0) {
    return 0;
  }
  input->size--;
  return *input->bytes++;
}

/* The next `size` bytes, zeros where there are fewer; to be freed. */
static inline uint8_t *fuzz_take(fuzz_input *input, size_t size) {
  uint8_t *taken = fuzz_allocate(size);
  const size_t part = size < input->size ? size : input->size;
  memset(taken, 0, size);
  if (part != 0) {
    memcpy(taken, input->bytes, part);
    input->bytes += part;
    input->size -= part;
  }
  return taken;
}

/* What must hold whatever the input. */
static inline void fuzz_require(int holds) {
  if (!holds) {
    abort();
  }
}

#endif
