/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LWC_CRYPTO_AEAD_H
#define LWC_CRYPTO_AEAD_H

/* The table of a cipher that folders of NIST's benchmark fill in, for those
 * that include this header. The order of the fields is theirs. */

#include "crypto_aead.h"

typedef struct aead_ctx {
  const char *variant_name;
  const char *implementation_name;
  int key_size;
  int nonce_size;
  int tag_size;
  int (*encrypt)(unsigned char *c, unsigned long long *clen,
                 const unsigned char *m, unsigned long long mlen,
                 const unsigned char *ad, unsigned long long adlen,
                 const unsigned char *nsec, const unsigned char *npub,
                 const unsigned char *k);
  int (*decrypt)(unsigned char *m, unsigned long long *mlen,
                 unsigned char *nsec, const unsigned char *c,
                 unsigned long long clen, const unsigned char *ad,
                 unsigned long long adlen, const unsigned char *npub,
                 const unsigned char *k);
} aead_ctx;

extern aead_ctx lwc_aead_cipher;

#endif
