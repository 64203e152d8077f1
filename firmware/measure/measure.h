/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MEASURE_H
#define MEASURE_H

/* The program that is run on a simulated device to measure one cipher.
 *
 * The host lets the program run to `measure_ready`, writes a job into
 * measure_job_now, lets it run on to the operation's start mark and from there
 * to its stop mark, counting cycles and stack, and reads the answer from
 * memory. Then the program is at `measure_ready` again.
 *
 * A mark is a label: no instruction, so it costs nothing that would have to be
 * subtracted, and it needs no I/O register, which not all chips have to spare.
 * Arguments are read from the job before the start mark; passing them is part
 * of the call and is counted, as it is where the cipher is used.
 *
 * The buffers that a job points to lie behind the static memory, where the host
 * puts them: so one image serves messages of all sizes. */

#include <stddef.h>
#include <stdint.h>

enum { MEASURE_SET_UP = 1, MEASURE_SEAL = 2, MEASURE_OPEN = 3 };

/* Every field is one word, so that the host can write them as an array. */
typedef struct measure_job {
  uintptr_t operation;
  uint8_t *key;
  uint8_t *nonce;
  uintptr_t nonce_size;
  uint8_t *associated_data;
  uintptr_t associated_data_size;
  uint8_t *input;
  uintptr_t input_size;
  uint8_t *output; /* may be the input, where the cipher allows it */
  uint8_t *tag;
  uintptr_t tag_size;
  uint8_t *scratch;      /* room for what is written on the way, where it is */
  uintptr_t output_size; /* answer, of ciphers that tell it */
  uintptr_t result;      /* answer: 0 for success */
} measure_job;

extern measure_job measure_job_now;

#ifdef MEASURE_ON_BOARD
#include "board_marks.h"
#else

#define MEASURE_MARK(name)                                                     \
  __asm__ __volatile__(".global measure_" #name "\nmeasure_" #name ":" ::      \
                           : "memory")

/* Around the call alone. Each name is used once: the assembler refuses a
 * compiler that would duplicate it. */
#define MEASURE_START(operation) MEASURE_MARK(start_##operation)
#define MEASURE_STOP(operation) MEASURE_MARK(stop_##operation)

#endif

/* One of ciphers/ is linked. What a cipher has no use for does nothing between
 * its marks. */
void measure_set_up(measure_job *job);
void measure_seal(measure_job *job);
void measure_open(measure_job *job);

/* Stands for every function of the cipher in the image that the code size is
 * compared with. */
int measure_nothing(void);

/* MEASURE_NAME(encrypt) is samara_aes128_encrypt where MEASURE_CIPHER is
 * aes128. */
#define MEASURE_JOIN_(a, b, c) a##b##c
#define MEASURE_JOIN(a, b, c) MEASURE_JOIN_(a, b, c)
#define MEASURE_NAME(word) MEASURE_JOIN(samara_, MEASURE_CIPHER, _##word)

#endif
