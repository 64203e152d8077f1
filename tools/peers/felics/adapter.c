/* SPDX-License-Identifier: Apache-2.0 */
/* NIST's interface over the interface of FELICS-AEAD. FELICS ciphers work in
 * place; the order of the calls is that of its scenario 6. */

#include "processor.h"

#include <string.h>

#include "api.h"
#include "cipher.h"
#include "constants.h"

int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen,
                        const unsigned char *m, unsigned long long mlen,
                        const unsigned char *ad, unsigned long long adlen,
                        const unsigned char *nsec, const unsigned char *npub,
                        const unsigned char *k) {
  uint16_t state[STATE_SIZE / 2];
  (void)nsec;
  memset(state, 0, sizeof(state));
  memmove(c, m, (size_t)mlen);
  Initialize((uint8_t *)state, k, npub);
  ProcessAssociatedData((uint8_t *)state, (uint8_t *)ad, (uint32_t)adlen);
  ProcessPlaintext((uint8_t *)state, c, (uint32_t)mlen);
  Finalize((uint8_t *)state, (uint8_t *)k);
  uint16_t tag[TAG_SIZE / 2];
  TagGeneration((uint8_t *)state, (uint8_t *)tag);
  memcpy(c + mlen, tag, TAG_SIZE);
  *clen = mlen + TAG_SIZE;
  return 0;
}

int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen,
                        unsigned char *nsec, const unsigned char *c,
                        unsigned long long clen, const unsigned char *ad,
                        unsigned long long adlen, const unsigned char *npub,
                        const unsigned char *k) {
  uint16_t state[STATE_SIZE / 2];
  uint16_t tag[TAG_SIZE / 2];
  uint8_t difference = 0;
  (void)nsec;
  if (clen < TAG_SIZE)
    return -1;
  *mlen = clen - TAG_SIZE;
  memset(state, 0, sizeof(state));
  memmove(m, c, (size_t)*mlen);
  Initialize((uint8_t *)state, k, npub);
  ProcessAssociatedData((uint8_t *)state, (uint8_t *)ad, (uint32_t)adlen);
  ProcessCiphertext((uint8_t *)state, m, (uint32_t)*mlen);
  Finalize((uint8_t *)state, (uint8_t *)k);
  TagGeneration((uint8_t *)state, (uint8_t *)tag);
  for (uint8_t i = 0; i < TAG_SIZE; i++) {
    difference |= ((uint8_t *)tag)[i] ^ c[*mlen + i];
  }
  return difference ? -1 : 0;
}
