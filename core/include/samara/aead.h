/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_AEAD_H
#define SAMARA_AEAD_H

/* Authenticated encryption with associated data (AEAD).
 *
 * A cipher that is an AEAD by itself, called NAME (ascon_aead128, ...), offers
 *
 *   samara_NAME_key_size, samara_NAME_nonce_size    in bytes
 *   samara_NAME_tag_size, samara_NAME_tag_size_min  whole, and shortest but 0
 *
 *   samara_NAME_seal(key, ciphertext, tag, nonce,
 *                    associated_data, associated_data_size,
 *                    message, message_size)
 *     Writes message_size bytes of ciphertext and the whole tag.
 *
 *   samara_NAME_open(key, message, tag, nonce,
 *                    associated_data, associated_data_size,
 *                    ciphertext, ciphertext_size)
 *     Writes ciphertext_size bytes of message when the tag is right. When it is
 *     not: SAMARA_ERROR_AUTHENTICATION, and the bytes are zeros.
 *
 *   samara_NAME_seal_truncated(key, ciphertext, tag, tag_size, nonce, ...)
 *   samara_NAME_open_truncated(key, message, tag, tag_size, nonce, ...)
 *     The same with the first tag_size bytes of the tag alone, for frames that
 *     have no room for more: 0, or tag_size_min to samara_NAME_tag_size, else
 *     SAMARA_ERROR_TAG_SIZE. A tag of n bytes is guessed with one of 2^(8 n)
 *     tries. With tag_size 0 NOTHING is authenticated: open cannot fail for a
 *     changed ciphertext (level 4 of IEEE 802.15.4; use it for nothing else).
 *
 *   samara_NAME_seal_batch(messages, count), samara_NAME_open_batch(...)
 *     Many messages: see batch.h. Each nonce_size must be
 * samara_NAME_nonce_size (SAMARA_ERROR_NONCE_SIZE).
 *
 * Never use a nonce twice under a key. Input and output may be the same buffer;
 * any other overlap of the two answers SAMARA_ERROR_OVERLAP. Tag, nonce and
 * associated data must not overlap the output (not checked).
 *
 * samara_aead is an AEAD as a value, for code that works with any of them: an
 * application names one, and a device links that one alone.
 *
 *   samara_aes128_ccm_aead, samara_speck128_128_ccm_aead, ...   mode CCM
 *   samara_aes128_gcm_aead, ...                                 mode GCM
 *   samara_NAME_aead                                            of a cipher
 * NAME
 *
 * Its nonce has 12 bytes for all of them, so that messages are numbered in one
 * way with every cipher: a cipher with a longer nonce gets zeros behind the 12
 * bytes (Ascon: four). A tag may be shorter than a cipher's own: CCM has it in
 * its format, the others take the first bytes. GCM gives none below 12, because
 * a short one also tells about its key (SP 800-38D, appendix C). */

#include <samara/batch.h>

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

/* The calls of an AEAD by itself, and its samara_aead: tags of tag_size_min to
 * tag_size bytes; the state is the key itself. The sizes come before it. A
 * cipher with a nonce of fewer than 12 bytes has the calls alone. */
#define SAMARA_DECLARE_AEAD(cipher)                                            \
  SAMARA_DECLARE_AEAD_CALLS(cipher)                                            \
  extern const samara_aead samara_##cipher##_aead;

#define SAMARA_DECLARE_AEAD_CALLS(cipher)                                      \
  SAMARA_MUST_CHECK samara_result samara_##cipher##_seal(                      \
      const uint8_t key[samara_##cipher##_key_size], uint8_t *ciphertext,      \
      uint8_t tag[samara_##cipher##_tag_size],                                 \
      const uint8_t nonce[samara_##cipher##_nonce_size],                       \
      const uint8_t *associated_data, size_t associated_data_size,             \
      const uint8_t *message, size_t message_size);                            \
  SAMARA_MUST_CHECK samara_result samara_##cipher##_open(                      \
      const uint8_t key[samara_##cipher##_key_size], uint8_t *message,         \
      const uint8_t tag[samara_##cipher##_tag_size],                           \
      const uint8_t nonce[samara_##cipher##_nonce_size],                       \
      const uint8_t *associated_data, size_t associated_data_size,             \
      const uint8_t *ciphertext, size_t ciphertext_size);                      \
  SAMARA_MUST_CHECK samara_result samara_##cipher##_seal_truncated(            \
      const uint8_t key[samara_##cipher##_key_size], uint8_t *ciphertext,      \
      uint8_t *tag, size_t tag_size,                                           \
      const uint8_t nonce[samara_##cipher##_nonce_size],                       \
      const uint8_t *associated_data, size_t associated_data_size,             \
      const uint8_t *message, size_t message_size);                            \
  SAMARA_MUST_CHECK samara_result samara_##cipher##_open_truncated(            \
      const uint8_t key[samara_##cipher##_key_size], uint8_t *message,         \
      const uint8_t *tag, size_t tag_size,                                     \
      const uint8_t nonce[samara_##cipher##_nonce_size],                       \
      const uint8_t *associated_data, size_t associated_data_size,             \
      const uint8_t *ciphertext, size_t ciphertext_size);                      \
  SAMARA_MUST_CHECK samara_result samara_##cipher##_seal_batch(                \
      samara_batch_message *messages, size_t count);                           \
  SAMARA_MUST_CHECK samara_result samara_##cipher##_open_batch(                \
      samara_batch_message *messages, size_t count);

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
