/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MEASURE_CCM_PHASES_H
#define MEASURE_CCM_PHASES_H

/* CCM* cut into the transformations of IEEE 802.15.4, annex B.4, so that each
 * can be timed alone. AuthData is written out in memory, as a program does that
 * takes the standard by the letter; the library's own call goes without it. */

#include "measure.h"
#include "mode/ccm_format.h"
#include <samara/samara.h>

/* CCM-1, input transformation (B.4.1.1): writes AuthData: the length of the
 * associated data, the associated data and the message, padded with zeros. */
SAMARA_MUST_CHECK samara_result
samara_phases_transform(uint8_t *auth_data, size_t *auth_data_size,
                        const samara_ccm_input *input, const uint8_t *message);

/* CCM-2, authentication transformation (B.4.1.2): the CBC-MAC over B_0 and
 * AuthData. */
void samara_phases_authenticate(const MEASURE_NAME(key) * key, uint8_t mac[16],
                                const samara_ccm_input *input,
                                const uint8_t *auth_data,
                                size_t auth_data_size);

/* CCM-3, encryption transformation (B.4.1.3), or decryption (B.4.2.1): of the
 * message with A_1, A_2 and so on, of the tag with A_0. */
SAMARA_MUST_CHECK samara_result samara_phases_crypt(
    const MEASURE_NAME(key) * key, uint8_t *output, uint8_t tag[16],
    const samara_ccm_input *input, const uint8_t *from);

/* Authentication checking (B.4.2.2), after the input transformation: CCM-2 and
 * a comparison; the message is wiped when the tag is another. */
SAMARA_MUST_CHECK samara_result
samara_phases_verify(const MEASURE_NAME(key) * key, const uint8_t tag[16],
                     const samara_ccm_input *input, const uint8_t *auth_data,
                     size_t auth_data_size, uint8_t *message);

#endif
