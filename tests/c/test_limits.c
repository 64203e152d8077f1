/* SPDX-License-Identifier: Apache-2.0 */

/* Every refusal has its name, writes nothing and comes before any work: lengths
 * that would take the buffer of a giant are refused with a null pointer. */

#include "check.h"
#include <samara/samara.h>
#include <string.h>

static const uint8_t key_bytes[32] = {1, 2, 3};
static const uint8_t nonce[32] = {4, 5, 6};
static uint8_t buffer[96];
static uint8_t tag[16];

static void check_ccm_sizes(void) {
  samara_aes128_key key;
  samara_aes128_set_key(&key, key_bytes);
  for (size_t nonce_size = 0; nonce_size <= 16; nonce_size++) {
    const bool right = nonce_size >= 7 && nonce_size <= 13;
    const samara_result want = right ? SAMARA_OK : SAMARA_ERROR_NONCE_SIZE;
    CHECK_RESULT(samara_aes128_ccm_seal(&key, buffer, tag, 8, nonce, nonce_size,
                                        NULL, 0, buffer, 20),
                 want, "CCM nonce size");
  }
  for (size_t tag_size = 0; tag_size <= 17; tag_size++) {
    const bool right = tag_size >= 4 && tag_size <= 16 && tag_size % 2 == 0;
    const samara_result want = right ? SAMARA_OK : SAMARA_ERROR_TAG_SIZE;
    CHECK_RESULT(samara_aes128_ccm_seal(&key, buffer, tag, tag_size, nonce, 13,
                                        NULL, 0, buffer, 20),
                 want, "CCM tag size");
    CHECK_RESULT(samara_aes128_ccm_star_seal(&key, buffer, tag, tag_size, nonce,
                                             NULL, 0, buffer, 20),
                 tag_size == 0 ? SAMARA_OK : want, "CCM* tag size");
  }
}

static void check_ccm_lengths(void) {
  samara_aes128_key key;
  samara_aes128_set_key(&key, key_bytes);
  for (size_t nonce_size = 8; nonce_size <= 13; nonce_size++) {
    const size_t field_bits = 8 * (15 - nonce_size);
    if (field_bits >= 8 * sizeof(size_t)) {
      continue;
    }
    const size_t too_long = (size_t)1 << field_bits;
    CHECK_RESULT(samara_aes128_ccm_seal(&key, NULL, NULL, 8, nonce, nonce_size,
                                        NULL, 0, NULL, too_long),
                 SAMARA_ERROR_MESSAGE_SIZE, "CCM message length");
    CHECK_RESULT(samara_aes128_ccm_open(&key, NULL, NULL, 8, nonce, nonce_size,
                                        NULL, 0, NULL, too_long),
                 SAMARA_ERROR_CIPHERTEXT_SIZE, "CCM ciphertext length");
  }
  CHECK_RESULT(samara_aes128_ccm_star_seal(&key, NULL, NULL, 0, nonce, NULL, 0,
                                           NULL, 65536),
               SAMARA_ERROR_MESSAGE_SIZE, "CCM* message length");
  CHECK_RESULT(samara_aes128_ccm_star_open(&key, NULL, NULL, 0, nonce, NULL, 0,
                                           NULL, 65536),
               SAMARA_ERROR_CIPHERTEXT_SIZE, "CCM* ciphertext length");
}

/* The longest message that two length bytes can count goes through. */
static void check_ccm_longest(void) {
  static uint8_t message[65535];
  static uint8_t sealed[65535];
  samara_speck128_128_key key;
  samara_speck128_128_set_key(&key, key_bytes);
  fill_random(message, sizeof message);
  CHECK_RESULT(samara_speck128_128_ccm_seal(&key, sealed, tag, 16, nonce, 13,
                                            NULL, 0, message, sizeof message),
               SAMARA_OK, "CCM of 65,535 bytes");
  CHECK_RESULT(samara_speck128_128_ccm_open(&key, sealed, tag, 16, nonce, 13,
                                            NULL, 0, sealed, sizeof sealed),
               SAMARA_OK, "CCM of 65,535 bytes");
  CHECK_BYTES(sealed, message, sizeof message, "CCM of 65,535 bytes");
}

