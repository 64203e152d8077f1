/* SPDX-License-Identifier: Apache-2.0 */
/* An authenticated mode of a block cipher: GCM, CCM or CCM*, as the macro says.
 * The tag's size is part of the job, so that one image of CCM serves them
 * all. */

#include "keyed.h"

#if defined(MEASURE_GCM)
#define MODE(verb) MEASURE_NAME(gcm_##verb)
#define TAG tag
#define NONCE nonce, nonce_size
#elif defined(MEASURE_CCM)
#define MODE(verb) MEASURE_NAME(ccm_##verb)
#define TAG tag, tag_size
#define NONCE nonce, nonce_size
#elif defined(MEASURE_CCM_STAR)
#define MODE(verb) MEASURE_NAME(ccm_star_##verb)
#define TAG tag, tag_size
#define NONCE nonce
#endif

#define MEASURE_MODE(verb)                                                     \
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
    (void)nonce_size, (void)tag_size;                                          \
    MEASURE_START(verb);                                                       \
    const samara_result result =                                               \
        MODE(verb)(&measure_state, output, TAG, NONCE, data, data_size, input, \
                   input_size);                                                \
    MEASURE_STOP(verb);                                                        \
    job->result = (uintptr_t)result;                                           \
  }

MEASURE_MODE(seal)
MEASURE_MODE(open)
