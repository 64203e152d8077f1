/* SPDX-License-Identifier: Apache-2.0 */
/* For folders whose functions have names of their own and are known only by
 * their table: calls what the table points to. */

#include "lwc_crypto_aead.h"

int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen,
                        const unsigned char *m, unsigned long long mlen,
                        const unsigned char *ad, unsigned long long adlen,
                        const unsigned char *nsec, const unsigned char *npub,
                        const unsigned char *k) {
  return lwc_aead_cipher.encrypt(c, clen, m, mlen, ad, adlen, nsec, npub, k);
}

int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen,
                        unsigned char *nsec, const unsigned char *c,
                        unsigned long long clen, const unsigned char *ad,
                        unsigned long long adlen, const unsigned char *npub,
                        const unsigned char *k) {
  return lwc_aead_cipher.decrypt(m, mlen, nsec, c, clen, ad, adlen, npub, k);
}
