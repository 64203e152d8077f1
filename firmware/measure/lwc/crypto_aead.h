/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CRYPTO_AEAD_H
#define CRYPTO_AEAD_H

/* The interface of NIST's Lightweight Cryptography project, for folders of
 * ciphers that include this header and do not have it. The compiler looks here
 * last: a header of the folder itself goes first.
 *
 * c is the ciphertext with the tag behind it, m the message, ad the associated
 * data, npub the nonce, k the key; nsec is not used. Sizes are in bytes.
 * 0 is success; decryption returns something else when the tag is wrong. */

int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen,
                        const unsigned char *m, unsigned long long mlen,
                        const unsigned char *ad, unsigned long long adlen,
                        const unsigned char *nsec, const unsigned char *npub,
                        const unsigned char *k);

int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen,
                        unsigned char *nsec, const unsigned char *c,
                        unsigned long long clen, const unsigned char *ad,
                        unsigned long long adlen, const unsigned char *npub,
                        const unsigned char *k);

#endif
