/* SPDX-License-Identifier: Apache-2.0 */
/* CCM, or CCM* where MEASURE_STAR is defined. The tag's size is part of the
 * job, so that one image serves them all. */

#include "measure.h"
#include <samara/samara.h>

#ifdef MEASURE_STAR
#define CCM(verb, ...) NAME(ccm_star_##verb)(__VA_ARGS__)
#define NONCE nonce
#else
#define CCM(verb, ...) NAME(ccm_##verb)(__VA_ARGS__)
#define NONCE nonce, nonce_size
#endif

NAME(key) measure_state;

void measure_set_up(measure_job *job) {
  const uint8_t *key = job->key;
  MEASURE_START(set_up);
  NAME(set_key)(&measure_state, key);
  MEASURE_STOP(set_up);
}

#define MEASURE_CCM(verb)                                                      \
  void measure_##verb(measure_job *job) {                                      \
    const uint8_t *nonce = job->nonce;                                         \
    const size_t nonce_size = job->nonce_size;                                 \
    const uint8_t *data = job->associated_data;                                \
    const size_t data_size = job->associated_data_size;                        \
    const uint8_t *input = job->input;                                         \
    const size_t input_size = job->input_size;                                 \
    uint8_t *output = job->output;                                             \
    uint8_t *tag = job->tag;                                                   \
    const size_t tag_size = job->tag_size;                                     \
    (void)nonce_size;                                                          \
    MEASURE_START(verb);                                                       \
    const samara_result result =                                               \
        CCM(verb, &measure_state, output, tag, tag_size, NONCE, data,          \
            data_size, input, input_size);                                     \
    MEASURE_STOP(verb);                                                        \
    job->result = (uintptr_t)result;                                           \
  }

MEASURE_CCM(seal)
MEASURE_CCM(open)
