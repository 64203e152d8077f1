/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_AEAD_H
#define SAMARA_AEAD_H

/* An authenticated cipher as a value, for code that is to work with any of
 * them: an application names one, and a device links that one alone.
 *
 *   samara_aes128_ccm_aead, samara_speck128_128_ccm_aead, ...   mode CCM
 *   samara_aes128_gcm_aead, ...                                 mode GCM
 *   samara_grain128aead_aead, samara_ascon_aead128_aead
 *
 * The nonce has 12 bytes for all of them, so that a message is numbered in one
 * way whatever seals it: CCM, GCM and Grain take them as they are, Ascon with
 * four zeros behind them. A tag may be shorter than a cipher's own: CCM has it
 * in its format, the others take the first bytes. GCM gives none below 12,
 * because a short one also tells about its key (SP 800-38D, appendix C). */

#include <samara/result.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { samara_aead_nonce_size = 12, samara_aead_tag_size_max = 16 };

typedef struct samara_aead {
  uint32_t tag_sizes;  /* bit n is set when a tag may have n bytes */
  uint16_t state_size; /* bytes of an expanded key, aligned as for uint64_t */
  uint8_t key_size;    /* bytes */
  /* Before seal and open, which do not notice a state that was never set, or
   * was wiped: see block.h. */
  void (*set_key)(void *state, const uint8_t *key);
  /* SAMARA_ERROR_TAG_SIZE, SAMARA_ERROR_MESSAGE_SIZE, SAMARA_ERROR_OVERLAP as
   * the cipher's own header says; input and output may be the same buffer. */
  samara_result (*seal)(const void *state, uint8_t *ciphertext, uint8_t *tag,
                        size_t tag_size,
                        const uint8_t nonce[samara_aead_nonce_size],
                        const uint8_t *associated_data,
                        size_t associated_data_size, const uint8_t *message,
                        size_t message_size);
  /* On SAMARA_ERROR_AUTHENTICATION the message is zeros. */
  samara_result (*open)(const void *state, uint8_t *message, const uint8_t *tag,
                        size_t tag_size,
                        const uint8_t nonce[samara_aead_nonce_size],
                        const uint8_t *associated_data,
                        size_t associated_data_size, const uint8_t *ciphertext,
                        size_t ciphertext_size);
} samara_aead;

/* Grain-128AEADv2: tags of 4 to 8 bytes; the state is the key itself. */
extern const samara_aead samara_grain128aead_aead;

/* Ascon-AEAD128: tags of 4 to 16 bytes; the state is the key itself. */
extern const samara_aead samara_ascon_aead128_aead;

/* CCM over a cipher: tags of 4, 6, 8, 10, 12, 14 or 16 bytes. */
#define SAMARA_DECLARE_CCM_AEAD(cipher)                                        \
  extern const samara_aead samara_##cipher##_ccm_aead;

/* GCM: tags of 12 to 16 bytes. */
#define SAMARA_DECLARE_GCM_AEAD(cipher)                                        \
  extern const samara_aead samara_##cipher##_gcm_aead;

#ifdef __cplusplus
}
#endif

#endif
