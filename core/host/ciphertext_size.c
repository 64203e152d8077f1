/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/suite.h>

size_t samara_suite_ciphertext_size(const samara_suite *suite,
                                    size_t message_size) {
  if (suite->padding_size == 0) {
    return message_size;
  }
  if (message_size > SIZE_MAX - suite->padding_size) {
    return 0;
  }
  return (message_size / suite->padding_size + 1) * suite->padding_size;
}
