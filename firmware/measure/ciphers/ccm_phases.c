/* SPDX-License-Identifier: Apache-2.0 */
/* CCM* with marks between its transformations. A mark is named after the one
 * that it begins. */

#include "ccm_phases.h"

#include "keyed.h"

#define INPUT(job)                                                             \
  {(job)->nonce,           (job)->nonce_size,                                  \
   (job)->associated_data, (job)->associated_data_size,                        \
   (job)->input_size,      (job)->tag_size}

void measure_seal(measure_job *job) {
  const samara_ccm_input input = INPUT(job);
  uint8_t *message = job->input;
  uint8_t *tag = job->tag;
  uint8_t *auth_data = job->scratch;
  size_t auth_data_size = 0;
  MEASURE_START(seal);
  const samara_result transformed =
      samara_phases_transform(auth_data, &auth_data_size, &input, message);
  MEASURE_MARK(authentication);
  samara_phases_authenticate(&measure_state, tag, &input, auth_data,
                             auth_data_size);
  MEASURE_MARK(encryption);
  const samara_result encrypted =
      samara_phases_crypt(&measure_state, message, tag, &input, message);
  MEASURE_STOP(seal);
  job->result = transformed != SAMARA_OK || encrypted != SAMARA_OK;
}

void measure_open(measure_job *job) {
  const samara_ccm_input input = INPUT(job);
  uint8_t *message = job->input;
  uint8_t *tag = job->tag;
  uint8_t *auth_data = job->scratch;
  size_t auth_data_size = 0;
  MEASURE_START(open);
  const samara_result decrypted =
      samara_phases_crypt(&measure_state, message, tag, &input, message);
  MEASURE_MARK(inverse_input_transformation);
  const samara_result transformed =
      samara_phases_transform(auth_data, &auth_data_size, &input, message);
  MEASURE_MARK(verification);
  const samara_result verified = samara_phases_verify(
      &measure_state, tag, &input, auth_data, auth_data_size, message);
  MEASURE_STOP(open);
  job->result = decrypted != SAMARA_OK || transformed != SAMARA_OK ||
                verified != SAMARA_OK;
}
