/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_RESULT_H
#define SAMARA_RESULT_H

/* The results of samara's functions.
 *
 * 0 is success; every other code is negative and says what was wrong. The
 * result of a function that can fail must be checked: the compiler warns when
 * it is not. On failure the outputs hold zeros or are untouched; they never
 * hold a part of an unverified message.
 *
 * A wrong tag, a wrong key and wrong padding all give
 * SAMARA_ERROR_AUTHENTICATION: the reason is not told, since it would help an
 * attacker. */

/* The order of the arguments, in every call of every header here:
 *
 *   1. what the call works with: a key, or a state (of a suite: suite, key)
 *   2. what it writes: ciphertext or message
 *   3. the tag: written by seal, read by open, in the same place
 *   4. what goes with the message: nonce, then associated data
 *   5. what it reads: message or ciphertext
 *
 * A pointer is followed by its size where the size is not fixed. A call that
 * works in place has no 2; its text is 5. A key comes first whether it is 16
 * bytes or expanded, so that a cipher with a key schedule and one without are
 * called alike; the output comes before the input, as in memcpy. seal and open
 * of a cipher differ in what is const and in nothing else. */

/* Pointers, in every call of every header here: where the number of bytes (or
 * blocks, bits, values, messages) is 0, the pointer to them may be NULL, also
 * that of the output. Any other pointer must be valid, and may have any
 * alignment unless its type or its header says otherwise. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) || defined(__clang__)
#define SAMARA_MUST_CHECK __attribute__((warn_unused_result))
#else
#define SAMARA_MUST_CHECK
#endif

typedef enum samara_result {
  SAMARA_OK = 0,
  /* The tag (or the padding, where there is no tag) is wrong. */
  SAMARA_ERROR_AUTHENTICATION = -1,
  /* The nonce is shorter or longer than the mode takes. */
  SAMARA_ERROR_NONCE_SIZE = -2,
  /* The mode has no tag of this length. */
  SAMARA_ERROR_TAG_SIZE = -3,
  /* The message is longer than the mode may carry under one nonce. */
  SAMARA_ERROR_MESSAGE_SIZE = -4,
  /* The associated data is longer than the mode may carry, or the mode does
   * not authenticate and was given some. */
  SAMARA_ERROR_ASSOCIATED_DATA_SIZE = -5,
  /* The ciphertext has a length that no message gives. */
  SAMARA_ERROR_CIPHERTEXT_SIZE = -6,
  /* Input and output overlap without being the same buffer. */
  SAMARA_ERROR_OVERLAP = -7,
  /* A streaming call came out of order: after finish, or after a failure. */
  SAMARA_ERROR_STATE = -8,
  /* The counter is at its end: another message would repeat a nonce. */
  SAMARA_ERROR_COUNTER = -9
} samara_result;

/* One English sentence for a result, without a full stop; never NULL. */
const char *samara_result_text(samara_result result);

#ifdef __cplusplus
}
#endif

#endif