static void check_gcm(void) {
  samara_aes256_key key;
  samara_aes256_set_key(&key, key_bytes);
  CHECK_RESULT(
      samara_aes256_gcm_seal(&key, buffer, tag, nonce, 0, NULL, 0, buffer, 20),
      SAMARA_ERROR_NONCE_SIZE, "GCM empty nonce");
#if SIZE_MAX > 0xffffffff
  const size_t too_long = ((size_t)1 << 36) - 31;
  CHECK_RESULT(samara_aes256_gcm_seal(&key, NULL, NULL, nonce, 12, NULL, 0,
                                      NULL, too_long),
               SAMARA_ERROR_MESSAGE_SIZE, "GCM message length");
  CHECK_RESULT(samara_aes256_gcm_open(&key, NULL, NULL, nonce, 12, NULL, 0,
                                      NULL, too_long),
               SAMARA_ERROR_CIPHERTEXT_SIZE, "GCM ciphertext length");
  CHECK_RESULT(samara_aes256_gcm_seal(&key, NULL, NULL, nonce, 12, NULL,
                                      (size_t)1 << 61, NULL, 1),
               SAMARA_ERROR_ASSOCIATED_DATA_SIZE, "GCM associated data");
  CHECK_RESULT(samara_aes256_gcm_seal(&key, NULL, NULL, NULL, (size_t)1 << 61,
                                      NULL, 0, NULL, 1),
               SAMARA_ERROR_NONCE_SIZE, "GCM nonce length");
#endif
}

static void check_cbc(void) {
  samara_aes128_key key;
  samara_aes128_set_key(&key, key_bytes);
  size_t size;
  for (size_t ciphertext_size = 0; ciphertext_size <= 33; ciphertext_size++) {
    if (ciphertext_size == 0 || ciphertext_size % 16 != 0) {
      size = 99;
      CHECK_RESULT(samara_aes128_cbc_decrypt(&key, buffer, &size, nonce, buffer,
                                             ciphertext_size),
                   SAMARA_ERROR_CIPHERTEXT_SIZE, "CBC multiple of 16");
      CHECK(size == 0, "CBC size after a refusal");
    }
  }
  CHECK(samara_cbc_ciphertext_size(0) == 16, "CBC of nothing");
  CHECK(samara_cbc_ciphertext_size(15) == 16, "CBC of 15");
  CHECK(samara_cbc_ciphertext_size(16) == 32, "CBC of 16");
  CHECK(samara_cbc_ciphertext_size(SIZE_MAX - 15) == 0, "CBC of too much");
  CHECK_RESULT(
      samara_aes128_cbc_encrypt(&key, NULL, nonce, NULL, SIZE_MAX - 15),
      SAMARA_ERROR_MESSAGE_SIZE, "CBC message length");
}

/* Every value of the last byte: 1 to 16, repeated as often, are right. */
static void check_padding(void) {
  samara_aes128_key key;
  samara_aes128_set_key(&key, key_bytes);
  for (unsigned value = 0; value < 256; value++) {
    for (unsigned spoilt = 0; spoilt <= 16; spoilt++) {
      uint8_t iv[16] = {0};
      uint8_t block[16];
      memset(block, (int)value, 16);
      if (spoilt != 0) {
        block[16 - spoilt] ^= 0x40; /* byte 16 - spoilt of the padding */
      }
      const unsigned padding = block[15];
      const bool right =
          padding >= 1 && padding <= 16 &&
          (spoilt <= 1 ? padding == 1 || spoilt == 0 : spoilt > padding);
      CHECK_RESULT(samara_aes128_cbc_encrypt_blocks(&key, block, iv, block, 1),
                   SAMARA_OK, "CBC block");
      size_t size = 99;
      memset(iv, 0, sizeof iv);
      CHECK_RESULT(samara_aes128_cbc_decrypt(&key, block, &size, iv, block, 16),
                   right ? SAMARA_OK : SAMARA_ERROR_AUTHENTICATION,
                   "CBC padding");
      CHECK(size == (right ? 16 - padding : 0), "CBC size %u", value);
      CHECK(right || all_zero(block, 16), "CBC releases wrong padding");
    }
  }
}

