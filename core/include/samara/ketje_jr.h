/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_KETJE_JR_H
#define SAMARA_KETJE_JR_H

/* Ketje Jr version 2 (Bertoni, Daemen, Peeters, Van Assche and Van Keer, third
 * round of CAESAR): authenticated encryption with Keccak-p*[200]. RESEARCH: it
 * is here to be compared. Version 1 gives other answers.
 *
 * The calls of aead.h have the sizes of the submission: a key of 12 bytes, a
 * nonce of 10 and a tag of 12. The nonce is too short for frames of IEEE
 * 802.15.4 and for samara_aead, so there is neither.
 *
 * A sponge with a state of 25 bytes, of which 2 take in data: a nonce used
 * twice, or a message released before its tag is checked, may give away the
 * state. 96 bits of security with a key of 12 bytes or more. */

#include <samara/aead.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  samara_ketje_jr_key_size = 12,
  samara_ketje_jr_nonce_size = 10,
  samara_ketje_jr_tag_size = 12,
  samara_ketje_jr_tag_size_min = 4,
  samara_ketje_jr_session_tag_size_max = 32,
  samara_ketje_jr_key_and_nonce_size_max = 22
};

SAMARA_DECLARE_AEAD_CALLS(ketje_jr)

/* A session: messages one after the other under one nonce. The tag of each
 * authenticates all before it, so both ends must handle all of them, in order.
 * Plain memory without pointers. */
typedef struct samara_ketje_jr {
  uint8_t lanes[25];
  uint8_t begun; /* 0: nothing may be called but init */
} samara_ketje_jr;

/* Begins a session. Key and nonce may have any sizes that together are no more
 * than 22 bytes, else SAMARA_ERROR_NONCE_SIZE. The nonce may be empty when the
 * key is used for one session only. */
SAMARA_MUST_CHECK samara_result samara_ketje_jr_init(samara_ketje_jr *session,
                                                     const uint8_t *key,
                                                     size_t key_size,
                                                     const uint8_t *nonce,
                                                     size_t nonce_size);

/* Seals the next message (`wrap` of the specification). The tag has 4 to 32
 * bytes, or 0 for a message that only the tags of later ones authenticate, else
 * SAMARA_ERROR_TAG_SIZE. Each message may have another size, but the same at
 * both ends: the next messages depend on it. SAMARA_ERROR_OVERLAP as in aead.h;
 * SAMARA_ERROR_STATE before init and after a failed open. A call that is
 * refused leaves the session as it was. */
SAMARA_MUST_CHECK samara_result samara_ketje_jr_seal_next(
    samara_ketje_jr *session, uint8_t *ciphertext, uint8_t *tag,
    size_t tag_size, const uint8_t *associated_data,
    size_t associated_data_size, const uint8_t *message, size_t message_size);

/* Opens the next message. On SAMARA_ERROR_AUTHENTICATION the message is zeros
 * and the session is over: it is wiped. The other errors are those of
 * samara_ketje_jr_seal_next. */
SAMARA_MUST_CHECK samara_result samara_ketje_jr_open_next(
    samara_ketje_jr *session, uint8_t *message, const uint8_t *tag,
    size_t tag_size, const uint8_t *associated_data,
    size_t associated_data_size, const uint8_t *ciphertext,
    size_t ciphertext_size);

/* Wipes a session. */
void samara_ketje_jr_wipe(samara_ketje_jr *session);

#ifdef __cplusplus
}
#endif

#endif
