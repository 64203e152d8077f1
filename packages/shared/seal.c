/* SPDX-License-Identifier: Apache-2.0 */

/* Seals a reading, opens it again, and prints what would go over the air. */

#include <samara/ascon_aead128.h>
#include <stdio.h>
#include <string.h>

/* An example: take a key from `samara keygen`, and keep it where others cannot
 * read it. */
static const uint8_t key[samara_ascon_aead128_key_size] = {
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
/* Never use one twice with a key: count messages (samara/store.h). */
static const uint8_t nonce[samara_ascon_aead128_nonce_size] = {1};
static const uint8_t reading[6] = {'2', '1', '.', '5', ' ', 'C'};

static void print_hex(const uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) {
    printf("%02x", (unsigned)bytes[i]);
  }
}

int main(void) {
  uint8_t text[sizeof reading];
  uint8_t tag[samara_ascon_aead128_tag_size];
  samara_result result = samara_ascon_aead128_seal(key, text, tag, nonce, NULL,
                                                   0, reading, sizeof reading);
  if (result != SAMARA_OK) {
    printf("seal: %s\n", samara_result_text(result));
    return 1;
  }
  printf("sealed ");
  print_hex(text, sizeof text);
  print_hex(tag, sizeof tag);
  printf("\n");
  result = samara_ascon_aead128_open(key, text, tag, nonce, NULL, 0, text,
                                     sizeof text);
  if (result != SAMARA_OK || memcmp(text, reading, sizeof text) != 0) {
    printf("open: %s\n", samara_result_text(result));
    return 1;
  }
  printf("opened %.6s\n", (const char *)text);
  return 0;
}
