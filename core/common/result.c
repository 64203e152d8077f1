/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/result.h>

const char *samara_result_text(samara_result result) {
  switch (result) {
  case SAMARA_OK:
    return "done";
  case SAMARA_ERROR_AUTHENTICATION:
    return "the message is not genuine, or the key is wrong";
  case SAMARA_ERROR_NONCE_SIZE:
    return "the nonce has a length that the mode does not accept";
  case SAMARA_ERROR_TAG_SIZE:
    return "the tag has a length that the mode does not accept";
  case SAMARA_ERROR_MESSAGE_SIZE:
    return "the message is too long for this mode and nonce size";
  case SAMARA_ERROR_ASSOCIATED_DATA_SIZE:
    return "the associated data is too long, or the mode does not authenticate";
  case SAMARA_ERROR_CIPHERTEXT_SIZE:
    return "no message has a ciphertext of this length";
  case SAMARA_ERROR_OVERLAP:
    return "input and output overlap without being the same buffer";
  case SAMARA_ERROR_STATE:
    return "a call for a message in pieces is out of order";
  case SAMARA_ERROR_COUNTER:
    return "the counter is at its end: use a new key";
  }
  return "not a result of samara";
}
