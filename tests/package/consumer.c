/* SPDX-License-Identifier: Apache-2.0 */

/* Seals and opens a message as a program would that found samara installed. */

#include <samara/samara.h>
#include <samara/suite.h>
#include <stdio.h>
#include <string.h>

enum { TAG_SIZE = 8 };

static const uint8_t key[16] = {1, 2, 3};
static const uint8_t nonce[13] = {4, 5, 6};
static const uint8_t data[3] = "ad";
static const uint8_t message[12] = "soil: 0.31";

/* Reports a failure; the answer is whether there was one. */
static int differs(const char *what, samara_result result,
                   const uint8_t opened[sizeof message]) {
  if (result == SAMARA_OK && memcmp(opened, message, sizeof message) == 0) {
    return 0;
  }
  fprintf(stderr, "%s: %s\n", what, samara_result_text(result));
  return 1;
}

/* Each cipher called directly, as a device does. */
static int check_grain(void) {
  uint8_t ciphertext[sizeof message];
  uint8_t tag[samara_grain128aead_tag_size];
  uint8_t opened[sizeof message] = {0};
  samara_result result = samara_grain128aead_seal(
      key, ciphertext, tag, nonce, data, sizeof data, message, sizeof message);
  if (result == SAMARA_OK) {
    result =
        samara_grain128aead_open(key, opened, tag, nonce, data, sizeof data,
                                 ciphertext, sizeof ciphertext);
  }
  return differs("grain128aead", result, opened);
}

static int check_ccm(void) {
  uint8_t ciphertext[sizeof message];
  uint8_t tag[TAG_SIZE];
  uint8_t opened[sizeof message] = {0};
  samara_aes128_key expanded;
  samara_aes128_set_key(&expanded, key);
  samara_result result = samara_aes128_ccm_seal(
      &expanded, ciphertext, tag, sizeof tag, nonce, sizeof nonce, data,
      sizeof data, message, sizeof message);
  if (result == SAMARA_OK) {
    result = samara_aes128_ccm_open(&expanded, opened, tag, sizeof tag, nonce,
                                    sizeof nonce, data, sizeof data, ciphertext,
                                    sizeof ciphertext);
  }
  samara_aes128_wipe(&expanded);
  return differs("aes128-ccm-8", result, opened);
}

/* The registry is in the library, too. */
static int check_registry(void) {
  if (samara_suite_find("aes128-ccm-8") != NULL) {
    return 0;
  }
  fputs("the registry has no aes128-ccm-8\n", stderr);
  return 1;
}

int main(void) {
  int failures = check_grain();
  failures += check_ccm();
  failures += check_registry();
  return failures != 0;
}