#define CHECK_AEAD_OVERLAP(name)                                               \
  do {                                                                         \
    CHECK_RESULT(samara_##name##_seal(key_bytes, output, tag, nonce, NULL, 0,  \
                                      input, 20),                              \
                 want, #name " overlap");                                      \
    if (want == SAMARA_ERROR_OVERLAP) {                                        \
      CHECK_RESULT(samara_##name##_open(key_bytes, output, tag, nonce, NULL,   \
                                        0, input, 20),                         \
                   want, #name " overlap");                                    \
    }                                                                          \
  } while (0)

/* Every AEAD of the registry. */
static void check_aead_overlap(uint8_t *output, const uint8_t *input,
                               samara_result want) {
#define BLOCK_CIPHER(name, slug, standing, source, note)
#define BLOCK_CIPHER_128 BLOCK_CIPHER
#define BLOCK_CIPHER_AES BLOCK_CIPHER
#define AEAD(name, slug, standing, source, note, stream)                       \
  CHECK_AEAD_OVERLAP(name);
#define STREAM_CIPHER(name, slug, standing, source, note, stream)
#include "host/registry.def"
}

static void check_overlap(void) {
  samara_aes128_key key;
  samara_aes128_set_key(&key, key_bytes);
  uint8_t counter[16] = {0};
  size_t size;
  for (int shift = -20; shift <= 20; shift++) {
    uint8_t *output = buffer + 24 + shift;
    const uint8_t *input = buffer + 24;
    const samara_result want = shift == 0 || shift == 20 || shift == -20
                                   ? SAMARA_OK
                                   : SAMARA_ERROR_OVERLAP;
    CHECK_RESULT(samara_aes128_ctr_encrypt(&key, output, counter, input, 20),
                 want, "CTR overlap");
    CHECK_RESULT(samara_aes128_ccm_seal(&key, output, tag, 8, nonce, 13, NULL,
                                        0, input, 20),
                 want, "CCM overlap");
    CHECK_RESULT(samara_aes128_gcm_seal(&key, output, tag, nonce, 12, NULL, 0,
                                        input, 20),
                 want, "GCM overlap");
    check_aead_overlap(output, input, want);
    if (want == SAMARA_ERROR_OVERLAP) {
      CHECK_RESULT(samara_aes128_ccm_open(&key, output, tag, 8, nonce, 13, NULL,
                                          0, input, 20),
                   want, "CCM overlap");
      CHECK_RESULT(samara_aes128_gcm_open(&key, output, tag, nonce, 12, NULL, 0,
                                          input, 20),
                   want, "GCM overlap");
      CHECK_RESULT(samara_aes128_cbc_encrypt(&key, output, nonce, input, 20),
                   want, "CBC overlap");
      CHECK_RESULT(
          samara_aes128_cbc_decrypt(&key, output, &size, nonce, input, 32),
          want, "CBC overlap");
    }
  }
}

static void check_memory(void) {
  uint8_t left[40];
  uint8_t right[40];
  fill_random(left, sizeof left);
  memcpy(right, left, sizeof left);
  CHECK(samara_equal(left, right, sizeof left), "equal bytes");
  CHECK(samara_equal(left, right, 0), "no bytes");
  for (size_t bit = 0; bit < 8 * sizeof left; bit++) {
    right[bit / 8] ^= (uint8_t)(1 << bit % 8);
    CHECK(!samara_equal(left, right, sizeof left), "bit %zu differs", bit);
    right[bit / 8] ^= (uint8_t)(1 << bit % 8);
  }
  samara_wipe(left, sizeof left);
  CHECK(all_zero(left, sizeof left), "wiped");
}

static void check_texts(void) {
  for (int code = 0; code >= -9; code--) {
    CHECK(strcmp(samara_result_text((samara_result)code),
                 samara_result_text((samara_result)1)) != 0,
          "result %d has no text", code);
  }
}

int main(void) {
  check_ccm_sizes();
  check_ccm_lengths();
  check_ccm_longest();
  check_gcm();
  check_cbc();
  check_padding();
  check_overlap();
  check_memory();
  check_texts();
  return check_report();
}
